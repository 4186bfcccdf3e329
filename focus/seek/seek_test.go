package seek

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/seek/seektest"
	"github.com/thresher-crawler/thresher/focus/study"
)

var _ = debug.SetGCPercent(400) // tests allocate much and hold little

var quickstart = filepath.Join("..", "..", "testdata", "webs", "quickstart")

// drawn is a search engine that knows the drawn web, read once for all tests.
var drawn = sync.OnceValues(func() (*seektest.Engine, error) {
	l, err := study.OpenLibrary(quickstart)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return seektest.New(l)
})

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func engineServer(t *testing.T) *httptest.Server {
	t.Helper()
	e, err := drawn()
	noError(t, err)
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	return server
}

// configOf is a crawl over the drawn web, which leaves its start pages to be found.
func configOf(t *testing.T, text string) crawlfile.Config {
	t.Helper()
	web, err := filepath.Abs(quickstart)
	noError(t, err)
	file := filepath.Join(t.TempDir(), "crawl.yaml")
	text += "\nweb: " + web + "\npolite: {contact: you@example.org, delay: 0s}\nfetch: {private: [127.0.0.1]}\n"
	noError(t, os.WriteFile(file, []byte(text), 0o644))
	config, err := crawlfile.Load(file)
	noError(t, err)
	return config
}

func search(t *testing.T, config crawlfile.Config, change func(*Options), on ground.Options) Report {
	t.Helper()
	o := Defaults()
	if change != nil {
		change(&o)
	}
	s, err := New(config, o, on)
	noError(t, err)
	report, err := s.Run(context.Background())
	noError(t, err)
	return report
}

const sailing = "topic: {language: en, terms: [sailing, yacht, regatta, {term: keel, weight: 0.8}, {term: mast, weight: 0.8}], content: main_text}\nseeds: []\n"

// labels are the label lines of the drawn web, by address.
func labels(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(quickstart, "labels.tsv"))
	noError(t, err)
	by := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		address, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		by[address] = rest
	}
	return by
}

// TestStartPagesAreFoundByAnEngine: from the topic alone, with evidence and confidence; the sites are of the topic.
func TestStartPagesAreFoundByAnEngine(t *testing.T) {
	server := engineServer(t)
	report := search(t, configOf(t, sailing+"engines: [searxng="+server.URL+"]\n"), nil, ground.Options{})
	if len(report.Proposals) < 5 || len(report.Troubles) > 0 {
		t.Fatalf("%d proposals, troubles %v", len(report.Proposals), report.Troubles)
	}
	by := labels(t)
	for i, p := range report.Proposals[:5] {
		t.Logf("%.2f (agreement %.2f, %d of %d) %s %v", p.Confidence, p.Agreement, p.Relevant, p.Pages, p.Site, p.Seeds)
		if !(0.5 < p.Confidence && p.Confidence <= 1) || len(p.Seeds) == 0 || len(p.Evidence) < 2 || p.Relevant == 0 {
			t.Errorf("%+v", p)
		}
		if i > 0 && p.Confidence > report.Proposals[i-1].Confidence {
			t.Error("not in order")
		}
		e := p.Evidence[0]
		if e.Kind != "search" || e.Query == "" || e.Rank < 1 || !strings.HasPrefix(e.Engine, "searxng") {
			t.Errorf("evidence %+v", e)
		}
		for _, seed := range p.Seeds {
			if !strings.HasPrefix(by[seed], "sailing\t") && !strings.Contains(by[seed], "\thome\t") {
				t.Errorf("%s is labelled %q", seed, by[seed])
			}
		}
	}
	for _, q := range report.Queries {
		t.Logf("%s: “%s” feedback %v: %d results, %d new, %d relevant", q.Engine, q.Query, q.Feedback, q.Results, q.New, q.Relevant)
	}
}

