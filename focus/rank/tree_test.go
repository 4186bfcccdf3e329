package rank

import (
	"math"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/topic"
)

func TestBranches(t *testing.T) {
	low, high, silent := "{use: constant, with: {value: 0.2}}", "{use: constant, with: {value: 0.8}}", "{use: anchor}"
	tests := []struct {
		name, tree string
		want       float64
	}{
		{"mix weighs", "{mix: [{use: constant, weight: 3, with: {value: 0.2}}, " + high + "]}", 0.35},
		{"mix leaves out what has no evidence", "{mix: [{use: anchor, weight: 9}, " + low + ", " + high + "]}", 0.5},
		{"best", "{best: [" + low + ", " + silent + ", " + high + "]}", 0.8},
		{"product", "{product: [" + low + ", " + high + "]}", 0.16},
		{"product takes 1 for no evidence", "{product: [" + silent + ", " + high + "]}", 0.8},
		{"gate open", "{gate: [" + low + ", " + high + "]}", 0.2},
		{"gate closed", "{gate: [" + high + ", " + low + "]}", 0},
		{"gate closed in part", "{gate: [" + high + ", " + low + "], closed: 0.5}", 0.4},
		{"gate opens at", "{gate: [" + high + ", " + low + "], at: 0.2}", 0.8},
		{"gate is open where there is no evidence", "{gate: [" + high + ", " + silent + "]}", 0.8},
		{"a closed gate makes no evidence of none", "{mix: [{gate: [" + silent + ", " + low + "], closed: 0.5}, " + low + "]}", 0.2},
		{"a gate that leaves nothing leaves nothing", "{mix: [{gate: [" + silent + ", " + low + "]}, " + low + "]}", 0.1},
		{"first", "{first: [" + silent + ", " + low + ", " + high + "]}", 0.2},
		{"blend", "{blend: [{use: constant, with: {value: 0.25}}, " + high + ", " + low + "]}", 0.35},
		{"blend with one part missing", "{blend: [{use: constant, with: {value: 0.25}}, " + silent + ", " + low + "]}", 0.2},
		{"blend with the share missing", "{blend: [" + silent + ", " + high + ", " + low + "]}", 0.5},
		{"nothing has evidence", "{mix: [{best: [" + silent + "]}, {product: [" + silent + "]}, {first: [" + silent + "]}]}", 0},
		{"weight 0 counts nothing", "{mix: [" + silent + ", {use: constant, weight: 0}]}", 0},
	}
	for _, test := range tests {
		near(t, test.name, score(tree(t, test.tree), linked(none, none)), test.want)
	}
}

func TestNodesAndNumbersStandInReadingOrder(t *testing.T) {
	s := tree(t, `{mix: [{name: words, weight: 0.5, best: [{use: anchor}, {use: context}]}, {use: relevance, weight: 0.25}]}`)
	_, numbers := s.Score(judged(linked(0.1, 0.3), 0.9), []float32{7})
	want := []struct {
		Node
		number float32
	}{
		{Node{"mix", 0, 1, "mix", ""}, 0.5}, {Node{"words", 1, 0.5, "best", ""}, 0.3}, {Node{"anchor", 2, 1, "anchor", ""}, 0.1},
		{Node{"context", 2, 1, "context", ""}, 0.3}, {Node{"relevance", 1, 0.25, "relevance", ""}, 0.9},
	}
	if len(numbers) != 1+len(want) || numbers[0] != 7 {
		t.Fatalf("numbers %v", numbers)
	}
	for i, n := range s.Nodes() {
		if n != want[i].Node {
			t.Errorf("node %d is %+v, want %+v", i, n, want[i].Node)
		}
		near(t, n.Name, float64(numbers[i+1]), float64(want[i].number))
	}
}

func TestDoublingAllWeightsChangesNothing(t *testing.T) {
	once := tree(t, "{mix: [{use: anchor, weight: 0.7}, {use: context, weight: 0.1}, {use: relevance, weight: 0.4}]}")
	twice := tree(t, "{mix: [{use: anchor, weight: 1.4}, {use: context, weight: 0.2}, {use: relevance, weight: 0.8}]}")
	for i := range 50 {
		e := judged(linked(float64(i%7)/7, float64(i%5)/5), float64(i)/50)
		near(t, "score", score(twice, e), score(once, e))
	}
}

func TestExplanationTellsWhereThereWasNoEvidence(t *testing.T) {
	s := tree(t, "{mix: [{use: anchor}, {use: relevance}]}")
	_, numbers := s.Score(judged(linked(none, none), 0.5), nil)
	if have := s.Explain(numbers); !strings.Contains(have, "–          anchor") {
		t.Errorf("have\n%s", have)
	}
}

