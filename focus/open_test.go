package focus_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// A page that could not be had for a passing reason is asked for again; what goes on failing is given up with the reason.
func TestPassingFailuresAreTriedAgain(t *testing.T) {
	w := solarWeb()
	var asked atomic.Int32
	busy := transport(func(r *http.Request) (*http.Response, error) {
		switch r.URL.Path {
		case "/panel":
			if asked.Add(1) <= 2 {
				resp, err := w.RoundTrip(r)
				if err == nil {
					resp.StatusCode = http.StatusServiceUnavailable
					resp.Header.Set("Retry-After", "0")
				}
				return resp, err
			}
		case "/roof":
			return nil, &brokenConnection{}
		}
		return w.RoundTrip(r)
	})
	config := solarConfig(t, busy)
	config.Fetch.Retries = 2
	config.RetryWait = 1 // a nanosecond
	report := crawlWith(t, config)
	if n := asked.Load(); n != 3 {
		t.Errorf("the busy page was asked for %d times, want 3", n)
	}
	kept := false
	for _, r := range harvest(t, config) {
		kept = kept || strings.HasSuffix(r.URL, "/panel")
	}
	if !kept {
		t.Error("the page that was busy at first was not kept")
	}
	if n := report.Counts.Dropped["failed: connection reset by peer"]; n != 1 || report.Counts.Retries != 4 {
		t.Errorf("%d retries, dropped %v; want 4, and one connection reset", report.Counts.Retries, report.Counts.Dropped)
	}
	if report.Counts.Pages != 9 {
		t.Errorf("%d pages: a page that was asked for again counts once", report.Counts.Pages)
	}
}

