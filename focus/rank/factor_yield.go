package rank

// yieldParams are the parameters of yield.
type yieldParams struct {
	Of    string `yaml:"of" doc:"whose links: those of the same block, page or tag path; addresses of the same host, directory or shape" check:"block|page|path|host|directory|shape"`
	Count string `yaml:"count" doc:"mean is their mean relevance, share the share that was relevant" check:"mean|share"`
	Wider bool   `yaml:"wider" doc:"while few are known, lean on what the crawl file says of the site, on the example pages there and on the next wider kind, down to all that was fetched; otherwise there is no evidence before the first"`
}

func registerYield(r *Registry) {
	Register(r, "yield", "how the links beside this one turned out that were fetched so far; scored again as they are",
		yieldParams{Of: "block", Count: "mean"}, newYield)
}

func newYield(p yieldParams) (Factor, error) {
	y := yield{share: p.Count == "share", wider: p.Wider}
	for r, name := range map[reach]string{byBlock: "block", byPage: "page", byPath: "path", byHost: "host", byDirectory: "directory", byShape: "shape"} {
		if name == p.Of {
			y.of = r
		}
	}
	return y, nil
}

type yield struct {
	of           reach
	share, wider bool
}

func (y yield) Score(e *Evidence) float64 { return y.Recall(e.Trace()) }

// Recall answers what the links beside it have come to since.
func (y yield) Recall(t Trace) float64 {
	switch {
	case t.memory == nil:
		return none
	case y.wider:
		return y.lean(t, y.of)
	}
	return y.value(t.tally(y.of))
}

// reads tells that all is kept that it asks for.
func (y yield) reads(m *Memory) bool {
	for r := y.of; r != reaches; r = steps[r].on {
		if !m.keeps(r) {
			return false
		}
		if !y.wider {
			break
		}
	}
	return true
}

// OfAddress tells the yields of a host, directory or shape from those of where a link stands.
func (y yield) OfAddress() bool { return !y.of.ofLink() }

func (y yield) value(t Tally) float64 {
	if y.share {
		return t.Share()
	}
	return t.Mean()
}

// steps say what a reach leans on, and by the weight of how many links.
var steps = [reaches]struct {
	on     reach
	weight float64
}{
	byBlock:     {byPath, 1},
	byPage:      {byPath, 1},
	byPath:      {reaches, 3},
	byShape:     {byThird, 2},
	byThird:     {bySecond, 2},
	bySecond:    {byDirectory, 2},
	byDirectory: {byHost, 2},
	byHost:      {reaches, 3},
}

// What is believed of a link of which nothing is known at all: a fifth, as if two links had said so.
const (
	belief       = 0.2
	beliefWeight = 2
)

// lean is the yield of a reach drawn toward that of the next wider one. It is worked out once for a link.
func (y yield) lean(t Trace, r reach) float64 {
	if r == reaches {
		return y.counted(t.All()).Toward(belief, beliefWeight)
	}
	had := t.leans.of(y, r)
	if !had.ready {
		*had = answer{y.drawn(t, r), true}
	}
	return had.value
}

// drawn works it out. What was said of a site counts as so many of its pages, and an example page as one that was fetched and is
// wholly relevant.
func (y yield) drawn(t Trace, r reach) float64 {
	g, key := t.group(r)
	wider, weight := y.lean(t, steps[r].on), steps[r].weight
	if p, ok := t.memory.priors[key]; ok && p.confidence > 0 {
		wider = (weight*wider + p.confidence*p.weight) / (weight + p.confidence)
		weight += p.confidence
	}
	if n := float64(t.memory.shown[key]); n > 0 {
		wider, weight = (weight*wider+n)/(weight+n), weight+n
	}
	return y.counted(g.Tally).Toward(wider, weight)
}

// counted is a tally whose sum is what the factor counts.
func (y yield) counted(t Tally) Tally {
	if y.share {
		t.Sum = float64(t.Relevant)
	}
	return t
}

// leans are what the yields of one link come to that lean on wider ones, means and shares: several lean on the same.
type leans [2][reaches]answer

// of is the place of one of them; a new one where nobody keeps them.
func (l *leans) of(y yield, r reach) *answer {
	switch {
	case l == nil:
		return new(answer)
	case y.share:
		return &l[1][r]
	}
	return &l[0][r]
}

// turn forgets what belongs to one link. What belongs to the address holds for the next link to it, too.
func (l *leans) turn() {
	for i := range l {
		clear(l[i][:byPath+1])
	}
}