func TestAScoreIsFinite(t *testing.T) {
	wild := NewRegistry()
	values := map[string]float64{"up": math.Inf(1), "down": math.Inf(-1), "nothing": math.NaN(), "huge": math.MaxFloat64}
	for name, v := range values {
		Register(wild, name, "an odd answer", struct{}{}, without(Func(func(*Evidence) float64 { return v })))
	}
	for name := range values {
		for _, rank := range []string{"{use: NAME}", "{mix: [{use: NAME}, {use: up}]}", "{product: [{use: NAME}, {use: huge}, {use: down}]}",
			"{best: [{use: NAME}]}", "{blend: [{use: NAME}, {use: up}, {use: down}]}", "{gate: [{use: NAME}, {use: down}]}"} {
			s, err := Load("s.yaml", []byte("rank: "+strings.ReplaceAll(rank, "NAME", name)), wild)
			if err != nil {
				t.Fatal(err)
			}
			if v, _ := s.Score(&Evidence{}, nil); v != v || math.IsInf(float64(v), 0) {
				t.Errorf("%s of %s scores %v", rank, name, v)
			}
		}
	}
}

func TestWhatIsInfiniteIsNoEvidence(t *testing.T) {
	wild := NewRegistry().With(Factors)
	Register(wild, "by-nothing", "what a program's own says that divides by 0", struct{}{}, without(Func(func(*Evidence) float64 { return math.Inf(1) })))
	for _, tree := range []string{"{mix: [{use: by-nothing}, {use: relevance}]}", "{apprentice: [{use: by-nothing}, {use: relevance}]}"} {
		s, err := Load("s.yaml", []byte("rank: "+tree), wild)
		if err != nil {
			t.Fatal(err)
		}
		score, numbers := s.Score(judged(linked(0.5, 0.5), 0.6), nil)
		for i, v := range numbers {
			if math.IsInf(float64(v), 0) {
				t.Errorf("%s: node %d says %v, of a link that scores %v", tree, i, v, score)
			}
		}
		if score > 1 {
			t.Errorf("%s scores %v", tree, score)
		}
	}
}

// everyFactor is a mix of every factor there is, with its defaults.
func everyFactor(t testing.TB) *Strategy {
	return tree(t, "{mix: [{use: "+strings.Join(Factors.Names(), "}, {use: ")+"}]}")
}

func FuzzEvidence(f *testing.F) {
	f.Add(0.5, 0.5, 0.5, 0.5, uint16(1), uint16(2), int16(3), float32(0.4), int32(1), uint8(3), uint64(4), uint64(5), true)
	f.Add(math.NaN(), math.Inf(1), -1.0, 7.0, uint16(65535), uint16(65535), int16(-1), float32(math.NaN()), int32(-9), uint8(255), uint64(0), uint64(0), false)
	s := everyFactor(f)
	nodes := s.Nodes()
	f.Fuzz(func(t *testing.T, anchor, around, relevance, block float64, depth, drought uint16, allowance int16, inherited float32,
		at int32, kind uint8, parent, item uint64, whole bool) {
		e := &Evidence{Parent: parent, Item: item, Memory: NewMemory()}
		e.Trail = Trail{Depth: depth, Drought: drought, Allowance: allowance, Inherited: inherited}
		e.Judgement = topic.Judgement{Raw: relevance, Relevance: relevance, Relevant: relevance > 0.3}
		if whole {
			e.Page = &page.Page{URL: "http://a/b", Blocks: []page.Block{{Parent: -1}, {Kind: page.Kind(kind)}}, Links: []page.Link{{Block: at, URL: "http://c/d", Host: "c"}}}
			e.Link = &e.Page.Links[0]
			e.Block = func(int32) topic.Judgement { return topic.Judgement{Relevance: block} }
			compared(e, unit(anchor), unit(around))
		}
		for range 2 {
			v, numbers := s.Score(e, nil)
			if v != v || math.IsInf(float64(v), 0) {
				t.Fatalf("score %v", v)
			}
			for i, x := range numbers[1:] {
				most := float32(1)
				if nodes[i+1].Use == "fitness" {
					most = 1.01 // the hint comes on top: 1/k, and k is 100
				}
				if x == x && !(0 <= x && x <= most) {
					t.Fatalf("%s answers %v in a mix", nodes[i+1].Name, x)
				}
			}
			e.Memory.Linked(item, e)
			e.Memory.Fetched(item, relevance, relevance > 0.3, 10)
			if t, _ := s.Follow(e); !(0 <= t.Inherited && t.Inherited <= 1) {
				panic("inherited out of range")
			}
		}
	})
}
