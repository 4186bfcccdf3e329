package winnow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// drawn are pages of two subjects on one host: what the topic's own words say of them is noisy, what their other words, their
// directories and the lists that lead to them say is not. truth tells which are of the topic.
func drawn(seed uint64, n int) (pages []Page, truth []bool) {
	r := rand.New(rand.NewPCG(seed, 1))
	words := [2][]string{strings.Fields("budget committee road traffic market price council vote tax station"),
		strings.Fields("sail keel harbour tide skipper rope deck wind crew mast")}
	for i := range n {
		of := truthOf(i)
		var text []string
		for range 60 {
			from := words[of]
			if r.Float64() < .3 {
				from = words[1-of]
			}
			text = append(text, from[r.IntN(len(from))])
		}
		relevance := .1 + .25*r.Float64()
		if of == 1 {
			relevance = .2 + .4*r.Float64()
		}
		url := fmt.Sprintf("http://www.example.org/%s/%d.html", []string{"town", "boats"}[of], i)
		pages = append(pages, Page{ID: uint64(i + 1), URL: url, Keys: []uint64{sink.Key(url)}, Title: text[0], Text: strings.Join(text, " "), Relevance: relevance})
		truth = append(truth, of == 1)
	}
	for i := range pages {
		for range 3 {
			to := r.IntN(n)
			pages[i].Links = append(pages[i].Links, sink.Pointer{To: pages[to].Keys[0], Block: int32(truthOf(to)), Anchor: pages[to].Title})
		}
	}
	return pages, truth
}

func truthOf(i int) int {
	if i%4 == 0 {
		return 1
	}
	return 0
}

func f1(r *Result, truth []bool) float64 {
	both, kept, all := 0.0, 0.0, 0.0
	for i, v := range r.Verdicts {
		if v.Kept {
			kept++
		}
		if truth[i] {
			all++
		}
		if v.Kept && truth[i] {
			both++
		}
	}
	return 2 * both / (kept + all)
}

func lookAt(t *testing.T, pages []Page, o Options) *Result {
	t.Helper()
	o.Threshold = .3
	r, err := Look(pages, o)
	noError(t, err)
	return &r
}

// What the first look drew wrongly the second one draws rightly: pages come in, and strays go out.
func TestTheSecondLookKnowsMoreThanTheFirst(t *testing.T) {
	pages, truth := drawn(1, 400)
	r := lookAt(t, pages, Options{})
	first := *r
	first.Verdicts = slices.Clone(r.Verdicts)
	for i := range first.Verdicts {
		first.Verdicts[i].Kept = first.Verdicts[i].First >= .3
	}
	before, after := f1(&first, truth), f1(r, truth)
	if r.Refused != "" || r.In == 0 || r.Out == 0 || after < before+.1 {
		t.Errorf("F1 %.3f, then %.3f: in %d, out %d, %q", before, after, r.In, r.Out, r.Refused)
	}
	if !(r.Agreement > .8) || r.Sure < leastSure || r.Foreign < leastSure {
		t.Errorf("%+v", r.Agreement)
	}
}

// Where the first look knows little of the topic, the second learns from what it has found itself.
func TestTheSecondLookLearnsFromWhatItHasFound(t *testing.T) {
	pages, truth := drawn(9, 1200)
	r := rand.New(rand.NewPCG(7, 7))
	for i := range pages {
		pages[i].Relevance = .1 + .25*r.Float64() // some of any subject seem to be of the topic
		if truth[i] {
			pages[i].Relevance = .1 + .4*r.Float64() // and of its own every other does not
		}
	}
	after := lookAt(t, pages, Options{})
	if after.Refused != "" {
		t.Fatal(after.Refused)
	}
	if f := f1(after, truth); f < .95 {
		t.Errorf("F1 %.3f, in %d, out %d", f, after.In, after.Out)
	}
}

// How surely a page is of the topic hangs on both looks alike, however few the pages were from which the second one learned.
func TestTheChanceOfAPageCountsBothLooks(t *testing.T) {
	pages, _ := drawn(9, 120)
	looked := lookAt(t, pages, Options{})
	if looked.Refused != "" || looked.Sure >= doubt {
		t.Fatalf("%d sure pages: %q", looked.Sure, looked.Refused)
	}
	further := 0 // pages of which it says more than the number by which they are kept
	for i, p := range pages {
		first, last, even := oddsOf(p.Relevance, .3), looked.odds(i, .3), logit(looked.Chance(i))
		if between := (last-first)*(even-last) >= -1e-9; !between && looked.Verdicts[i].Second < 1 {
			t.Errorf("page %d: log-odds %.2f by the first look, %.2f by both, %.2f where both count alike", i, first, last, even)
		}
		if math.Abs(even-first) > math.Abs(last-first)+.1 {
			further++
		}
	}
	if further < len(pages)/2 {
		t.Errorf("%d of %d pages", further, len(pages))
	}
	few := pages[:12]
	if first := lookAt(t, few, Options{}); first.Refused == "" || first.Chance(3) != 1/(1+math.Exp(-oddsOf(few[3].Relevance, .3))) {
		t.Errorf("%q: %v", first.Refused, first.Chance(3))
	}
}

