// Package topic answers one question: what are we looking for?
//
// A Topic is made of all the ways a person can say it: weighted terms, a sentence, example pages, labelled folders, a
// trained model. Judge says how relevant a page is, and which terms said so. It serves steps 4 and 6 of the journey
// (see package focus).
//
// There are only a few types: a Spec is the topic as somebody stated it, a Topic what a crawl asks, a Judgement what
// it answers, and a Model a judge that was trained and written to a file.
package topic

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/thresher-crawler/thresher/focus/text"
)

// Judgement is how relevant a page, or a part of one, was found.
type Judgement struct {
	Raw       float64 // the judge's own number
	Relevance float64 // in [0,1]; what the threshold applies to
	Relevant  bool    // Relevance >= threshold
	Terms     []Evidence
}

// Evidence is what one term of the topic added to Raw.
type Evidence struct {
	Term  string  `json:"term"`
	Count int     `json:"count"`
	Added float64 `json:"added"`
}

// Topic is what a crawl looks for. Judge and Sim may be called by many goroutines at once; Learn, Seed and Restore by
// one at a time, and not while others judge (the crawl calls them in its own order).
type Topic struct {
	spec      Spec
	threshold float64
	cutter    *text.Cutter
	weigh     weigher
	words     *vocabulary
	profile   profile
	query     query
	scale     scale
	make      func(*Material) Judge
	judge     Judge
	learner   Learner // the judge if it is one
	wanted    *choice // the words that the judge looks at, where it chooses
	model     *Model  // of a trained judge, else nil
	findable  bool    // the topic's own words are terms and nothing else, so that the cutter finds them uncut
	lesson    lesson
	notes     []string
	brought   *atomic.Pointer[Met]
	*shop
}

// shop is what a topic works with, and all that know it by what was met on one page.
type shop struct {
	bags  sync.Pool
	desks sync.Pool
	seen  memo
	asked asked
}

// Cut finds the words of a page that Judge looks at, and keeps them with it. Judge does it too where it has not been
// done; it is most of the work, and pages can be cut side by side.
func (t *Topic) Cut(d *text.Doc) { t.tokens(d) }

// CutAs is the key of what Cut does (see text.Cutter.Key): what a topic of the same key has cut of a page serves here too.
// It is empty where Cut looks for the topic's own terms alone, which is done in less time than it takes to remember it.
func (t *Topic) CutAs() string {
	if t.findsAlone() {
		return ""
	}
	return t.cutter.Key()
}

// findsAlone tells that nothing but the topic's own terms makes a difference to the judge.
func (t *Topic) findsAlone() bool {
	return t.findable && TraitsOf(t.spec.Judge).Terms
}

// Judge says how relevant a page is, by what is known now.
func (t *Topic) Judge(d *text.Doc) Judgement {
	b := t.bag()
	defer t.bags.Put(b)
	t.weigh.page(b, d, t.tokens(d), t.wanted)
	return t.judgeBag(b)
}

// JudgeBlock judges the part of a page that stands in one block (nested blocks not included), whatever the content
// rule: a block is small enough to be taken whole.
func (t *Topic) JudgeBlock(d *text.Doc, block int) Judgement {
	b := t.bag()
	defer t.bags.Put(b)
	t.weigh.block(b, d, t.tokens(d), int32(block), t.wanted)
	return t.judgeBag(b)
}

// Cutter is the topic's own cutter.
func (t *Topic) Cutter() *text.Cutter { return t.cutter }

// Threshold is the relevance from which a page counts as relevant.
func (t *Topic) Threshold() float64 { return t.threshold }

// Terms are the terms that are looked for, those that were taken from a sentence or a model with the rest.
func (t *Topic) Terms() []Term {
	var list []Term
	for _, k := range t.profile.terms {
		list = append(list, Term{k.surface, k.weight})
	}
	return list
}

// Model is the trained judge that the topic uses, nil if it uses none.
func (t *Topic) Model() *Model { return t.model }

// Notes are what a person should know of this topic before relying on it.
func (t *Topic) Notes() []string { return slices.Clone(t.notes) }

// Language is what the topic was said to be in: zh, en or auto.
func (t *Topic) Language() string { return t.spec.Language }

// NeedsSeeds tells that nothing but the start pages can say what this topic is: they are to be given to Seed before
// the first page is judged. Until then every page is judged 0.
func (t *Topic) NeedsSeeds() bool {
	switch traits := TraitsOf(t.spec.Judge); {
	case traits.Trained:
		return false
	case traits.Pages:
		return len(t.profile.examples) == 0
	}
	return t.empty()
}

