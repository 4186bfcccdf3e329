package rank

import "math"

// indegreeParams are the parameters of in-degree.
type indegreeParams struct {
	Full int `yaml:"full" doc:"how many links make it 1" check:"1..1000000000"`
}

func registerIndegree(r *Registry) {
	Register(r, "in-degree", "how many links to the address were seen: ln(1+links)/ln(1+full)", indegreeParams{Full: 1_000_000},
		func(p indegreeParams) (Factor, error) { return indegree{math.Log1p(float64(p.Full))}, nil })
}

type indegree struct{ full float64 }

func (d indegree) Score(e *Evidence) float64 { return d.Recall(e.Trace()) }

// Recall answers for the links that were seen since.
func (d indegree) Recall(t Trace) float64 {
	if t.memory == nil {
		return none
	}
	return unit(math.Log1p(float64(t.Degree())) / d.full)
}

// OfAddress: all links to an address are counted.
func (d indegree) OfAddress() bool { return true }

// reads: nothing is asked for that must be kept first.
func (d indegree) reads(*Memory) bool { return true }