// The same pages give the same answer, to the last bit, however many processors there are.
func TestTheSecondLookIsTheSameEachTime(t *testing.T) {
	pages, _ := drawn(2, 200)
	a, b := lookAt(t, pages, Options{}), lookAt(t, pages, Options{})
	if !slices.Equal(a.Verdicts, b.Verdicts) {
		t.Error("two looks at the same pages differ")
	}
}

// Where words, places and links say nothing of what the first look found, it stands.
func TestTheSecondLookCanSayNo(t *testing.T) {
	pages, _ := drawn(3, 400)
	r := rand.New(rand.NewPCG(9, 9))
	for i := range pages {
		pages[i].Relevance = r.Float64()
	}
	for name, given := range map[string][]Page{"by chance": pages, "too few": pages[:12]} {
		said := lookAt(t, given, Options{})
		if said.Refused == "" || said.In+said.Out > 0 {
			t.Errorf("%s: agreement %.2f, in %d, out %d", name, said.Agreement, said.In, said.Out)
		}
		for i, v := range said.Verdicts {
			if v.Second != given[i].Relevance {
				t.Fatalf("%s: page %d has %v, and %v by the first look", name, i, v.Second, given[i].Relevance)
			}
		}
	}
	if none := lookAt(t, nil, Options{}); none.Refused == "" || !math.IsNaN(none.Agreement) {
		t.Errorf("no pages: %+v", none)
	}
	if _, err := Look(pages, Options{Threshold: 2}); err == nil || !strings.Contains(err.Error(), "threshold") {
		t.Errorf("no threshold: %v", err)
	}
}

// Where only a sample of the foreign pages is there, and too small a one, that is said: the crawl has told of more of them.
func TestWhoLacksForeignPagesHearsOfTheSample(t *testing.T) {
	pages, truth := drawn(3, 400)
	few := slices.DeleteFunc(pages, func(p Page) bool { return !truth[p.ID-pages[0].ID] })
	for all, want := range map[bool]bool{false: true, true: false} {
		if r := lookAt(t, few, Options{All: all}); strings.Contains(r.Refused, "second_look: all") != want {
			t.Errorf("all are there: %t: %d sure, %d foreign: %q", all, r.Sure, r.Foreign, r.Refused)
		}
	}
	if r := lookAt(t, few[:5], Options{}); r.Sure >= leastSure || r.Refused == "" {
		t.Errorf("of %d pages: %q", len(few[:5]), r.Refused)
	}
}

// A threshold of 0 keeps every page but those that somebody said are others.
func TestAThresholdThatKeepsEveryPage(t *testing.T) {
	pages, _ := drawn(3, 40)
	pages[7].Relevance = 0
	r, err := Look(pages, Options{Labels: map[string]bool{pages[3].URL: false, pages[4].URL: true}})
	if err != nil || !strings.Contains(r.Refused, "a threshold of 0") || r.In != 0 || r.Out != 1 {
		t.Fatalf("%v: %q, %d came in and %d went out", err, r.Refused, r.In, r.Out)
	}
	for i, v := range r.Verdicts {
		if v.Kept != (i != 3) {
			t.Errorf("page %d: %+v", i, v)
		}
	}
	if odds := (&Report{Result: r}).odds(7, 0); odds != math.Inf(1) {
		t.Errorf("odds %v of a page with nothing of the topic", odds)
	}
}

// What somebody said of a page stands, and is learned from.
func TestLabelsStand(t *testing.T) {
	pages, truth := drawn(4, 400)
	labels := map[string]bool{}
	for i := 0; i < 80; i += 2 {
		labels[pages[i].URL] = truth[i]
	}
	r := lookAt(t, pages, Options{Labels: labels})
	stand := func(cut string) {
		t.Helper()
		for i := range pages {
			if said, ok := labels[pages[i].URL]; ok && r.Verdicts[i].Kept != said {
				t.Errorf("%s: %s was said to be %v", cut, pages[i].URL, said)
			}
		}
	}
	stand("the threshold of the run")
	if with, without := f1(r, truth), f1(lookAt(t, pages, Options{}), truth); with < without {
		t.Errorf("F1 %.3f with labels, %.3f without", with, without)
	}
	r.Cut(.9, pages, labels)
	stand("a high one")
	for _, n := range []int{100, len(pages)} {
		r.Top(n, pages, labels)
		stand(fmt.Sprintf("the best %d", n))
	}
	r.Top(3, pages, labels)
	for i, v := range r.Verdicts {
		if v.Kept && !labels[pages[i].URL] {
			t.Errorf("%s is one of the best 3, and others were said to be relevant", pages[i].URL)
		}
	}
	few := Report{Result: Result{Verdicts: []Verdict{{Second: .2, Kept: true}, {Second: .4, Kept: true}, {Second: .1}}}}
	said := map[string]bool{pages[0].URL: true}
	if least := few.least(pages, said); least != .4 {
		t.Errorf("from %v on a page is kept, want .4: the other stands by its label", least)
	}
	if said[pages[1].URL] = true; few.least(pages, said) != .2 {
		t.Errorf("from %v on a page is kept where all are labelled, want .2", few.least(pages, said))
	}
	wrong := lookAt(t, pages[:12], Options{Labels: map[string]bool{pages[0].URL: false, pages[1].URL: true}})
	if wrong.Verdicts[0].Kept || !wrong.Verdicts[1].Kept {
		t.Error("of few pages the labels stand, too")
	}
}

