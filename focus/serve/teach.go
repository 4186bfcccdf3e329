package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// school keeps the lessons of the runs whose pages somebody labels: one a run.
type school struct {
	mu      sync.Mutex
	lessons map[string]*lesson // by folder
}

// lesson is what a judge is taught of a run: the pages that it keeps for its second look, and what was said of them.
type lesson struct {
	seat    chan struct{} // of whoever uses it: reading it may take minutes
	dir     string
	archive winnow.Archive
	judge   *topic.Topic   // of the run
	at      map[string]int // pages by address
	stamp   string         // of the files that were read
	list    string         // of the labels
	skipped map[string]bool
	looked  time.Time

	teaching *study.Labelling
	said     map[string]bool // pages that have a label
	since    int             // labels given since a judge was trained
	before   float64         // F1 of the judge before
}

// lessonOf is the lesson of a run, read anew where its files have changed; a page that was skipped stays so. It is the caller's alone
// until it is left.
func (s *Server) lessonOf(ctx context.Context, dir string) (l *lesson, leave func(), err error) {
	s.school.mu.Lock()
	if s.school.lessons == nil {
		s.school.lessons = map[string]*lesson{}
	}
	l = s.school.lessons[dir]
	if l == nil {
		l = &lesson{dir: dir, list: filepath.Join(dir, "labels.tsv"), skipped: map[string]bool{}, seat: make(chan struct{}, 1)}
		s.school.lessons[dir] = l
	}
	s.school.mu.Unlock()
	leave, ok := seat(ctx, l.seat)
	if !ok {
		return nil, nil, errReading
	}
	if err := l.open(); err != nil {
		leave()
		return nil, nil, err
	}
	return l, leave, nil
}

// forgets lets go, again and again, of what was read of runs that nobody looks at any more.
func (s *Server) forgets() {
	tick := time.NewTicker(forgetAfter / 10)
	defer tick.Stop()
	for {
		select {
		case <-s.serving.Done():
			return
		case now := <-tick.C:
			s.forget(now.Add(-forgetAfter))
		}
	}
}

// forget lets go of what nobody has looked at since.
func (s *Server) forget(since time.Time) {
	s.school.mu.Lock()
	for dir, l := range s.school.lessons {
		select {
		case l.seat <- struct{}{}:
			if l.looked.Before(since) {
				delete(s.school.lessons, dir)
			}
			<-l.seat
		default: // it is in use
		}
	}
	s.school.mu.Unlock()
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	for dir, f := range s.desk.runs {
		if f.mu.TryLock() {
			if f.looked.Before(since) {
				delete(s.desk.runs, dir)
			}
			f.mu.Unlock()
		}
	}
}

// foldersOf are those of a run, or of its machines.
func foldersOf(dir string) []string {
	if parts := run.Parts(dir); len(parts) > 0 {
		return parts
	}
	return []string{dir}
}

// open reads what is new of a run.
func (l *lesson) open() error {
	l.looked = time.Now()
	if stamp := l.stampNow(); stamp != l.stamp {
		archive, err := winnow.Open(l.dir, foldersOf(l.dir))
		if err != nil {
			return err
		}
		if l.judge == nil {
			if l.judge, err = judgeOf(l.dir); err != nil {
				return err
			}
		}
		l.archive, l.at, l.stamp, l.teaching = archive, map[string]int{}, stamp, nil
		for i := range archive.Pages {
			l.at[archive.Pages[i].URL] = i
		}
	}
	if l.teaching == nil {
		return l.begin()
	}
	return nil
}

// stampNow is another one when the pages or the labels of the run are others. A crawl that goes on is read again now and then only.
func (l *lesson) stampNow() string {
	var b strings.Builder
	names := []string{l.list}
	for _, folder := range foldersOf(l.dir) {
		more, _ := filepath.Glob(filepath.Join(folder, "look*.jsonl")) // it fails on a bad pattern only
		names = append(names, more...)
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			const step = 1 << 20
			size := info.Size()
			if name != l.list {
				size /= step // so that a crawl that goes on is not read again for each page
			}
			fmt.Fprint(&b, name, size, " ")
		}
	}
	return b.String()
}

// judgeOf is the judge of a run.
func judgeOf(dir string) (*topic.Topic, error) {
	ran, err := run.OpenAll(dir)
	if err != nil {
		return nil, err
	}
	config, err := ran.Config()
	if err != nil && config.File == "" {
		return nil, err
	}
	return topic.New(config.Spec())
}

// begin chooses pages to ask about, by the labels there are.
func (l *lesson) begin() error {
	labels, err := study.ReadLabels(l.list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	l.said = map[string]bool{}
	for _, label := range labels {
		l.said[label.Address] = true
	}
	var judged []*study.Unlabelled
	for i := range l.archive.Pages {
		if p := &l.archive.Pages[i]; !l.skipped[p.URL] {
			judged = append(judged, &study.Unlabelled{Address: p.URL, Name: p.URL, Relevance: p.Relevance})
		}
	}
	read := func(address string) (study.Specimen, bool, error) {
		i, ok := l.at[address]
		if !ok {
			return study.Specimen{}, false, nil
		}
		p := &l.archive.Pages[i]
		return study.MainText(p.URL, p.Title, p.Text), true, nil
	}
	l.teaching, err = study.LabellingOf(judged, labels, l.archive.Options.Threshold, read, study.UsualPool)
	if err == nil {
		err = l.train()
	}
	return err
}

// train trains a judge on the labels; what the one before came to is kept beside it.
func (l *lesson) train() error {
	if l.teaching.Judge != nil {
		l.before = l.teaching.Judge.Model().F1
	}
	l.since = 0
	return l.teaching.Train()
}

// label takes what somebody says of a page: it is written down before anything else is done with it.
func (l *lesson) label(address, relevant string) error {
	i, there := l.at[address]
	if !there {
		return errMisuse{fmt.Errorf("address: %s is no page of this run that can be labelled", address)}
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
		return errMisuse{fmt.Errorf("relevant: %q is none of yes, no, skip", relevant)}
	case l.said[address]:
		return errMisuse{fmt.Errorf("%s has a label", address)}
	}
	list, err := study.OpenList(l.list)
	if err == nil {
		err = errors.Join(study.WriteLabel(list, study.Label{Address: address, Relevant: relevant == "yes"}), list.Close())
	}
	if err != nil {
		return err
	}
	l.said[address] = true
	p := &l.archive.Pages[i]
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
		return learned, pages
	}
	for _, i := range l.fromLook(from) {
		pages = append(pages, l.asked(i, l.archive.Pages[i].Relevance))
	}
	return learned, pages
}

// fromLook are near misses, the nearest first, or what was kept last.
func (l *lesson) fromLook(from string) []int {
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
	return list[:min(len(list), shownAsked)]
}

func (l *lesson) asked(i int, relevance float64) Asked {
	p := &l.archive.Pages[i]
	if math.IsNaN(relevance) {
		relevance = p.Relevance
	}
	a := Asked{ID: p.ID, URL: sink.Plain(p.URL), Title: sink.Plain(p.Title), Relevance: relevance, Words: l.judge.Judge(study.MainText(p.URL, p.Title, p.Text).Doc).Terms, Text: sink.Plain(p.Text)}
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
