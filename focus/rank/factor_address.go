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
	if e.Topic.Sim(wordsOfPath(e.Link.URL)) > 0 {
		return 1
	}
	return 0
}

// wordsOfPath is what stands behind the host of an address, as a person would read it.
func wordsOfPath(address string) string {
	_, path := split(address)
	if strings.IndexByte(path, '%') >= 0 {
		path = unescaped(path)
	}
	return path
}
