package selection

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// charge is a selector and the frontier it holds links in, without a crawl around them.
type charge struct {
	t *testing.T
	*frontier.Memory
	selector Selector
	ids      map[string]uint64
}

func newCharge(t *testing.T, selection string, o Setting) *charge {
	t.Helper()
	s, err := rank.Load("s.yaml", []byte("rank: {use: fitness}\nselect: "+selection+"\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &charge{t: t, Memory: frontier.NewMemory(frontier.Manners{Clock: frontier.NewManual(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))}), ids: map[string]uint64{}}
	o.Frontier, o.Memory, o.Alt, o.Push = c.Memory, rank.NewMemory(), s.Alt, c.push
	c.selector = New(s.Select, o)
	return c
}

// push lets an address in that was made up, as a crawl does that refuses nothing.
func (c *charge) push(m Mutant, tier uint32) (uint64, error) {
	if s := c.Standing(c.Find(page.LinkTo(m.Address).Identity)); s.State == frontier.Waiting && s.Tier == tier {
		return 0, nil
	}
	id, _, err := c.Push(frontier.Item{URL: m.Address, Host: page.Host(m.Address), Via: m.Parent, Tier: tier, Score: m.Fit})
	if _, state := c.Get(id); state != frontier.Waiting {
		return 0, err
	}
	return id, err
}

// seed lets a start page in.
func (c *charge) seed(name string) {
	c.ids[name], _, _ = c.Push(frontier.Item{URL: "http://a.example/" + name, Host: name, Score: 1e6})
}

// link is what a page links to: the name of its target, its score, the place it stands in.
type link struct {
	to    string
	score float32
	path  string
}

// visit pops the best link and pushes what its page links to, the way a crawl does. It answers its name, or "" where all
// that waits is held.
func (c *charge) visit(relevance float64, links ...link) string {
	c.t.Helper()
	item, _, err := c.TryPop(0)
	if err != nil {
		return ""
	}
	c.finish(item, relevance, links)
	return strings.TrimPrefix(item.URL, "http://a.example/")
}

func (c *charge) finish(item frontier.Item, relevance float64, links []link) {
	c.t.Helper()
	v := &Visit{Item: item, Page: true, Raw: relevance, Relevant: relevance >= 0.3}
	for _, l := range links {
		next := frontier.Item{URL: "http://a.example/" + l.to, Host: l.to, Via: item.ID, Score: l.score, Numbers: []float32{l.score}}
		if _, byRound := c.selector.(*rounds); byRound {
			next.Score = 0
		}
		Place(c.selector, c.Memory, &next, l.path)
		id, _, err := c.Push(next)
		if err != nil {
			c.t.Fatal(err)
		}
		c.ids[l.to] = id
		v.Links = append(v.Links, Link{ID: id, Score: l.score, Numbers: next.Numbers})
	}
	c.selector.Told(v)
	waiting, leased := c.Open()
	if _, err := c.selector.Open(waiting, waiting == 0 && leased <= 1); err != nil {
		c.t.Fatal(err)
	}
	if err := c.Done(item.ID, frontier.Outcome{}); err != nil {
		c.t.Fatal(err)
	}
}

// open are the links that were let go, in order.
func (c *charge) open(tier uint32) (names []string) {
	for _, id := range tierOf(c, tier) {
		item, _ := c.Get(id)
		names = append(names, strings.TrimPrefix(item.URL, "http://a.example/"))
	}
	return names
}

func (c *charge) same(what string, have []string, want ...string) {
	c.t.Helper()
	if !slices.Equal(have, want) {
		c.t.Errorf("%s: %v, want %v", what, have, want)
	}
}

const third = float32(1) / 3 // a score of one of nine queues is a multiple of a third of this

// Q1={}, Q2={a,b}, Q3={c}: a and b are one round; a yields d of class 1 and e of class 3, so d comes next, then c and e.
func TestRoundsDrainWholeQueues(t *testing.T) {
	class := func(i int) float32 { return float32(1 - float64(i-1)/9) }
	c := newCharge(t, "rounds", Setting{})
	c.seed("s")
	c.visit(1, link{to: "a", score: class(2)}, link{to: "c", score: class(3)}, link{to: "b", score: class(2)})
	c.same("round 1", c.open(1), "a", "b")
	first, _, _ := c.TryPop(0)
	if why := c.selector.Why(first); why != "round 1, from queue 2 of 9" {
		t.Errorf("why a: %q", why)
	}
	c.finish(first, 0, []link{{to: "d", score: class(1)}, {to: "e", score: class(3)}, {to: "b", score: class(1)}})
	c.same("round 1 goes on", c.open(1), "b")
	c.visit(0)
	c.same("round 2", c.open(2), "d")
	c.visit(0)
	c.same("round 3", c.open(3), "c", "e")
	if c.visit(0); c.visit(0) != "e" || c.visit(0) != "" {
		t.Error("something is left, or e did not come last")
	}
}

func TestRoundsKeepTheFirstQueueOrTheBest(t *testing.T) {
	for again, want := range map[string][]string{"first": {"b"}, "best": {"b", "a"}} {
		c := newCharge(t, "{use: rounds, with: {queues: 3, again: "+again+"}}", Setting{})
		c.seed("s")
		c.seed("s2")
		c.visit(1, link{to: "b", score: 1}, link{to: "a", score: 0.2})
		c.visit(1, link{to: "a", score: 1}, link{to: "b", score: 0.1})
		if again == "best" {
			want = []string{"b", "a"}
		}
		c.same("again "+again, c.open(1), want...)
	}
}

func TestRoundsEndWithTheirBudget(t *testing.T) {
	c := newCharge(t, "rounds", Setting{Rounds: 1})
	c.seed("s")
	c.visit(1, link{to: "a", score: 1}, link{to: "b", score: 0})
	c.visit(1)
	c.same("round 2", c.open(2))
	if ended, err := c.selector.Open(0, true); ended != "the budget of 1 round is used up" || err != nil {
		t.Errorf("the crawl ends with %q, %v", ended, err)
	}
	for score, queue := range map[float32]int{1: 1, 1 - third/3: 2, third / 3: 9, 0: 9, -1: 9, 7: 1} {
		if have := c.selector.(*rounds).queue(score); have != queue {
			t.Errorf("a score of %v is queue %d, want %d", score, have, queue)
		}
	}
}

// The links of relevant pages that are fit enough are the next generation; all else is given up.
func TestGenerations(t *testing.T) {
	c := newCharge(t, "{use: genetic, with: {mutate: addresses}}", Setting{})
	c.seed("x/s")
	c.seed("x/t")
	c.visit(0.4, link{to: "a", score: 0.4}, link{to: "b", score: 0.405})
	c.visit(0.0001, link{to: "c", score: 0.9}, link{to: "a", score: 0.9}) // a is a gene of the first page, too
	c.same("generation 1", c.open(1), "b", "a", "x/", "")
	first, _, _ := c.TryPop(0)
	if why := c.selector.Why(first); why != "generation 1, fitness 0.405: a link of http://a.example/x/s (importance 0)" {
		t.Errorf("why b: %q", why)
	}
	c.finish(first, 0.5, []link{{to: "c", score: 0.5}, {to: "d", score: 0.0001}})
	c.visit(0.1, link{to: "b", score: 0.9})
	item, _, _ := c.TryPop(0)
	if why := c.selector.Why(item); !strings.HasPrefix(why, "generation 1, fitness 0.4: the directory of http://a.example/x/s, by mutation") {
		t.Errorf("why the directory: %q", why)
	}
	c.finish(item, 0, nil)
	c.visit(0)
	c.same("generation 2", c.open(2), "c")
}

// A generation that was let go stands as it was bred: a link of it that is found again is neither raised nor visited
// earlier, and what explains it is the gene it was bred by, whoever else links to it.
func TestAnOpenGenerationStandsAsItWasBred(t *testing.T) {
	c := newCharge(t, "{use: genetic, with: {mutate: addresses}}", Setting{})
	c.seed("x/s")
	c.seed("x/t")
	c.visit(0.9, link{to: "a", score: 0.4}, link{to: "b", score: 0.405}, link{to: "x/", score: 0.1})
	c.visit(0.0001, link{to: "a", score: 0.9}, link{to: "x/", score: 0.2}) // not relevant: it breeds nothing
	c.same("generation 1", c.open(1), "", "b", "a", "x/")
	stands := func(when, name string, fit float32) {
		t.Helper()
		item, _ := c.Get(c.ids[name])
		if want := fmt.Sprintf("generation 1, fitness %.4g: a link of http://a.example/x/s (importance 0)", fit); c.selector.Why(item) != want {
			t.Errorf("%s, why %s: %q, want %q", when, name, c.selector.Why(item), want)
		}
		if item.Score != fit || len(item.Numbers) != 1 || item.Numbers[0] != fit {
			t.Errorf("%s, %s scores %v, explained by %v; it was bred with %v", when, name, item.Score, item.Numbers, fit)
		}
	}
	stands("let go", "a", 0.4)
	stands("let go", "x/", 0.1) // it is the directory of x/s, too
	c.visit(0.9, link{to: "a", score: 0.95}, link{to: "c", score: 0.95})
	c.same("generation 1 goes on", c.open(1), "b", "a", "x/")
	stands("found again", "a", 0.4)
	item, _, _ := c.TryPop(0)
	c.finish(item, 0, nil)
	item, _, _ = c.TryPop(0)
	moved := frontier.Item{URL: "http://a.example/x/", Tier: item.Tier, Score: item.Score} // a redirects to x/
	Stay(c.selector, c.Memory, &moved)
	if _, _, err := c.Push(moved); err != nil {
		t.Fatal(err)
	}
	stands("redirected to", "x/", 0.1)
}

func TestTheFirstOfAGenerationBreed(t *testing.T) {
	g := newCharge(t, "{use: genetic, with: {mutate: addresses}}", Setting{}).selector.(*genetic)
	for m, want := range map[int][2]int{10: {9, 1}, 5: {4, 1}, 1: {1, 1}, 0: {0, 0}, 100: {90, 10}} {
		if have := [2]int{g.part(m, g.Pc), g.part(m, g.Pm)}; have != want {
			t.Errorf("of %d pages %v breed, want %v", m, have, want)
		}
	}
	parents := make([]parent, 20)
	for i := range parents {
		parents[i].Item = uint64(i)
	}
	for from, want := range map[string][]uint64{"top": {0, 1}, "bottom": {18, 19}} {
		g.MutateFrom = from
		for i, p := range g.mutating(parents) {
			if p.Item != want[i] {
				t.Errorf("mutate from %s: page %d, want %d", from, p.Item, want[i])
			}
		}
	}
	g.MutateFrom = "random"
	if a, b := g.mutating(parents), g.mutating(parents); len(a) != 2 || !reflect.DeepEqual(a, b) {
		t.Errorf("drawn %v and %v", a, b)
	}
}

// Importance orders the pages of a generation; it keeps none of the relevant ones from breeding unless that is asked for.
func TestAllRelevantPagesBreed(t *testing.T) {
	g := newCharge(t, "{use: genetic, with: {mutate: addresses}}", Setting{}).selector.(*genetic)
	g.Known = 0
	g.Population = []individual{{Item: 1, Relevance: 0.5}, {Item: 2, Relevance: 0.2}} // nobody links to them
	if parents := g.parents(); len(parents) != 2 {
		t.Errorf("%d of 2 relevant pages breed", len(parents))
	}
	g.Parents = "important"
	if len(g.parents()) != 2 {
		t.Error("p0 ends a crawl in which no page is so important")
	}
}

// Mutation gives links that are not fit a chance, as many as the generation's share; the rest is given up, or waits and
// competes with later generations.
func TestMutationDrawsFromWhatWaits(t *testing.T) {
	for rest, second := range map[string][]string{"given_up": {"c", "e", "d"}, "waits": {"c", "e", "b"}} {
		c := newCharge(t, "{use: genetic, with: {pc: 0.5, pm: 0.5, rest: "+rest+"}}", Setting{})
		c.seed("s")
		c.seed("t")
		c.visit(0.4, link{to: "a", score: 0.4})
		c.visit(0, link{to: "m", score: 0.0002}, link{to: "b", score: 0.0001}, link{to: "c", score: 0})
		c.same(rest+": generation 1", c.open(1), "a", "m")
		item, _, _ := c.TryPop(0)
		c.finish(item, 0.3, []link{{to: "e", score: 0.31}, {to: "c", score: 0.5}, {to: "d", score: 0}})
		item, _, _ = c.TryPop(0)
		if why := c.selector.Why(item); why != "generation 1, fitness 0.0002: a link of http://a.example/t, drawn by mutation (its own importance 0)" {
			t.Errorf("why: %q", why)
		}
		c.finish(item, 0, nil)
		c.same(rest+": generation 2", c.open(2), second...)
	}
}

// Where no page is relevant the crawl goes on by mutation, and a generation that has a size is filled by it.
func TestAGenerationHasASize(t *testing.T) {
	c := newCharge(t, "{use: genetic, with: {size: 3, rest: waits}}", Setting{})
	c.seed("s")
	c.visit(0, link{to: "a", score: 0}, link{to: "b", score: 0.0001}, link{to: "c", score: 0}, link{to: "d", score: 0.9}, link{to: "e", score: 0.8}, link{to: "f", score: 0.7})
	c.same("generation 1", c.open(1), "d", "e", "b")
	d, _ := c.Get(c.ids["d"])
	if why := c.selector.Why(d); why != "generation 1, fitness 0.9: a link of http://a.example/s, left over from an earlier generation" {
		t.Errorf("why: %q", why)
	}
	for range 3 {
		c.visit(0)
	}
	c.same("generation 2", c.open(2), "f", "a", "c")
	for range 3 {
		c.visit(0)
	}
	if ended, err := c.selector.Open(0, true); ended != "" || err != nil || c.Len() != 0 {
		t.Errorf("%q, %v: %d wait at the end", ended, err, c.Len())
	}
}

// Neighbours give each other half of their links, which count by the page they were given to.
func TestCrossoverInPairs(t *testing.T) {
	pages := []parent{{individual: individual{Item: 1, Relevance: 0.5}}, {individual: individual{Item: 2, Relevance: 0.2}}, {individual: individual{Item: 3, Relevance: 0.1}}}
	for i := range pages {
		for j := range 4 {
			pages[i].Links = append(pages[i].Links, gene{Item: uint64(10*i + j), Fit: float32(pages[i].Relevance) + 0.001})
		}
	}
	got := map[uint64]int{}
	var exchanged int
	crossPairs(pages, newCharge(t, "genetic", Setting{Seed: 5}).selector.(*genetic).lots(), func(p *parent, partner uint64, link gene, gain float32) {
		got[p.Item]++
		if partner != 0 {
			exchanged++
			if partner == p.Item || partner > 2 {
				t.Errorf("%d crossed with %d", p.Item, partner)
			}
		}
		if fit, want := link.Fit+gain, float32(p.Relevance)+0.001; fit-want > 1e-6 || want-fit > 1e-6 {
			t.Errorf("link %d of page %d is %v fit, want %v", link.Item, p.Item, fit, want)
		}
	})
	if exchanged != 4 || got[1] != 4 || got[2] != 4 || got[3] != 4 {
		t.Errorf("%d links exchanged, pages have %v", exchanged, got)
	}
}

func TestMutationGoesUp(t *testing.T) {
	for address, want := range map[string]string{
		"http://a.example/x/y/z.html?q=1":   "http://a.example/x/y/ http://a.example/",
		"http://a.example/x/y/":             "http://a.example/x/ http://a.example/",
		"http://a.example/x.html":           "http://a.example/",
		"http://a.example/":                 "http://a.example/",
		"http://a.example":                  "http://a.example/",
		"http://a.example/x%2Fy/%E5%A4%AA/": "http://a.example/x%2Fy/ http://a.example/",
		"http://a.example/太/x":              "http://a.example/%E5%A4%AA/ http://a.example/",
		"::":                                "",
	} {
		var have []string
		for _, m := range mutate(address) {
			have = append(have, m.Address)
		}
		if strings.Join(have, " ") != want {
			t.Errorf("%s becomes %v, want %s", address, have, want)
		}
	}
}

// The group whose pages linked to most targets is tried again, the others when their bonus has grown; one in which
// nothing waits sleeps.
func TestTheBanditTriesWhatPays(t *testing.T) {
	c := newCharge(t, "{use: groups, with: {batch: 2, step: 0.5, inside: best, targets: in_group}}", Setting{Ahead: 1})
	g := c.selector.(*groups)
	g.targets.Add("http://a.example/good", true)
	g.targets.Add("http://a.example/xxxx", false)
	for range 40 {
		g.targets.Add("http://a.example/goodgood", true)
		g.targets.Add("http://a.example/xxxxxxxx", false)
	}
	c.seed("s")
	var links []link
	for i := range 8 {
		links = append(links, link{fmt.Sprintf("menu%d", i), 0.5, "body/div.menu/ul/li"}, link{fmt.Sprintf("list%d", i), 0.5, "body/table/tr/td"})
	}
	c.visit(1, links...)
	var tried []string
	for i := range 12 {
		next, _, _ := c.TryPop(0)
		why := c.selector.Why(next)
		name := strings.TrimPrefix(next.URL, "http://a.example/")
		tried = append(tried, name[:4])
		if i == 0 && why != "group 1 (body/div.menu/ul/li), not tried before" || i == 2 && why != "group 2 (body/table/tr/td), not tried before" {
			t.Errorf("try %d: %q", i, why)
		}
		var more []link
		if name[:4] == "list" {
			more = []link{{fmt.Sprintf("good/good%d", i), 0.1, "body/p"}, {fmt.Sprintf("good/goodgood%d", i), 0.1, "body/p"}}
		}
		c.finish(next, 0, more)
		if i == 2 && (g.tries[0] != groupTries{2, 0} || g.tries[1] != groupTries{1, 2}) {
			t.Errorf("after three tries: %+v", g.tries)
		}
	}
	counts := map[string]int{}
	for _, name := range tried {
		counts[name]++
	}
	if !(counts["list"] > counts["menu"] && counts["menu"] > 0 && counts["good"] > 0) {
		t.Errorf("tried %v", tried)
	}
	for c.visit(0) != "" {
	}
	if c.Len() != 0 {
		t.Errorf("%d links sleep for ever", c.Len())
	}
}

func TestTargetsComeFirst(t *testing.T) {
	for _, first := range []bool{true, false} {
		c := newCharge(t, map[bool]string{true: "groups", false: "{use: groups, with: {targets: in_group}}"}[first], Setting{Ahead: 1})
		g := c.selector.(*groups)
		for range 50 {
			g.targets.Add("http://a.example/good1", true)
			g.targets.Add("http://a.example/xxxx1", false)
		}
		c.seed("s")
		c.visit(1, link{"xxxx2", 0.1, "a"}, link{"good2", 0.1, "b"})
		waiting := c.open(0)
		if first != (len(waiting) == 1 && waiting[0] == "good2") {
			t.Errorf("targets first %v: %v waits in front", first, waiting)
		}
		if item, _, _ := c.TryPop(0); first && !strings.HasPrefix(c.selector.Why(item), "its address is like those of targets: 0.9") {
			t.Errorf("why: %q", c.selector.Why(item))
		}
	}
}

// What a selector was told is told again to another one: state and lessons give exactly the one that was.
func TestSelectorsAreResumed(t *testing.T) {
	for _, selection := range []string{"rounds", "genetic", "{use: genetic, with: {crossover: pairs}}", "{use: groups, with: {batch: 2}}"} {
		c := newCharge(t, selection, Setting{Ahead: 2})
		c.seed("s")
		c.seed("t")
		var snapshot []byte
		var lessons [][]byte
		for i := range 12 {
			c.visit(0.5, link{fmt.Sprintf("a%d", i), 0.9, fmt.Sprintf("p/%d", i%3)}, link{fmt.Sprintf("b%d", i), 0.3, "q/r"})
			lesson := c.selector.Lesson()
			if lessons = append(lessons, lesson); i == 4 {
				snapshot, lessons = c.selector.State(), nil
			}
		}
		again := newCharge(t, selection, Setting{Ahead: 2}).selector
		if err := again.Restore(snapshot); err != nil {
			t.Fatal(err)
		}
		for _, l := range lessons {
			if err := again.Relearn(l); err != nil {
				t.Fatal(err)
			}
		}
		if have, want := string(again.State()), string(c.selector.State()); have != want || len(want) == 0 {
			t.Errorf("%s: resumed it is\n%s\nwas\n%s", selection, have, want)
		}
		if again.Lesson() != nil {
			t.Errorf("%s: what is told again is a lesson again", selection)
		}
		for _, bad := range []string{"", "{", `"x"`, `{"targets": {"index": [1]}}`} {
			if err := again.Restore([]byte(bad)); err == nil && bad != `{"targets": {"index": [1]}}` {
				t.Errorf("%s: the state %q was taken", selection, bad)
			}
		}
		if err := again.Relearn([]byte("{")); err == nil {
			t.Errorf("%s: a damaged lesson was taken", selection)
		}
	}
}
