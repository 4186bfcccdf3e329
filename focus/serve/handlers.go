package serve

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/watch"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

//go:embed assets
var assets embed.FS

// pages are read when the first is shown: most commands show none.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(watch.Templates().Funcs(template.FuncMap{
		"number":  func(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) },
		"indent":  func(depth int) string { return strings.Repeat("  ", depth) },
		"known":   func(x float64) bool { return x == x },
		"day":     func(t time.Time) string { return t.Format(time.DateOnly) },
		"value":   written,
		"answers": func(w words, all []shownAnswer) answerList { return answerList{w, all} },
	}).ParseFS(assets, "assets/*.html"))
})

// written is a value that a program has set, as a person would write it.
func written(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// How many results stand on a page, and how many one may leave out.
const (
	shownAtOnce = 10
	farthest    = 10_000
)

// answering is how a request is answered; the error says why it is not.
type answering func(w http.ResponseWriter, r *http.Request) error

func (s *Server) routes() {
	on := func(pattern string, answer answering) {
		s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := answer(w, r); err != nil {
				http.Error(w, err.Error(), statusOf(w, err))
			}
		})
	}
	on("/{$}", s.made(s.searchPage))
	on("/like", s.made(s.likePage))
	on("/page", s.made(s.onePage))
	on("/copy", s.made(s.copyPage))
	on("/feed", s.made(s.feed))
	on("GET /runs", s.runsPage)
	on("GET /runs/{name}", s.ofRun(s.runPage))
	on("GET /runs/{name}/live", s.ofRun(s.liveRun))
	on("GET /runs/{name}/label", s.ofRun(s.labelPage))
	on("GET /runs/{name}/copy", s.ofRun(s.lookCopy))
	on("GET /new", s.newPage)
	on("POST /new", s.beginTopic)
	on("POST /api/v1/new", s.apiBegin)
	on("POST /runs/{name}", s.ofRun(s.steerRun))
	on("GET /api/v1/runs", takes(s.apiRuns))
	on("GET /api/v1/runs/{name}/story", takes(s.ofRun(s.apiStory)))
	on("GET /api/v1/runs/{name}/events", takes(s.ofRun(s.apiEvents)))
	on("GET /api/v1/runs/{name}/label", takes(s.atLength(s.apiLabel), "from"))
	on("GET /api/v1/runs/{name}/change", takes(s.atLength(s.apiChange)))
	on("GET /api/v1/runs/{name}/suggest", takes(s.atLength(s.apiSuggest)))
	on("POST /api/v1/runs/{name}", s.ofRun(s.apiSteer))
	on("GET /ask", s.made(s.askPage))
	on("POST /ask", s.made(s.putQuestion))
	on("GET /ask/{id}", s.ofQuestion(s.answersPage))
	on("POST /ask/{id}", s.ofQuestion(s.stopAsking))
	on("GET /ask/{id}/live", s.ofQuestion(s.liveAnswers))
	on("GET /api/v1/ask", takes(s.apiQuestions))
	on("POST /api/v1/ask", s.made(s.apiAsk))
	on("GET /api/v1/ask/{id}", takes(s.ofQuestion(s.apiQuestion)))
	on("POST /api/v1/ask/{id}", s.ofQuestion(s.apiStopAsking))
	on("GET /api/v1/ask/{id}/events", takes(s.ofQuestion(s.apiAnswers)))
	s.mux.HandleFunc("/api/v1/{$}", s.apiHelp)
	on("/api/v1/search", s.made(takes(s.apiSearch, "q", "site", "lang", "year", "kind", "c", "sort", "from", "limit", "per_site", "why")))
	on("/api/v1/complete", s.made(takes(s.apiComplete, "q")))
	on("/api/v1/page", s.made(takes(s.apiPage, "c", "id")))
	s.mux.Handle("/assets/", http.FileServerFS(assets))
	for _, name := range []string{"style.css", "watch.css", "sort.js"} {
		s.mux.Handle("/assets/"+name, http.FileServerFS(watch.Assets))
	}
}

// view is what the search page shows.
type view struct {
	W      words
	Query  string
	Sort   string
	From   int
	Asked  bool
	Like   *index.Hit
	Answer *index.Answer
	Facets []facetView
	Pages  int
	Only   string // the collection that is searched alone; empty: all
	Among  bool   // several collections
	MayAsk bool
	at     string     // the address of this page,
	here   url.Values // and what it asks
}

