package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/page"
)

// The parts of an apprentice that says nothing but what the test says.
const deaf = "with: {address: 0, anchor: 0, around: 0, heading: 0, path: 0, path_on_host: 0, block: 0, buckets: 0}"

// wordy is a page of one block per link, each with the anchor it is given.
func wordy(m *Memory, item uint64, anchors ...string) *told {
	var links []linkTold
	for range anchors {
		links = append(links, linkTold{1, 0, 0})
	}
	p := tellPage(page.Text, links...)
	p.memory = m
	p.page.URL = fmt.Sprintf("http://here.example/%d", item)
	for i, a := range anchors {
		p.page.Links[i].Anchor = a
		p.page.Links[i].URL = "http://there.example/"
	}
	return p
}

// follow ranks the links of such a page and tells the memory of them.
func (p *told) follow(s *Strategy, item, first uint64) (chances []float32) {
	for i := range p.page.Links {
		e := p.link(i)
		e.Parent = item
		_, numbers := s.Score(e, nil)
		chances = append(chances, numbers[s.apprentice+saysChance])
		p.memory.Linked(first+uint64(i), e)
	}
	return chances
}

func TestAnApprenticeStartsInTheOrderOfItsParts(t *testing.T) {
	s := shipped(t, "apprentice")
	m := NewMemory()
	last := 0.0
	for _, anchor := range []float64{0.1, 0.2, 0.5, 0.9} {
		e := linked(anchor, 0)
		e.Memory = m
		if v := score(s, e); v <= last {
			t.Errorf("an anchor of %v scores %v, a poorer one %v", anchor, v, last)
		} else {
			last = v
		}
	}
	without := score(s, linked(0.5, 0.2))
	if !(without > 0) {
		t.Errorf("without a memory it scores %v", without)
	}
	near(t, "a novice's chance", score(tree(t, "{apprentice: [{use: anchor}], "+deaf+"}"), linked(0.5, 0)), learn.Sigmoid(-3+0.5))
}

func TestAnApprenticeLearnsOneStep(t *testing.T) {
	s := tree(t, "{apprentice: [{use: constant, weight: 1, with: {value: 0}}], "+deaf+"}")
	m := NewMemory()
	wordy(m, 1, "").follow(s, 1, 10)
	near(t, "before", float64(m.apprentice.chance.Weight[0]), -3)
	m.Fetched(10, 1, true, 0)
	near(t, "the bias after one relevant page", float64(m.apprentice.chance.Weight[0]), -2.950153)
	near(t, "squares", float64(m.apprentice.chance.Moved[0])/8.166577, 1)
}

func TestAnApprenticeLearnsWords(t *testing.T) {
	s := shipped(t, "apprentice")
	m := NewMemory()
	good, bad := "graduate courses", "press office"
	for i := range uint64(30) {
		p := wordy(m, 100+i, good, bad)
		p.follow(s, 100+i, 1000+2*i)
		m.Fetched(1000+2*i, 0.9, true, 0)
		m.Fetched(1001+2*i, 0, false, 0)
	}
	last := wordy(m, 99, bad, "Graduate Course", "news")
	chances := last.follow(s, 99, 9000)
	if !(chances[1] > chances[2]+0.1 && chances[2] > chances[0]+0.1) {
		t.Errorf("after thirty of each, the chances of bad, good and unknown words are %v", chances)
	}
}

func TestAnApprenticeHopesForWhatLiesBehind(t *testing.T) {
	s := tree(t, "{apprentice: [{use: anchor, weight: 1}], with: {best: 3, part_step: 1, part_floor: 1, buckets: 0}}")
	m := NewMemory()
	hub := wordy(m, 1, "hub")
	hub.follow(s, 1, 10)
	m.Fetched(10, 0, false, 0)
	chances := wordy(m, 10, "a", "b").follow(s, 10, 20)
	wordy(m, 10, "c").follow(s, 10, 20) // a second link to an address that is known already
	p := m.apprentice
	page := p.visited[10]
	if len(page.best) != 2 || page.best[0] != (child{20, chances[0]}) || page.best[1] != (child{21, chances[1]}) {
		t.Fatalf("the best new links are %v, of %v", page.best, chances)
	}
	want := float64(chances[0]+chances[1]) / 3 // the third best is none
	near(t, "hope before", p.future.Score(page.x)+p.future.Score(page.words), 0)
	m.Fetched(999, 0, false, 0)
	slope := (1 + 4*want) * -want
	near(t, "the bias of hope", float64(p.future.Weight[0]), -slope/math.Sqrt(slope*slope+1))
	e := wordy(m, 2, "hub").link(0)
	e.Parent = 2
	_, numbers := s.Score(e, nil)
	if hope := numbers[s.apprentice+saysFuture]; !(hope > 0) || math.Abs(float64(numbers[0]-numbers[1]-0.3*hope)) > 1e-6 {
		t.Errorf("a link like the hub's hopes for %v, and scores %v with a chance of %v", hope, numbers[0], numbers[1])
	}
}

