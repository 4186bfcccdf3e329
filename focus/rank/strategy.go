package rank

import "math"

// Strategy is a tree of factors with the rules around it. It never changes after Load, and any number of goroutines
// may score with it at once, each with its own Evidence.
type Strategy struct {
	Name    string
	About   string
	Claim   string // what its source reports, on a web of its own
	Judge   string // the judge that belongs to it, empty if any does
	Content string
	Full    float64 // from this relevance on a page is as relevant as can be, for the order of links
	Admit   Admit
	Select  Selection
	Source  string // the file it was read from

	nodes    []node
	carriers []Carrier
	recalls  bool  // some node reads Memory
	fixed    int   // how many leaves do not: their numbers are kept
	overs    int   // how many nodes are taken over all links to an address,
	spread   []int // and where those of them are that stand below none and above others
	merges   int   // some node merges the hints of all links to an address, with so many words on each side; 0 where none does

	learns     bool // some node is an apprentice …
	apprentice int  // … this one

	models []byte // the checksums of its models, in reading order

	hedge  int // where the second tree begins; 0 where there is none
	shares Hedge
}

// Node is one node of the tree in reading order.
type Node struct {
	Name   string
	Depth  int
	Weight float64 // in its parent's mix; 1 elsewhere
	Use    string  // factor or branch: mix, best, product, gate, first, blend, apprentice
	Over   string  // max or mean, where it is taken over all links to the address; empty where it is this link's
}

// node is a Node with what scoring needs. The tree lies flat in reading order: a node's first child is the next node,
// and end is the first node after all that stands below it.
type node struct {
	Node
	kind     kind
	end      int
	factor   Factor
	recaller Recaller // the factor, if it reads Memory
	merger   Merger   // the factor, if it merges hints
	ofPage   bool     // the factor looks at the page, its trail and the link alone
	fixed    int      // of a leaf that does not read Memory: which of them it is. Of one that merges, its page's part is kept
	with     any      // the parameters in force, for writing the strategy down
	over     over
	same     bool    // scored again, it says the same of all links to an address
	slot     int     // which of the nodes it is that are taken over all links
	at       float64 // of a gate: the value at which it opens
	closed   float64 // of a gate: what is left of the value when it is closed
}

// kind is the kind of a node. The kinds stand in one switch because a branch that is a function value costs four
// times as much and allocates.
type kind uint8

const (
	leaf kind = iota
	mix
	best
	product
	gate
	first
	blend
	learner
	saying // what an apprentice says of a link beside its parts
)

var branches = [...]string{mix: "mix", best: "best", product: "product", gate: "gate", first: "first", blend: "blend", learner: "apprentice"}

// Nodes are the nodes of the tree in reading order; Score writes one number for each.
func (s *Strategy) Nodes() []Node {
	nodes := make([]Node, len(s.nodes))
	for i := range s.nodes {
		nodes[i] = s.nodes[i].Node
	}
	return nodes
}

// Score walks the tree once, appends one number per node to numbers, and answers the score as a whole, which is
// finite and the first of them. A number that is NaN says that its node had no evidence; a tree without any scores 0.
func (s *Strategy) Score(e *Evidence, numbers []float32) (float32, []float32) {
	start := len(numbers)
	for range s.nodes {
		numbers = append(numbers, 0)
	}
	w := walk{s: s, evidence: e, numbers: numbers[start:], ahead: e.Ahead.leaves(s, e.Link)}
	if m := e.Memory; m != nil {
		if m.serves != s {
			m.Serve(s)
		}
		m.leans, e.known.leans = leans{}, &m.leans
		w.trace.entry = m.known(e.Item)
	}
	score := finite(w.node(0))
	if s.hedge > 0 {
		w.numbers[s.hedge] = finite(w.node(s.hedge))
	}
	numbers[start], e.known.leans = score, nil
	if s.recalls {
		e.known.score, e.known.numbers = score, w.numbers
	}
	return score, numbers
}

// finite is v as a score: 0 where there was no evidence, and never infinite.
func finite(v float64) float32 {
	switch {
	case v != v:
		return 0
	case v > math.MaxFloat32:
		return math.MaxFloat32
	case v < -math.MaxFloat32:
		return -math.MaxFloat32
	}
	return float32(v)
}
