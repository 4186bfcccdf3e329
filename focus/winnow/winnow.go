// Package winnow answers one question: what does the whole crawl say of a page?
//
// While a crawl goes on a page is judged by the topic and the page alone. When it is over, all its pages together know
// more: which words the sure pages have and the clearly foreign ones have not, what the links that lead to a page say,
// which directory and which list of links it stands in. Look learns that and judges every page again. It changes nothing
// where what it learned does not hold on pages that it did not learn from.
package winnow

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/extract"
	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Page is a page of a crawl as the second look sees it.
type Page struct {
	ID        uint64   // its number in the crawl
	URL       string   // the address that answered
	Keys      []uint64 // of the addresses that links may call it by; see sink.Key
	Title     string
	Text      string  // its main text
	Relevance float64 // by the first look, in [0,1]
	Raw       float64 // the number of its judge that this stands for
	Links     []sink.Pointer
	Near      bool // its site gave much when it was fetched, and all pages of such are put aside; see sink.Seen
	Copied    bool // it stands whole beside its text; see sink.Seen
}

// Options say how pages are looked at.
type Options struct {
	Threshold float64         // of the first look: the relevance from which a page was kept; 0 keeps every page
	UserDict  string          // a user dictionary for Chinese
	Limit     int             // bytes of a text that are cut into words; 0 means what package text cuts
	All       bool            // every page was kept for it, and not a sample of those that are clearly foreign
	Labels    map[string]bool // what somebody said of pages, by address: it is learned from, and it stands
	Examples  []string        // of the topic, by address: those among the pages are learned from as if they were labelled

	values extract.Rules // that a run asks of its pages
	most   int           // pages of each side that are learned from; 0: mostTaught
	off    bool          // the run was crawled without one
	copies bool          // pages that repeat others are kept, too
	spec   topic.Spec    // of the first look
	own    bool          // the threshold is that of a judge which is not there any more
}

// Verdict is what is said of a page.
type Verdict struct {
	ID            uint64
	First, Second float64 // relevance by the first look and by the second
	Before, Kept  bool    // the first look kept it, and the second keeps it
	List          bool    // it is left out because it says what kept pages say
}

// Result is what a second look came to.
type Result struct {
	Verdicts      []Verdict // of all pages, in their order
	Sure, Foreign int       // pages that were learned from
	Agreement     float64   // how often a sure page was put before a foreign one by a judge that had learned from neither; NaN where nothing was learned
	Refused       string    // why the first look stands; empty where it does not
	Spared        bool      // it would have kept fewer than half as many pages as the first look, and keeps the best of that number
	In, Out       int       // pages that came in, and that went out
	Lists         int       // pages that are left out because they say what kept pages say, beside those that went out

	unsaid []float64 // by the second look, as if nobody had said anything of that page
	even   []float64 // the same as log-odds in which both looks count as much, however much there was to learn from
}

// What a second look takes for sure and for foreign, and how it goes on from there. They were chosen on recorded webs in
// both languages; the optimum is flat.
const (
	sureFrom     = 1.12 // times the threshold
	foreignBelow = .9
	steepness    = 7.5 // of the first look: log-odds for each e-fold of relevance above the threshold
	leastSure    = 10  // pages of each side, with fewer nothing is learned
	leastAgreed  = .7
	parts        = 5      // the judge of each has learned from the others
	saidCounts   = 5      // so many pages a label counts
	rounds       = 2      // it learns again so often, from what both looks together take for sure and for foreign by then
	mostTaught   = 10_000 // pages of each side, and of more a sample is learned from: more of them say nothing new
	certain      = 3      // log-odds against a page from which what was learned from very many sure pages is certain that it is foreign; from few, 0
	nearLeast    = -4     // log-odds by the first look of a page of a site that gives much at the least: few words say less against it there
	doubt        = 50     // sure pages; what was learned from so many counts as much as the first look, and from more of them more
)

// Look judges pages again by what all of them say together. The pages must be in the order of their numbers; the same pages
// give the same answer.
func Look(pages []Page, o Options) (Result, error) {
	if !(0 <= o.Threshold && o.Threshold <= 1) {
		return Result{}, fmt.Errorf("threshold is %v, want 0 to 1", o.Threshold)
	}
	return held(pages).look(&o)
}

// look judges pages again.
func (m *material) look(o *Options) (Result, error) {
	r := resultOf(m.pages, o)
	err := r.learn(m, o)
	if err == nil {
		r.Cut(o.Threshold, m.pages, o.Labels)
	}
	return r, err
}

// resultOf is a look at pages in which the first look stands.
func resultOf(pages []Page, o *Options) Result {
	r := Result{Verdicts: make([]Verdict, len(pages)), Agreement: math.NaN(), unsaid: make([]float64, len(pages)), even: make([]float64, len(pages))}
	for i := range pages {
		p := &pages[i]
		r.Verdicts[i] = Verdict{ID: p.ID, First: p.Relevance, Before: p.Relevance >= o.Threshold}
		r.unsaid[i], r.even[i] = p.Relevance, oddsOf(p.Relevance, o.Threshold)
	}
	return r
}

// oddsOf are the log-odds of a page by the first look.
func oddsOf(relevance, threshold float64) float64 {
	if threshold == 0 { // every page is of the topic
		return math.Inf(1)
	}
	return steepness * math.Log(max(relevance, threshold*.2)/threshold)
}

