package serve

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/url"
	"slices"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// label takes what somebody says of a page: it is written down before anything else is done with it.
func (l *lesson) label(address, relevant string) error {
	if l.said[address] {
		return misuse("%s has a label", address)
	}
	p, err := l.page(address)
	if err != nil {
		return err
	}
	drop := func() {
		for _, c := range l.teaching.Pool {
			if c.Address == address {
				l.teaching.Drop(c)
				return
			}
		}
	}
	switch {
	case relevant == "skip":
		l.skipped[address] = true
		drop()
		return nil
	case relevant != "yes" && relevant != "no":
		return misuse("relevant: %q is none of yes, no, skip", relevant)
	}
	list, err := study.OpenList(l.list)
	if err == nil {
		err = errors.Join(study.WriteLabel(list, study.Label{Address: address, Relevant: relevant == "yes"}), list.Close())
	}
	if err != nil {
		return err
	}
	l.said[address] = true
	l.teaching.Take(study.MainText(p.URL, p.Title, p.Text).Doc, relevant == "yes")
	drop()
	l.stamp = l.stampNow() // which is our own doing
	if l.since++; l.since >= study.UsualRound || l.teaching.Judge == nil {
		return l.train()
	}
	return nil
}

// Learned is what the labels have come to.
type Learned struct {
	Relevant int     `json:"relevant"`
	Other    int     `json:"other"`
	F1       float64 `json:"f1"` // of a judge trained on them, on labels it had not seen; 0 while there are too few
	MacroF1  float64 `json:"macro_f1"`
	Before   float64 `json:"before"` // F1 of the one before
}

// Asked is a page that somebody is asked about.
type Asked struct {
	ID        uint64           `json:"id"`
	URL       string           `json:"url"`
	Title     string           `json:"title"`
	Relevance float64          `json:"relevance"` // what it was judged last
	Words     []topic.Evidence `json:"words"`     // of the topic, on it, and what each added
	Text      string           `json:"text"`

	copied bool // its bytes stand in the archive of the run
	kept   bool
}

// shownAsked is how many pages are asked about at a time.
const shownAsked = 8

// Where pages to label come from.
const (
	fromTelling = "telling" // those whose labels would teach most
	fromNear    = "near"    // those that were nearly kept
	fromFinds   = "finds"   // those that were kept last
)

// ask chooses pages to ask about.
func (l *lesson) ask(from string) (Learned, []Asked) {
	t := l.teaching
	learned := Learned{Relevant: len(t.Relevant), Other: len(t.Other), Before: l.before}
	if t.Judge != nil {
		m := t.Judge.Model()
		learned.F1, learned.MacroF1 = m.F1, m.MacroF1
	}
	var pages []Asked
	if from == fromTelling {
		for _, c := range t.Next(shownAsked) {
			pages = append(pages, l.asked(l.at[c.Address], c.Relevance))
		}
	} else {
		for _, i := range l.fromLook(from, shownAsked) {
			pages = append(pages, l.asked(i, l.archive.Pages[i].Relevance))
		}
	}
	if len(pages) < shownAsked && l.more[from] {
		l.stamp = "" // they are read again, for those that were let go of
	}
	return learned, pages
}

// fromLook are so many near misses at most, the nearest first, or of what was kept last.
func (l *lesson) fromLook(from string, most int) []int {
	threshold := l.archive.Options.Threshold
	var list []int
	for i := range l.archive.Pages {
		p := &l.archive.Pages[i]
		if kept := p.Relevance >= threshold; kept == (from == fromFinds) && !l.said[p.URL] && !l.skipped[p.URL] {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		if from == fromFinds {
			return cmp.Compare(b, a)
		}
		return cmp.Compare(l.archive.Pages[b].Relevance, l.archive.Pages[a].Relevance)
	})
	return list[:min(len(list), most)]
}

func (l *lesson) asked(i int, relevance float64) Asked {
	p := &l.archive.Pages[i]
	if math.IsNaN(relevance) {
		relevance = p.Relevance
	}
	a := Asked{ID: p.ID, URL: sink.Plain(p.URL), Title: sink.Plain(p.Title), Relevance: relevance, Words: l.judge.Judge(study.MainText(p.URL, p.Title, p.Text).Doc).Terms, Text: sink.Plain(p.Text),
		copied: p.Copied, kept: p.Relevance >= l.archive.Options.Threshold}
	a.Words = slices.DeleteFunc(a.Words, func(e topic.Evidence) bool { return e.Count == 0 })
	slices.SortStableFunc(a.Words, func(x, y topic.Evidence) int { return cmp.Compare(math.Abs(y.Added), math.Abs(x.Added)) })
	return a
}

// labels takes a label from a form.
func (s *Server) labels(ctx context.Context, dir string, form url.Values) (said string, err error) {
	l, leave, err := s.lessonOf(ctx, dir)
	if err != nil {
		return "", err
	}
	defer leave()
	return "label", l.label(form.Get("address"), form.Get("relevant"))
}
