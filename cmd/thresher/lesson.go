package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// lesson is what a judge is taught from: pages that could be labelled, and those that are.
type lesson struct {
	library         *focus.Library
	pool            []*candidate
	relevant, other []*text.Doc
	lost            int          // labels of pages that the library has not
	words           *topic.Topic // tells pages apart before there is a judge
	judge           *topic.Topic // trained on the labels; nil while there are too few
	threshold       float64      // of the run
	bare            bool         // of some pages nothing but the main text is known
}

// candidate is a page that could be labelled.
type candidate struct {
	page      focus.Specimen
	address   string  // in the library
	name      string  // in the list of labels
	relevance float64 // what it was judged last; NaN while nobody has
}

// belief is what the judge would say.
func (c *candidate) belief() string {
	if math.IsNaN(c.relevance) {
		return "[not judged]"
	}
	return fmt.Sprintf("[judged %.2f]", c.relevance)
}

// fewest is how many labels of each kind a judge is trained from.
const fewest = 2

// newLesson collects the pages that could be labelled, and those that are.
func newLesson(from, list string, pool int) (*lesson, error) {
	labels, err := earlierLabels(list)
	if err != nil {
		return nil, err
	}
	l := &lesson{threshold: .5}
	if l.library, err = focus.OpenRunLibrary(from); err != nil {
		return nil, err
	}
	known, err := l.candidates(from)
	for _, c := range known {
		c.name = listed(c.address, from, list)
	}
	if err == nil {
		err = l.recall(labels, list)
	}
	if err == nil {
		err = l.open(unlabelled(known, labels), pool)
	}
	if err == nil {
		l.words, err = l.wordsOf()
	}
	if err != nil {
		l.library.Close()
		return nil, err
	}
	return l, nil
}

// listed is how a page is called in a list of labels: by its address, or for a file in a folder by its path from the
// list.
func listed(address, folder, list string) string {
	if strings.Contains(address, "://") {
		return address
	}
	path, err := filepath.Rel(filepath.Dir(list), filepath.Join(folder, address))
	if err == nil {
		return path
	}
	if path, err = filepath.Abs(filepath.Join(folder, address)); err == nil {
		return path
	}
	return address
}

// found is where the page is that a list of labels calls so.
func found(name, list string) string {
	if strings.Contains(name, "://") || filepath.IsAbs(name) {
		return name
	}
	path, err := filepath.Abs(filepath.Join(filepath.Dir(list), name))
	if err != nil {
		return name
	}
	return path
}

// candidates are the pages of the library that a run has judged, with what it judged them; without a run, all pages.
func (l *lesson) candidates(from string) ([]*candidate, error) {
	ran, err := run.Open(from)
	if err != nil {
		var all []*candidate
		for _, address := range l.library.Addresses() {
			all = append(all, &candidate{address: address, relevance: math.NaN()})
		}
		return all, nil
	}
	config, err := ran.Config()
	if _, mistakes := strict.Problems(err); err != nil && !mistakes { // keys of another version do not matter here
		return nil, err
	}
	l.threshold = config.Topic.Threshold
	if l.threshold == 0 {
		l.threshold = .5 // a trained judge's own, which is not known here: its probabilities are about that
	}
	var judged []*candidate
	err = ran.Log(func(d *run.Decision) bool {
		if d.Decision == "keep" || d.Decision == "drop" && !math.IsNaN(d.Relevance) {
			if address, ok := l.library.Address(d.URL); ok {
				judged = append(judged, &candidate{address: address, relevance: d.Relevance})
			}
		}
		return true
	})
	return judged, err
}

// unlabelled are the candidates that have no label, each once.
func unlabelled(all []*candidate, labels []focus.Label) []*candidate {
	done := map[string]bool{}
	for _, label := range labels {
		done[label.Address] = true
	}
	return slices.DeleteFunc(all, func(c *candidate) bool {
		twice := done[c.name]
		done[c.name] = true
		return twice
	})
}

