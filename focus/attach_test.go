package focus_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// site serves pages by path, and counts what is asked for.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
	slip  []string // requests that carried a private header
}

func newSite(t *testing.T, pages map[string]string) *site {
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.RequestURI())
		for name := range r.Header {
			if strings.HasPrefix(name, "X-Thresher") {
				s.slip = append(s.slip, name)
			}
		}
		s.mu.Unlock()
		body, ok := pages[r.URL.Path]
		if to, moved := strings.CutPrefix(body, "-> "); moved {
			http.Redirect(w, r, to, http.StatusMovedPermanently)
			return
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if strings.HasSuffix(r.URL.Path, ".json") {
			w.Header().Set("Content-Type", "application/json")
		}
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// solarPages is a small site: one way leads to pages on solar energy, the other to cooking.
func solarPages() map[string]string {
	page := func(title, text string, links ...string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "<html><head><title>%s</title></head><body><p>%s</p><ul>", title, text)
		for _, l := range links {
			path, anchor, _ := strings.Cut(l, " ")
			fmt.Fprintf(&b, `<li><a href="%s">%s</a></li>`, path, anchor)
		}
		b.WriteString("</ul></body></html>")
		return b.String()
	}
	solar := strings.Repeat("Solar panels turn sunlight into solar energy for the house. ", 5)
	soup := strings.Repeat("Boil the soup with onions and a little salt for an hour. ", 5)
	return map[string]string{
		"/":       page("Home", "Welcome to a small site.", "/soup recipes for soup", "/solar solar energy at home"),
		"/soup":   page("Soup", soup, "/onion onion soup", "/bean bean soup"),
		"/onion":  page("Onion soup", soup),
		"/bean":   page("Bean soup", soup),
		"/solar":  page("Solar energy", solar, "/panel solar panels", "/roof solar energy on the roof", "/soup soup", "/moved solar archive"),
		"/panel":  page("Solar panels", solar, "/gone solar things that are gone"),
		"/roof":   page("Solar roofs", solar),
		"/moved":  "-> /panel",
		"/secret": page("Secret", solar),
	}
}

func solarTopic(t testing.TB) *topic.Topic {
	spec := topic.Defaults()
	spec.Terms = []topic.Term{{Term: "solar", Weight: 1}, {Term: "energy", Weight: 1}, {Term: "panel", Weight: 1}}
	about, err := topic.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return about
}

// newQueue is a queue over a frontier.
func newQueue(t testing.TB, threads int, f frontier.Frontier) *extensions.Queue {
	t.Helper()
	q, err := extensions.NewQueue(threads, f)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

const sharkTree = `
name: shark
rank:
  mix:
    - {use: inherited, weight: 0.5}
    - {use: anchor, weight: 0.4}
    - {use: context, weight: 0.1}
`

func loadTree(t testing.TB, tree string) *rank.Strategy {
	s, err := rank.Load("test.yaml", []byte(tree), rank.Factors)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An ordinary Colly program, with its own collector and its own OnHTML, visits in the order of the scores.
func TestAttachRanksAPlainCollyProgram(t *testing.T) {
	s := newSite(t, solarPages())
	c := colly.NewCollector()
	var titles []string
	c.OnHTML("title", func(e *colly.HTMLElement) { titles = append(titles, e.Text) })
	waiting := frontier.NewMemory(frontier.Manners{})
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree))
	if err != nil {
		t.Fatal(err)
	}
	relevant := map[string]bool{}
	steps.OnDone(func(v *focus.Visit) {
		if v.Judgement.Relevant {
			relevant[v.Page.Title] = true
		}
	})
	c.Visit(s.URL + "/") // taken as a start page
	if err := newQueue(t, 1, waiting).Run(c); err != nil {
		t.Fatal(err)
	}
	want := []string{"Home", "Solar energy", "Solar panels", "Solar roofs"}
	if len(titles) < len(want) || !slices.Equal(sorted(titles[:len(want)]), sorted(want)) {
		t.Errorf("pages were visited in the order %v, want the solar ones first", titles)
	}
	for _, title := range want[1:] {
		if !relevant[title] {
			t.Errorf("%q was not found relevant", title)
		}
	}
	for title := range relevant {
		if strings.Contains(title, "oup") {
			t.Errorf("%q was found relevant", title)
		}
	}
	if counts := steps.Counts(); counts.Dropped["status: 404 Not Found"] != 1 {
		t.Errorf("dropped %v, want one status 404", counts.Dropped)
	}
	if n := len(s.requests()); n != len(slices.Compact(sorted(s.requests()))) {
		t.Errorf("a page was fetched twice: %v", s.requests())
	}
}

// What an ordinary Colly program keeps goes into the sinks that it names.
func TestAttachKeepsWhatIsRelevant(t *testing.T) {
	s := newSite(t, solarPages())
	c := colly.NewCollector()
	waiting := frontier.NewMemory(frontier.Manners{})
	var kept, other titles
	if _, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree), focus.Into(&kept, &other)); err != nil {
		t.Fatal(err)
	}
	c.Visit(s.URL + "/")
	if err := newQueue(t, 1, waiting).Run(c); err != nil {
		t.Fatal(err)
	}
	if want := []string{"Solar energy", "Solar panels", "Solar roofs"}; !slices.Equal(sorted(kept), want) || !slices.Equal(kept, other) {
		t.Errorf("kept %v and %v, want %v", kept, other, want)
	}
}