// Chance is how surely a page is of the topic, from 0 to 1, as long as nobody says so: what words are learned from asks that, and
// not whether the page is kept.
func (r *Result) Chance(i int) float64 { return learn.Sigmoid(r.even[i]) }

// learn judges pages again, where what is learned of them holds.
func (r *Result) learn(m *material, o *Options) error {
	if o.Threshold == 0 {
		r.Refused = "a threshold of 0 keeps every page, so that none is foreign"
		return nil
	}
	l := lookOf(m, o)
	r.Sure, r.Foreign = l.sides()
	if r.Sure < leastSure || r.Foreign < leastSure {
		r.Refused = tooFew(r.Sure, r.Foreign, o)
		return nil
	}
	if err := l.read(o); err != nil {
		return err
	}
	learned := l.learn()
	r.Agreement = l.agreement(learned)
	if r.Agreement < leastAgreed {
		r.Refused = fmt.Sprintf("what the sure pages have in common says too little of pages it was not learned from: a sure page comes before a foreign one in %.0f %% of all pairs, and it takes %.0f", 100*r.Agreement, 100*leastAgreed)
		return nil
	}
	learned = l.again(learned, r.Sure)
	trust := float64(r.Sure) / float64(r.Sure+doubt)
	for i, odds := range l.together(learned, trust) {
		r.unsaid[i] = min(o.Threshold*math.Exp(odds/steepness), 1)
	}
	for i := range r.even {
		r.even[i] = (r.even[i] + learned[i]) / 2
	}
	r.spare(m.pages, o)
	return nil
}

// Cut decides what is kept, from a threshold of the second look on. What somebody said of a page stands.
func (r *Result) Cut(threshold float64, pages []Page, labels map[string]bool) {
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		v.Second = r.unsaid[i]
		said, ok := labels[pages[i].URL]
		switch {
		case ok && said:
			v.Second = max(v.Second, threshold)
		case ok:
			v.Second = min(v.Second, threshold*foreignBelow)
		}
		v.Kept = v.Second >= threshold && (said || !ok) // no number is below a threshold of 0
	}
	r.count()
}

// count counts the pages that moved.
func (r *Result) count() {
	r.In, r.Out, r.Lists = 0, 0, 0
	for _, v := range r.Verdicts {
		switch {
		case v.List:
			r.Lists++
		case v.Kept && !v.Before:
			r.In++
		case v.Before && !v.Kept:
			r.Out++
		}
	}
}

// Most is F1 of what could be kept of pages at the most: by a judge that has learned the truth about the others of them, at its best
// threshold. So many relevant pages are missed besides.
func Most(pages []Page, truth []bool, missed int, o Options) (float64, error) {
	return mostOf(held(pages), truth, missed, &o)
}

func mostOf(m *material, truth []bool, missed int, o *Options) (float64, error) {
	odds, err := taught(m, truth, o)
	return learn.MostF1(odds, truth, missed), err
}

// taught is the log-odds of every page by a judge that has learned from the truth about the others.
func taught(m *material, truth []bool, o *Options) ([]float64, error) {
	l := newLook(m)
	for i, yes := range truth {
		l.side[i] = sideOf(yes)
	}
	if err := l.read(o); err != nil {
		return nil, err
	}
	return l.learn(), nil
}

// leastLabels is how many pages of each side must be labelled before a precision can be promised.
const leastLabels = 10

// ThresholdFor is the lowest threshold of the second look from which so large a share of the pages is right, by the labels:
// each page is judged by what was learned without it.
func (r *Result) ThresholdFor(precision float64, pages []Page, labels map[string]bool) (float64, error) {
	var scores []float64
	var truth []bool
	in := 0
	for i := range pages {
		if said, ok := labels[pages[i].URL]; ok {
			scores, truth = append(scores, r.unsaid[i]), append(truth, said)
			if said {
				in++
			}
		}
	}
	if in < leastLabels || len(truth)-in < leastLabels {
		return 0, fmt.Errorf("a precision can be promised where at least %d pages of the run are labelled relevant and %d other, and there are %d and %d: thresher label asks for them", leastLabels, leastLabels, in, len(truth)-in)
	}
	at, _, ok := learn.ForPrecision(scores, truth, precision)
	if !ok {
		return 0, fmt.Errorf("no threshold gives a precision of %v on the %d labelled pages: ask for less, or label more", precision, len(truth))
	}
	return at, nil
}

// Top keeps the best pages, so many; of equals those that were fetched first. What somebody said is relevant comes before all others,
// and what somebody said is not is never among them.
func (r *Result) Top(n int, pages []Page, labels map[string]bool) {
	var order []int
	for i := range r.Verdicts {
		r.Verdicts[i].Kept = false
		if said, ok := labels[pages[i].URL]; said || !ok {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if labels[pages[a].URL] != labels[pages[b].URL] {
			return map[bool]int{true: -1, false: 1}[labels[pages[a].URL]]
		}
		return cmp.Compare(r.Verdicts[b].Second, r.Verdicts[a].Second)
	})
	for _, i := range order[:min(n, len(order))] {
		r.Verdicts[i].Kept = true
	}
	r.count()
}
