package rank

// contextParams are the parameters of context.
type contextParams struct {
	Window int    `yaml:"window" doc:"how many words count on each side of the link" check:"1..100"`
	Full   bool   `yaml:"full_if_anchor" doc:"1 where the anchor has a word of the topic, as in shark"`
	Blank  string `yaml:"blank" doc:"no words around: none is no evidence, zero is 0 as in the sources" check:"none|zero"`
}

func registerContext(r *Registry) {
	Register(r, "context", "how near the words around the link come to the topic", contextParams{Window: 10, Blank: "none"},
		func(p contextParams) (Factor, error) {
			return context{window: p.Window, full: p.Full, zero: p.Blank == "zero"}, nil
		})
}

type context struct {
	window     int
	full, zero bool
}

func (c context) Score(e *Evidence) float64 {
	if c.full && e.AnchorSim() > 0 {
		return 1
	}
	if c.zero {
		return orZero(e.ContextSim(c.window))
	}
	return e.ContextSim(c.window)
}
