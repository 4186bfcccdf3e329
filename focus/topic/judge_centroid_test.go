package topic

import (
	"math"
	"testing"

	"github.com/thresher-crawler/thresher/focus/text"
)

// centre makes a judge over two components from its seeds.
func centre(gate float64, seeds ...[]float64) *centroid {
	c := &centroid{names: []int32{0, 1}, seeds: seeds, gate: gate, share: 1}
	c.centres = middles(seeds, make([]int, len(seeds)))
	return c
}

func TestRunningMean(t *testing.T) {
	m := moved([]float64{1, 2}, []float64{4, 2}, 2)
	near(t, "first", m[0], 2)
	near(t, "first", m[1], 2)
	m = moved(m, []float64{0, 6}, 3)
	near(t, "second", m[0], 1.5)
	near(t, "second", m[1], 3)
	vectors := [][]float64{{1, 5}, {2, 2}, {7, 1}, {0, 3}, {4, 4}}
	m = mean(vectors[:2], -1)
	for i, v := range vectors[2:] {
		m = moved(m, v, 2+i)
	}
	all := mean(vectors, -1)
	near(t, "running against batch", m[0], all[0])
	near(t, "running against batch", m[1], all[1])
}

func TestOnlySeedsOpenTheGate(t *testing.T) {
	v := []float64{1, 1}
	for gate, want := range map[float64]bool{.7: true, .71: false} {
		c := centre(gate, []float64{1, 0}, []float64{0, 1})
		if got := c.opens(c.nearest(v)); got != want {
			t.Errorf("gate %v: opens is %v", gate, got)
		}
	}
	if c := centre(.1, []float64{1, 0}); c.opens(c.nearest([]float64{3, 0})) {
		t.Error("a copy of a seed moves the centre")
	}
}

func TestCentreFollowsWhatIsNear(t *testing.T) {
	s := Spec{Judge: "centroid", Calibrate: "off", Examples: []*text.Doc{doc("football football league goal"), doc("football goal goal league")}}
	topic := mustNew(t, s)
	c := topic.judge.(*centroid)
	near(t, "gate without calibration", c.gate, plainGate)
	next := doc("football goal league league league")
	j := topic.Judge(next)
	topic.Learn(next, j)
	if c.centres[0].updates != 1 {
		t.Fatalf("%d updates", c.centres[0].updates)
	}
	b := newBag()
	topic.weigh.page(b, next, topic.cutter.Tokens(next), nil)
	v := c.vector(b)
	near(t, "a page is judged by the centre that has taken it in", j.Raw, (v[0]*c.centres[0].at[0]+v[1]*c.centres[0].at[1]+v[2]*c.centres[0].at[2])/(length(v)*length(c.centres[0].at)))
	far := doc("cooking recipe garden football")
	topic.Learn(far, topic.Judge(far))
	seed := doc("football football league goal")
	topic.Learn(seed, topic.Judge(seed))
	if c.centres[0].updates > 2 {
		t.Errorf("a seed moved the centre: %d updates", c.centres[0].updates)
	}
}

func TestGateIsCalibratedByTheExamples(t *testing.T) {
	s := Spec{Judge: "centroid", Examples: []*text.Doc{doc("football goal"), doc("football league"), doc("football football")}}
	near(t, "gate", mustNew(t, s).judge.(*centroid).gate, func() float64 {
		all := []float64{.5, math.Sqrt(.5), math.Sqrt(.5)}
		m := (all[0] + all[1] + all[2]) / 3
		sd := math.Sqrt((square(all[0]-m) + square(all[1]-m) + square(all[2]-m)) / 3)
		return m - sd
	}())
	s.Examples = s.Examples[:2]
	near(t, "two examples say too little", mustNew(t, s).judge.(*centroid).gate, plainGate)
}

func TestCentreOfUnitVectors(t *testing.T) {
	examples := []*text.Doc{doc("football"), doc("goal goal goal goal")}
	raw := mustNew(t, Spec{Judge: "centroid", TF: "raw", Examples: examples}).judge.(*centroid)
	l2 := mustNew(t, Spec{Judge: "centroid", TF: "l2", Examples: examples}).judge.(*centroid)
	near(t, "raw counts", length(raw.centres[0].at), math.Hypot(2, .5))
	near(t, "unit vectors", length(l2.centres[0].at), math.Sqrt(.5))
}