// Examples of the topic that the crawl fetched are learned from, whatever the first look said of them.
func TestExamplesAreLearnedFrom(t *testing.T) {
	pages, truth := drawn(6, 400)
	var examples []string
	for i := range pages {
		if truth[i] && pages[i].Relevance < .28 {
			examples = append(examples, pages[i].URL)
		}
	}
	with, without := lookAt(t, pages, Options{Examples: examples}), lookAt(t, pages, Options{})
	if with.Sure != without.Sure+len(examples) || f1(with, truth) < f1(without, truth) {
		t.Errorf("%d examples: sure %d and %d, F1 %.3f and %.3f", len(examples), with.Sure, without.Sure, f1(with, truth), f1(without, truth))
	}
}

func TestDirectories(t *testing.T) {
	for address, want := range map[string]string{
		"http://a.org":                 "a.org",
		"http://a.org/":                "a.org",
		"http://a.org/x.html?from=/b/": "a.org",
		"http://a.org/x/y/z/u/v.html":  "a.org a.org/x a.org/x/y a.org/x/y/z",
	} {
		if have := strings.Join(directories(address), " "); have != want {
			t.Errorf("%s: %s, want %s", address, have, want)
		}
	}
}

func BenchmarkLook(b *testing.B) {
	pages, _ := drawn(1, 1000)
	for b.Loop() {
		if _, err := Look(pages, Options{Threshold: .3}); err != nil {
			b.Fatal(err)
		}
	}
}

// splintered are pages of a topic that speaks of many things: a dozen of them have words of their own, and the others, which are
// nearly sure, have those that foreign pages have, too.
func splintered() (pages []Page) {
	r := rand.New(rand.NewPCG(3, 1))
	common := strings.Fields("budget committee road traffic market price council vote tax station river paper window garden letter winter")
	for i := range 400 {
		var words []string
		for range 20 {
			words = append(words, common[r.IntN(len(common))])
		}
		relevance := .1
		switch {
		case i%10 == 0 && i < 120:
			relevance = .6
			words = append(words, strings.Fields("sail keel harbour tide skipper rope deck wind")...)
		case i%10 == 0:
			relevance = .31
		}
		url := fmt.Sprintf("http://www.example.org/%d", i)
		pages = append(pages, Page{ID: uint64(i + 1), URL: url, Keys: []uint64{sink.Key(url)}, Text: strings.Join(words, " "), Relevance: relevance})
	}
	return pages
}

func TestHalfOfWhatTheFirstLookKeptStays(t *testing.T) {
	pages := splintered()
	look := func(labels map[string]bool) (r Result, kept int) {
		r, err := Look(pages, Options{Threshold: .3, Labels: labels})
		if err != nil || r.Refused != "" {
			t.Fatal(err, r.Refused)
		}
		for i, v := range r.Verdicts {
			if v.Kept {
				kept++
			}
			if v.Kept != (v.Second >= .3) || pages[i].Relevance == .6 && !v.Kept {
				t.Errorf("%s: %+v", pages[i].URL, v)
			}
		}
		return r, kept
	}
	if r, kept := look(nil); kept != 20 || !r.Spared {
		t.Errorf("%d pages kept of 40, spared %v, want half", kept, r.Spared)
	}
	said := map[string]bool{"http://elsewhere.example/": false, pages[0].URL: true, pages[200].URL: false}
	for i := range leastSaid { // they are of other pages
		said[fmt.Sprint("http://elsewhere.example/", i)] = false
	}
	if r, kept := look(said); kept < 19 || kept > 20 || !r.Spared {
		t.Errorf("somebody has begun to label: %d pages kept, spared %v, want half", kept, r.Spared)
	}
	for i := 120; i < 400; i += 10 { // a person says that they are not
		said[pages[i].URL] = false
	}
	if r, kept := look(said); kept != 12 || r.Spared {
		t.Errorf("%d pages kept, spared %v, want those that nobody has spoken against", kept, r.Spared)
	}
}
