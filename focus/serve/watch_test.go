package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// gate lets so many requests through as it was told. One host, if it is named, has had enough of them, and wants an hour's rest.
type gate struct {
	next  http.RoundTripper
	may   chan struct{}
	tired atomic.Pointer[string]
}

func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-g.may:
		if host := g.tired.Load(); host != nil && *host == r.URL.Host {
			return &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"3600"}}, Body: http.NoBody, Request: r}, nil
		}
		return g.next.RoundTrip(r)
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

func (g *gate) open(n int) {
	for range n {
		g.may <- struct{}{}
	}
}

// going is a crawl that goes on in a folder, page by page as its gate is opened, and a server that shows it.
func going(t *testing.T, o Options) (s *Server, g *gate, dir string, ended chan focus.Report) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "live")
	web, err := replay.Open(filepath.Join("..", "..", "testdata", "webs", "quickstart"))
	noError(t, err)
	t.Cleanup(func() { web.Close() })
	g = &gate{next: web, may: make(chan struct{}, 10_000)}
	config, err := focus.Load(filepath.Join("..", "..", "configs", "quickstart.yaml"), crawlfile.Override{Key: "store", Value: dir}, crawlfile.Override{Key: "web", Value: ""},
		crawlfile.Override{Key: "polite.contact", Value: "you@example.org"}, crawlfile.Override{Key: "fetch.timeout", Value: "10m"}, crawlfile.Override{Key: "fetch.answer", Value: "10m"},
		crawlfile.Override{Key: "polite.robots", Value: "ignore"}, crawlfile.Override{Key: "budget.pages", Value: "200"},
		crawlfile.Override{Key: "polite.parallel", Value: "1"}, crawlfile.Override{Key: "polite.per_host", Value: "1"}) // which page comes next is no chance
	noError(t, err)
	c, err := focus.New(context.Background(), config, focus.Transport(g), focus.Logger(slog.New(slog.NewTextHandler(io.Discard, nil))))
	noError(t, err)
	ended = make(chan focus.Report, 1)
	ctx, stop := context.WithCancel(context.Background())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		report, err := c.Run(ctx)
		if err != nil {
			t.Errorf("the crawl: %v", err)
		}
		ended <- report
	}()
	t.Cleanup(func() { stop(); <-gone })
	o.Listen, o.Runs = "127.0.0.1:7700", func() []string { return []string{dir} }
	o.Collections = func() []*index.Collection { return nil }
	o.Steer = Steering{
		Tell:   run.Command,
		Inject: run.Inject,
		Block:  run.Block,
		Raise:  run.Raise,
	}
	if s, err = New(o); err != nil {
		t.Fatal(err)
	}
	return s, g, dir, ended
}

func posted(s *Server, target string, form url.Values, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(form.Encode()))
	r.Host = "127.0.0.1:7700"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return asFollowed(w, r)
}

// until asks for the story until it is so.
func until(t *testing.T, s *Server, what string, so func(*watch.Story) bool) *watch.Story {
	t.Helper()
	last := &watch.Story{}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) { // the server looks once a second
		story := &watch.Story{}
		if w := got(s, "/api/v1/runs/live/story"); w.Code == http.StatusOK && json.Unmarshal(w.Body.Bytes(), story) == nil {
			if last = story; so(story) {
				return story
			}
		}
	}
	t.Fatalf("waited in vain for: %s; there are %d pages, and it is %s", what, last.Counts.Pages, last.Run.State)
	return nil
}

// restsFor is how long a host of a story rests that is known to.
func restsFor(st *watch.Story, host string) (pause time.Duration) {
	for _, h := range st.Hosts {
		if h.Host == host && h.Rests.After(time.Now()) {
			pause = h.Pause
		}
	}
	return pause
}

