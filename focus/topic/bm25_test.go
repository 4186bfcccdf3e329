package topic

import (
	"math"
	"strings"
	"testing"
)

func TestBM25CountsOccurrencesTowardsABound(t *testing.T) {
	topic := mustNew(t, Spec{Judge: "bm25", Terms: terms("alpha", "beta"), Calibrate: "off"})
	near := func(what string, have, want float64) {
		t.Helper()
		if math.Abs(have-want) > 1e-6 {
			t.Errorf("%s: %.6f, want %.6f", what, have, want)
		}
	}
	j := topic.Judge(doc("alpha alpha beta gamma"))
	near("two terms, on the first page", j.Raw, (2/3.2+1/2.2)/2)
	if len(j.Terms) != 2 || j.Terms[0].Term != "alpha" || j.Terms[0].Count != 2 {
		t.Errorf("because of %+v", j.Terms)
	}
	near("what each term added", j.Terms[0].Added+j.Terms[1].Added, j.Raw)
	d := doc("alpha beta gamma delta")
	topic.Learn(d, topic.Judge(d))
	near("a page longer than those before it", topic.Judge(doc("alpha alpha gamma gamma gamma gamma delta delta delta delta")).Raw, 0.5*2/(2+1.2*(.25+.75*10/4)))
	near("a page without a term", topic.Judge(doc("gamma delta")).Raw, 0)
	if often := topic.Judge(doc(strings.Repeat("alpha ", 1000))).Raw; often > .5 {
		t.Errorf("one term of two a thousand times is %.3f, more than it alone can be", often)
	}
}

// Where there are examples, the words they share with each other weigh in, and an example is not known by itself.
func TestBM25KnowsWhatExamplesSay(t *testing.T) {
	s := specs()["both"]
	s.Judge = "bm25"
	both := mustNew(t, s)
	if near, far := both.Judge(doc("striker coach match")).Raw, both.Judge(doc("garden music opera")).Raw; !(near > far && far == 0) {
		t.Errorf("a page like the examples is %.3f, another %.3f", near, far)
	}
	itself := 0.0
	for _, d := range s.Examples {
		itself += both.Judge(d).Raw / 3
	}
	if loo, ok := both.judge.leaveOneOut(); !ok || !(0 < loo && loo < itself) {
		t.Errorf("examples judged by the others: %.3f (%v), with themselves %.3f", loo, ok, itself)
	}
}
