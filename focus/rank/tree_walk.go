package rank

import "math"

// walk is one walk through a tree: for a link that is scored for the first time by its evidence, for one that is
// scored again by the numbers it had and what is remembered of it.
type walk struct {
	s        *Strategy
	evidence *Evidence
	ahead    []float32 // what was worked out of that link before, of the leaves that do not read Memory; nil where nothing was
	trace    Trace
	old      []float32 // of a link that is scored again: the numbers of the leaves that do not read Memory
	numbers  []float32 // one per node, to be filled

	added []added   // of a link that is scored again: what the parts of an apprentice add
	same  []float64 // of a link that is scored again: what the nodes say that say the same of all links to the address,
	later bool      // as the first of these links had them say
	whole bool      // what stands below a node that is taken over all links is scored, too

	words [2]float64 // what an apprentice hears in the words of the links, for its chance and its future
	heard bool
}

// node scores the node i and all below it. What it answers is rounded as it is kept, in numbers, only for the explanation: the nodes
// above go on with the full number.
func (w *walk) node(i int) float64 {
	n := &w.s.nodes[i]
	var v float64
	switch {
	case n.same && w.later:
		v = w.same[i]
	case n.over != overThis && w.evidence == nil && !w.whole && n.slot < len(w.trace.entry.over):
		v = w.trace.entry.over[n.slot].value(n.over)
	default:
		v = w.below(n, i)
	}
	if n.same && !w.later && w.same != nil {
		w.same[i] = v
	}
	w.numbers[i] = float32(v)
	return v
}

// below scores a node by what stands below it.
func (w *walk) below(n *node, i int) (v float64) {
	switch n.kind {
	case leaf:
		v = w.leaf(n)
	case mix:
		v = w.mix(n, i)
	case gate:
		v = w.gate(n, i)
	case blend:
		v = w.blend(i)
	case learner:
		v = w.apprentice(n, i)
	default:
		v = w.fold(n, i)
	}
	if n.over != overThis {
		v = w.over(n, v)
	}
	return v
}

// leaf asks a factor. Of a link that is scored again only those that read Memory are asked. What a leaf says is counted
// as it is kept, a float32, so that a link that is scored again under the same circumstances scores the same.
func (w *walk) leaf(n *node) float64 {
	switch {
	case n.ofPage && w.ahead != nil:
		return float64(w.ahead[n.fixed])
	case w.evidence != nil:
		return evident(n.factor.Score(w.evidence))
	case n.recaller != nil:
		return evident(n.recaller.Recall(w.trace))
	case n.merger != nil && w.trace.entry.hints != nil:
		return evident(n.merger.With(float64(w.old[n.fixed]), float64(w.trace.entry.hints.promise)))
	}
	return float64(w.old[n.fixed])
}

// evident is what a factor has said as it counts: what is infinite, as where a program's own divides by nothing, is no evidence. It would
// outweigh all other parts, and spoil for good what an apprentice has learned.
func evident(v float64) float64 {
	if v = float64(float32(v)); math.IsInf(v, 0) {
		return none
	}
	return v
}

// mix is the weighted mean of the parts that have evidence.
func (w *walk) mix(n *node, i int) float64 {
	sum, weights := 0.0, 0.0
	for j := i + 1; j < n.end; j = w.s.nodes[j].end {
		if v := w.node(j); v == v {
			sum += w.s.nodes[j].Weight * v
			weights += w.s.nodes[j].Weight
		}
	}
	return sum / weights // 0/0 is NaN: no part had evidence that weighs anything
}

// fold is the highest, the product, or the first of the parts that have evidence.
func (w *walk) fold(n *node, i int) float64 {
	v := none
	for j := i + 1; j < n.end; j = w.s.nodes[j].end {
		part := w.node(j)
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

// gate is the first part's value if every other part reaches n.at, and the share n.closed of it otherwise. A part without evidence does
// not close it: NaN is below nothing. Of a value without evidence a closed gate makes none, but for nothing.
func (w *walk) gate(n *node, i int) float64 {
	j := i + 1
	v := w.node(j)
	open := true
	for j = w.s.nodes[j].end; j < n.end; j = w.s.nodes[j].end {
		if w.node(j) < n.at {
			open = false
		}
	}
	if open {
		return v
	}
	if n.closed == 0 {
		return 0 // whatever it is
	}
	return v * n.closed
}

// blend has three parts: the first says how much of the second, the rest is of the third. Where one of the two has no evidence the other
// counts alone, and where the first has none they count alike.
func (w *walk) blend(i int) float64 {
	a := i + 1
	b := w.s.nodes[a].end
	c := w.s.nodes[b].end
	share := unit(w.node(a))
	one, other := w.node(b), w.node(c)
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
