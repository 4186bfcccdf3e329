package rank

import "math"

// Strategy is a tree of factors with the rules around it. It never changes after Load, and any number of goroutines
// may score with it at once, each with its own Evidence.
type Strategy struct {
	Name    string
	About   string
	Judge   string // the judge that belongs to it, empty if any does
	Content string
	Admit   Admit
	Select  string // best | fifo | lifo | random | rounds | genetic | groups
	Source  string // the file it was read from

	nodes    []node
	carriers []Carrier
}

// Node is one node of the tree in reading order.
type Node struct {
	Name   string
	Depth  int
	Weight float64 // in its parent's mix; 1 elsewhere
	Use    string  // factor or branch: mix, best, product, gate, first, blend
}

// node is a Node with what scoring needs. The tree lies flat in reading order: a node's first child is the next node,
// and end is the first node after all that stands below it.
type node struct {
	Node
	kind   kind
	end    int
	factor Factor
	with   any     // the parameters in force, for writing the strategy down
	at     float64 // of a gate: the value at which it opens
	closed float64 // of a gate: what is left of the value when it is closed
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
)

var branches = [...]string{mix: "mix", best: "best", product: "product", gate: "gate", first: "first", blend: "blend"}

// Nodes are the nodes of the tree in reading order; Score writes one number for each.
func (s *Strategy) Nodes() []Node {
	nodes := make([]Node, len(s.nodes))
	for i := range s.nodes {
		nodes[i] = s.nodes[i].Node
	}
	return nodes
}

// Score walks the tree once, appends one number per node to numbers, and answers the score as a whole, which is
// finite. A number that is NaN says that the node had no evidence; a tree without any scores 0.
func (s *Strategy) Score(e *Evidence, numbers []float32) (float32, []float32) {
	start := len(numbers)
	for range s.nodes {
		numbers = append(numbers, 0)
	}
	return finite(s.walk(0, e, numbers[start:])), numbers
}

// walk scores the node i and all below it.
func (s *Strategy) walk(i int, e *Evidence, numbers []float32) float64 {
	n := &s.nodes[i]
	var v float64
	switch n.kind {
	case leaf:
		v = n.factor.Score(e)
	case mix:
		v = s.mix(n, i, e, numbers)
	case gate:
		v = s.gate(n, i, e, numbers)
	case blend:
		v = s.blend(i, e, numbers)
	default:
		v = s.fold(n, i, e, numbers)
	}
	numbers[i] = float32(v)
	return v
}

// mix is the weighted mean of the parts that have evidence.
func (s *Strategy) mix(n *node, i int, e *Evidence, numbers []float32) float64 {
	sum, weights := 0.0, 0.0
	for j := i + 1; j < n.end; j = s.nodes[j].end {
		if v := s.walk(j, e, numbers); v == v {
			sum += s.nodes[j].Weight * v
			weights += s.nodes[j].Weight
		}
	}
	return sum / weights // 0/0 is NaN: no part had evidence that weighs anything
}

// fold is the highest, the product, or the first of the parts that have evidence.
func (s *Strategy) fold(n *node, i int, e *Evidence, numbers []float32) float64 {
	v := none
	for j := i + 1; j < n.end; j = s.nodes[j].end {
		part := s.walk(j, e, numbers)
		switch {
		case part != part:
		case v != v:
			v = part
		case n.kind == best:
			v = max(v, part)
		case n.kind == product:
			v *= part
		}
	}
	return v
}

// gate is the first part's value if every other part reaches n.at, and the share n.closed of it otherwise.
func (s *Strategy) gate(n *node, i int, e *Evidence, numbers []float32) float64 {
	j := i + 1
	v := s.walk(j, e, numbers)
	open := true
	for j = s.nodes[j].end; j < n.end; j = s.nodes[j].end {
		if s.walk(j, e, numbers) < n.at {
			open = false
		}
	}
	if open {
		return v
	}
	if v != v {
		v = 1
	}
	return v * n.closed
}

// blend has three parts: the first says how much of the second, the rest is of the third.
func (s *Strategy) blend(i int, e *Evidence, numbers []float32) float64 {
	a := i + 1
	b := s.nodes[a].end
	c := s.nodes[b].end
	share := unit(s.walk(a, e, numbers))
	one, other := s.walk(b, e, numbers), s.walk(c, e, numbers)
	switch {
	case one != one:
		return other
	case other != other:
		return one
	case share != share:
		share = 0.5
	}
	return share*one + (1-share)*other
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