// What is said of a centre counts: the words it is made of, how near a page must come, and whether only the nearest move it.
func TestACentreIsAsItIsSaid(t *testing.T) {
	examples := []*text.Doc{doc("football football goal"), doc("football goal goal league"), doc("football cup")}
	of := func(calibrate string, said Centre) *centroid {
		return mustNew(t, Spec{Judge: "centroid", Calibrate: calibrate, Examples: examples, Centre: said}).judge.(*centroid)
	}
	if c := of("on", Centre{Words: 2}); len(c.names) != 2 || len(c.centres[0].at) != 2 {
		t.Errorf("a centre of 2 words has %d", len(c.names))
	}
	near(t, "near, where nothing is calibrated", of("off", Centre{}).gate, plainGate)
	near(t, "near, where it is said", of("on", Centre{Near: .9}).gate, .9)
	near(t, "near, of a calibrated one", of("on", Centre{}).gate, func() float64 {
		gate, _ := of("on", Centre{}).nearness()
		return gate
	}())
	for share, want := range map[float64]int{.05: 0, 1: 1} {
		topic := mustNew(t, Spec{Judge: "centroid", Examples: examples, Centre: Centre{Near: .35, Share: share}})
		next := doc("football goal league league")
		topic.Learn(next, topic.Judge(next))
		if c := topic.judge.(*centroid); c.centres[0].updates != want {
			t.Errorf("share %v: the first page makes %d updates, want %d", share, c.centres[0].updates, want)
		}
	}
	for _, bad := range []Centre{{Words: -1}, {Clusters: -1}, {Near: 1.5}, {Share: -1}, {Share: math.NaN()}, {Near: math.NaN()}} {
		if _, err := New(Spec{Judge: "centroid", Examples: examples, Centre: bad}); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

// TestTwoClustersHaveTwoCentres: examples of two kinds are parted as told, or as they lie, and each page counts by and moves
// the centre it is nearest to.
func TestTwoClustersHaveTwoCentres(t *testing.T) {
	var examples []*text.Doc
	for _, words := range []string{"sail mast sail", "oven bread", "sail mast keel", "oven bread bread", "sail sail mast", "bread oven oven"} {
		examples = append(examples, doc(words))
	}
	of := func(clusters int) *Topic {
		return mustNew(t, Spec{Judge: "centroid", Calibrate: "off", Examples: examples, Centre: Centre{Clusters: clusters}})
	}
	for clusters, want := range map[int]int{0: 2, 1: 1, 2: 2, 3: 3, 9: 5} { // two examples have the same words as often
		if have := len(of(clusters).judge.(*centroid).centres); have != want {
			t.Errorf("clusters %d: %d centres, want %d", clusters, have, want)
		}
	}
	one, two := of(1), of(0)
	page := doc("oven bread bread oven oven")
	if a, b := one.Judge(page).Raw, two.Judge(page).Raw; !(b > a+.1) {
		t.Errorf("a page of one cluster is %v by one centre, %v by two", a, b)
	}
	two.Learn(page, two.Judge(page))
	drifts := two.Drifts()
	if len(drifts) != 2 || drifts[0].Pages != 0 || drifts[0].Cosine < 1-1e-9 || drifts[1].Pages != 1 || !(drifts[1].Cosine < 1) || drifts[1].Examples != 3 {
		t.Errorf("%+v", drifts)
	}
	back := of(0)
	if err := back.judge.(*centroid).Restore(two.judge.(*centroid).State()); err != nil || back.Judge(page).Raw != two.Judge(page).Raw {
		t.Errorf("restored: %v", err)
	}
	if alike := mustNew(t, Spec{Judge: "centroid", Examples: []*text.Doc{doc("sail mast"), doc("sail mast keel"), doc("mast sail sail"), doc("sail mast mast")}}); len(alike.Drifts()) != 1 {
		t.Errorf("examples of one kind have %d centres", len(alike.Drifts()))
	}
}