// empty tells that nothing says what the topic is.
func (t *Topic) empty() bool {
	return t.model == nil && !slices.ContainsFunc(t.profile.terms, func(k keyword) bool { return k.weight > 0 }) && len(t.profile.examples) == 0
}

// Seed takes the start pages as examples when the spec had nothing else to make the topic of (see NeedsSeeds); in all
// other cases it does nothing. It is called once.
func (t *Topic) Seed(d []*text.Doc) {
	if !t.NeedsSeeds() {
		return
	}
	t.exemplify(d)
}

// exemplify makes examples of pages: they enter the document frequencies like pages that were judged.
func (t *Topic) exemplify(docs []*text.Doc) {
	b := t.bag()
	defer t.bags.Put(b)
	t.findable = t.findable && len(docs) == 0 // and not written otherwise once pages may be cut
	for _, d := range docs {
		t.weigh.page(b, d, t.tokens(d), nil)
		if len(b.words) > 0 {
			t.profile.example(b)
			if t.counts() {
				t.words.count(b.words)
			}
		}
	}
	t.settle()
}

// settle works everything out anew that follows from terms and examples.
func (t *Topic) settle() {
	t.words.protect(t.profile.wordsOf())
	t.seen.forget()
	if t.findable && len(t.profile.examples) > 0 { // restored ones, too
		t.findable = false
	}
	t.words.examples = len(t.profile.examples)
	t.profile.index(t.words)
	t.judge, t.learner = t.make(&Material{Calibrate: t.spec.Calibrate == "on", topic: t}), unlearning{}
	if l, ok := t.judge.(Learner); ok {
		t.learner = l
	}
	t.wanted = nil
	if c, ok := t.judge.(Chooser); ok {
		t.wanted = choiceOf(slices.DeleteFunc(slices.Clone(t.words.list[:t.words.fixed]), func(w string) bool { return !c.Wants(w) }))
	}
	t.refresh()
}

// refresh works out anew what is only looked at every so many pages: the query of Sim and the two ends of the scale.
func (t *Topic) refresh() {
	t.query = t.profile.query(t.worth, -1)
	mean, ok := 0.0, false
	if c, can := t.judge.(Comparer); can {
		mean, ok = c.LeaveOneOut()
	}
	t.scale.refresh(mean, ok)
}

// counts tells that the judge counts in how many of the crawl's pages each word stands, as its source does.
func (t *Topic) counts() bool { return TraitsOf(t.spec.Judge).Counts }

// learns tells that what is judged makes a difference to later judgements.
func (t *Topic) learns() bool { return t.counts() || t.learner != Learner(unlearning{}) }

// worth is what an occurrence of one of the topic's words says, by how rare the word is: in the crawl's own pages for the
// judge that counts there, else in the language.
func (t *Topic) worth(id int32) float64 {
	if t.counts() {
		return t.words.idf(t.words.df[id])
	}
	return rarity(t.words.list[id])
}

// tokens are the words of a page that the judge looks at: all of them, or the topic's terms alone where the rest makes
// no difference.
func (t *Topic) tokens(d *text.Doc) []text.Token {
	if t.findsAlone() {
		return t.cutter.Found(d)
	}
	return t.cutter.Tokens(d)
}

func (t *Topic) bag() *Bag {
	if b, ok := t.bags.Get().(*Bag); ok {
		return b
	}
	return newBag()
}

// judgeBag judges the words of a page or of a block.
func (t *Topic) judgeBag(b *Bag) Judgement {
	raw, why := t.judge.Score(b, b.why[:0])
	b.why, raw = why, evident(raw)
	j := Judgement{Raw: raw, Relevance: raw, Terms: strongest(why)}
	if c, ok := t.judge.(Calibrator); ok {
		j.Relevance = evident(c.Relevance(raw))
	} else if t.spec.Calibrate == "on" {
		j.Relevance = t.scale.relevance(raw)
	}
	j.Relevance = min(max(j.Relevance, 0), 1)
	j.Relevant = j.Relevance >= t.threshold
	return j
}

// evident is what a judge has said as it counts: no number, or an infinite one, as of a program's own where it divides by nothing, speaks
// for nothing. It would have no place on the scale, nor in what is written.
func evident(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}