// Where an answer leads waits in the frontier like any other link, in a plain Colly program too: it is visited in its turn,
// when its host may be asked again, and not within the request that led there.
func TestARedirectOfAPlainCollyProgramWaitsItsTurn(t *testing.T) {
	pages := solarPages()
	pages["/moved"] = "-> /solar"
	pages["/"] = strings.Replace(pages["/"], `href="/solar"`, `href="/moved"`, 1)
	s := newSite(t, pages)
	c := colly.NewCollector()
	waiting := frontier.NewMemory(frontier.Manners{})
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree))
	if err != nil {
		t.Fatal(err)
	}
	var asked []string // what the server had been asked for when a visit ended
	ended := map[string]string{}
	steps.OnDone(func(v *focus.Visit) {
		asked = s.requests()
		ended[strings.TrimPrefix(v.Item.URL, s.URL)] = asked[len(asked)-1]
	})
	c.Visit(s.URL + "/")
	if err := newQueue(t, 1, waiting).Run(c); err != nil {
		t.Fatal(err)
	}
	if ended["/moved"] != "/moved" || ended["/solar"] != "/solar" {
		t.Errorf("visits ended with the requests %v, want each with its own", ended)
	}
	if n := len(asked); n == 0 || n != len(slices.Compact(sorted(asked))) {
		t.Errorf("asked for %v, want each once", asked)
	}
}

// titles is a sink of titles.
type titles []string

func (s *titles) Write(r *sink.Record) error { *s = append(*s, r.Title); return nil }
func (s *titles) Lengths() map[string]int64  { return nil }
func (s *titles) Sync() error                { return nil }
func (s *titles) Close() error               { return nil }

func sorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}

// A Visit in a callback becomes a link of the page, and waits like all others.
func TestVisitInACallbackBecomesALink(t *testing.T) {
	s := newSite(t, solarPages())
	c := colly.NewCollector()
	c.OnHTML("title", func(e *colly.HTMLElement) {
		if e.Text == "Soup" {
			e.Request.Visit("/secret")
		}
	})
	waiting := frontier.NewMemory(frontier.Manners{})
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree))
	if err != nil {
		t.Fatal(err)
	}
	var via string
	steps.OnLink(func(v *focus.Visit, l *focus.Candidate) string {
		if strings.HasSuffix(l.Link.URL, "/secret") {
			via = v.Item.URL
		}
		return ""
	})
	if _, _, err := steps.Seed(s.URL + "/"); err != nil {
		t.Fatal(err)
	}
	if err := newQueue(t, 2, waiting).Run(c); err != nil {
		t.Fatal(err)
	}
	if via != s.URL+"/soup" {
		t.Errorf("the link was found on %q, want /soup", via)
	}
	if !slices.Contains(s.requests(), "/secret") {
		t.Error("the page was never fetched")
	}
}

// Hooks see what was judged and ranked, and may object.
func TestHooksMayObject(t *testing.T) {
	s := newSite(t, solarPages())
	c := colly.NewCollector()
	waiting := frontier.NewMemory(frontier.Manners{})
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree))
	if err != nil {
		t.Fatal(err)
	}
	steps.OnPage(func(v *focus.Visit) string {
		if strings.Contains(v.Page.Title, "roofs") {
			return "no roofs"
		}
		return ""
	})
	steps.OnLink(func(_ *focus.Visit, l *focus.Candidate) string {
		if strings.HasSuffix(l.Link.URL, "/soup") {
			return "no soup"
		}
		return ""
	})
	if _, _, err := steps.Seed(s.URL + "/"); err != nil {
		t.Fatal(err)
	}
	if err := newQueue(t, 2, waiting).Run(c); err != nil {
		t.Fatal(err)
	}
	counts := steps.Counts()
	if counts.Dropped["veto: no roofs"] != 1 || counts.Refused["veto: no soup"] != 1 {
		t.Errorf("dropped %v, refused %v", counts.Dropped, counts.Refused)
	}
	if slices.Contains(s.requests(), "/soup") {
		t.Error("a link that was objected to was fetched")
	}
}

// A page that has no answer is counted and told like one with an answer of 500, and remains unvisited; one whose request ends with the
// collector's Context waits on, and nothing is said of it.
func TestAPageWithoutAnAnswerIsCounted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/silent":
			panic(http.ErrAbortHandler)
		case "/last":
			cancel()
			<-r.Context().Done()
		}
	}))
	t.Cleanup(site.Close)
	c, waiting := colly.NewCollector(colly.StdlibContext(ctx)), frontier.NewMemory(frontier.Manners{})
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree))
	if err != nil {
		t.Fatal(err)
	}
	var done []string
	steps.OnDone(func(v *focus.Visit) {
		done = append(done, strings.TrimPrefix(v.Item.URL, site.URL)+" "+string(v.Refused))
	})
	q := newQueue(t, 1, waiting)
	if err := errors.Join(q.AddURL(site.URL+"/silent"), q.AddURL(site.URL+"/last")); err != nil {
		t.Fatal(err)
	}
	if err := q.Run(c); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	n := steps.Counts()
	if n.Pages != 1 || n.Failed != 1 || len(done) != 1 || !strings.HasPrefix(done[0], "/silent failed: ") {
		t.Errorf("%d pages, %d of them failed, dropped: %v; done: %q", n.Pages, n.Failed, n.Dropped, done)
	}
	if visited, err := c.HasVisited(site.URL + "/silent"); visited || err != nil || waiting.Len() != 1 {
		t.Errorf("it is visited: %v, %v; %d wait", visited, err, waiting.Len())
	}
}
