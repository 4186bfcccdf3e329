package serve

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"html/template"
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

func (s *Server) routes() {
	s.mux.HandleFunc("/{$}", s.searchPage)
	s.mux.HandleFunc("/like", s.likePage)
	s.mux.HandleFunc("/page", s.onePage)
	s.mux.HandleFunc("/copy", s.copyPage)
	s.mux.HandleFunc("/feed", s.feed)
	s.mux.HandleFunc("GET /runs", s.runsPage)
	s.mux.HandleFunc("GET /runs/{name}", s.runPage)
	s.mux.HandleFunc("GET /runs/{name}/live", s.liveRun)
	s.mux.HandleFunc("GET /runs/{name}/label", s.labelPage)
	s.mux.HandleFunc("GET /runs/{name}/copy", s.lookCopy)
	s.mux.HandleFunc("GET /new", s.newPage)
	s.mux.HandleFunc("POST /new", s.beginTopic)
	s.mux.HandleFunc("POST /api/v1/new", s.apiBegin)
	s.mux.HandleFunc("POST /runs/{name}", s.steerRun)
	s.mux.HandleFunc("GET /api/v1/runs", s.takes(s.apiRuns))
	s.mux.HandleFunc("GET /api/v1/runs/{name}/story", s.takes(s.apiStory))
	s.mux.HandleFunc("GET /api/v1/runs/{name}/events", s.takes(s.apiEvents))
	s.mux.HandleFunc("GET /api/v1/runs/{name}/label", s.takes(s.apiLabel, "from"))
	s.mux.HandleFunc("GET /api/v1/runs/{name}/change", s.takes(s.apiChange))
	s.mux.HandleFunc("GET /api/v1/runs/{name}/suggest", s.takes(s.apiSuggest))
	s.mux.HandleFunc("POST /api/v1/runs/{name}", s.apiSteer)
	s.mux.HandleFunc("GET /ask", s.askPage)
	s.mux.HandleFunc("POST /ask", s.putQuestion)
	s.mux.HandleFunc("GET /ask/{id}", s.answersPage)
	s.mux.HandleFunc("POST /ask/{id}", s.stopAsking)
	s.mux.HandleFunc("GET /ask/{id}/live", s.liveAnswers)
	s.mux.HandleFunc("GET /api/v1/ask", s.takes(s.apiQuestions))
	s.mux.HandleFunc("POST /api/v1/ask", s.apiAsk)
	s.mux.HandleFunc("GET /api/v1/ask/{id}", s.takes(s.apiQuestion))
	s.mux.HandleFunc("POST /api/v1/ask/{id}", s.apiStopAsking)
	s.mux.HandleFunc("GET /api/v1/ask/{id}/events", s.takes(s.apiAnswers))
	s.mux.HandleFunc("/api/v1/{$}", s.apiHelp)
	s.mux.HandleFunc("/api/v1/search", s.takes(s.apiSearch, "q", "site", "lang", "year", "kind", "c", "sort", "from", "limit", "per_site", "why"))
	s.mux.HandleFunc("/api/v1/complete", s.takes(s.apiComplete, "q"))
	s.mux.HandleFunc("/api/v1/page", s.takes(s.apiPage, "c", "id"))
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
	here   url.Values
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
	all := s.o.Collections()
	name := values.Get("c")
	if name == "" || values.Get("id") != "" { // a page that others are to be like is named so
		return all, nil
	}
	for _, c := range all {
		if c.Name() == name {
			return []*index.Collection{c}, nil
		}
	}
	return nil, noCollection(name)
}

func noCollection(name string) error {
	return fmt.Errorf("%w: there is no collection %q", index.ErrNoPage, name)
}

func (s *Server) searchPage(w http.ResponseWriter, r *http.Request) {
	q, values, from := asked(r)
	v := &view{W: wordsFor(r), Query: values.Get("q"), Sort: string(q.Order), From: from, Asked: anything(q, values), here: values}
	s.results(w, r, v, q)
}

func (s *Server) likePage(w http.ResponseWriter, r *http.Request) {
	c, id, ok := s.which(w, r)
	if !ok {
		return
	}
	hit, _, err := c.Page(id)
	if err != nil {
		s.fail(w, err)
		return
	}
	q, values, from := asked(r)
	q.Like = &index.Like{Collection: c.Name(), ID: id}
	v := &view{W: wordsFor(r), From: from, Asked: true, Like: hit, Sort: string(q.Order), here: values}
	s.results(w, r, v, q)
}

// mayAsk tells whether the web may be asked here.
func (s *Server) mayAsk() bool { return len(s.o.Ask.Of) > 0 && !s.o.ReadOnly }

