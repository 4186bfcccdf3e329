package study

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Labelling is what a judge is taught from: pages that could be labelled, and those that are.
type Labelling struct {
	Library         *Library // nil where the pages come from elsewhere
	Pool            []*Unlabelled
	Relevant, Other []*text.Doc
	Lost            int          // labels of pages that the library has not
	words           *topic.Topic // tells pages apart before there is a judge
	Judge           *topic.Topic // trained on the labels; nil while there are too few
	threshold       float64      // of the run
	bare            bool         // of some pages nothing but the main text is known
}

// Read reads pages, and answers with those that are there, by the addresses that are asked for.
type Read func(addresses []string) (map[string]Specimen, error)

// Unlabelled is a page that could be labelled.
type Unlabelled struct {
	Page      Specimen
	Address   string  // in the library
	Name      string  // in the list of labels
	Relevance float64 // what it was judged last; NaN while nobody has
}

// Belief is what the judge would say.
func (c *Unlabelled) Belief() string {
	if math.IsNaN(c.Relevance) {
		return "[not judged]"
	}
	return fmt.Sprintf("[judged %.2f]", c.Relevance)
}

// Fewest is how many labels of each kind a judge is trained from. UsualPool and UsualRound are how many pages are chosen
// from, and how many answers come between two trainings, where nobody says otherwise.
const (
	Fewest     = 2
	UsualPool  = 200
	UsualRound = 5
)

// LabellingOf asks about pages that were judged, and some of them labelled already: pool of them, which are read with those. It asks
// what NewLabelling would ask of a run that has these labels.
func LabellingOf(judged []*Unlabelled, labels []Label, threshold float64, read Read, pool int) (*Labelling, error) {
	l := &Labelling{threshold: threshold}
	return l, l.begin(judged, labels, "", read, pool)
}

// begin reads the pages that have labels in a list, and a pool of those that have none.
func (l *Labelling) begin(judged []*Unlabelled, labels []Label, list string, read Read, pool int) error {
	l.choose(unlabelled(judged, labels), pool)
	var asked []string
	for _, label := range labels {
		asked = append(asked, found(label.Address, list))
	}
	for _, c := range l.Pool {
		asked = append(asked, c.Address)
	}
	pages, err := read(asked)
	if err != nil {
		return err
	}
	for _, label := range labels {
		p, there := pages[found(label.Address, list)]
		if !there {
			l.Lost++
			continue
		}
		l.bare = l.bare || p.Bare
		l.Take(p.Doc, label.Relevant)
	}
	l.Pool = slices.DeleteFunc(l.Pool, func(c *Unlabelled) bool {
		p, there := pages[c.Address]
		c.Page = p
		l.bare = l.bare || p.Bare
		return !there
	})
	l.words, err = l.wordsOf()
	return err
}

