package serve

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// apiText is what /api/v1/ answers: how the API is used.
const apiText = `thresher: the API, version 1. What is no POST is GET, and answers are JSON. What is asked for in
a way that is none, or with a parameter that is none, is answered with 400, and what is wrong with it.

/api/v1/search?q=QUERY
    q      words, "phrases", -word, site:, lang:, after:, before:, year:, kind:,
           price:12.5, price:>10, price:5..20, maker:word for values that a program has set
    site, lang, year, kind    the same filters as parameters; several of one name count as any of them, and those of q must hold besides
    c      search this collection alone
    sort   best or date       from   how many results to leave out, 0 to 10000
    limit  how many to answer, 1 to 100 (10)     why=1  take each score apart
    per_site  how many pages of one site are answered before the others are folded away, which more_of_site counts, 0 to 1000; 0: all.
           Where none is given it is that of the weights (3). Where a site is asked for, or all that is found is of one, all are answered
    answers {total, more, partial, took_ms, notes, did_you_mean, results: [{collection, id, url, title, snippet, site, language, kind, date, found,
    relevance, importance, inlinks, data, score, same, more_of_site, why}], facets: {site, lang, year, kind}}; partial where time was up,
    did_you_mean, the query with other words, where no page has one of it and some have one written like it; a site is counted with those below it
/api/v1/complete?q=START
    answers {completions: [...]}
/api/v1/page?c=COLLECTION&id=ID
    answers the page's record as it stands in harvest.jsonl
/api/v1/runs
    answers {runs: [{name, folder, state, strategy, started, ended, reason, counts: {pages, relevant, kept, harvest}, broken}]}; a state is
    running, paused, stopping, finished, interrupted or died
/api/v1/runs/NAME/story
    what the run has done so far: {run, counts, pace, curve, finds, best, near_misses, waiting, hosts, refused, words, picks}
/api/v1/runs/NAME/events
    the same as server-sent events: the first has all of it, and each later one (every second at most) the parts that have changed
POST /api/v1/runs/NAME
    do     pause, resume, stop; inject with addresses; block or unblock with host; raise with pages, so many more; label with address
           and relevant=yes, no or skip; winnow; train; take with term and weight
    answers {run, done, said}; 409 where it cannot be done now. Not with --read-only
/api/v1/runs/NAME/label?from=FROM
    from   telling (the pages whose labels would teach most), near (misses) or finds (the latest)
    answers {labels: {relevant, other, f1, macro_f1, before}, pages: [{url, title, relevance, words: [{term, count, added}], text}]}
/api/v1/runs/NAME/change
    what a second look would change of what is kept, by the labels there are: {labels, in, out, refused}
/api/v1/runs/NAME/suggest
    words that would tell the topic better: {suggestions: [{term, weight, was, why, sure, foreign, in, out, titles}]}
POST /api/v1/new (where the server was started with --crawl)
    name, terms, about, language, seeds, engines, contact, pages, web    a topic, as 'thresher init' and 'thresher seeds' take it; web is
           the folder of a recorded web to crawl instead of the live one
    answers {run}, when its crawl has begun; 409 and why where it cannot
POST /api/v1/ask (where the server was started with --ask)
    q      a question: the web is asked by a small crawl, as by 'thresher ask'     c  the collection it begins at (the first)
    pages  to be fetched at most, 1 to 1000 (60)     seconds  after which it ends, 1 to 900 (60)
    answers {id, events, page}; 409 while another question is being asked
/api/v1/ask
    answers {of: [collections], questions: [...]}, the latest first: each as the next
/api/v1/ask/ID
    answers {id, collection, question, pages, seconds, state, answers, fetched, over, failed, known, found}; a state is asking,
    answered, stopped or failed; known and found are [{url, title, relevance}]; answers is the collection of what was found,
    which is searched with the others when the question has ended
/api/v1/ask/ID/events
    server-sent events: known and found, an answer each, as they are judged, and end, with how it ended
POST /api/v1/ask/ID
    ends it; what was found by then stays
/feed?q=QUERY
    an Atom feed of the pages found last; with q of those of them that answer it, of all sites

Addresses that begin with / are here, and in answers, those below where the server stands: behind a proxy it may be a folder.

Where the server wants a token: Authorization: Bearer TOKEN, or token=TOKEN beside the parameters, as feed readers need it
`

func (s *Server) apiHelp(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprint(w, apiText)
}

// takes is a part of the API that is asked by no parameters but these: what it would not look at is refused. A token may stand beside
// them.
func takes(answer answering, names ...string) answering {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			return misuse("what is asked cannot be read: %w", err)
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if name != "token" && !slices.Contains(names, name) {
				return misuse("there is no parameter %q here, want %s", name, cmp.Or(strings.Join(names, ", "), "none"))
			}
		}
		return answer(w, r)
	}
}