type facetView struct {
	Name   string
	Labels []labelView
}

type labelView struct {
	Label, Link string
	Pages       int
	Chosen      bool
}

// asked makes a query of a request.
func asked(r *http.Request) (q *index.Query, values url.Values, from int) {
	values = r.URL.Query()
	q = index.ParseQuery(values.Get("q"))
	for _, facet := range index.FacetNames {
		q.Narrow(facet, values[facet]...)
	}
	if values.Get("sort") == string(index.Date) {
		q.Order = index.Date
	}
	from, err := strconv.Atoi(values.Get("from"))
	if err != nil || from < 0 {
		from = 0
	}
	return q, values, min(from, farthest)
}

// anything tells of a query that somebody asked for something, be it that all of it was left out.
func anything(q *index.Query, values url.Values) bool {
	return !q.Empty() || strings.TrimSpace(values.Get("q")) != ""
}

// searched are the collections that a request is about: the one that c names, or all.
func (s *Server) searched(values url.Values) ([]*index.Collection, error) {
	name := values.Get("c")
	if name == "" || values.Get("id") != "" { // a page that others are to be like is named so
		return s.o.Collections(), nil
	}
	c, err := s.collection(name)
	return []*index.Collection{c}, err
}

func (s *Server) searchPage(w http.ResponseWriter, r *http.Request) error {
	q, values, from := asked(r)
	v := &view{W: wordsFor(r), Query: values.Get("q"), Sort: string(q.Order), From: from, Asked: anything(q, values), here: values}
	return s.results(w, r, v, q)
}

func (s *Server) likePage(w http.ResponseWriter, r *http.Request) error {
	_, hit, _, err := s.which(r)
	if err != nil {
		return err
	}
	q, values, from := asked(r)
	q.Like = &index.Like{Collection: hit.Collection, ID: hit.ID}
	v := &view{W: wordsFor(r), From: from, Asked: true, Like: hit, Sort: string(q.Order), at: "like", here: values}
	return s.results(w, r, v, q)
}

// mayAsk tells whether the web may be asked here.
func (s *Server) mayAsk() bool { return len(s.o.Ask.Of) > 0 && !s.o.ReadOnly }

func (s *Server) results(w http.ResponseWriter, r *http.Request, v *view, q *index.Query) error {
	all, err := s.searched(v.here)
	if err != nil {
		return err
	}
	v.Only, v.MayAsk, v.Among = v.here.Get("c"), s.mayAsk(), len(all) > 1
	if v.Like != nil {
		v.Only = "" // which names the page there
	}
	for _, c := range all {
		v.Pages += c.Len()
	}
	if v.Asked {
		done, err := s.turn(r)
		if err != nil {
			return err
		}
		defer done()
		answer, err := index.Search(r.Context(), all, q, index.Ask{Offset: v.From, Limit: shownAtOnce, Weights: s.o.Weights})
		if err != nil {
			return err
		}
		v.Answer = answer
		v.facets()
	}
	return render(w, r, "search.html", v)
}

// facets makes links of what the results are counted by: each narrows the results to its label, or widens them again.
func (v *view) facets() {
	for f, counts := range v.Answer.Facets {
		name := index.FacetNames[f]
		one := facetView{Name: v.W.T(name)}
		for _, c := range counts {
			chosen := v.here.Get(name) == c.Label
			to := maps.Clone(v.here)
			to.Del("from")
			if to.Set(name, c.Label); chosen {
				to.Del(name)
			}
			label := c.Label
			if name == "kind" || name == "lang" {
				label = v.W.T(c.Label)
			}
			one.Labels = append(one.Labels, labelView{label, v.at + "?" + to.Encode(), c.Pages, chosen})
		}
		if len(one.Labels) > 0 {
			v.Facets = append(v.Facets, one)
		}
	}
}

// With is the address of this page with one value changed.
func (v *view) With(name, value string) string {
	to := maps.Clone(v.here)
	to.Set(name, value)
	if value == "" {
		to.Del(name)
	}
	if name != "from" {
		to.Del("from")
	}
	return v.at + "?" + to.Encode()
}

// Feed is the address of a feed of what is shown.
func (v *view) Feed() string {
	to := url.Values{}
	for _, name := range append([]string{"q", "c"}, index.FacetNames[:]...) {
		for _, value := range v.here[name] {
			if value != "" {
				to.Add(name, value)
			}
		}
	}
	return "feed?" + to.Encode()
}

