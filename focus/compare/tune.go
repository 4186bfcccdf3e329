package compare

import (
	"context"
	"slices"
)

// Tuned is how a winner was chosen. Its figures are of the webs the choice was made by, and so flatter it: what the
// winner is worth, the cells and means say, which are of other webs.
type Tuned struct {
	Webs   []string `json:"webs"`   // that the choice was made by
	Winner string   `json:"winner"` // the best of the variants there
	Tried  []Try    `json:"tried"`  // all variants, the best first
}

// Try is a variant on the webs that are tuned on.
type Try struct {
	Strategy string  `json:"strategy"`
	Focus    float64 `json:"focus"`
}

// tune chooses the best variant on some webs, and measures it on others, beside the strategy it is made of as its file
// has it, which is the baseline unless another was named.
func (r *runner) tune(ctx context.Context) (*Result, error) {
	named := r.Options.Baseline != r.variants[0].name
	tried, err := r.measure(ctx, r.Tune)
	if err == nil {
		err = ctx.Err() // a part of the topics chooses no winner
	}
	if err != nil {
		return nil, err
	}
	tuned := &Tuned{Winner: tried.Means[0].Strategy}
	for _, c := range tried.Cells {
		if !slices.Contains(tuned.Webs, c.Web) {
			tuned.Webs = append(tuned.Webs, c.Web)
		}
	}
	for _, m := range tried.Means {
		tuned.Tried = append(tuned.Tried, Try{m.Strategy, m.Focus})
	}
	winner := r.variants[slices.Index(r.names(), tuned.Winner)]
	shown := []variant{winner}
	against := winner.of
	if named {
		against = r.Baseline
	}
	if against != winner.name {
		base, err := r.untuned(against)
		if err != nil {
			return nil, err
		}
		shown = append(shown, base)
	}
	r.variants, r.Baseline = shown, against
	result, err := r.measure(ctx, r.Show)
	if err != nil {
		return nil, err
	}
	result.Tuned, result.Skipped = tuned, append(tried.Skipped, result.Skipped...)
	return result, nil
}

// untuned is a variant by its name, or a strategy as its file has it.
func (r *runner) untuned(name string) (variant, error) {
	if i := slices.Index(r.names(), name); i >= 0 {
		return r.variants[i], nil
	}
	all, err := variantsOf([]string{name}, nil)
	if err != nil {
		return variant{}, err
	}
	return all[0], nil
}