func (s *Server) apiSearch(w http.ResponseWriter, r *http.Request) error {
	q, values, _ := asked(r)
	limit, bad := numberOf(values, "limit", shownAtOnce, 1, 100)
	from, worse := numberOf(values, "from", 0, 0, farthest)
	why, worst := numberOf(values, "why", 0, 0, 1)
	weights := s.o.Weights
	perSite, worstOfAll := numberOf(values, "per_site", weights.PerSite, 0, 1000)
	if err := cmp.Or(bad, worse, worst, worstOfAll, orderOf(values)); err != nil {
		return err
	}
	done, err := s.turn(r)
	if err != nil {
		return err
	}
	defer done()
	all, err := s.searched(values)
	if err != nil {
		return err
	}
	weights.PerSite = perSite
	answer, err := index.Search(r.Context(), all, q, index.Ask{Offset: from, Limit: limit, Weights: weights, Why: why == 1})
	if err != nil {
		return err
	}
	return writeJSON(w, index.NewReply(answer))
}

// orderOf refuses an order that is none.
func orderOf(given url.Values) error {
	if by := given.Get("sort"); by != "" && by != string(index.Best) && by != string(index.Date) {
		return misuse("sort is %q, want %s or %s", by, index.Best, index.Date)
	}
	return nil
}

// numberOf is a number that a request gives, within bounds; usual where it gives none.
func numberOf(given url.Values, name string, usual, least, most int) (int, error) {
	text := given.Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return usual, misuse("%s is %q, want %d to %d", name, text, least, most)
	}
	return n, nil
}

func (s *Server) apiComplete(w http.ResponseWriter, r *http.Request) error {
	all, err := index.Complete(s.o.Collections(), r.URL.Query().Get("q"), 8)
	if err != nil {
		return err
	}
	return writeJSON(w, map[string][]string{"completions": append([]string{}, all...)})
}

func (s *Server) apiPage(w http.ResponseWriter, r *http.Request) error {
	if id := r.URL.Query().Get("id"); strings.Trim(id, "0123456789") != "" || id == "" {
		return misuse("id is %q, want the number of a page", id)
	}
	_, _, record, err := s.which(r)
	if err != nil {
		return err
	}
	return writeJSON(w, record)
}

// The parts of an Atom feed (RFC 4287).
type feed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Entries []feedEntry `xml:"entry"`
}

type feedEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Link    feedLink `xml:"link"`
	Updated string   `xml:"updated"`
	Summary string   `xml:"summary"`
}

type feedLink struct {
	Href string `xml:"href,attr"`
}

// feedLength is how many pages a feed tells.
const feedLength = 50

func (s *Server) feed(w http.ResponseWriter, r *http.Request) error {
	done, err := s.turn(r)
	if err != nil {
		return err
	}
	defer done()
	q, values, _ := asked(r)
	values.Del("token") // a feed is the same by whatever way its reader shows that it may have it
	hits, err := s.finds(r, q)
	if err != nil {
		return err
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].Found.After(hits[j].Found) })
	f := feed{ID: "urn:thresher:" + url.QueryEscape(values.Encode()), Title: strings.TrimSpace("thresher " + valid(values.Get("q"))), Author: "thresher",
		Updated: time.Unix(0, 0).UTC().Format(time.RFC3339)}
	for _, h := range hits[:min(len(hits), feedLength)] {
		var summary strings.Builder
		for _, p := range h.Snippet {
			summary.WriteString(p.Text)
		}
		at := h.Found.Format(time.RFC3339)
		// its number is that of another page where the run is crawled anew, and a reader would take that for one it has shown
		f.Entries = append(f.Entries, feedEntry{"urn:thresher:" + url.QueryEscape(h.Collection) + ":" + url.QueryEscape(h.URL), valid(h.Title),
			feedLink{h.URL}, at, valid(summary.String())})
		f.Updated = max(f.Updated, at)
	}
	w.Header().Set("Content-Type", "application/atom+xml; charset=utf-8")
	raw, err := xml.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s%s\n", xml.Header, raw)
	return nil
}

// finds are the pages of a feed: what was found last, of all or of what answers a query. No page is left out because of its site: who
// has subscribed to a query is to have each that is new.
func (s *Server) finds(r *http.Request, q *index.Query) ([]*index.Hit, error) {
	if anything(q, r.URL.Query()) {
		from, err := s.searched(r.URL.Query())
		if err != nil {
			return nil, err
		}
		weights := s.o.Weights
		q.Order, weights.PerSite = index.Found, 0
		a, err := index.Search(r.Context(), from, q, index.Ask{Limit: feedLength, Weights: weights})
		if err != nil {
			return nil, err
		}
		return a.Hits, nil
	}
	var all []*index.Hit
	from, err := s.searched(r.URL.Query())
	if err != nil {
		return nil, err
	}
	for _, c := range from {
		hits, err := c.Newest(feedLength)
		if err != nil {
			return nil, err
		}
		all = append(all, hits...)
	}
	return all, nil
}

// valid is text that may stand in XML, and steers nothing.
func valid(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, sink.Plain(strings.ToValidUTF8(s, "\ufffd")))
}
