package extensions

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/wire"
	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// site is a server whose pages are functions; it counts what was asked for.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	pages map[string]http.HandlerFunc
	asked map[string]int
}

func newSite(t testing.TB, pages map[string]http.HandlerFunc) *site {
	s := &site{pages: pages, asked: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.RequestURI()]++
		page := s.pages[r.URL.Path]
		s.mu.Unlock()
		if page == nil {
			http.NotFound(w, r)
			return
		}
		page(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) hits(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[path]
}

func (s *site) set(path string, page http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = page
}

// says is a page of that text.
func says(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, text)
	}
}

func plain(text string) http.HandlerFunc { return says("text/plain", text) }
func hyper(text string) http.HandlerFunc { return says("text/html; charset=utf-8", text) }
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}
func redirect(to string) http.HandlerFunc {
	return http.RedirectHandler(to, http.StatusFound).ServeHTTP
}

// watch is a clock that stands still until it is set.
type watch struct{ at atomic.Int64 }

func (w *watch) now() time.Time          { return time.Unix(w.at.Load(), 0) }
func (w *watch) advance(d time.Duration) { w.at.Add(int64(d / time.Second)) }

// refusals collects what was refused.
type refusals struct {
	mu  sync.Mutex
	all []Refusal
}

func (r *refusals) tell(x Refusal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, x)
}

func TestRobotsAbortsWhatIsNotAllowed(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{
		"/robots.txt": plain("User-agent: shark\nDisallow: /deep"),
		"/deep/1":     hyper("deep"), "/shore": hyper("shore"),
	})
	var heard refusals
	c := colly.NewCollector(colly.UserAgent("shark/1.0 (+https://shark.example)"))
	Robots(c, RobotsConfig{OnRefusal: heard.tell})
	for _, path := range []string{"/shore", "/deep/1", "/shore?again", "/%64eep/2"} {
		if err := c.Visit(s.URL + path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if s.hits("/robots.txt") != 1 || s.hits("/shore") != 1 || s.hits("/shore?again") != 1 || s.hits("/deep/1")+s.hits("/%64eep/2") != 0 {
		t.Errorf("asked for %v", s.asked)
	}
	want := []Refusal{{s.URL + "/deep/1", "Robots", "line 2: Disallow: /deep"}, {s.URL + "/%64eep/2", "Robots", "line 2: Disallow: /deep"}}
	if !slices.Equal(heard.all, want) {
		t.Errorf("refused %v, want %v", heard.all, want)
	}
}

func TestRobotsAsksAgainLater(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/robots.txt": status(503), "/a": hyper("a")})
	clock := &watch{}
	c := colly.NewCollector(colly.AllowURLRevisit())
	Robots(c, RobotsConfig{Now: clock.now})
	steps := []struct {
		name          string
		robots        http.HandlerFunc
		after         time.Duration
		fetched, asks int // of the page, of robots.txt, in all
	}{
		{"while it answers 503", status(503), 0, 0, 1},
		{"soon after", status(404), 10*time.Minute - time.Second, 0, 1},
		{"when it is gone", status(404), time.Second, 1, 2},
		{"within a day", plain("User-agent: *\nDisallow: /"), 24*time.Hour - time.Second, 2, 2},
		{"after a day", plain("User-agent: *\nDisallow: /"), time.Second, 2, 3},
	}
	for _, step := range steps {
		s.set("/robots.txt", step.robots)
		clock.advance(step.after)
		c.Visit(s.URL + "/a")
		if s.hits("/a") != step.fetched || s.hits("/robots.txt") != step.asks {
			t.Errorf("%s: %v, want %d and %d", step.name, s.asked, step.fetched, step.asks)
		}
	}
}

func TestRobotsAreAskedForOnce(t *testing.T) {
	arrived, open := make(chan struct{}, 20), make(chan struct{})
	s := newSite(t, map[string]http.HandlerFunc{"/robots.txt": func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-open
	}})
	g := robots.NewGate(http.DefaultTransport, "shark/1", robots.GateConfig{})
	u, _ := url.Parse(s.URL + "/x")
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if ok, why := g.Allowed(t.Context(), u); !ok {
				t.Error(why)
			}
		})
	}
	<-arrived
	close(open)
	wg.Wait()
	if s.hits("/robots.txt") != 1 {
		t.Errorf("%d requests", s.hits("/robots.txt"))
	}
}

func TestRobotsOutliveWhoAskedFirst(t *testing.T) {
	arrived, open := make(chan struct{}, 2), make(chan struct{})
	s := newSite(t, map[string]http.HandlerFunc{"/robots.txt": func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		select {
		case <-open:
		case <-r.Context().Done():
		}
	}})
	g := robots.NewGate(http.DefaultTransport, "shark/1", robots.GateConfig{})
	u, _ := url.Parse(s.URL + "/x")
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error), make(chan error)
	go func() { _, err := g.Rules(ctx, u); first <- err }()
	<-arrived
	go func() { _, err := g.Rules(t.Context(), u); second <- err }()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first: %v", err)
	}
	<-arrived // the second one asks by itself
	close(open)
	if err := <-second; err != nil {
		t.Errorf("the second: %v", err)
	}
}

