package serve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
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
	NoCopy      string  // why there is none
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
func sourceOf(r *http.Request) string { return sourceNamed(r.URL.Query().Get("from")) }

func sourceNamed(from string) string {
	if from == fromNear || from == fromFinds {
		return from
	}
	return fromTelling
}

func (s *Server) labelPage(w http.ResponseWriter, r *http.Request, name, dir string) error {
	if err := patient(w, longest); err != nil {
		return err
	}
	return s.showLabels(w, r, http.StatusOK, &teachView{Name: name, From: sourceOf(r), Said: r.URL.Query().Get("said")}, dir)
}

// showLabels shows the page of labels with a status, and with what is asked about next.
func (s *Server) showLabels(w http.ResponseWriter, r *http.Request, status int, v *teachView, dir string) error {
	v.W, v.Steer = wordsFor(r), !s.o.ReadOnly
	if head, _, err := watch.Head(dir); err == nil {
		v.Live = head.State.Live()
	}
	var err error
	if v.Learned, v.Next, err = s.asksOf(r.Context(), dir, v.From); len(v.Next) > 0 {
		v.Page, v.Next = &v.Next[0], v.Next[1:]
		v.Copy, v.NoCopy = s.copyOf(v.Name, dir, v.Page)
	}
	if err == nil && r.URL.Query().Has("change") {
		v.Change, err = s.would(dir)
	}
	if err == nil && r.URL.Query().Has("suggest") && s.o.Steer.Suggest != nil {
		v.Suggestions, err = s.suggestions(dir)
		v.Looked = err == nil
	}
	if err != nil && v.Trouble == "" {
		v.Trouble = err.Error()
	}
	return renderAs(w, r, status, "label.html", v)
}

// asksOf are the pages of a run to ask about.
func (s *Server) asksOf(ctx context.Context, dir, from string) (Learned, []Asked, error) {
	l, leave, err := s.lessonOf(ctx, dir)
	if err != nil {
		return Learned{}, nil, err
	}
	defer leave()
	learned, pages := l.ask(from)
	return learned, pages, nil
}

// copyOf is where the kept copy of a page of a run is shown: from the archive of what is kept, or of what is looked at again. Where
// there is none, why says why.
func (s *Server) copyOf(name, dir string, p *Asked) (at, why string) {
	id := url.Values{"id": {strconv.FormatUint(p.ID, 10)}}
	for _, c := range s.o.Collections() {
		if !sameFolder(c.Dir, dir) {
			continue
		}
		if _, _, err := c.Copy(p.ID); err == nil {
			id.Set("c", c.Name())
			return "copy?" + id.Encode(), ""
		}
	}
	switch {
	case p.copied:
		return watch.Address(name) + "/copy?" + id.Encode(), ""
	case p.kept:
		return "", "nocopykept"
	}
	return "", "nocopynear"
}

// lookCopy shows the copy of a page that was not kept.
func (s *Server) lookCopy(w http.ResponseWriter, r *http.Request, _, dir string) error {
	id, err := strconv.ParseUint(r.URL.Query().Get("id"), 10, 64)
	if err != nil {
		return errAs{http.StatusNotFound, errors.New("id: want the number of a page")}
	}
	done, err := s.turn(r)
	if err != nil {
		return err
	}
	defer done()
	for _, folder := range run.Folders(dir) {
		seen, err := sink.FindLook(folder, id)
		if err != nil {
			return err
		}
		if seen != nil && len(seen.Body) > 0 {
			showCopy(w, r, seen.Body, seen.Record.FinalURL, seen.Record.Language)
			return nil
		}
	}
	return errAs{http.StatusNotFound, fmt.Errorf("there is no copy of page %d", id)}
}

func sameFolder(a, b string) bool { return filepath.Clean(a) == filepath.Clean(b) }

func (s *Server) apiLabel(r *http.Request, dir string) (any, error) {
	from := sourceOf(r)
	if asked := r.URL.Query().Get("from"); asked != "" && asked != from {
		return nil, misuse("from is %q, want %s, %s or %s", asked, fromTelling, fromNear, fromFinds)
	}
	learned, pages, err := s.asksOf(r.Context(), dir, from)
	return map[string]any{"labels": learned, "pages": append([]Asked{}, pages...)}, err
}

func (s *Server) apiChange(_ *http.Request, dir string) (any, error) { return s.would(dir) }

func (s *Server) apiSuggest(_ *http.Request, dir string) (any, error) {
	if s.o.Steer.Suggest == nil {
		return nil, errors.New("this server suggests nothing")
	}
	all, err := s.suggestions(dir)
	return map[string]any{"suggestions": append([]Suggestion{}, all...)}, err
}

// would is what the labels of a run would change.
func (s *Server) would(dir string) (*winnow.Change, error) {
	leave, err := s.alone(dir)
	if err != nil {
		return nil, err
	}
	defer leave()
	return winnow.Would(dir, run.Folders(dir))
}

func (s *Server) suggestions(dir string) ([]Suggestion, error) {
	leave, err := s.alone(dir)
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.o.Steer.Suggest(dir)
}

// atLength answers what is known of a run. It may take minutes: nobody who searches waits for it.
func (s *Server) atLength(of func(r *http.Request, dir string) (any, error)) answering {
	return s.ofRun(func(w http.ResponseWriter, r *http.Request, _, dir string) error {
		if err := patient(w, longest); err != nil {
			return err
		}
		v, err := of(r, dir)
		if err != nil {
			return err
		}
		return writeJSON(w, v)
	})
}

// errLive says that a crawl goes on.
var errLive = errors.New("the crawl goes on: it takes its second look when it ends")

// teaches does what a button of the page of labels says.
func (s *Server) teaches(dir, do string, form url.Values) (said string, err error) {
	head, _, err := watch.Head(dir)
	if err != nil {
		return "", err
	}
	leave, err := s.alone(dir)
	if err != nil {
		return "", err
	}
	defer leave()
	switch do {
	case "winnow":
		if head.State.Live() {
			return "", errLive
		}
		kept, err := s.o.Steer.Winnow(dir)
		if errors.As(err, new(Unsent)) {
			return "unsent:" + strconv.Itoa(kept), nil
		}
		return "winnow:" + strconv.Itoa(kept), err
	case "train":
		f1, err := s.o.Steer.Train(dir)
		return "train:" + strconv.Itoa(int(math.Round(100*f1))), err
	}
	weight, bad := strconv.ParseFloat(form.Get("weight"), 64)
	if bad != nil || !(-1000 <= weight && weight <= 1000) {
		return "", misuse("weight: want a number from -1000 to 1000; 0 takes the term out")
	}
	return "take", s.o.Steer.Take(dir, form.Get("term"), weight)
}
