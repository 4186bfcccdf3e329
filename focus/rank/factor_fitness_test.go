package rank

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/topic"
)

func TestFitness(t *testing.T) {
	of := func(with string, f, anchor, around float64) float64 {
		e := linked(anchor, around)
		e.Judgement = topic.Judgement{Raw: f, Relevance: 0.9}
		return score(tree(t, "{use: fitness, with: "+with+"}"), e)
	}
	near(t, "f .02, r .5", of("{k: 100}", 0.02, 0.5, 0), 0.025)
	near(t, "f .03, r 0", of("{k: 100}", 0.03, none, none), 0.03)
	near(t, "the words around count too", of("{k: 100}", 0.02, 0.1, 0.5), 0.025)
	near(t, "multiplied", of("{k: 4, k_op: mul}", 0.02, 0.5, 0), 0.404)
	near(t, "one keyword, a link that has it", of("{k: 100}", 1, 1, 0), 1.01)
	near(t, "one keyword, a link that has it not", of("{k: 100}", 1, 0, none), 1)
	if hints := of("{k: 100}", 0.02, 1, 1); !(hints < of("{k: 100}", 0.04, 0, 0)) {
		t.Error("hints do more than order the links of one page")
	}
}

// A genetic selection has the memory keep its graph, whatever the tree asks for; importance is that of the vectors.
func TestImportanceIsTheMeansMultiple(t *testing.T) {
	s := load(t, "rank: {use: fitness}\nselect: genetic\n")
	if !s.recalls || load(t, "rank: {use: relevance}\n").recalls {
		t.Fatal("the memory is kept where nobody asks, or not where somebody does")
	}
	m := NewMemory()
	m.Chart()
	m.graph = drawn([]float32{0.2, 0.6, 0.2}, [2]uint64{1, 2}, [2]uint64{1, 3}, [2]uint64{2, 3}, [2]uint64{3, 1})
	importance, known := m.Importance([]uint64{1, 2, 3, 9}, 0.85, "topic")
	if known != 3 {
		t.Fatalf("%d addresses are known, want 3", known)
	}
	near(t, "A", importance[0], 1.007787)
	near(t, "B, below the threshold of 2", importance[1], 0.912465)
	near(t, "C", importance[2], 1.079749)
	near(t, "an address nobody linked to", importance[3], 0)
	if none, known := NewMemory().Importance([]uint64{1}, 0.85, "topic"); known != 0 || none[0] != 0 {
		t.Errorf("without a graph: %v of %d", none, known)
	}
}