// Next and Before are the addresses of the pages of results around this one.
func (v *view) Next() string { return v.With("from", strconv.Itoa(v.From+shownAtOnce)) }

// Before is the page of results before this one.
func (v *view) Before() string { return v.With("from", strconv.Itoa(max(0, v.From-shownAtOnce))) }

// Everywhere is the address of the same search in all collections.
func (v *view) Everywhere() string { return v.With("c", "") }

// OfSite are the results of one site.
func (v *view) OfSite(site string) string { return v.With("site", site) }

// which is the page that a request names.
func (s *Server) which(r *http.Request) (c *index.Collection, hit *index.Hit, record *sink.Record, err error) {
	id, err := strconv.ParseUint(r.URL.Query().Get("id"), 10, 64)
	if err != nil {
		return nil, nil, nil, index.ErrNoPage
	}
	if c, err = s.collection(r.URL.Query().Get("c")); err == nil {
		hit, record, err = c.Page(id)
	}
	return c, hit, record, err
}

// collection is the one of a name.
func (s *Server) collection(name string) (*index.Collection, error) {
	for _, c := range s.o.Collections() {
		if c.Name() == name {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%w: there is no collection %q", index.ErrNoPage, name)
}

// pageView is what the page about one page shows.
type pageView struct {
	W      words
	Hit    *index.Hit
	Record *sink.Record
	Copy   bool
}

func (s *Server) onePage(w http.ResponseWriter, r *http.Request) error {
	c, hit, record, err := s.which(r)
	if err != nil {
		return err
	}
	_, _, err = c.Copy(hit.ID)
	return render(w, r, "page.html", &pageView{wordsFor(r), hit, record, err == nil})
}

// copyPage shows the kept copy of a page, with nothing in it that does anything.
func (s *Server) copyPage(w http.ResponseWriter, r *http.Request) error {
	c, hit, _, err := s.which(r)
	if err != nil {
		return err
	}
	body, err := c.Shown(hit.ID)
	if err != nil {
		return err
	}
	showCopy(w, r, body, hit.URL, hit.Language)
	return nil
}

// showCopy shows a page in UTF-8 and in its language as a copy that does nothing. Its text says which way it is read.
func showCopy(w http.ResponseWriter, r *http.Request, page []byte, address, language string) {
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "+
		"sandbox allow-popups allow-popups-to-escape-sandbox")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><html lang=\"%s\"><meta charset=utf-8><title>copy</title><link rel=stylesheet href=%sassets/copy.css><body dir=auto>%s",
		html.EscapeString(language), root(r), harmless(page, address))
}

func render(w http.ResponseWriter, r *http.Request, name string, v any) error {
	return renderAs(w, r, http.StatusOK, name, v)
}

// renderAs answers a page with a status. Its links are from where the server stands.
func renderAs(w http.ResponseWriter, r *http.Request, status int, name string, v any) error {
	text, err := rendered(name, v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, strings.Replace(text, "<head>", `<head><base href="`+root(r)+`">`, 1))
	return nil
}

// rendered is a page, or a part of one. What pages say turns no direction on ours.
func rendered(name string, v any) (string, error) {
	var b strings.Builder
	err := pages().ExecuteTemplate(&b, name, v)
	return sink.Plain(b.String()), err
}

// errAs is an error that is answered with a status of its own.
type errAs struct {
	status int
	error
}

// misuse is said of what somebody asked for in the wrong way.
func misuse(format string, args ...any) error {
	return errAs{http.StatusBadRequest, fmt.Errorf(format, args...)}
}

// statusOf is what an error is answered with. What is to be tried again says when.
func statusOf(w http.ResponseWriter, err error) int {
	own := errAs{status: http.StatusInternalServerError}
	switch {
	case errors.As(err, &own):
	case errors.Is(err, index.ErrNoPage), errors.Is(err, os.ErrNotExist):
		return http.StatusNotFound
	case errors.As(err, new(winnow.Unlooked)):
		return http.StatusConflict
	case errors.Is(err, index.ErrMoved):
		own.status = http.StatusServiceUnavailable
	}
	if own.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", retryAfter)
	}
	return own.status
}

func writeJSON(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	return sink.JSONTo(w).Encode(v)
}