// NewLabelling collects the pages that could be labelled, and those that are.
func NewLabelling(from, list string, pool int) (*Labelling, error) {
	labels, err := earlierLabels(list)
	if err != nil {
		return nil, err
	}
	l := &Labelling{threshold: .5}
	if l.Library, err = OpenRunLibrary(from); err != nil {
		return nil, err
	}
	known, err := l.candidates(from)
	for _, c := range known {
		c.Name = listed(c.Address, from, list)
	}
	if err == nil {
		err = l.begin(known, labels, list, l.Library.Pages, pool)
	}
	if err != nil {
		l.Library.Close()
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

// lookedAt are the keys of the addresses of a run's pages at which a second look is taken; nil where none is. Labels of others teach it
// nothing.
func lookedAt(dir string) (keys map[uint64]bool, err error) {
	for seen, err := range sink.LookRecords(dir) {
		if err != nil {
			return nil, err
		}
		if keys == nil {
			keys = map[uint64]bool{}
		}
		keys[sink.Key(seen.Record.URL)] = true
	}
	return keys, nil
}

// candidates are the pages of the library that a run has judged, with what it judged them, as far as a second look is taken at them,
// where one is; without a run, all pages.
func (l *Labelling) candidates(from string) ([]*Unlabelled, error) {
	ran, err := run.Open(from)
	if err != nil {
		var all []*Unlabelled
		for _, address := range l.Library.Addresses() {
			all = append(all, &Unlabelled{Address: address, Relevance: math.NaN()})
		}
		return all, nil
	}
	config, err := ran.Config()
	if _, mistakes := strict.Problems(err); err != nil && !mistakes { // keys of another version do not matter here
		return nil, err
	}
	l.threshold = cmp.Or(config.Topic.Threshold, .5) // a trained judge's own, which is not known here: its probabilities are about that
	looked, err := lookedAt(from)
	if err != nil {
		return nil, err
	}
	var judged []*Unlabelled
	err = ran.Asked(func(d *run.Decision) bool {
		if d.Judged() && (looked == nil || looked[sink.Key(d.URL)]) {
			if address, ok := l.Library.Address(d.URL); ok {
				judged = append(judged, &Unlabelled{Address: address, Relevance: d.Relevance})
			}
		}
		return true
	})
	return judged, err
}

// unlabelled are the candidates that have no label, each once.
func unlabelled(all []*Unlabelled, labels []Label) []*Unlabelled {
	done := map[string]bool{}
	for _, label := range labels {
		done[label.Address] = true
	}
	return slices.DeleteFunc(all, func(c *Unlabelled) bool {
		twice := done[c.Name]
		done[c.Name] = true
		return twice
	})
}

// choose makes a pool of candidates: half of it those the run was least sure of, the rest from all over.
func (l *Labelling) choose(all []*Unlabelled, size int) {
	slices.SortStableFunc(all, func(a, b *Unlabelled) int { return cmp.Compare(l.sure(a), l.sure(b)) })
	near := min(len(all), (size+1)/2)
	l.Pool = slices.Clone(all[:near])
	if rest := all[near:]; len(rest) <= size-near {
		l.Pool = append(l.Pool, rest...)
	} else {
		for i := range size - near {
			l.Pool = append(l.Pool, rest[i*len(rest)/(size-near)])
		}
	}
}

// sure is how sure the last judge was of a page.
func (l *Labelling) sure(c *Unlabelled) float64 {
	if math.IsNaN(c.Relevance) {
		return 0
	}
	return math.Abs(c.Relevance - l.threshold)
}

// wordsOf is a topic of which nothing is known yet: it only cuts pages into words.
func (l *Labelling) wordsOf() (*topic.Topic, error) {
	s := l.spec()
	s.Judge = "centroid"
	return topic.New(s)
}

func (l *Labelling) spec() topic.Spec {
	s := topic.Defaults()
	if l.bare {
		s.Content = "main_text"
	}
	return s
}

// Take takes a label.
func (l *Labelling) Take(d *text.Doc, relevant bool) {
	if relevant {
		l.Relevant = append(l.Relevant, d)
	} else {
		l.Other = append(l.Other, d)
	}
}

// Untake takes the label of a page back, if it was given one: the page is in the pool again.
func (l *Labelling) Untake(c *Unlabelled) {
	is := func(d *text.Doc) bool { return d == c.Page.Doc }
	l.Relevant, l.Other = slices.DeleteFunc(l.Relevant, is), slices.DeleteFunc(l.Other, is)
	l.Pool = append(l.Pool, c)
}

// Drop takes a page out of the pool.
func (l *Labelling) Drop(c *Unlabelled) {
	l.Pool = slices.DeleteFunc(l.Pool, func(p *Unlabelled) bool { return p == c })
}

// Train trains a judge on all labels and judges the pool by it. With too few labels it does nothing.
func (l *Labelling) Train() error {
	if len(l.Relevant) < Fewest || len(l.Other) < Fewest {
		return nil
	}
	s := l.spec()
	s.Judge, s.Threshold, s.Relevant, s.Other = topic.Classifier, 0, l.Relevant, l.Other
	judge, err := topic.New(s)
	if err != nil {
		return err
	}
	l.Judge = judge
	for _, c := range l.Pool {
		c.Relevance = judge.Judge(c.Page.Doc).Relevance
	}
	return nil
}

// Rounds asks round after round, so many pages in each, until nothing is left to ask or ask has had enough. learn comes
// before the first round and after each: it is to train.
func (l *Labelling) Rounds(round int, learn func() error, ask func(*Unlabelled) error) error {
	if err := learn(); err != nil {
		return err
	}
	for len(l.Pool) > 0 {
		for _, c := range l.Next(round) {
			if err := ask(c); err != nil {
				return err
			}
		}
		if err := learn(); err != nil {
			return err
		}
	}
	return nil
}

// Next are the pages whose labels would teach most.
func (l *Labelling) Next(n int) []*Unlabelled {
	t, unsure := l.words, l.unsure()
	if l.Judge != nil {
		t = l.Judge
	}
	docs := make([]*text.Doc, len(l.Pool))
	relevance := make([]float64, len(l.Pool))
	for i, c := range l.Pool {
		docs[i], relevance[i] = c.Page.Doc, c.Relevance
		if math.IsNaN(c.Relevance) {
			relevance[i] = unsure
		}
	}
	var picked []*Unlabelled
	for _, i := range t.MostTelling(docs, relevance, unsure, n) {
		picked = append(picked, l.Pool[i])
	}
	return picked
}

// unsure is the relevance that is asked for: where the judge would as soon say yes as no; but as long as there are
// enough labels of one kind only, where the other kind is likeliest.
func (l *Labelling) unsure() float64 {
	switch {
	case l.Judge != nil:
		return l.Judge.Threshold()
	case len(l.Relevant) < Fewest && len(l.Other) >= Fewest:
		return 1
	case len(l.Other) < Fewest && len(l.Relevant) >= Fewest:
		return 0
	}
	return l.threshold
}

// earlierLabels reads the labels that were given before; a list that is not there has none.
func earlierLabels(file string) ([]Label, error) {
	labels, err := ReadLabels(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return labels, err
}