// TestAnApprenticeLearnsWhatChildrenCameTo: what was hoped for of a link gives way to what it came to, for the page that was
// the first to link to it, and fading for the pages before that, three links back.
func TestAnApprenticeLearnsWhatChildrenCameTo(t *testing.T) {
	s := tree(t, "{apprentice: [{use: anchor, weight: 1}], with: {best: 2, bias: -20}}")
	m := NewMemory()
	wordy(m, 1, "one").follow(s, 1, 2)
	for item := range uint64(4) { // 2 → 3 → 4 → 5
		m.Fetched(2+item, 0, false, 0)
		wordy(m, 2+item, "on").follow(s, 2+item, 3+item)
	}
	wordy(m, 2, "late").follow(s, 2, 6) // 2 links to the last one, too, and was not the first
	m.Fetched(6, 1, true, 0)
	p := m.apprentice
	for item, want := range map[uint64]float64{5: 1, 4: .5 * .5, 3: .5 * .125, 2: 0} {
		best := p.visited[item].best
		if len(best) != 1 || best[0].item != item+1 || math.Abs(float64(best[0].value)-want) > 1e-6 {
			t.Errorf("behind page %d lies %v, want %v of page %d", item, best, want, item+1)
		}
	}
	for item, want := range map[uint64]float64{5: .5, 4: .125} {
		if got := p.visited[item].taught; math.Abs(got-want) > 1e-6 {
			t.Errorf("of page %d it was taught %v, want %v", item, got, want)
		}
	}
	if got := p.visited[3].taught; got > .01 {
		t.Errorf("of page 3 it was taught %v again, for a difference of less than .05", got)
	}
	m.Moved(7, 8)
	if p.visited[6].finder != 5 || p.visited[2].finder != 1 {
		t.Error("a page was not found on the page that linked to it first")
	}
}

// TestAnApprenticeFollowsARedirect: what is behind a page includes what its links sent us on to.
func TestAnApprenticeFollowsARedirect(t *testing.T) {
	s := tree(t, "{apprentice: [{use: anchor, weight: 1}], with: {best: 2}}")
	m := NewMemory()
	wordy(m, 1, "one").follow(s, 1, 2)
	m.Fetched(2, 0, false, 0)
	wordy(m, 2, "on").follow(s, 2, 3)
	m.Moved(3, 9)
	m.Fetched(9, 1, true, 0)
	if best := m.apprentice.visited[2].best; len(best) != 1 || best[0] != (child{9, 1}) {
		t.Errorf("behind the page lies %v, want what its link's target came to", best)
	}
}

// TestAPageThatLinksToBothAddresses: where a link's address sends us on to another one that the page links to as well, what lies
// behind counts once.
func TestAPageThatLinksToBothAddresses(t *testing.T) {
	s := tree(t, "{apprentice: [{use: anchor, weight: 1}], with: {best: 3}}")
	m := NewMemory()
	wordy(m, 1, "one").follow(s, 1, 2)
	m.Fetched(2, 0, false, 0)
	wordy(m, 2, "old", "new").follow(s, 2, 3)
	m.Moved(3, 4)
	m.Fetched(4, 1, true, 0)
	if best := m.apprentice.visited[2].best; len(best) != 1 || best[0] != (child{4, 1}) {
		t.Errorf("behind the page lies %v, want the one page that both addresses lead to", best)
	}
}

// TestAPageThatIsFetchedAgain: a page that was forgotten and comes again is one page; what was learned is saved and taken back.
func TestAPageThatIsFetchedAgain(t *testing.T) {
	s := tree(t, "{apprentice: [{use: anchor, weight: 1}]}")
	m := NewMemory()
	m.Bound(2)
	for range 2 {
		wordy(m, 1, "one").follow(s, 1, 2)
		m.Fetched(2, 1, true, 0)
		wordy(m, 2, "a", "b", "c").follow(s, 2, 3) // 2 is forgotten
	}
	if p := m.apprentice; len(p.order) != len(p.visited) {
		t.Errorf("%d pages stand in order, and %d are kept", len(p.order), len(p.visited))
	}
	again := NewMemory()
	again.Serve(s)
	if err := again.Restore(m.State()); err != nil {
		t.Error(err)
	}
}

