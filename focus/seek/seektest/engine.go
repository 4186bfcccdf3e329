// Package seektest answers one question: what would a search engine say that knows a recorded web?
//
// An Engine has read every page of a library, ranks by words alone (BM25), knows no labels, and answers as the engines of
// the world do: in SearXNG's JSON and as a page of results. It is a test kit: a search for start pages is tried against it.
package seektest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
)

// Engine is a search engine over a library. It is an http.Handler: /search answers in JSON (q, pageno), /results as a page
// (q, start), /description.xml is its OpenSearch description, and its robots.txt keeps programs out of /results.
type Engine struct {
	cutter *text.Cutter
	pages  []indexed
	df     map[string]int
	mean   float64 // words of a page

	mu    sync.Mutex
	asked []string
}

// indexed is a page as the engine knows it.
type indexed struct {
	address, title string
	tf             map[string]float64
	words          float64
}

// perPage is how many results stand on one page.
const perPage = 10

// New reads a library.
func New(l *study.Library) (*Engine, error) {
	cutter, err := text.NewCutter(text.Options{})
	if err != nil {
		return nil, err
	}
	e := &Engine{cutter: cutter, df: map[string]int{}}
	for _, address := range l.Addresses() {
		p, ok, err := l.Page(address)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		x := indexed{address: address, title: p.Title, tf: map[string]float64{}}
		for _, k := range cutter.Tokens(p.Doc) {
			x.tf[k.Term]++
			x.words++
		}
		for w := range x.tf {
			e.df[w]++
		}
		e.mean += x.words
		e.pages = append(e.pages, x)
	}
	e.mean /= float64(max(len(e.pages), 1))
	return e, nil
}

// Asked are the questions that were asked so far.
func (e *Engine) Asked() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.asked)
}

// search ranks the pages that have a word of the question.
func (e *Engine) search(q string) []*indexed {
	e.mu.Lock()
	e.asked = append(e.asked, q)
	e.mu.Unlock()
	type hit struct {
		page  *indexed
		score float64
	}
	words := e.cutter.Cut(nil, q)
	var hits []hit
	for i := range e.pages {
		p := &e.pages[i]
		score := 0.0
		for _, k := range words {
			tf := p.tf[k.Term]
			idf := math.Log(1 + (float64(len(e.pages))-float64(e.df[k.Term])+.5)/(float64(e.df[k.Term])+.5))
			score += idf * tf * 2.2 / (tf + 1.2*(.25+.75*p.words/e.mean))
		}
		if score > 0 {
			hits = append(hits, hit{p, score})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.page.address, b.page.address))
	})
	found := make([]*indexed, len(hits))
	for i, h := range hits {
		found[i] = h.page
	}
	return found
}

// ServeHTTP answers.
func (e *Engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /results\nDisallow: /*?*q=*\n")
	case "/search":
		e.json(w, r)
	case "/results", "/open":
		e.page(w, r)
	case "/description.xml":
		fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Drawn</ShortName>
<Url type="application/x-suggestions+json" template="/suggest?q={searchTerms}"/>
<Url type="text/html" template="http://%s/open?q={searchTerms}&amp;start={startIndex?}" indexOffset="0"/></OpenSearchDescription>`, r.Host)
	default:
		http.NotFound(w, r)
	}
}

func (e *Engine) json(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.FormValue("pageno"))
	type result struct {
		URL     string `json:"url"`
		Title   string `json:"title"`
		Content string `json:"content"`
	}
	results := []result{}
	if r.FormValue("format") != "json" {
		http.Error(w, "no such format", http.StatusForbidden)
		return
	}
	for _, p := range part(e.search(r.FormValue("q")), (max(number, 1)-1)*perPage) {
		results = append(results, result{p.address, p.title, ""})
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"query": r.FormValue("q"), "results": results}) // the client hears what it hears
}

func (e *Engine) page(w http.ResponseWriter, r *http.Request) {
	start, _ := strconv.Atoi(r.FormValue("start"))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<title>%s - Drawn</title><body><div id=nav><a href=/>Drawn</a> <a href=/about>About</a></div><div id=results>", html.EscapeString(r.FormValue("q")))
	for _, p := range part(e.search(r.FormValue("q")), start) {
		fmt.Fprintf(w, "<div class=result><h3><a href=%q>%s</a></h3><p class=says>A page of the drawn web.</p></div>\n", html.EscapeString(p.address), html.EscapeString(p.title))
	}
	fmt.Fprint(w, "</div>")
}

// part is one page of results.
func part(found []*indexed, start int) []*indexed {
	start = min(max(start, 0), len(found))
	return found[start:min(start+perPage, len(found))]
}
