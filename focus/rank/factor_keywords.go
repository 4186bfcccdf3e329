package rank

func registerKeywords(r *Registry) {
	Register(r, "keywords", "how many different words of the topic stand in the link's words and in the path of its address: n/(n+1)",
		struct{}{}, without(Func(keywords)))
}

// keywords counts what a person would look for first.
func keywords(e *Evidence) float64 {
	if e.Link == nil || e.Topic == nil {
		return none
	}
	n := float64(e.Topic.Mentions(e.Link.Anchor, wordsOfPath(e.Link.URL)))
	return n / (n + 1)
}