// TestVisitedPagesAreBounded: those that were fetched longest ago make room.
func TestVisitedPagesAreBounded(t *testing.T) {
	p := newApprentice(Apprenticeship{Bits: 8}, nil)
	for item := range uint64(visitedKept + 2) {
		p.visit(1+item, new(visited))
	}
	if len(p.visited) != visitedKept || len(p.order) != visitedKept || p.visited[2] != nil || p.visited[3] == nil {
		t.Errorf("%d pages are kept, %d in order", len(p.visited), len(p.order))
	}
}

func TestAnApprenticeAsksForASweep(t *testing.T) {
	s := tree(t, "{apprentice: [{use: anchor}], with: {every: 10, growth: 0.5}}")
	m := NewMemory()
	m.Serve(s)
	var swept []int
	for i := range 70 {
		m.Fetched(uint64(1+i), 0, false, 0)
		if m.Sweep() {
			swept = append(swept, i+1)
		}
	}
	if want := []int{1, 11, 21, 31, 46, 69}; !slices.Equal(swept, want) {
		t.Errorf("sweeps after %v pages, want %v", swept, want)
	}
}

func TestAnApprenticeExplainsItself(t *testing.T) {
	s := tree(t, "{apprentice: [{use: anchor, weight: 2}, {use: depth, weight: 0}], "+deaf+"}")
	e := linked(0.5, 0)
	e.Memory = NewMemory()
	_, numbers := s.Score(e, nil)
	want := `0.1192   apprentice
0.1192     chance
0          future
0          words
0.5        anchor ×2
0.5        depth ×0
`
	if have := s.Explain(numbers); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

func TestWordsThatAreHeard(t *testing.T) {
	for _, test := range []struct {
		name, one, other string
		same             bool
	}{
		{"case and plural", "Graduate Courses", "graduate course", true},
		{"marks between words", "graduate/course-list", "graduate course list", true},
		{"figures are all alike", "cs101", "CS378", true},
		{"figures alone say nothing", "course 1996", "course", true},
		{"another word", "course", "coarse", false},
		{"pairs of Chinese", "旅游，景点", "旅游 景点", true},
		{"marks of Chinese", "体育：足球？“中超”·【排球】～网球、篮球；", "体育 足球 中超 排球 网球 篮球", true},
		{"what looks like a mark of Chinese", "二〇一九", "二 一九", false},
		{"marks of Japanese", "サッカー・野球｡", "サッカー 野球", true},
		{"another Chinese word", "旅游", "游旅", false},
	} {
		var a, b speaker
		a.text(test.one)
		b.text(test.other)
		if slices.Equal(a.raw, b.raw) != test.same || len(a.raw) == 0 {
			t.Errorf("%s: %q and %q are heard as %x and %x", test.name, test.one, test.other, a.raw, b.raw)
		}
	}
}

func TestAGroupOfWordsCountsAsAWhole(t *testing.T) {
	for _, words := range []string{"one", "one two three four", strings.Repeat("one two ", 9)} {
		s := speaker{bits: 19}
		s.text(words)
		s.group(inAnchor, 0.7, false)
		sum := 0.0
		for _, word := range s.words {
			at, value := unpack(word)
			sum += float64(value) * float64(value)
			if at >= 1<<18 {
				t.Errorf("%q: a word that means the same everywhere stands at %d", words, at)
			}
		}
		if math.Abs(math.Sqrt(sum)-0.7) > 0.002 {
			t.Errorf("%q counts %v, want 0.7", words, math.Sqrt(sum))
		}
	}
	s := speaker{bits: 19}
	s.one(blockOfPage, 7, 1, true)
	if at, _ := unpack(s.words[0]); at < 1<<18 {
		t.Errorf("a block stands at %d, among the words that mean the same everywhere", at)
	}
}

func TestTwoApprenticesAreRefused(t *testing.T) {
	_, err := Load("s.yaml", []byte("rank: {mix: [{apprentice: [{use: anchor}]}, {apprentice: [{use: depth}]}]}\n"), nil)
	if err == nil || !strings.Contains(err.Error(), "a second apprentice") {
		t.Errorf("err = %v", err)
	}
	_, err = Load("s.yaml", []byte("rank: {apprentice: [{use: anchor}], with: {bits: 40, stp: 1}}\n"), nil)
	if err == nil || !strings.Contains(err.Error(), "bits") || !strings.Contains(err.Error(), `"step"`) {
		t.Errorf("err = %v", err)
	}
	_, err = Load("s.yaml", []byte("rank: {mix: [{over: max, apprentice: [{use: anchor}]}]}\n"), nil)
	if err == nil || !strings.Contains(err.Error(), "changes with what is fetched") {
		t.Errorf("err = %v", err)
	}
}
