package focus_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gocolly/colly/v2"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/thresher-crawler/thresher/focus"
)

// heard is a transport that hears of every request.
type heard struct {
	http.RoundTripper
	hear func(*http.Request)
}

func (h heard) RoundTrip(r *http.Request) (*http.Response, error) {
	h.hear(r)
	return h.RoundTripper.RoundTrip(r)
}

// cookiesSent are the cookies that a crawl sends to its start page.
func cookiesSent(t *testing.T, set func(*colly.Collector)) string {
	t.Helper()
	var mu sync.Mutex
	sent := ""
	c := collectorOver(heard{collyWeb(), func(r *http.Request) {
		if r.URL.Path == "/" && r.URL.Host == "a.example" {
			mu.Lock()
			sent = r.Header.Get("Cookie")
			mu.Unlock()
		}
	}})
	set(c)
	runOn(t, c)
	mu.Lock()
	defer mu.Unlock()
	return sent
}

func checkCookies(t *testing.T) {
	mine := []*http.Cookie{{Name: "session", Value: "7"}}
	if sent := cookiesSent(t, func(c *colly.Collector) {
		c.SetCookies("http://a.example/", mine)
		if n := len(c.Cookies("http://a.example/")); n != 1 {
			t.Errorf("%d cookies, want 1", n)
		}
	}); sent != "session=7" {
		t.Errorf("after SetCookies the crawl sent %q", sent)
	}
	if sent := cookiesSent(t, func(c *colly.Collector) {
		jar, _ := cookiejar.New(nil)
		jar.SetCookies(&url.URL{Scheme: "http", Host: "a.example"}, mine)
		c.SetCookieJar(jar)
	}); sent != "session=7" {
		t.Errorf("after SetCookieJar the crawl sent %q", sent)
	}
}

func checkDisableCookies(t *testing.T) {
	if sent := cookiesSent(t, func(c *colly.Collector) {
		c.SetCookies("http://a.example/", []*http.Cookie{{Name: "session", Value: "7"}})
		c.DisableCookies()
	}); sent != "" {
		t.Errorf("after DisableCookies the crawl sent %q", sent)
	}
}

func checkDetectCharset(t *testing.T) {
	w := collyWeb()
	gbk, err := simplifiedchinese.GBK.NewEncoder().String("<title>太阳能</title><p>太阳能是一种能源。太阳能电池板把阳光变成电力。")
	if err != nil {
		t.Fatal(err)
	}
	w.pages["http://a.example/"] = answer{status: http.StatusOK, header: "Content-Type: text/html", body: gbk}
	c := collectorOver(w)
	c.DetectCharset = true
	var title string
	c.OnHTML("title", func(e *colly.HTMLElement) { title = e.Text })
	runOn(t, c)
	if title != "太阳能" || c.DetectCharset {
		t.Errorf("the callback saw the title %q; DetectCharset is %t", title, c.DetectCharset)
	}
}

func checkHeaders(t *testing.T) {
	var missed, nonsense atomic.Int64
	w := collyWeb()
	page := w.pages["http://a.example/"]
	for n := range 8 { // so that the host is asked for its error page
		at := fmt.Sprintf("/more%d", n)
		page.body += " <a href=" + at + ">solar</a>"
		w.pages["http://a.example"+at] = answer{status: http.StatusOK, body: "<title>More</title><p>Solar energy once more, the " + at + " of them."}
	}
	w.pages["http://a.example/"] = page
	c := collectorOver(heard{w, func(r *http.Request) {
		if _, known := w.pages[r.URL.String()]; !known && !ofHost(r.URL.Path) && r.URL.Path != "/none" {
			nonsense.Add(1)
		}
		if !ofHost(r.URL.Path) && (r.Header.Get("X-Mine") != "1" || !strings.HasPrefix(r.Header.Get("User-Agent"), "thresher")) {
			missed.Add(1)
		}
	}})
	c.Headers = &http.Header{"X-Mine": {"1"}, "User-Agent": {"somebody else"}}
	if runOn(t, c); missed.Load() > 0 || nonsense.Load() != 1 {
		t.Errorf("%d requests went out without the headers; for an error page it was asked %d times", missed.Load(), nonsense.Load())
	}
	refuses(func(c *colly.Collector) { c.Headers = &http.Header{"Host": {"b.example"}} }, "Host")(t)
}