// recall takes the labels of earlier sessions.
func (l *lesson) recall(labels []focus.Label, list string) error {
	for _, label := range labels {
		p, ok, err := l.library.Page(found(label.Address, list))
		if err != nil {
			return err
		}
		if !ok {
			l.lost++
			continue
		}
		l.bare = l.bare || p.Bare
		l.take(p.Doc, label.Relevant)
	}
	return nil
}

// open reads the pages of a pool of candidates: half of it those the run was least sure of, the rest from all over.
func (l *lesson) open(all []*candidate, size int) error {
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(l.sure(a), l.sure(b)) })
	near := min(len(all), (size+1)/2)
	l.pool = slices.Clone(all[:near])
	if rest := all[near:]; len(rest) <= size-near {
		l.pool = append(l.pool, rest...)
	} else {
		for i := range size - near {
			l.pool = append(l.pool, rest[i*len(rest)/(size-near)])
		}
	}
	var failed error
	l.pool = slices.DeleteFunc(l.pool, func(c *candidate) bool {
		p, ok, err := l.library.Page(c.address)
		c.page = p
		l.bare = l.bare || p.Bare
		failed = cmp.Or(failed, err)
		return !ok
	})
	return failed
}

// sure is how sure the last judge was of a page.
func (l *lesson) sure(c *candidate) float64 {
	if math.IsNaN(c.relevance) {
		return 0
	}
	return math.Abs(c.relevance - l.threshold)
}

// wordsOf is a topic of which nothing is known yet: it only cuts pages into words.
func (l *lesson) wordsOf() (*topic.Topic, error) {
	s := l.spec()
	s.Judge = "centroid"
	return topic.New(s)
}

func (l *lesson) spec() topic.Spec {
	s := topic.Defaults()
	if l.bare {
		s.Content = "main_text"
	}
	return s
}

// take takes a label.
func (l *lesson) take(d *text.Doc, relevant bool) {
	if relevant {
		l.relevant = append(l.relevant, d)
	} else {
		l.other = append(l.other, d)
	}
}

// drop takes a page out of the pool.
func (l *lesson) drop(c *candidate) {
	l.pool = slices.DeleteFunc(l.pool, func(p *candidate) bool { return p == c })
}

// train trains a judge on all labels and judges the pool by it. With too few labels it does nothing.
func (l *lesson) train() error {
	if len(l.relevant) < fewest || len(l.other) < fewest {
		return nil
	}
	s := l.spec()
	s.Judge, s.Threshold, s.Relevant, s.Other = topic.Classifier, 0, l.relevant, l.other
	judge, err := topic.New(s)
	if err != nil {
		return err
	}
	l.judge = judge
	for _, c := range l.pool {
		c.relevance = judge.Judge(c.page.Doc).Relevance
	}
	return nil
}

// next are the pages whose labels would teach most.
func (l *lesson) next(n int) []*candidate {
	t, unsure := l.words, l.unsure()
	if l.judge != nil {
		t = l.judge
	}
	docs := make([]*text.Doc, len(l.pool))
	relevance := make([]float64, len(l.pool))
	for i, c := range l.pool {
		docs[i], relevance[i] = c.page.Doc, c.relevance
		if math.IsNaN(c.relevance) {
			relevance[i] = unsure
		}
	}
	var picked []*candidate
	for _, i := range t.MostTelling(docs, relevance, unsure, n) {
		picked = append(picked, l.pool[i])
	}
	return picked
}

// unsure is the relevance that is asked for: where the judge would as soon say yes as no; but as long as there are
// enough labels of one kind only, where the other kind is likeliest.
func (l *lesson) unsure() float64 {
	switch {
	case l.judge != nil:
		return l.judge.Threshold()
	case len(l.relevant) < fewest && len(l.other) >= fewest:
		return 1
	case len(l.other) < fewest && len(l.relevant) >= fewest:
		return 0
	}
	return l.threshold
}
