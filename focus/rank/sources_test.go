package rank

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// findings are values worked out by hand from the published crawlers, beside what the program makes of them.
type findings struct {
	*testing.T
	source string // and where in it
	rows   []string
}

// of begins the findings of a source.
func (f *findings) of(source string) { f.source = source }

// digits compares a value to the digits that were worked out.
func (f *findings) digits(item string, have float64, want string) {
	f.Helper()
	_, after, _ := strings.Cut(want, ".")
	got := fmt.Sprintf("%.*f", len(after), have)
	f.rows = append(f.rows, fmt.Sprintf("%-39s %-52s %-28s %s", f.source, item, want, got))
	var w float64
	fmt.Sscan(want, &w)
	if !(math.Abs(have-w) <= .6*math.Pow(10, -float64(len(after)))) {
		f.Errorf("%s: %s is %s, want %s", f.source, item, got, want)
	}
}

// absent is a value that was worked out on a web which is not told, or that a fault once printed: the formula is held by the
// other rows of its source, and these digits by none.
func (f *findings) absent(item, want string) {
	f.rows = append(f.rows, fmt.Sprintf("%-39s %-52s %-28s %s", f.source, item, want, "no input given in the source"))
}

// equal compares what is no number.
func (f *findings) equal(item string, have, want any) {
	f.Helper()
	got, expected := fmt.Sprint(have), fmt.Sprint(want)
	f.rows = append(f.rows, fmt.Sprintf("%-39s %-52s %-28s %s", f.source, item, expected, got))
	if got != expected {
		f.Errorf("%s: %s is %s, want %s", f.source, item, got, expected)
	}
}

// TestSources holds the program to the published crawlers, value by value; -v prints the table.
func TestSources(t *testing.T) {
	f := &findings{T: t}
	for _, source := range []func(*findings){shark1998, tunnelOfNiu, blockShark2018, genetic2012, surfers, layers2007, adaptive2015, featuresOfBestFirst} {
		source(f)
	}
	t.Run("EveryValueHasARow", f.cover)
	t.Logf("%-39s %-52s %-28s %s\n%s", "source", "item", "expected", "got", strings.Join(f.rows, "\n"))
}

// decimals are the numbers of a text that are no whole ones.
var decimals = regexp.MustCompile(`\d*\.\d+`)

