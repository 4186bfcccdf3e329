package rank

// fitnessParams are the parameters of fitness.
type fitnessParams struct {
	K      float64 `yaml:"k" doc:"how much less, or more, the words of the link count than its page" check:"(0..1000000"`
	By     string  `yaml:"k_op" doc:"div: the words count 1/k, and only order the links of one page; mul: k times, all of it divided by 1+k" check:"div|mul"`
	Window int     `yaml:"window" doc:"how many words count on each side of the link; the hints of all links to an address are merged" check:"1..100"`
}

func registerFitness(r *Registry) {
	Register(r, "fitness", "the relevance of the page, and what the link's own words and those around it add to it: the fitness of the genetic crawler",
		fitnessParams{K: 100, By: "div", Window: hintWindow}, func(p fitnessParams) (Factor, error) { return fitness(p), nil })
}

// fitness is f + r/k of Zhang and Yuan: f the judge's own number for the page, r what the words of the link and those
// around it, whichever are nearer to the topic, have in common with it. It may pass 1, up to 1 + 1/k: where one keyword is
// all of the topic every page that has it is 1, and the words of a link are all that tells its links apart. f + r·k is made
// smaller by 1+k, so that it keeps its order.
//
// The hints of several links to one address are merged, as its selection has it: r is that of all their words together.
type fitness fitnessParams

func (f fitness) Score(e *Evidence) float64 {
	return f.With(float64(float32(f.Own(e))), float64(float32(e.Hint(f.Window))))
}

// Own is f.
func (f fitness) Own(e *Evidence) float64 { return e.Judgement.Raw }

// With is the fitness of a link on a page of relevance own, to an address whose links all together promise hint.
func (f fitness) With(own, hint float64) float64 {
	if f.By == "mul" {
		return unit(orZero((own + hint*f.K) / (1 + f.K)))
	}
	return unit(orZero(own)) + hint/f.K // past 1 where the page is all that was asked for: the hint still counts
}

func (f fitness) Reach() int { return f.Window }