// TestBadEnginesAreLeftAndTheOthersGoOn: each by name, with what happened and what to do.
func TestBadEnginesAreLeftAndTheOthersGoOn(t *testing.T) {
	good := engineServer(t)
	bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/captcha":
			w.Write([]byte("<title>百度安全验证</title><p>请完成验证码"))
		case "/sorry":
			w.Write([]byte("<p>Our systems have detected unusual traffic from your network."))
		case "/forbidden", "/searx/search":
			w.WriteHeader(http.StatusForbidden)
		case "/empty":
		case "/nonsense":
			w.Write([]byte("<html>not json at all"))
		case "/elsewhere":
			w.Write([]byte(`{"answers": [], "suggestions": []}`))
		case "/changed":
			w.Write([]byte(`<div class=r2><a href="http://fairwind.test/">x</a></div>`))
		case "/linkless":
			w.Write([]byte(`<div class=result><b>no link</b></div>`))
		case "/robots.txt":
			w.Write([]byte("User-agent: *\nDisallow: /closed\n"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer bad.Close()
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer busy.Close()
	dir := t.TempDir()
	html := "html: {result: div.result, link: a}\n"
	wants := map[string]string{"captcha": "wants to see a person", "sorry": "unusual traffic", "forbidden": "403", "searx": "formats: [html, json]",
		"empty": "answer is empty", "nonsense": "no JSON", "elsewhere": "its keys are answers, suggestions", "changed": "nothing stands where its description looks for results",
		"linkless": "none has an address", "closed": "robots.txt keeps programs out", "busy": "Retry-After: 60", "key": "THRESHER_NO_SUCH_KEY", "gone": "404"}
	engines := []string{"searxng=" + bad.URL + "/searx"}
	for name := range wants {
		body := "address: " + bad.URL + "/" + name + "?q={query}\n"
		switch name {
		case "searx":
			continue
		case "busy":
			body = "address: " + busy.URL + "/?q={query}\n" + html
		case "nonsense", "elsewhere":
			body += "json: {results: results}\n"
		case "key":
			body += html + "headers: {X-Key: \"${THRESHER_NO_SUCH_KEY}\"}\n"
		default:
			body += html
		}
		file := filepath.Join(dir, name+".yaml")
		noError(t, os.WriteFile(file, []byte(body), 0o644))
		engines = append(engines, file)
	}
	engines = append(engines, "searxng="+good.URL)
	report := search(t, configOf(t, sailing+"engines: ["+strings.Join(engines, ", ")+"]\n"), func(o *Options) { o.Pages = 40 }, ground.Options{Clock: hastyClock()})
	for name, want := range wants {
		found := false
		for _, said := range report.Troubles {
			u, _ := url.Parse(bad.URL)
			own := strings.HasPrefix(said, name+": ") || name == "searx" && strings.HasPrefix(said, "searxng "+u.Host)
			found = found || own && strings.Contains(said, want)
		}
		if !found {
			t.Errorf("%s: want a word of %q in\n%s", name, want, strings.Join(report.Troubles, "\n"))
		}
	}
	if len(report.Troubles) != len(wants) || len(report.Proposals) == 0 {
		t.Errorf("%d troubles of %d engines, %d proposals", len(report.Troubles), len(wants), len(report.Proposals))
	}
}

// TestAResultPageAndADescriptionDocument: the same engine, read by selectors and by its OpenSearch description.
func TestAResultPageAndADescriptionDocument(t *testing.T) {
	server := engineServer(t)
	file := filepath.Join(t.TempDir(), "drawn.yaml")
	text := "address: " + server.URL + "/results?q={query}&start={start}\nfirst: 0\npages: 3\nrobots: ignore\nhtml: {result: div.result, link: h3 a, text: .says}\n"
	noError(t, os.WriteFile(file, []byte(text), 0o644))
	sites := func(engine string) map[string]bool {
		r := search(t, configOf(t, sailing+"engines: [\""+engine+"\"]\n"), func(o *Options) { o.Queries, o.Pages, o.Results = 3, 60, 15 }, ground.Options{})
		if len(r.Troubles) > 0 {
			t.Errorf("%s: %v", engine, r.Troubles)
		}
		if r.Queries[0].Results != 15 {
			t.Errorf("%s: %d results", engine, r.Queries[0].Results)
		}
		found := map[string]bool{}
		for _, p := range r.Proposals {
			found[p.Site] = true
		}
		return found
	}
	page, described, json := sites(file), sites(server.URL+"/description.xml"), sites("searxng="+server.URL)
	if len(page) < 3 || len(page) != len(described) || len(page) != len(json) {
		t.Errorf("by selectors %v, by description %v, by JSON %v", page, described, json)
	}
}

// hasty is a clock that goes on by itself wherever somebody waits.
type hasty struct{ *frontier.Manual }

func hastyClock() hasty {
	return hasty{frontier.NewManual(time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC))}
}

func (h hasty) After(d time.Duration) (<-chan time.Time, func()) {
	ring, stop := h.Manual.After(d)
	h.Advance(d)
	return ring, stop
}

// TestABusyEngineIsWaitedFor: one that says when to come again is asked then, and what it answers counts; but not for longer than a search
// may take, and one that is asked in vain says so.
func TestABusyEngineIsWaitedFor(t *testing.T) {
	e, err := drawn()
	noError(t, err)
	var mu sync.Mutex
	asked := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n := asked[r.URL.Path]
		asked[r.URL.Path]++
		mu.Unlock()
		switch {
		case r.URL.Path == "/never/search":
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/later/search":
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
		case n == 0:
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			e.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	var said []string
	config := configOf(t, sailing+"engines: [\"searxng="+server.URL+"\", \"searxng="+server.URL+"/never\", \"searxng="+server.URL+"/later\"]\n")
	report := search(t, config, func(o *Options) {
		o.Queries, o.Pages = 2, 20
		o.Say = func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	}, ground.Options{Clock: hastyClock()})
	if report.Engines[0].Left != "" || report.Engines[0].Results == 0 || len(report.Proposals) == 0 {
		t.Errorf("after it was waited for: %+v", report.Engines[0])
	}
	host := strings.TrimPrefix(server.URL, "http://")
	if !slices.Contains(said, "searxng "+host+" is busy (429): it is asked again in 2m0s, as it says") {
		t.Errorf("%q: it does not say that it waits", said)
	}
	if n := asked["/never/search"]; n < 2 || n > int(mostWaited/leastWaited)+2 {
		t.Errorf("one that is always busy was asked %d times", n)
	}
	if n := asked["/later/search"]; n > 2 || !strings.Contains(report.Engines[2].Left, "503 Service Unavailable, and says Retry-After: 3600; ask again later") {
		t.Errorf("one that wants an hour was asked %d times: %+v", n, report.Engines[2])
	}
}
