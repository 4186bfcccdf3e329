package topic

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/text"
)

// setting is a way of weighing pages that all judges are measured under.
type setting struct {
	name string
	spec Spec
	cut  text.Options
}

// settings are the default and, beside it, the default without one of its parts or with one that it lacks.
func settings() []setting {
	plain := map[string]float64{"title": 1, "top": 1, "heading": 1, "anchor": 1}
	speech := map[string]float64{"noun": 1, "adjective": .9, "verb": .8, "adverb": .2, "function": 0}
	return []setting{
		{"default", Spec{}, text.Options{}},
		{"-positions", Spec{Positions: plain}, text.Options{}},
		{"-links", Spec{Positions: map[string]float64{"anchor": 0}}, text.Options{}},
		{"+by_kind", Spec{Content: "by_kind"}, text.Options{}},
		{"+main_text", Spec{Content: "main_text"}, text.Options{}},
		{"-stops", Spec{}, text.Options{KeepStops: true}},
		{"+speech", Spec{Speech: speech}, text.Options{Tags: true}},
	}
}

// bench holds a web's pages as bags under one setting.
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
func newBench(t *testing.T, w *web, s setting) *bench {
	t.Helper()
	b := &bench{web: w, keys: map[string]string{}, words: map[string]*vocabulary{}, bags: make([]*Bag, len(w.docs)), own: make([]*Bag, len(w.docs))}
	cutter, terms := w.cutter(t, s.cut)
	for i, key := range cutter.Keys() {
		b.keys[terms[i]] = key
	}
	for judge, bags := range map[string][]*Bag{"bm25": b.own, "classifier": b.bags} {
		spec := s.spec
		spec.Judge = judge
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

// everySecond is the web with every second page.
func (w *web) everySecond() *web {
	half := &web{Name: w.Name, Topics: w.Topics, cutters: w.cutters}
	for i := 0; i < len(w.docs); i += 2 {
		half.docs, half.labels = append(half.docs, w.docs[i]), append(half.labels, w.labels[i])
	}
	return half
}

// cutter keeps the terms of all topics whole. Settings that cut alike share it, and with it the words of the pages.
func (w *web) cutter(t *testing.T, o text.Options) (*text.Cutter, []string) {
	t.Helper()
	for _, wt := range w.Topics {
		o.Terms = append(o.Terms, wt.Terms...)
	}
	key := fmt.Sprint(o.KeepStops, o.Tags)
	if w.cutters[key] == nil {
		cutter, err := text.NewCutter(o)
		if err != nil {
			t.Fatal(err)
		}
		w.cutters = map[string]*text.Cutter{key: cutter}
	}
	return w.cutters[key], o.Terms
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

// centroid measures the centre of the examples as it stands, and after the pages of a crawl that goes well (one of three
// relevant) have passed by it.
func (b *bench) centroid(t *testing.T, c *cell) (still, crawled float64) {
	relevant := 0
	for _, yes := range c.truth {
		if yes {
			relevant++
		}
	}
	step := max(1, (len(c.pages)-relevant)/(2*relevant))
	measure := func(pass func(k int) bool) float64 {
		topic := b.exemplify(b.topic(t, c, Spec{Judge: "centroid"}), c)
		for k, i := range c.pages {
			if pass(k) {
				topic.learner.Learn(b.bags[i])
			}
		}
		topic.judge.(*centroid).gate = 2
		return b.ap(topic, c)
	}
	still = measure(func(int) bool { return false })
	crawled = measure(func(k int) bool { return c.truth[k] || k%step == 0 })
	return still, crawled
}

// halves trains on one half of the pages and tests on the other, both ways.
func (b *bench) halves(c *cell, kind string) float64 {
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
		if o.complete() != nil {
			return 0
		}
		model := corpus.model(o, &Report{Kind: kind})
		scores, truth := make([]float64, len(test)), make([]bool, len(test))
		spread(len(test), func(i int) {
			scores[i], _ = model.score(b.bags[c.pages[test[i]]], nil)
			truth[i] = c.truth[test[i]]
		})
		sum += learn.AveragePrecision(scores, truth) / 2
	}
	return sum
}

// verdicts are how right the default judge is with the default threshold.
func (b *bench) verdicts(topic *Topic, c *cell) (found learn.Confusion) {
	score := make([]float64, len(c.pages))
	spread(len(score), func(k int) {
		raw, _ := topic.judge.Score(b.own[c.pages[k]], nil)
		score[k] = math.Pow(raw, calibration)
	})
	for k := range score {
		found.Add(score[k] >= Defaults().Threshold, c.truth[k])
	}
	return found
}

// judgesOf measures every judge on every topic of a web under one setting: average precision, by judge and topic. The
// judges are listed in rows. Examples are drawn so many times; more are kinds of trained judges besides the usual one.
func judgesOf(t *testing.T, b *bench, draws int, more ...string) map[string][]float64 {
	found := map[string][]float64{}
	add := func(judge string, topic int, ap float64) {
		found[judge] = append(found[judge], make([]float64, max(0, topic+1-len(found[judge])))...)
		found[judge][topic] += ap
	}
	n := float64(draws)
	for i, wt := range b.web.Topics {
		for draw := range uint64(draws) {
			c, err := b.web.cell(wt, draw)
			if err != nil {
				t.Fatal(err)
			}
			add("terms + 5 examples", i, b.ap(b.exemplify(b.topic(t, c, Spec{Terms: c.terms}), c), c)/n)
			add("5 examples", i, b.ap(b.exemplify(b.topic(t, c, Spec{}), c), c)/n)
			still, crawled := b.centroid(t, c)
			add("centroid of 5", i, crawled/n)
			add("  without update", i, still/n)
			if draw > 0 {
				continue
			}
			for judge, row := range map[string]string{"bm25": "terms alone", "vsm-restricted": "terms, restricted"} {
				topic := b.topic(t, c, Spec{Judge: judge, Terms: c.terms})
				topic.settle()
				add(row, i, b.ap(topic, c))
			}
			for _, kind := range append(more, "svm") {
				add("half: "+kind, i, b.halves(c, kind))
			}
		}
	}
	return found
}

var rows = []string{"terms, restricted", "terms alone", "centroid of 5", "  without update", "5 examples", "terms + 5 examples", "half: vector", "half: bayes", "half: svm", "half: logistic"}

// TestJudgesOverRecordedWebs measures the judges against the labels of two recorded webs. With -v it measures more than
// it holds: three draws of examples, all kinds of trained judges, and what each part is worth; all of it is printed.
func TestJudgesOverRecordedWebs(t *testing.T) {
	mean := map[string]map[string]float64{}
	topics := 0
	for _, name := range []string{"webkb", "zh_portals"} {
		t.Run(name, func(t *testing.T) {
			w := openWeb(t, name)
			topics += len(w.Topics)
			measureWeb(t, w, mean)
		})
	}
	if topics == 0 {
		t.SkipNow()
	}
	t.Log("mean over topics: as it is by default, and without (-) or with (+) one part\n" + byPart(mean, measuredSettings(), float64(topics)))
	for _, pair := range [][2]string{{"terms alone", "terms + 5 examples"}, {"centroid of 5", "terms + 5 examples"}, {"terms + 5 examples", "half: svm"}} {
		less, more := mean[pair[0]]["default"], mean[pair[1]]["default"]
		if more < less {
			t.Errorf("%s reaches %.3f on the mean, %s with less information %.3f", pair[1], more/float64(topics), pair[0], less/float64(topics))
		}
	}
}

// measuredSettings are those that are measured.
func measuredSettings() []setting {
	if testing.Verbose() {
		return settings()
	}
	return settings()[:1]
}

// measureWeb measures a web's judges by topic, and adds what they reach under each setting to mean. To keep the test
// short, what parts are worth is measured on every fourth page of a large web.
func measureWeb(t *testing.T, w *web, mean map[string]map[string]float64) {
	whole := newBench(t, w, settings()[0])
	draws, more := 1, []string(nil)
	if testing.Verbose() {
		draws, more = 3, []string{"vector", "bayes", "logistic"}
	}
	t.Log("what is kept of all pages, mean over topics\n" + byThreshold(t, whole))
	found := judgesOf(t, whole, draws, more...)
	t.Log("average precision over all pages\n" + byTopic(w, found))
	if w.Name == "zh_portals" {
		goodEnough(t, w, found["half: svm"])
		w = w.everySecond().everySecond()
	}
	for _, s := range measuredSettings() {
		for judge, aps := range judgesOf(t, newBench(t, w, s), 1) {
			if mean[judge] == nil {
				mean[judge] = map[string]float64{}
			}
			for _, ap := range aps {
				mean[judge][s.name] += ap
			}
		}
	}
}

func goodEnough(t *testing.T, w *web, aps []float64) {
	for i, wt := range w.Topics {
		if (wt.Name == "sports" || wt.Name == "finance") && aps[i] < .85 {
			t.Errorf("%s: the trained classifier reaches AP %.3f, want .85", wt.Name, aps[i])
		}
	}
}

// byThreshold says how much of a web is kept, and how rightly: of all pages, those of the topics on the mean.
func byThreshold(t *testing.T, b *bench) string {
	var s strings.Builder
	n := float64(len(b.web.Topics))
	for _, told := range []string{"terms", "5 examples", "both"} {
		var p, r, f float64
		for _, wt := range b.web.Topics {
			c, err := b.web.cell(wt, 0)
			if err != nil {
				t.Fatal(err)
			}
			none, terms := *c, c.terms
			if told == "terms" {
				none.examples = nil
			}
			if told == "5 examples" {
				terms = nil
			}
			found := b.verdicts(b.exemplify(b.topic(t, c, Spec{Terms: terms}), &none), c)
			p, r, f = p+found.Precision()/n, r+found.Recall()/n, f+found.F1()/n
		}
		fmt.Fprintf(&s, "%-12s precision %.3f  recall %.3f  F1 %.3f\n", told, p, r, f)
	}
	return s.String()
}

func byTopic(w *web, found map[string][]float64) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%-20s", w.Name)
	for _, wt := range w.Topics {
		name := wt.Name[strings.Index(wt.Name, "/")+1:]
		fmt.Fprintf(&s, " %8.8s", name)
	}
	s.WriteString("     mean\n")
	for _, judge := range rows {
		sum := 0.0
		fmt.Fprintf(&s, "%-20s", judge)
		for _, ap := range found[judge] {
			fmt.Fprintf(&s, " %8.3f", ap)
			sum += ap
		}
		fmt.Fprintf(&s, " %8.3f\n", sum/float64(len(w.Topics)))
	}
	return s.String()
}

func byPart(mean map[string]map[string]float64, settings []setting, topics float64) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%-20s", "")
	for _, c := range settings {
		fmt.Fprintf(&s, " %10s", c.name)
	}
	s.WriteString("\n")
	for _, judge := range rows {
		if len(mean[judge]) < len(settings) {
			continue
		}
		fmt.Fprintf(&s, "%-20s", judge)
		for _, c := range settings {
			fmt.Fprintf(&s, " %10.3f", mean[judge][c.name]/topics)
		}
		s.WriteString("\n")
	}
	return s.String()
}

func TestRowsAreComplete(t *testing.T) {
	if len(slices.Compact(slices.Sorted(slices.Values(rows)))) != len(rows) {
		t.Error("a judge has two rows")
	}
}
