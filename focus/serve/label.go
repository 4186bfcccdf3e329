package serve

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"

	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/watch"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// teachView is what the page on which pages are labelled shows.
type teachView struct {
	W           words
	Name        string
	From        string
	Said        string
	Steer, Live bool
	Learned     Learned
	Page        *Asked  // the one that is asked about
	Next        []Asked // those that come after it
	Copy        string  // where its kept copy is; empty where there is none
	Change      *winnow.Change
	Suggestions []Suggestion
	Looked      bool // for suggestions
	Trouble     string
}

// Sources are where pages to label come from.
func (v *teachView) Sources() []string { return []string{fromTelling, fromNear, fromFinds} }

// Moved is how F1 has moved since the judge before.
func (v *teachView) Moved() string {
	if v.Learned.Before == 0 {
		return ""
	}
	return fmt.Sprintf("%+.2f", v.Learned.F1-v.Learned.Before)
}

// Share is what part of the strongest word a word added.
func (v *teachView) Share(e topic.Evidence) int {
	most := 0.0
	for _, other := range v.Page.Words {
		most = max(most, math.Abs(other.Added))
	}
	if most == 0 {
		return 0
	}
	return int(100 * math.Abs(e.Added) / most)
}

// Done says what was done at a button.
func (v *teachView) Done() string { return (&watch.View{W: v.W.Words, Said: v.Said}).Done() }

// sourceOf is where pages are asked for from.
func sourceOf(r *http.Request) string {
	switch from := r.URL.Query().Get("from"); from {
	case fromNear, fromFinds:
		return from
	}
	return fromTelling
}

func (s *Server) labelPage(w http.ResponseWriter, r *http.Request) {
	name, dir, ok := s.ofRun(w, r)
	if !ok {
		return
	}
	done, ok := s.turn(w, r)
	if !ok {
		return
	}
	defer done()
	v := &teachView{W: wordsFor(r), Name: name, From: sourceOf(r), Said: r.URL.Query().Get("said"), Steer: !s.o.ReadOnly}
	if head, _, err := watch.Head(dir); err == nil {
		v.Live = head.State.Live()
	}
	l, err := s.lessonOf(dir)
	if err == nil {
		v.Learned, v.Next = l.ask(v.From)
		if len(v.Next) > 0 {
			v.Page, v.Next = &v.Next[0], v.Next[1:]
			v.Copy = s.copyOf(dir, v.Page.ID)
		}
	}
	if err == nil && r.URL.Query().Has("change") {
		v.Change, err = winnow.Would(dir, foldersOf(dir))
	}
	if err == nil && r.URL.Query().Has("suggest") && s.o.Steer.Suggest != nil {
		v.Looked = true
		v.Suggestions, err = s.o.Steer.Suggest(dir)
	}
	if err != nil {
		v.Trouble = err.Error()
	}
	s.render(w, "label.html", v)
}

// copyOf is where the kept copy of a page of a run is shown; empty where there is none, or the run is not searched.
func (s *Server) copyOf(dir string, id uint64) string {
	for _, c := range s.o.Collections() {
		if !sameFolder(c.Dir, dir) {
			continue
		}
		if _, _, err := c.Copy(id); err == nil {
			return "/copy?" + url.Values{"c": {c.Name()}, "id": {strconv.FormatUint(id, 10)}}.Encode()
		}
	}
	return ""
}

func sameFolder(a, b string) bool { return filepath.Clean(a) == filepath.Clean(b) }

func (s *Server) apiLabel(w http.ResponseWriter, r *http.Request) {
	s.answerOf(w, r, func(dir string) (any, error) {
		l, err := s.lessonOf(dir)
		if err != nil {
			return nil, err
		}
		learned, pages := l.ask(sourceOf(r))
		return map[string]any{"labels": learned, "pages": append([]Asked{}, pages...)}, nil
	})
}

func (s *Server) apiChange(w http.ResponseWriter, r *http.Request) {
	s.answerOf(w, r, func(dir string) (any, error) { return winnow.Would(dir, foldersOf(dir)) })
}

func (s *Server) apiSuggest(w http.ResponseWriter, r *http.Request) {
	s.answerOf(w, r, func(dir string) (any, error) {
		if s.o.Steer.Suggest == nil {
			return nil, errors.New("this server suggests nothing")
		}
		all, err := s.o.Steer.Suggest(dir)
		return map[string]any{"suggestions": append([]Suggestion{}, all...)}, err
	})
}

// answerOf answers what is known of a run, when it is its turn: it may take a moment.
func (s *Server) answerOf(w http.ResponseWriter, r *http.Request, of func(dir string) (any, error)) {
	_, dir, ok := s.ofRun(w, r)
	if !ok {
		return
	}
	done, ok := s.turn(w, r)
	if !ok {
		return
	}
	defer done()
	v, err := of(dir)
	if none := (winnow.Unlooked{}); errors.As(err, &none) {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	if err != nil {
		s.fail(w, err)
		return
	}
	writeJSON(w, v)
}

// errLive says that a crawl goes on.
var errLive = errors.New("the crawl goes on: it takes its second look when it ends")

// teaches does what a button of the page of labels says.
func (s *Server) teaches(dir, do string, form url.Values) (said string, err error) {
	head, _, err := watch.Head(dir)
	if err != nil {
		return "", err
	}
	s.work.Add(1)
	defer s.work.Done()
	switch do {
	case "winnow":
		if head.State.Live() {
			return "", errLive
		}
		kept, err := s.o.Steer.Winnow(dir)
		return "winnow:" + strconv.Itoa(kept), err
	case "train":
		f1, err := s.o.Steer.Train(dir)
		return "train:" + strconv.Itoa(int(math.Round(100*f1))), err
	}
	weight, bad := strconv.ParseFloat(form.Get("weight"), 64)
	if bad != nil || !(-1000 <= weight && weight <= 1000) {
		return "", errMisuse{errors.New("weight: want a number from -1000 to 1000; 0 takes the term out")}
	}
	return "take", s.o.Steer.Take(dir, form.Get("term"), weight)
}