// A page that breaks off is asked for again, and kept as far as it came where that is of no use: at such a host none is any more.
func TestAPageThatBreaksOffIsTriedAgain(t *testing.T) {
	w, asked, mu := solarWeb(), map[string]int{}, sync.Mutex{}
	breaks := func(host string, times int, from int) transport {
		return func(r *http.Request) (*http.Response, error) {
			resp, err := w.RoundTrip(r)
			mu.Lock()
			defer mu.Unlock()
			if asked[r.URL.String()]++; err == nil && r.URL.Path != "/robots.txt" && resp.StatusCode == http.StatusOK && asked[r.URL.String()] <= times {
				body, _ := io.ReadAll(resp.Body)
				resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body[:len(body)-from]), iotest.ErrReader(io.ErrUnexpectedEOF)))
			}
			return resp, err
		}
	}
	config := solarConfig(t, breaks("a.example", 1, 5))
	config.Fetch.Retries, config.RetryWait = 2, 1
	report := crawlWith(t, config)
	found := harvest(t, config)
	if report.Counts.Pages != 9 || report.Counts.Retries < 3 || len(found) < 3 {
		t.Errorf("pages that break off once: %d retries of %d pages, %d kept", report.Counts.Retries, report.Counts.Pages, len(found))
	}
	for _, r := range found {
		if r.Cut != "" || asked[r.URL] != 2 {
			t.Errorf("%s broke off once: it was asked for %d times, and is kept as %q", r.URL, asked[r.URL], r.Cut)
		}
	}
	clear(asked)
	config = solarConfig(t, breaks("a.example", 100, 1))
	config.Fetch.Retries, config.RetryWait = 2, 1
	report = crawlWith(t, config)
	for _, r := range harvest(t, config) {
		if r.Cut != wire.CutShort {
			t.Errorf("%s is kept as %q", r.URL, r.Cut)
		}
	}
	if report.Counts.Retries != 2 || report.Counts.Kept < 3 {
		t.Errorf("%d retries at a host where all pages break off, want those of the first page: asked for %v, kept %d", report.Counts.Retries, asked, report.Counts.Kept)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type brokenConnection struct{}

func (*brokenConnection) Error() string { return "read tcp: connection reset by peer" }
func (*brokenConnection) Unwrap() error { return syscall.ECONNRESET }

// Walls are not judged, repeated pages are not kept, and what a server makes up without end is refused: by name.
func TestWhatIsNoPageIsNotKept(t *testing.T) {
	w := solarWeb()
	same := w.pages["http://a.example/panel"].body
	w.pages["http://a.example/copy"] = answer{status: 200, body: same}
	w.pages["http://a.example/wall"] = answer{status: 200, body: "<title>Just a moment...</title><p>Checking solar energy panels"}
	var calendar strings.Builder
	for _, path := range []string{"/2031/01", "/2031/02", "/a/b/a/b/a/b/a/b/a/b/a/b"} {
		calendar.WriteString(`<a href="/calendar` + path + `">solar energy</a>`)
	}
	w.pages["http://a.example/links"] = answer{status: 200, body: "<title>Solar</title><p>solar energy panels" + calendar.String()}
	config := solarConfig(t, w)
	config.Seeds = append(config.Seeds, "http://a.example/copy", "http://a.example/wall", "http://a.example/links")
	report := crawlWith(t, config)
	reasons := map[string]int{}
	for _, tally := range []admit.Tally{report.Counts.Dropped, report.Counts.Refused} {
		for reason, n := range tally {
			kind, _, _ := strings.Cut(string(reason), ": ")
			reasons[kind] += n
		}
	}
	for _, kind := range []string{"wall", "duplicate", "trap"} {
		if reasons[kind] == 0 {
			t.Errorf("nothing was refused as a %s: %v %v", kind, report.Counts.Dropped, report.Counts.Refused)
		}
	}
	config = solarConfig(t, w)
	config.Seeds = append(config.Seeds, "http://a.example/copy")
	config.Duplicates = "keep"
	for reason := range crawlWith(t, config).Counts.Dropped {
		if strings.HasPrefix(string(reason), "duplicate") {
			t.Errorf("dropped as %q against the file's word", reason)
		}
	}
}

// What the file says of reading is how pages are read: words of its own, hidden links, contexts, the filter of blocks.
func TestReadingIsAsTheFileSays(t *testing.T) {
	w := solarWeb()
	w.pages["http://a.example/lazy"] = answer{status: 200, body: `<title>Solar lazy</title><p>solar energy</p><textarea><a href="/hidden">solar energy</a></textarea>`}
	for _, hidden := range []bool{true, false} {
		config := solarConfig(t, w)
		config.Seeds = []string{"http://a.example/lazy"}
		config.Reading.Hidden = hidden
		crawlWith(t, config)
		if asked := w.count("http://a.example/hidden") > 0; asked != hidden {
			t.Errorf("hidden %v: the link in the textarea was followed: %v", hidden, asked)
		}
		w.asked = nil
	}
	loose, strict := replayConfig(t), replayConfig(t)
	strict.Related = "strict"
	if crawlWith(t, loose).Counts.Refused[admit.RefusedBlock] != 0 {
		t.Error("blocks were refused that nobody asked to refuse")
	}
	if crawlWith(t, strict).Counts.Refused[admit.RefusedBlock] == 0 {
		t.Error("no link outside blocks of related links was refused")
	}
}

// Another strategy given in the place of the file's changes the order of the visits, not what is kept: pages are judged by
// the rule that belongs to the strategy of the file.
func TestAnotherStrategyKeepsTheRule(t *testing.T) {
	file := filepath.Join(t.TempDir(), "crawl.yaml")
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	text := "topic: {language: en, terms: [sailing]}\nstrategy: block-shark\nseeds: [http://daily.example/]\nweb: " + web + "\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	relevance := func(o ...crawlfile.Override) map[string]float64 {
		config, err := focus.LoadSetting(file, append(o, crawlfile.Override{Key: "store", Value: filepath.Join(t.TempDir(), "run")},
			crawlfile.Override{Key: "topic.calibrate", Value: "off"}, crawlfile.Override{Key: "window", Value: "1"})...)
		if err != nil {
			t.Fatal(err)
		}
		judged := map[string]float64{}
		crawlWith(t, config, func(c *focus.Crawler) {
			c.OnDone(func(v *focus.Visit) {
				if v.Page != nil {
					judged[v.Item.URL] = v.Judgement.Raw
				}
			})
		})
		return judged
	}
	own, other := relevance(), relevance(crawlfile.Override{Key: "strategy", Value: "breadth"})
	whole := relevance(crawlfile.Override{Key: "topic.content", Value: "whole"})
	both, ruled := 0, 0
	for address, raw := range own {
		if have, visited := other[address]; visited {
			if both++; have != raw {
				t.Errorf("%s is judged %v, and with another strategy %v", address, raw, have)
			}
		}
		if have, visited := whole[address]; visited && have != raw {
			ruled++
		}
	}
	if both < 10 || ruled == 0 {
		t.Errorf("%d pages are visited by both, and of %d the strategy's content rule judges otherwise: the test sees nothing", both, ruled)
	}
}