func (s *Server) results(w http.ResponseWriter, r *http.Request, v *view, q *index.Query) {
	all, err := s.searched(v.here)
	if err != nil {
		s.fail(w, err)
		return
	}
	v.Only, v.MayAsk, v.Among = v.here.Get("c"), s.mayAsk(), len(all) > 1
	if v.Like != nil {
		v.Only = "" // which names the page there
	}
	for _, c := range all {
		v.Pages += c.Len()
	}
	if v.Asked {
		done, ok := s.turn(w, r)
		if !ok {
			return
		}
		defer done()
		answer, err := index.Search(r.Context(), all, q, index.Ask{Offset: v.From, Limit: shownAtOnce, Weights: s.o.Weights})
		if err != nil {
			s.fail(w, err)
			return
		}
		v.Answer = answer
		v.facets()
	}
	s.render(w, "search.html", v)
}

// facets makes links of what the results are counted by: each narrows the results to its label, or widens them again.
func (v *view) facets() {
	for f, counts := range v.Answer.Facets {
		name := index.FacetNames[f]
		one := facetView{Name: v.W.T(name)}
		for _, c := range counts {
			chosen := v.here.Get(name) == c.Label
			to := cloned(v.here)
			to.Del("from")
			if to.Set(name, c.Label); chosen {
				to.Del(name)
			}
			label := c.Label
			if name == "kind" || name == "lang" {
				label = v.W.T(c.Label)
			}
			one.Labels = append(one.Labels, labelView{label, "?" + to.Encode(), c.Pages, chosen})
		}
		if len(one.Labels) > 0 {
			v.Facets = append(v.Facets, one)
		}
	}
}

func cloned(v url.Values) url.Values {
	c := url.Values{}
	for key, all := range v {
		c[key] = append([]string(nil), all...)
	}
	return c
}

// With is the address of this page with one value changed.
func (v *view) With(name, value string) string {
	to := cloned(v.here)
	to.Set(name, value)
	if value == "" {
		to.Del(name)
	}
	if name != "from" {
		to.Del("from")
	}
	return "?" + to.Encode()
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
	return "/feed?" + to.Encode()
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
func (s *Server) which(w http.ResponseWriter, r *http.Request) (*index.Collection, uint64, bool) {
	id, err := strconv.ParseUint(r.URL.Query().Get("id"), 10, 64)
	if err != nil {
		s.fail(w, index.ErrNoPage)
		return nil, 0, false
	}
	name := r.URL.Query().Get("c")
	for _, c := range s.o.Collections() {
		if c.Name() == name {
			return c, id, true
		}
	}
	s.fail(w, noCollection(name))
	return nil, 0, false
}

// pageView is what the page about one page shows.
type pageView struct {
	W      words
	Hit    *index.Hit
	Record *sink.Record
	Copy   bool
}

func (s *Server) onePage(w http.ResponseWriter, r *http.Request) {
	c, id, ok := s.which(w, r)
	if !ok {
		return
	}
	hit, record, err := c.Page(id)
	if err != nil {
		s.fail(w, err)
		return
	}
	_, _, err = c.Copy(id)
	s.render(w, "page.html", &pageView{wordsFor(r), hit, record, err == nil})
}

// copyPage shows the kept copy of a page, with nothing in it that does anything.
func (s *Server) copyPage(w http.ResponseWriter, r *http.Request) {
	c, id, ok := s.which(w, r)
	if !ok {
		return
	}
	hit, _, err := c.Page(id)
	var body []byte
	if err == nil {
		body, err = c.Shown(id)
	}
	if err != nil {
		s.fail(w, err)
		return
	}
	showCopy(w, body, hit.URL, hit.Language)
}

// showCopy shows a page in UTF-8 and in its language as a copy that does nothing. Its text says which way it is read.
func showCopy(w http.ResponseWriter, page []byte, address, language string) {
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "+
		"sandbox allow-popups allow-popups-to-escape-sandbox")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><html lang=\"%s\"><meta charset=utf-8><title>copy</title><link rel=stylesheet href=/assets/copy.css><body dir=auto>%s",
		html.EscapeString(language), harmless(page, address))
}

func (s *Server) render(w http.ResponseWriter, name string, v any) {
	s.renderAs(w, http.StatusOK, name, v)
}

// renderAs answers a page with a status.
func (s *Server) renderAs(w http.ResponseWriter, status int, name string, v any) {
	text, err := rendered(name, v)
	if err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, text)
}

// rendered is a page, or a part of one. What pages say turns no direction on ours.
func rendered(name string, v any) (string, error) {
	var b strings.Builder
	err := pages().ExecuteTemplate(&b, name, v)
	return sink.Plain(b.String()), err
}

func (s *Server) fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if errors.Is(err, index.ErrNoPage) || errors.Is(err, os.ErrNotExist) {
		status = http.StatusNotFound
	}
	if errors.As(err, new(errMisuse)) {
		status = http.StatusBadRequest
	}
	if errors.Is(err, index.ErrMoved) || errors.Is(err, errReading) {
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "5")
	}
	http.Error(w, err.Error(), status)
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if err := sink.JSONTo(w).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