// cover holds the table against the list of values that lies beside the repository, for those who have it.
func (f *findings) cover(t *testing.T) {
	if os.Getenv("THRESHER_SHARED") != "1" {
		t.Skip("set THRESHER_SHARED=1 to hold the table against the values worked out by hand beside the repository")
	}
	values, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "sources", "VALUES.md"))
	if err != nil {
		t.Skip("no list of values beside the repository")
	}
	bare := func(number string) string { return strings.TrimRight(strings.TrimLeft(number, "0"), "0") }
	rows := map[string]bool{}
	for _, row := range f.rows {
		for _, number := range decimals.FindAllString(row, -1) {
			rows[bare(number)] = true
		}
	}
	checked := 0
	for line := range strings.Lines(string(values)) {
		for _, number := range decimals.FindAllString(line, -1) {
			if checked++; !rows[bare(number)] {
				t.Errorf("%s has no row: %.60s …", number, line)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d values were found in the list", checked)
	}
}

// plain is a topic judged by the plain cosine with its terms: word:weight, and positions as they are given.
func plain(f *findings, relative bool, positions map[string]float64, terms ...string) *topic.Topic {
	s := topic.Spec{Judge: "vsm-restricted", Calibrate: "off", Relative: relative, Positions: positions}
	for _, w := range terms {
		word, weight, _ := strings.Cut(w, ":")
		term := topic.Term{Term: word}
		fmt.Sscan(weight, &term.Weight)
		s.Terms = append(s.Terms, term)
	}
	about, err := topic.New(s)
	if err != nil {
		f.Fatal(err)
	}
	return about
}

func said(words string) *text.Doc { return &text.Doc{Segments: []text.Segment{{Text: words}}} }

// numbersOf are the numbers of the nodes of a tree by name; of equal names the last.
func numbersOf(s *Strategy, numbers []float32) map[string]float64 {
	by := map[string]float64{}
	for i, n := range s.Nodes() {
		by[n.Name] = float64(numbers[i])
	}
	return by
}

func shark1998(f *findings) {
	f.of("shark, Hersovici 1998; δ .5 β .8 γ .5")
	sails := plain(f, false, nil, "sail:0.8", "mast:0.6")
	root := sails.Judge(said("sail mast")).Raw
	f.digits("relevance of the root", root, ".98995")
	s := shipped(f.T, "shark")
	rank := func(relevance, inherited, anchor, around float64) (map[string]float64, Trail) {
		e := judged(linked(anchor, around), relevance)
		e.Trail.Inherited = float32(inherited)
		v, numbers := s.Score(e, nil)
		by := numbersOf(s, numbers)
		by["potential"] = float64(v)
		child, _ := s.Follow(e)
		return by, child
	}
	a, trail := rank(root, 1, sails.Sim("sail"), 0)
	f.digits("link a inherits", a["inherited"], ".49497")
	f.digits("neighbourhood of a", a["neighbourhood"], ".84")
	f.digits("potential of a", a["potential"], ".66749")
	b, _ := rank(root, 1, 0, sails.Sim("mast"))
	f.digits("potential of b, words around it alone", b["potential"], ".30749")
	for i, want := range []string{".2475", ".1237", ".0619"} {
		_, trail = rank(0, float64(trail.Inherited), 0, 0)
		f.digits(fmt.Sprintf("inherited %d below a, irrelevant pages", i+1), float64(trail.Inherited), want)
	}
	parent := sails.Judge(said("sail mast mast mast")).Raw
	f.digits("relevance of the parent of c", parent, ".8222")
	around := sails.SimAround("sail mast", "mast", 10)
	f.digits("words around c", around, ".8944")
	c, _ := rank(parent, 1, 0, around)
	f.digits("c inherits", c["inherited"], ".4111")
	f.digits("potential of c", c["potential"], ".2950")
	f.of("fish, De Bra 1994; W 2, D 3")
	fish := fishOf(f.T, "tail", "document")
	scores, _, _ := school(fish, fiveLinks(), .9, Trail{Allowance: 3})
	f.equal("five links of a relevant page", scores, []float64{1, 1, 1, 0, 0})
	scores, _, _ = school(fish, fiveLinks(), 0, Trail{Allowance: 3})
	f.equal("five links of an irrelevant page", scores, []float64{.5, .5, 0, 0, 0})
}

func tunnelOfNiu(f *findings) {
	f.of("tunnel, Niu 2.1.1; D 1, at most 4")
	s := load(f.T, "admit: {tunnel: {depth: 1, max: 4, raise: inc, threshold: 0.3}}\nrank: {use: anchor}\n")
	f.equal("a relevant page, then irrelevant ones", path(s, .9, 0, 0, 0), []int16{2, 1, 0, -1})
	f.equal("four relevant ones, then irrelevant ones", path(s, .9, .9, .9, .9, 0, 0, 0, 0, 0), []int16{2, 3, 4, 4, 3, 2, 1, 0, -1})
	f.of("tunnel, Niu 2.3")
	tunnel := shipped(f.T, "tunnel")
	site := tree(f.T, "{use: site}")
	weigh := func(weight, confidence float64, pages ...float64) *harvest {
		h := harvesting(site)
		h.m.Site("picked.example", weight, confidence)
		for i, r := range pages {
			h.fetch(fmt.Sprintf("http://picked.example/%d.html", i), r)
		}
		return h
	}
	f.digits("(4 · .8 + .9995)/5", score(site, weigh(.8, 4, .9995).link("http://picked.example/x.html")), ".8399")
	f.digits("start table .9 of confidence 3, a page .8944", score(site, weigh(.9, 3, .8944).link("http://picked.example/x.html")), ".8986")
	low, high := Wilson(3, 4, 1.96)
	f.digits("interval of 3 in 4, lower end", low, ".300636")
	f.digits("interval of 3 in 4, upper end", high, ".954414")
	for end, want := range map[string]string{"lower": ".409", "upper": ".9755"} {
		of := tree(f.T, "{use: site, with: {score: "+end+"}}")
		h := harvesting(of)
		h.m.Site("picked.example", .8, 4)
		h.fetch("http://picked.example/1.html", .9995)
		f.digits("interval of the site after a relevant page, "+end, score(of, h.link("http://picked.example/x.html")), want)
	}
	f.of("tunnel, Niu 2.4; .5 .3 .2")
	for _, c := range []struct {
		item               string
		anchor             float64
		pages              []float64
		weight, confidence float64
		want               string
	}{
		{"anchor .8, page .9995, site .8399", .8, []float64{.9995}, .8, 4, ".8678"},
		{"anchor .98995, page .9995, picked site .9", .98995, nil, .9, 3, ".9748"},
		{"no word in the anchor, an unknown site", 0, nil, .5, 2, ".3999"},
	} {
		h := harvesting(tunnel)
		h.m.Site("picked.example", c.weight, c.confidence)
		for _, r := range c.pages {
			h.fetch("http://picked.example/1.html", r)
		}
		e := h.link("http://picked.example/x.html")
		compared(e, c.anchor, none)
		f.digits(c.item, score(tunnel, judged(e, .9995)), c.want)
	}
	f.of("tunnel, Niu 3")
	cutter, err := text.NewCutter(text.Options{Tags: true, KeepStops: true})
	if err != nil {
		f.Fatal(err)
	}
	for word, want := range map[string]text.Speech{"足球": text.Noun, "很多": text.Adverb, "好不好": text.Adverb, "非常": text.Adverb, "迅速": text.Adverb} {
		f.equal("part of speech of "+word, cutter.Cut(nil, word)[0].Speech, want)
	}
}

// blockOfFour is block-shark's block: anchors .98995, .6, 0 and 0, the words around the first .6, around the second .98995,
// on a page of relevance .98995.
func blockOfFour() *told {
	return tellPage(page.Related, linkTold{2, .98995, .6}, linkTold{2, .6, .98995}, linkTold{2, 0, 0}, linkTold{2, 0, 0})
}

func blockShark2018(f *findings) {
	f.of("block-shark, 4, (1) to (4)")
	rank := func(strategy string, block float64) (*Strategy, *told, []map[string]float64) {
		s, p := shipped(f.T, strategy), blockOfFour()
		p.memory.Fetched(1, .98995, true, 256)
		var all []*Evidence
		var said []map[string]float64
		for i := range p.page.Links {
			e := judged(p.link(i), .98995)
			e.Block = func(int32) topic.Judgement { return topic.Judgement{Raw: block, Relevance: block, Relevant: true} }
			v, numbers := s.Score(e, nil)
			by := numbersOf(s, numbers)
			by["score"] = float64(v)
			all, said = append(all, e), append(said, by)
		}
		for i, e := range all {
			p.memory.Linked(uint64(10+i), e)
		}
		return s, p, said
	}
	s, p, cold := rank("block-shark", 0)
	f.digits("relevance of the block", cold[1]["block"], ".39749")
	f.digits("siblings, none fetched", cold[1]["siblings"], ".49497")
	f.digits("dynamic factor, none fetched", cold[1]["dynamic"], ".44623")
	f.digits("the first link", cold[0]["score"], ".6791")
	p.memory.Fetched(10, .98387, true, 256)
	numbers, ok := s.Rescore(11, p.memory)
	if !ok {
		f.Fatal("the second link cannot be scored again")
	}
	warm := numbersOf(s, numbers)
	f.digits("dynamic factor after one of .98387", warm["dynamic"], ".69068")
	f.digits("X of the second link then", warm["potential"], ".68433")
	f.digits("the second link then", float64(numbers[0]), ".84217")
	f.of("block-shark, other readings")
	for _, c := range []struct{ strategy, want string }{
		{"block-shark-dynamic-weight", ".72589"}, {"block-shark-product", ".40694"}, {"block-shark-lb-cold", ".65472"}, {"blocks-3", ".7363"},
	} {
		_, _, said := rank(c.strategy, .8944)
		f.digits("the first link by "+c.strategy, said[0]["score"], c.want)
	}
	f.of("block-shark, 3.3, step 4")
	for width, want := range map[int]string{250: "", 650: "beside"} {
		html := fmt.Sprintf("<table width=900><tr><td width=%d>%s<td width=%d>%s</table>", width, strings.Repeat("beside ", 60), 900-width, strings.Repeat("other ", 30))
		main := page.Parse([]byte(html), "http://x.example/", page.Options{}).MainText()
		have, _, _ := strings.Cut(main, " ")
		if want == "" {
			f.equal(fmt.Sprintf("main text: the most text is %d of 900 wide", width), have != "beside", true)
		} else {
			f.equal(fmt.Sprintf("main text: the most text is %d of 900 wide", width), have, want)
		}
	}
}

func genetic2012(f *findings) {
	f.of("genetic, 3.5 and 3.7; k 100")
	fit := tree(f.T, "{use: fitness, with: {k: 100}}")
	fitness := func(relevance, hint float64) float64 {
		e := linked(hint, none)
		e.Judgement = topic.Judgement{Raw: relevance, Relevance: 1, Relevant: true}
		return score(fit, e)
	}
	about := plain(f, true, nil, "alpha:1", "beta:0.8", "gamma:0.5")
	relevance := about.Judge(said("alpha alpha alpha alpha beta beta gamma")).Raw
	f.digits("cosine by relative frequencies 4, 2, 1", relevance, ".92747")
	f.digits("fitness of a link of the first keyword", fitness(relevance, 1/math.Sqrt(1.89)), ".93474")
	f.digits("fitness of a link of the third", fitness(relevance, .5/math.Sqrt(1.89)), ".93111")
	one := plain(f, true, nil, "alpha:1")
	all := one.Judge(said("alpha and other words")).Raw
	f.absent("fitness of a third link", ".83209")
	f.digits("one keyword, a link that has it", fitness(all, one.Sim("alpha")), "1.01")
	f.digits("one keyword, a link that has it not", fitness(all, one.Sim("other")), "1.00")
	titled := &text.Doc{Segments: []text.Segment{{Text: "delta", Position: text.Title}, {Text: "beta beta beta"}}}
	four := []string{"alpha:1", "delta:1", "beta:0.8", "gamma:0.5"}
	f.digits("a word of the title counts as any other", plain(f, true, map[string]float64{"title": 1}, four...).Judge(titled).Raw, ".6606")
	f.digits("a word of the title counts three times", plain(f, true, map[string]float64{"title": 3}, four...).Judge(titled).Raw, ".7533")
	f.of("genetic, 3.8.1, step 2: merged hints")
	s, m := shipped(f.T, "genetic"), NewMemory()
	for n, c := range []struct{ item, anchor, want string }{
		{"a link of the first keyword", "alpha", ".93474"},
		{"and one of the second, to the same address", "beta", ".93679"},
		{"and another of the first: frequencies 2 and 1", "alpha", ".93639"},
	} {
		e := &Evidence{Topic: about, Link: &page.Link{Anchor: c.anchor}, Parent: uint64(1 + n), Item: 10, Memory: m}
		e.Judgement = topic.Judgement{Raw: relevance, Relevance: 1, Relevant: true}
		first, _ := s.Score(e, nil)
		m.Linked(10, e)
		f.digits(c.item, float64(first), c.want)
		numbers, _ := s.Rescore(10, m)
		f.digits("the address, scored again", float64(numbers[0]), c.want)
	}
}

func surfers(f *findings) {
	const a, b, c, d, e = 1, 2, 3, 4, 5
	f.of("PageRank, genetic 3.6 (2)")
	s, m := shipped(f.T, "pagerank"), NewMemory()
	step(s, m, a, 0.5, b, c, d)
	f.digits("C after A", again(f.T, s, m, c), ".2646")
	step(s, m, b, 0.5, c, a)
	f.digits("C after B, which links to it", again(f.T, s, m, c), ".3142")
	f.of("HITS, Kleinberg 1999")
	s, m = shipped(f.T, "hits"), NewMemory()
	step(s, m, a, 0.5, b, c, d)
	f.digits("B after A", again(f.T, s, m, b), ".57735")
	step(s, m, b, 0.5, c, a)
	f.digits("D after B", again(f.T, s, m, d), ".44721")
	step(s, m, c, 0.5, a, e)
	f.digits("E, which C links to beside A", again(f.T, s, m, e), ".16821")
	f.of("topic PageRank, genetic 3.6 (3) to (5)")
	g := drawn([]float32{0.2, 0.6, 0.2}, [2]uint64{1, 2}, [2]uint64{1, 3}, [2]uint64{2, 3}, [2]uint64{3, 1})
	limit := solved(g, ranked("topic", 200))
	f.digits("A of three", float64(limit[0]), ".335929")
	f.digits("importance of B, three times its value", 3*float64(limit[1]), ".91246")
	f.absent("topic surfer", ".35518")
	f.absent("importance of the root, and of D", ".9001, 1.158")
}

func layers2007(f *findings) {
	f.of("layers, training set")
	// classes of 11, 5, 9 and 2 words
	m, err := NewLayers(4, "nearest", "backoff", 0.9)
	if err != nil {
		f.Fatal(err)
	}
	for class, words := range map[int]string{1: "course:6 homework:5", 2: "people:1 department:4", 3: "people:1 university:8", 4: "campus:2"} {
		for _, w := range strings.Fields(words) {
			word, n, _ := strings.Cut(w, ":")
			m.Add(&page.Link{Anchor: strings.Repeat(word+" ", int(n[0]-'0'))}, class)
		}
	}
	// It stands in classes 2 and 3 alone, and is 2 of the 27 words of all classes: package learn has a test of these shares.
	f.equal("class of a word of .0741, .2, .1111, .0741", m.Class(&page.Link{Anchor: "people"}), 2)
	f.equal("a word twice", m.Class(&page.Link{Anchor: "people people"}), 2)
	f.equal("words of one class", m.Class(&page.Link{Anchor: "course homework"}), 1)
	f.equal("an unknown word is skipped", m.Class(&page.Link{Anchor: "zzz university"}), 3)
	f.equal("a word of no class", m.Class(&page.Link{Anchor: "zzz"}), 4)
}

func adaptive2015(f *findings) {
	f.of("adaptive, 2.1 (7), 2.2 (8), 2.4")
	// Two start pages whose centre is (2, 2.5, 2, 1).
	page := func(counts ...int) *text.Doc {
		var b strings.Builder
		for i, n := range counts {
			b.WriteString(strings.Repeat([]string{"north ", "south ", "east ", "west "}[i], n))
		}
		return said(b.String())
	}
	about, err := topic.New(topic.Spec{Judge: "centroid", Calibrate: "off", Examples: []*text.Doc{page(2, 1, 3, 1), page(2, 4, 1, 1)}})
	if err != nil {
		f.Fatal(err)
	}
	f.digits("the first start page, to the centre (2, 2.5, 2, 1)", about.Judge(page(2, 1, 3, 1)).Raw, ".8926")
	f.digits("the second", about.Judge(page(2, 4, 1, 1)).Raw, ".92812")
	near := page(1, 3, 1, 1)
	j := about.Judge(near) // it moves the centre before it is measured by it
	f.digits("a page near a start page, to (2M + v)/3", j.Raw, ".96307")
	about.Learn(near, j)
	second := page(0, 0, 1, 1)
	j = about.Judge(second)
	f.digits("a second one", j.Raw, ".59549")
	about.Learn(second, j)
	before := about.Judge(near).Raw
	far := page(0, 0, 0, 1) // .258 from the nearer start page
	about.Learn(far, about.Judge(far))
	alone, err := topic.New(topic.Spec{Judge: "centroid", Calibrate: "off", Examples: []*text.Doc{page(2, 1, 3, 1)}})
	if err != nil {
		f.Fatal(err)
	}
	f.digits("a page far from the nearer start page", alone.Judge(far).Raw, ".258")
	f.equal("it is further than .35, and moves nothing", about.Judge(near).Raw == before, true)
}

func featuresOfBestFirst(f *findings) {
	f.of("adaptive, 1, (2): features")
	for _, c := range []struct {
		t          learn.Table
		chi2, gain string
	}{
		{learn.Table{A: 40, B: 10, C: 10, D: 40}, "36.000000", ".278072"},
		{learn.Table{A: 30, B: 20, C: 20, D: 30}, "4.000000", ".029049"},
		{learn.Table{A: 8, B: 2, C: 2, D: 88}, "60.493827", ".258435"},
		{learn.Table{A: 50, B: 0, C: 0, D: 50}, "100.000000", "1.000000"},
	} {
		f.digits(fmt.Sprintf("χ² of %v", c.t), c.t.Chi2(), c.chi2)
		f.digits(fmt.Sprintf("information gain of %v", c.t), c.t.InformationGain(), c.gain)
	}
	f.absent("a page about something else, by its description", ".944")
	f.absent("two pages by a trained vector", ".8682, .8320")
	f.of("tunnel, 3: positions and parts of speech")
	f.absent("cosine by both together", ".92232")
	f.of("adaptive, 3; hub above .6")
	for anchors, want := range map[int]page.Kind{60: page.Text, 61: page.Hub} {
		html := "<a href=1>" + strings.Repeat("中", anchors) + "</a>" + strings.Repeat("x ", 100-anchors)
		f.equal(fmt.Sprintf("%d of 100 characters in links", anchors), page.Parse([]byte(html), "http://x.example/", page.Options{}).Kind, want)
	}
}