// TestARunIsSteered pauses a crawl, resumes it, adds a page, blocks a host, raises the budget and stops it. A host that asked for a rest
// is shown to have one.
func TestARunIsSteered(t *testing.T) {
	s, g, dir, ended := going(t, Options{})
	tired := "gazette.test"
	g.tired.Store(&tired)
	do := func(pairs ...string) {
		t.Helper()
		form := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		if w := posted(s, "/api/v1/runs/live", form); w.Code != http.StatusOK {
			t.Fatalf("%v: %d %s", pairs, w.Code, w.Body)
		}
	}
	g.open(30)
	story := until(t, s, "pages", func(st *watch.Story) bool { return st.Counts.Pages >= 20 })
	if story.Run.State != watch.Running || story.Pace.Budget != 200 {
		t.Errorf("state %s, budget %d", story.Run.State, story.Pace.Budget)
	}
	until(t, s, "a host that rests for an hour", func(st *watch.Story) bool { return restsFor(st, tired) == time.Hour })
	do("do", "pause")
	until(t, s, "a pause", func(st *watch.Story) bool { return st.Run.State == watch.Paused && st.Pace.Limit == watch.LimitPaused })
	do("do", "block", "host", "http://fairwind.test/somewhere")
	do("do", "raise", "pages", "50")
	do("do", "inject", "addresses", "http://oldmill.test/")
	do("do", "resume")
	g.open(60)
	until(t, s, "a larger budget, a blocked host and pages", func(st *watch.Story) bool {
		blocked := false
		for _, r := range st.Refused {
			blocked = blocked || r.Reason == "blocked" && r.Count > 0
		}
		return st.Pace.Budget == 250 && blocked && st.Counts.Pages >= 70
	})
	do("do", "stop")
	g.open(100)
	if report := <-ended; report.Finished {
		t.Errorf("it ended because %s, want: stopped", report.Reason)
	}
	story = until(t, s, "the end", func(st *watch.Story) bool { return st.Run.State == watch.Interrupted })
	if rests := restsFor(story, tired); rests != 0 {
		t.Errorf("a host rests for %v in a run that has ended", rests)
	}
	standing, err := run.ReadStanding(dir)
	if err != nil || standing.Pages != story.Counts.Pages || standing.Kept != story.Counts.Kept {
		t.Errorf("%d pages, %d kept; the run says %d and %d (%v)", story.Counts.Pages, story.Counts.Kept, standing.Pages, standing.Kept, err)
	}
	injected := false
	ran, err := run.OpenAll(dir)
	noError(t, err)
	if err := ran.Log(func(d *run.Decision) bool {
		injected = injected || d.URL == "http://oldmill.test/" && d.Status > 0
		return true
	}); err != nil || !injected {
		t.Errorf("the page that was added was not visited (%v)", err)
	}
	host := story.Hosts[0].Host
	for _, form := range []url.Values{{"do": {"raise"}, "pages": {"5"}}, {"do": {"inject"}, "addresses": {"http://oldmill.test/more"}}, {"do": {"block"}, "host": {host}}} {
		if w := posted(s, "/api/v1/runs/live", form); !strings.Contains(w.Body.String(), "when the crawl is started again") {
			t.Errorf("%v of a crawl that has ended: %s", form, w.Body)
		}
	}
	until(t, s, "a host that is blocked", func(st *watch.Story) bool { return st.Hosts[0].Blocked == host })
	if w := got(s, "/runs/live"); !strings.Contains(w.Body.String(), `value="`+host+`">blocked <button name="do" value="unblock"`) {
		t.Errorf("the row of a blocked host does not let it in again: %s", w.Body)
	}
	if w := posted(s, "/api/v1/runs/live", url.Values{"do": {"pause"}}); w.Code != http.StatusConflict {
		t.Errorf("a crawl that has ended is paused: %d %s", w.Code, w.Body)
	}
}

// TestOnlyOursSteers holds who may tell a run anything, and what is said of what cannot be done.
func TestOnlyOursSteers(t *testing.T) {
	told := 0
	dir := filepath.Join(t.TempDir(), "live")
	o := Options{Listen: "127.0.0.1:7700", Runs: func() []string { return []string{dir} },
		Steer: Steering{Tell: func(string, frontier.Command) error { told++; return nil }}}
	s, err := New(o)
	noError(t, err)
	o.ReadOnly = true
	shows, err := New(o)
	noError(t, err)
	form := url.Values{"do": {"pause"}}
	for _, c := range []struct {
		name   string
		s      *Server
		target string
		form   url.Values
		change []func(*http.Request)
		want   int
	}{
		{"ours", s, "/runs/live", form, []func(*http.Request){header("Origin", "http://127.0.0.1:7700")}, http.StatusSeeOther},
		{"a program", s, "/api/v1/runs/live", form, nil, http.StatusOK},
		{"a stranger's page", s, "/runs/live", form, []func(*http.Request){header("Origin", "http://evil.test")}, http.StatusForbidden},
		{"a page without origin", s, "/runs/live", form, []func(*http.Request){header("Origin", "null")}, http.StatusForbidden},
		{"a stranger's form", s, "/runs/live", form, []func(*http.Request){header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "navigate"), header("Sec-Fetch-Dest", "document")}, http.StatusForbidden},
		{"another name", s, "/runs/live", form, []func(*http.Request){func(r *http.Request) { r.Host = "evil.test" }}, http.StatusMisdirectedRequest},
		{"read-only", shows, "/runs/live", form, nil, http.StatusForbidden},
		{"another path", s, "/", form, nil, http.StatusMethodNotAllowed},
		{"no such run", s, "/runs/other", form, nil, http.StatusNotFound},
		{"nothing to do", s, "/runs/live", url.Values{}, nil, http.StatusBadRequest},
		{"no address", s, "/runs/live", url.Values{"do": {"inject"}}, nil, http.StatusBadRequest},
		{"no number", s, "/runs/live", url.Values{"do": {"raise"}, "pages": {"-1"}}, nil, http.StatusBadRequest},
	} {
		before := told
		w := posted(c.s, c.target, c.form, c.change...)
		if w.Code != c.want || told > before != (c.want == http.StatusSeeOther || c.want == http.StatusOK) {
			t.Errorf("%s: %d %s, told %v; want %d", c.name, w.Code, w.Body, told > before, c.want)
		}
	}
}

