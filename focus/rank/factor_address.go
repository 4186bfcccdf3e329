package rank

import "strings"

func registerAddress(r *Registry) {
	Register(r, "address", "1 where the path of the link's address has a word of the topic, 0 where it has none",
		struct{}{}, without(Func(addressHasTopic)))
}

func addressHasTopic(e *Evidence) float64 {
	if e.Link == nil || e.Topic == nil {
		return none
	}
	_, path := split(e.Link.URL)
	if strings.IndexByte(path, '%') >= 0 {
		path = unescaped(path)
	}
	if e.Topic.Sim(path) > 0 {
		return 1
	}
	return 0
}