func checkSetClient(t *testing.T) {
	w := collyWeb()
	c := colly.NewCollector()
	mine := &http.Client{Transport: w}
	c.SetClient(mine)
	if runOn(t, c); w.count("http://a.example/solar") != 1 || mine.Transport != http.RoundTripper(w) {
		t.Errorf("asked for %v; the client goes by %T", w.asked, mine.Transport)
	}
	refusesLate(func(c *colly.Collector) { c.SetClient(&http.Client{}) }, "SetClient")(t)
}

// newProxy is a proxy, and what it was asked for.
func newProxy(t *testing.T) (at string, asked func() []string) {
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.String())
		s.mu.Unlock()
		resp, err := collyWeb().RoundTrip(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		resp.Write(nowhereElse{w})
	}))
	t.Cleanup(s.Close)
	return s.URL, s.requests
}

// nowhereElse writes what stands behind the header of an answer.
type nowhereElse struct{ http.ResponseWriter }

func (w nowhereElse) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, []byte("<title>")) {
		return w.ResponseWriter.Write(p)
	}
	return len(p), nil
}

func checkProxy(t *testing.T) {
	at, asked := newProxy(t)
	c := colly.NewCollector()
	if err := c.SetProxy(at); err != nil {
		t.Fatal(err)
	}
	report := runOn(t, c)
	if all := asked(); report.Counts.Kept == 0 || !slices.Contains(all, "http://a.example/solar") || !slices.Contains(all, "http://b.example/robots.txt") {
		t.Errorf("%d pages kept; the proxy was asked for %v", report.Counts.Kept, all)
	}
	refusesLate(func(c *colly.Collector) { c.SetProxy(at) }, "SetProxy")(t)
}

func checkProxyFunc(t *testing.T) {
	at, asked := newProxy(t)
	proxy, _ := url.Parse(at)
	c := colly.NewCollector()
	c.SetProxyFunc(func(r *http.Request) (*url.URL, error) {
		if r.URL.Host == "127.0.0.1:9" {
			return nil, nil
		}
		return proxy, nil
	})
	var through atomic.Int64
	c.OnResponse(func(r *colly.Response) {
		if r.Request.ProxyURL == at {
			through.Add(1)
		}
	})
	var direct error
	crawler := crawlOn(t, c, func(config *focus.Config) {
		config.Fetch.Retries, config.Polite.Robots = 0, "ignore"
		config.Seeds = append(config.Seeds, "http://127.0.0.1:9/")
	})
	crawler.OnDone(func(v *focus.Visit) {
		if v.Item.Host == "127.0.0.1:9" {
			direct = v.Err
		}
	})
	mustRun(t, crawler)
	if n := len(asked()); through.Load() != 6 || n < 7 {
		t.Errorf("%d pages came through the proxy, which was asked for %v", through.Load(), asked())
	}
	if direct == nil || !strings.Contains(direct.Error(), "not a public address") {
		t.Errorf("a private address without a proxy: %v", direct)
	}
}

func checkSetStorage(t *testing.T) {
	own, c := &ownStorage{}, collectorOver(collyWeb())
	if err := c.SetStorage(own); err != nil {
		t.Fatal(err)
	}
	if report := runOn(t, c); own.told < 6 || own.told > report.Counts.Pages {
		t.Errorf("the storage heard of %d pages of %d", own.told, report.Counts.Pages)
	}
	refusesLate(func(c *colly.Collector) { c.SetStorage(&ownStorage{}) }, "SetStorage")(t)
}

func checkTrace(t *testing.T) {
	s := newSite(t, solarPages())
	c := colly.NewCollector()
	c.TraceHTTP = true
	var traced atomic.Int64
	c.OnResponse(func(r *colly.Response) {
		if r.Trace != nil && r.Trace.FirstByteDuration > 0 {
			traced.Add(1)
		}
	})
	report := runOn(t, c, func(config *focus.Config) {
		config.Seeds, config.Fetch.Private = []string{s.URL + "/"}, []string{"127.0.0.1"}
	})
	if traced.Load() == 0 || report.Counts.Pages < int(traced.Load()) {
		t.Errorf("%d of %d answers had a trace", traced.Load(), report.Counts.Pages)
	}
}