func TestRobotsRedirects(t *testing.T) {
	other := newSite(t, map[string]http.HandlerFunc{"/robots.txt": plain("User-agent: *\nDisallow: /a")})
	one := newSite(t, map[string]http.HandlerFunc{"/robots.txt": redirect(other.URL + "/robots.txt")})
	loop := newSite(t, map[string]http.HandlerFunc{"/robots.txt": redirect("/robots.txt")})
	for _, c := range []struct {
		site    *site
		allowed bool
	}{{one, false}, {other, false}, {loop, true}} {
		g := robots.NewGate(http.DefaultTransport, "shark/1", robots.GateConfig{})
		u, _ := url.Parse(c.site.URL + "/a")
		if ok, why := g.Allowed(t.Context(), u); ok != c.allowed {
			t.Errorf("%s: %v by %q", c.site.URL, ok, why)
		}
	}
	if n := loop.hits("/robots.txt"); n != 1+5 {
		t.Errorf("a loop was asked %d times", n)
	}
}

func TestRobotsCheckTargetsOfRedirects(t *testing.T) {
	target := newSite(t, map[string]http.HandlerFunc{"/robots.txt": plain("User-agent: *\nDisallow: /in"), "/in": hyper("in"), "/out": hyper("out")})
	start := newSite(t, map[string]http.HandlerFunc{"/in": redirect(target.URL + "/in"), "/out": redirect(target.URL + "/out")})
	c := colly.NewCollector()
	Transport(c)
	var heard refusals
	Robots(c, RobotsConfig{OnRefusal: heard.tell})
	if err := c.Visit(start.URL + "/in"); !errors.Is(err, ErrRobots) {
		t.Errorf("redirect to what is not allowed: %v", err)
	}
	if err := c.Visit(start.URL + "/out"); err != nil {
		t.Errorf("redirect to what is allowed: %v", err)
	}
	if target.hits("/in") != 0 || target.hits("/out") != 1 || len(heard.all) != 1 {
		t.Errorf("asked for %v, refused %v", target.asked, heard.all)
	}
}

func TestMayFollow(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{
		"/":     hyper(`<a href="/open">1</a><a href="/shut">2</a>`),
		"/open": hyper(`<a href="/leaf">1</a>`),
		"/shut": hyper(`<meta name=robots content=nofollow><body><a href="/secret">1</a>`),
	})
	c := colly.NewCollector()
	Robots(c, RobotsConfig{})
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		if MayFollow(e.Request) {
			e.Request.Visit(e.Attr("href"))
		}
	})
	noError(t, c.Visit(s.URL+"/"))
	if s.hits("/leaf") != 1 || s.hits("/secret") != 0 {
		t.Errorf("asked for %v", s.asked)
	}
}

func TestMayIndex(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/open": hyper("<title>o</title>"), "/shut": hyper("<meta name=robots content=noindex><title>s</title>")})
	c := colly.NewCollector()
	Robots(c, RobotsConfig{})
	may := map[string]bool{}
	c.OnHTML("title", func(e *colly.HTMLElement) { may[e.Text] = MayIndex(e.Request) })
	for _, path := range []string{"/open", "/shut"} {
		noError(t, c.Visit(s.URL+path))
	}
	if len(may) != 2 || !may["o"] || may["s"] {
		t.Errorf("may be kept: %v", may)
	}
}

// TestRobotsKnowTheCrawlerByItsToken: which need not be in its User-Agent.
func TestRobotsKnowTheCrawlerByItsToken(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/robots.txt": plain("User-agent: whale\nDisallow: /deep"), "/deep": hyper("deep")})
	for hits, token := range []string{"whale", "shark"} {
		c := colly.NewCollector(colly.UserAgent("shark/1.0"))
		Robots(c, RobotsConfig{Token: token})
		if err := c.Visit(s.URL + "/deep"); err != nil || s.hits("/deep") != hits {
			t.Errorf("as %s it fetched %d pages, want %d: %v", token, s.hits("/deep"), hits, err)
		}
	}
}

// TestRobotsThatAreCutOff: half a robots.txt is no robots.txt; what it forbids may stand in the other half.
func TestRobotsThatAreCutOff(t *testing.T) {
	at := hostiletest.Raw(t, func(c net.Conn) {
		fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nUser-agent: *\nDisallow: /a\n")
	})
	rt := wire.Stack(nil, Limits(LimitsConfig{}))
	defer closeIdle(rt)
	g := robots.NewGate(rt, "shark/1", robots.GateConfig{})
	u, _ := url.Parse(at + "b")
	if ok, why := g.Allowed(t.Context(), u); ok || why != "robots.txt: the body was cut (short)" {
		t.Errorf("allowed %v by %q", ok, why)
	}
}