// TestARunIsWatched looks at a crawl in a real browser, and steers it with the mouse.
func TestARunIsWatched(t *testing.T) {
	b := newBrowser(t)
	s, g, dir, ended := going(t, Options{Weights: index.DefaultWeights()})
	tired := "gazette.test"
	g.tired.Store(&tired)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	serving, end := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(serving, l) }()
	defer func() {
		end()
		if err := <-served; err != nil {
			t.Errorf("the server did not end while somebody watched: %v", err)
		}
	}()
	at := "http://" + l.Addr().String()
	do := func(what string, actions ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		if err := chromedp.Do(b.ctx, actions...); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	seen := func(what, condition string) {
		t.Helper()
		for b.ctx.Err() == nil {
			if so, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](condition)); err == nil && so {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		text, _ := chromedp.Run(context.WithoutCancel(b.ctx), chromedp.Text("main"))
		t.Fatalf("waited in vain for %s: %s", what, text)
	}
	const pages = `parseInt(document.querySelector("#figures dd").textContent)`
	g.open(30)
	until(t, s, "a first page", func(st *watch.Story) bool { return st.Counts.Pages >= 10 })
	do("list", chromedp.Navigate(at+"/runs"), chromedp.WaitVisible(`.badge.running`), chromedp.Evaluate[chromedp.Void](`window.same = true`))
	g.open(10)
	seen("pages in the list while it is looked at", `parseInt(document.querySelector("#all tbody td.n").textContent) >= 36 && window.same === true`)
	do("open", chromedp.Click(`th[scope=row] a`), chromedp.WaitVisible("#figures"))
	do("mark", chromedp.WaitVisible(`button[value=pause]`))
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`window.same = true`)); err != nil {
		t.Fatal(err)
	}
	g.open(20)
	seen("pages that come in while it is looked at", pages+" >= 40")
	do("pause", chromedp.Click(`button[value=pause]`))
	seen("a pause", `document.querySelector("#state .badge").className.includes("paused") && document.title.includes(" · paused · ") && document.getElementById("said").textContent === ""`)
	g.open(10)
	do("inject", chromedp.SendKeys("#addresses", "http://oldmill.test/"), chromedp.Click(`button[value=inject]`))
	seen("word of the address", `document.getElementById("said").textContent.startsWith("1 address")`)
	do("block", chromedp.SendKeys("#host", "fairwind.test"), chromedp.Click(`.forms button[value=block]`))
	seen("word of the host", `document.getElementById("said").textContent.includes("asked no more")`)
	do("raise", chromedp.Click(`button[value=raise]`))
	seen("a larger budget", `document.querySelector("#figures small").textContent.includes("700")`)
	do("resume", chromedp.Click(`button[value=resume]`))
	g.open(40)
	seen("pages after it went on", pages+" >= 80")
	seen("the host among the refusals", `document.getElementById("refused-blocked") !== null`)
	if same, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`window.same === true`)); err != nil || !same {
		t.Errorf("the page was loaded anew (%v)", err)
	}
	const rests = `[...document.querySelectorAll("#hosts tbody tr")].some(function (row) { return row.innerText.includes("gazette.test") && row.innerText.includes("%s"); })`
	seen("the host that rests", fmt.Sprintf(rests, "1 h 0 min, until "))
	other := newBrowser(t)
	other.bothPictures(at, map[string]string{"going": "/runs/live"})
	other.speaks("zh")
	other.do(chromedp.Navigate(at + "/runs/live"))
	if so, err := chromedp.Run(other.ctx, chromedp.Evaluate[bool](fmt.Sprintf(rests, "1 小时 0 分钟，至 "))); err != nil || !so {
		t.Errorf("the host that rests does not in Chinese (%v)", err)
	}
	do("stop", chromedp.Click(`button[value=stop]`))
	g.open(20)
	<-ended
	seen("the end", `document.querySelector("#state .badge").className.includes("interrupted") && !document.querySelector("button[value=stop]") && document.title.includes(" · interrupted · ")`)
	seen("a table without a pause", `!document.querySelector("#hosts").innerText.includes("until")`)
	if live, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.querySelector("main").dataset.live`)); err != nil || live == "" {
		t.Errorf("the page of a run that has ended does not notice that it goes on (%v)", err)
	}
	b.bothPictures(at, map[string]string{"runs": "/runs", "run": "/runs/live"})
	b.pictures("file://"+filepath.Join(dir, run.FileReport), "en", map[string]string{"report": ""}) // it speaks the language of the crawl
}
