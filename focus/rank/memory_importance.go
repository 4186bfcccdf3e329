package rank

// Chart lets the memory keep the graph of the pages and links it is told of from now on, whatever the strategy's tree
// asks for. Nothing is kept where the strategy has no use for a memory.
func (m *Memory) Chart() {
	if m != nil {
		m.connected()
	}
}

// importanceIterations is how often importance is passed on along the links: at 0.85 what is left to settle is below
// a millionth of the mean. It is worked out once a generation.
const importanceIterations = 100

// Importance is what a surfer who prefers the topic makes of items: topic lets the values settle, topic_once is one
// pass over the plain PageRank. The mean over all known addresses is 1; known is how many those are. An item the graph
// does not know has none.
func (m *Memory) Importance(items []uint64, damping float64, surfer string) (importance []float64, known int) {
	importance = make([]float64, len(items))
	if m == nil || m.graph == nil {
		return importance, 0
	}
	g := m.graph
	values := make([]float32, len(g.nodes))
	pagerank{pagerankParams{Damping: damping, Iterations: importanceIterations, Surfer: surfer}}.solve(g, values)
	for i, item := range items {
		if n, ok := g.index[item]; ok {
			importance[i] = float64(values[n]) * float64(len(g.nodes))
		}
	}
	return importance, len(g.nodes)
}

// ImportanceAmong is what such a surfer makes of pages that are all there is: relevance is by page, and links are, by page,
// the pages that it links to, each once. The mean is 1. It is what an index, an export and a second look call importance.
func ImportanceAmong(relevance []float32, links func(page int) []uint32) []float64 {
	g := newGraph()
	for i := range relevance {
		n := g.node(uint64(i) + 1)
		g.reckon(n, func(v *vertex) { v.fetched, v.relevance = true, relevance[i] })
	}
	for i := range relevance {
		to := links(i)
		if len(to) == 0 || len(g.out)+len(to) > maxLinks {
			continue
		}
		g.runs = append(g.runs, run{uint32(i), uint32(len(g.out))})
		g.out = append(g.out, to...)
		g.nodes[i].degree = uint32(len(to))
	}
	values := make([]float32, len(g.nodes))
	pagerank{pagerankParams{Damping: .85, Iterations: importanceIterations, Surfer: "topic"}}.solve(g, values)
	importance := make([]float64, len(values))
	for i, v := range values {
		importance[i] = float64(v) * float64(len(values))
	}
	return importance
}
