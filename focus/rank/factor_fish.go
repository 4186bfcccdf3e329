package rank

import "math"

// fishParams are the parameters of fish.
type fishParams struct {
	Width int     `yaml:"width" doc:"how many links of an irrelevant page are preferred (the W of fish-search)" check:"0..100000"`
	Alpha float64 `yaml:"alpha" doc:"how many times as many of a relevant page" check:"0..1000"`
	Order string  `yaml:"order" doc:"which links come first: document as they stand, anchor by their words" check:"document|anchor"`
}

func registerFish(r *Registry) {
	Register(r, "fish", "1 for the first links of a relevant page, 0.5 for the first of an irrelevant one, 0 for the rest",
		fishParams{Width: 5, Alpha: 1.5, Order: "document"}, func(p fishParams) (Factor, error) { return fish(p), nil })
}

type fish fishParams

func (f fish) Score(e *Evidence) float64 {
	width, preferred := float64(f.Width), 0.5
	if e.Judgement.Relevant {
		width, preferred = math.Floor(f.Alpha*width), 1
	}
	if e.Link == nil || e.Trail.Allowance <= 0 || float64(f.place(e)) >= width {
		return 0
	}
	return preferred
}

// place is the link's place among the links of its page.
func (f fish) place(e *Evidence) int32 {
	if f.Order == "anchor" {
		return e.sheet().place(e, e.Link)
	}
	return e.Link.Order
}