func checkUserAgent(t *testing.T) {
	for said, want := range map[string]string{
		"sunbot/2.0": "sunbot/2.0 (+mailto:test@example.org)", "sunbot (mailto:test@example.org)": "sunbot (mailto:test@example.org)",
		colly.NewCollector().UserAgent: "thresher (+mailto:test@example.org)",
	} {
		var mu sync.Mutex
		names := map[string]bool{}
		c := collectorOver(heard{collyWeb(), func(r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			names[r.Header.Get("User-Agent")] = true
		}})
		c.UserAgent = said
		example := func(config *focus.Config) { config.Topic.Examples = []string{"http://a.example/panel"} }
		if runOn(t, c, example); len(names) != 1 || !names[want] {
			t.Errorf("UserAgent %q: the crawl went by %v, want %s", said, names, want)
		}
	}
	for _, bad := range []string{"42", "sunbot/2.0\nother: x", "sunbot/2.0\x01"} {
		c := colly.NewCollector(colly.UserAgent(bad))
		if _, err := focus.New(context.Background(), solarConfig(t, nil).Config, focus.On(c)); err == nil || !strings.Contains(err.Error(), "UserAgent") {
			t.Errorf("the name %q: %v", bad, err)
		}
	}
	refusesLate(func(c *colly.Collector) { c.UserAgent = "other" }, "UserAgent")(t)
}

func checkWithTransport(t *testing.T) {
	s := newSite(t, solarPages())
	crawl := func(private ...string) focus.Report {
		c := collectorOver(&http.Transport{})
		return runOn(t, c, func(config *focus.Config) {
			config.Seeds, config.Fetch.Private, config.Fetch.Retries = []string{s.URL + "/"}, private, 0
		})
	}
	if report := crawl("127.0.0.1"); report.Counts.Kept == 0 {
		t.Error("nothing was kept over a transport of the program's")
	}
	if report := crawl(); report.Counts.Kept != 0 {
		t.Error("a transport of net/http went into the private network")
	}
	refusesLate(func(c *colly.Collector) { c.WithTransport(collyWeb()) }, "WithTransport")(t)
	config := solarConfig(t, nil).Config
	if _, err := focus.New(context.Background(), config, focus.On(collectorOver(collyWeb())), focus.Transport(collyWeb())); err == nil || !strings.Contains(err.Error(), "focus.Transport") {
		t.Errorf("with two transports: %v", err)
	}
}

// No site sets cookies for all sites below a public suffix, as co.uk is one.
func TestNoSiteSetsTheCookiesOfOthers(t *testing.T) {
	w := collyWeb()
	w.pages["http://a.co.uk/"] = answer{status: 200, header: "Set-Cookie: all=1; Domain=co.uk", body: "<title>Solar energy</title><a href=http://b.co.uk/>solar roofs</a>"}
	w.pages["http://b.co.uk/"] = answer{status: 200, body: "<title>Solar energy for roofs</title>"}
	var asked, sent atomic.Int64
	through := heard{w, func(r *http.Request) {
		if r.URL.Host == "b.co.uk" && r.URL.Path != "/robots.txt" {
			asked.Add(1)
			sent.Add(int64(len(r.Cookies())))
		}
	}}
	config := solarConfig(t, nil).Config
	config.Cookies, config.Seeds = true, []string{"http://a.co.uk/"}
	crawler, err := focus.New(t.Context(), config, focus.Transport(through))
	if err != nil {
		t.Fatal(err)
	}
	if mustRun(t, crawler); asked.Load() == 0 || sent.Load() > 0 {
		t.Errorf("b.co.uk was asked for %d pages and was sent %d cookies that a.co.uk set", asked.Load(), sent.Load())
	}
}

// A crawl file that wants cookies has them kept from page to page, on the crawl's own collector as on one that a program brings
// along.
func TestCookiesOfTheCrawlFile(t *testing.T) {
	for _, on := range []bool{false, true} {
		w := collyWeb()
		start := w.pages["http://a.example/"]
		start.header = "Set-Cookie: session=7"
		w.pages["http://a.example/"] = start
		var mu sync.Mutex
		sent := ""
		through := heard{w, func(r *http.Request) {
			if r.URL.Path == "/solar" {
				mu.Lock()
				sent = r.Header.Get("Cookie")
				mu.Unlock()
			}
		}}
		config := solarConfig(t, nil).Config
		config.Cookies = true
		option := focus.Transport(through)
		if on {
			option = focus.On(collectorOver(through))
		}
		crawler, err := focus.New(context.Background(), config, option)
		if err != nil {
			t.Fatal(err)
		}
		mustRun(t, crawler)
		if sent != "session=7" {
			t.Errorf("on a collector of the program: %t; sent %q to the second page", on, sent)
		}
	}
}
