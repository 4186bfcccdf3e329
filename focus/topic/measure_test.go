package topic

import (
	"maps"
	"os"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/text"
)

// bench holds a web's pages as bags.
type bench struct {
	web   *web
	keys  map[string]string // of the terms of all topics
	bags  []*Bag
	own   []*Bag                 // the pages as bm25 reads them
	words map[string]*vocabulary // by scope: what a judge that has seen all pages knows of words
}

// of are the pages as a judge reads them.
func (b *bench) of(judge string) []*Bag {
	if judge == "bm25" {
		return b.own
	}
	return b.bags
}

// newBench weighs all pages. One cutter keeps the terms of all topics whole, so that pages are cut once.
func newBench(t *testing.T, w *web) *bench {
	t.Helper()
	b := &bench{web: w, keys: map[string]string{}, words: map[string]*vocabulary{}, bags: make([]*Bag, len(w.docs)), own: make([]*Bag, len(w.docs))}
	var terms []string
	for _, wt := range w.Topics {
		terms = append(terms, wt.Terms...)
	}
	cutter, err := text.NewCutter(text.Options{Terms: terms})
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range cutter.Keys() {
		b.keys[terms[i]] = key
	}
	for judge, bags := range map[string][]*Bag{"bm25": b.own, "classifier": b.bags} {
		spec := Spec{Judge: judge}
		if err := spec.complete(); err != nil {
			t.Fatal(err)
		}
		weigh, err := newWeigher(&spec)
		if err != nil {
			t.Fatal(err)
		}
		spread(len(w.docs), func(i int) {
			bag := newBag()
			weigh.page(bag, w.docs[i], cutter.Tokens(w.docs[i]), nil)
			bag.index = nil
			bags[i] = bag
		})
	}
	return b
}

// topic is a topic that has seen the words of all pages of its cell's scope.
func (b *bench) topic(t *testing.T, c *cell, s Spec) *Topic {
	t.Helper()
	if err := s.complete(); err != nil {
		t.Fatal(err)
	}
	known, ok := b.words[c.scope]
	if !ok {
		known = newVocabulary()
		for _, i := range c.pages {
			known.add(b.bags[i])
		}
		b.words[c.scope] = known
	}
	words := *known
	words.ids, words.list, words.df = maps.Clone(known.ids), slices.Clone(known.list), slices.Clone(known.df)
	topic := &Topic{brought: &atomic.Pointer[Met]{}, shop: &shop{}, spec: s, words: &words, scale: newScale()}
	topic.make, _ = table[s.Judge].load(s.With)
	for _, term := range s.Terms {
		topic.profile.term(b.keys[term.Term], term)
	}
	return topic
}

// exemplify gives a topic the examples of its cell.
func (b *bench) exemplify(topic *Topic, c *cell) *Topic {
	for _, i := range c.examples {
		topic.profile.example(b.of(topic.spec.Judge)[i])
	}
	topic.settle()
	return topic
}

func (b *bench) ap(topic *Topic, c *cell) float64 {
	scores := make([]float64, len(c.pages))
	spread(len(c.pages), func(i int) { scores[i], _ = topic.judge.Score(b.of(topic.spec.Judge)[c.pages[i]], nil) })
	return learn.AveragePrecision(scores, c.truth)
}

// centroid measures the centre of the examples after the pages of a crawl that goes well (one of three relevant) have passed by it.
func (b *bench) centroid(t *testing.T, c *cell) float64 {
	relevant := 0
	for _, yes := range c.truth {
		if yes {
			relevant++
		}
	}
	step := max(1, (len(c.pages)-relevant)/(2*relevant))
	topic := b.exemplify(b.topic(t, c, Spec{Judge: "centroid"}), c)
	for k, i := range c.pages {
		if c.truth[k] || k%step == 0 {
			topic.learner.Learn(b.bags[i])
		}
	}
	topic.judge.(*centroid).gate = 2
	return b.ap(topic, c)
}

// halves trains on one half of the pages and tests on the other, both ways.
func (b *bench) halves(t *testing.T, c *cell) float64 {
	fold := learn.Folds(c.truth, 2, 1)
	sum := 0.0
	for half := range 2 {
		corpus := newCorpus()
		var test []int
		for i, page := range c.pages {
			if fold[i] == half {
				corpus.add(b.bags[page], c.truth[i])
			} else {
				test = append(test, i)
			}
		}
		corpus.thin()
		o := &TrainOptions{Spec: Spec{}}
		if err := o.complete(); err != nil {
			t.Fatal(err)
		}
		model := corpus.model(o, &Report{Kind: "svm"})
		scores, truth := make([]float64, len(test)), make([]bool, len(test))
		spread(len(test), func(i int) {
			scores[i], _ = model.score(b.bags[c.pages[test[i]]], nil)
			truth[i] = c.truth[test[i]]
		})
		sum += learn.AveragePrecision(scores, truth) / 2
	}
	return sum
}

// judges measures the judges on a topic: average precision over all pages.
func (b *bench) judges(t *testing.T, wt webTopic) map[string]float64 {
	c, err := b.web.cell(wt, 0)
	if err != nil {
		t.Fatal(err)
	}
	alone := b.topic(t, c, Spec{Terms: c.terms})
	alone.settle()
	return map[string]float64{
		"terms alone":        b.ap(alone, c),
		"centroid of 5":      b.centroid(t, c),
		"terms + 5 examples": b.ap(b.exemplify(b.topic(t, c, Spec{Terms: c.terms}), c), c),
		"half: svm":          b.halves(t, c),
	}
}

// TestJudgesOverRecordedWebs holds the judges against the labels of two recorded webs: with more information they are better.
func TestJudgesOverRecordedWebs(t *testing.T) {
	if os.Getenv("THRESHER_WEBS") != "1" {
		t.Skip("a minute and more: set THRESHER_SHARED=1 and THRESHER_WEBS=1 to measure judges over recorded webs")
	}
	sum, topics := map[string]float64{}, 0.
	for _, name := range []string{"webkb", "zh_portals"} {
		t.Run(name, func(t *testing.T) {
			w := openWeb(t, name)
			b := newBench(t, w)
			for _, wt := range w.Topics {
				found := b.judges(t, wt)
				for judge, ap := range found {
					t.Logf("%-16s %-20s %.3f", wt.Name, judge, ap)
					sum[judge] += ap
				}
				topics++
				if (wt.Name == "sports" || wt.Name == "finance") && found["half: svm"] < .85 {
					t.Errorf("%s: the trained classifier reaches AP %.3f, want .85", wt.Name, found["half: svm"])
				}
			}
		})
	}
	if topics == 0 {
		t.SkipNow()
	}
	for _, pair := range [][2]string{{"terms alone", "terms + 5 examples"}, {"centroid of 5", "terms + 5 examples"}, {"terms + 5 examples", "half: svm"}} {
		if less, more := sum[pair[0]], sum[pair[1]]; more < less {
			t.Errorf("%s reaches %.3f on the mean, %s with less information %.3f", pair[1], more/topics, pair[0], less/topics)
		}
	}
}
