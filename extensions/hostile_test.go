package extensions_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gocolly/colly/v2"
	"go.uber.org/goleak"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/frontier"
	pages "github.com/thresher-crawler/thresher/focus/page"
)

var quiet = log.New(io.Discard, "", 0)

// crawl is a plain Colly program with all extensions that guard it, over a queue.
type crawl struct {
	*colly.Collector
	queue *extensions.Queue
	rt    http.RoundTripper
	twins *extensions.Duplicates

	mu       sync.Mutex
	outcomes map[string]string // by address
	fetched  map[string]int    // pages by host
	peak     uint64            // bytes of heap
}

const megabyte = 1 << 20

// guards are the layers between the crawl and the hostile web: every name leads to this machine, and the names of the
// web are allowed to, but for one.
func guards() []extensions.Layer {
	names := []string{"expired.example", "other.example", "resets.example"}
	for name := range behaviours {
		names = append(names, name+".example")
	}
	for i := range 10 {
		names = append(names, fmt.Sprintf("good%d.example", i))
	}
	return []extensions.Layer{
		extensions.PrivateNetworks(extensions.Allow(names...)),
		extensions.Resolver(extensions.Lookup(func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		})),
		extensions.Limits(extensions.MaxBody(2*megabyte), extensions.MaxHeader(64<<10), extensions.AnswerWithin(patience), extensions.WholeWithin(2*patience)),
		extensions.Decode(extensions.MaxDecoded(4 * megabyte)), extensions.Charset(),
	}
}

func newCrawl(base *http.Transport) *crawl {
	c := &crawl{Collector: colly.NewCollector(colly.UserAgent("shark/1.0")), outcomes: map[string]string{}, fetched: map[string]int{}}
	c.queue = extensions.NewQueue(16, frontier.NewMemory(frontier.Manners{PerHost: 2, Turns: true}))
	c.DisableCookies()
	c.MaxBodySize = 0
	c.SetRequestTimeout(0)
	c.rt = extensions.Stack(base, guards()...)
	c.WithTransport(c.rt)
	told := extensions.OnRefusal(func(r extensions.Refusal) { c.note(r.URL, "refused by "+r.By) })
	extensions.Robots(c.Collector, extensions.Through(c.rt), told)
	extensions.Canonical(c.Collector)
	extensions.Traps(c.Collector, extensions.PatternBudget(50, 50), extensions.Now(func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }))
	c.twins = extensions.NearDuplicates(c.Collector)
	extensions.Walls(c.Collector)
	c.OnResponse(c.read)
	c.OnError(func(r *colly.Response, err error) { c.note(r.Request.URL.String(), outcomeOf(r.StatusCode, err)) })
	return c
}

// note keeps what became of an address, at the last attempt. A redirect is noted under where it led.
func (c *crawl) note(address, outcome string) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.peak = max(c.peak, m.HeapAlloc)
	c.outcomes[address] = outcome
}

func outcomeOf(status int, err error) string {
	var host x509.HostnameError
	var certificate x509.CertificateInvalidError
	switch {
	case status != 0:
		return fmt.Sprint("status ", status)
	case errors.Is(err, extensions.ErrPrivate):
		return "private"
	case errors.Is(err, extensions.ErrScheme):
		return "scheme"
	case errors.Is(err, extensions.ErrRobots):
		return "robots"
	case errors.As(err, &host):
		return "certificate of another name"
	case errors.As(err, &certificate):
		return "certificate expired"
	case strings.Contains(err.Error(), "server response headers exceeded"):
		return "header too large"
	case strings.Contains(err.Error(), "awaiting response headers"), errors.Is(err, context.DeadlineExceeded):
		return "time"
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "no HTTP"
	case errors.Is(err, syscall.ECONNRESET), strings.Contains(err.Error(), "EOF"):
		return "connection broken"
	case strings.Contains(err.Error(), "stream error"):
		return "stream reset"
	}
	return err.Error()
}

// read takes a page: its links go to the queue.
func (c *crawl) read(r *colly.Response) {
	outcome := "kept"
	if cut := r.Headers.Get(extensions.CutHeader); cut != "" {
		outcome = "kept, cut: " + cut
	}
	if !utf8.Valid(r.Body) {
		outcome = "not UTF-8"
	}
	address := r.Request.URL.String()
	p := pages.Parse(r.Body, address, pages.Options{MaxLinks: 200})
	for _, l := range p.Links {
		c.queue.AddURL(l.URL)
	}
	c.mu.Lock()
	c.fetched[r.Request.URL.Hostname()]++
	c.mu.Unlock()
	c.note(address, outcome)
}

// TestHostileWeb crawls every kind of bad server at once, beside ten good ones.
func TestHostileWeb(t *testing.T) {
	before := goleak.IgnoreCurrent()
	h, tlsHosts, base := newHostileWeb(t)
	c := newCrawl(base)
	want := map[string]string{
		h.at("endless", "/"): "kept, cut: size", h.at("drip", "/"): "kept, cut: time",
		h.at("gzip-bomb", "/"): "kept, cut: ratio", h.at("brotli-bomb", "/"): "kept, cut: ratio", h.at("zstd-bomb", "/"): "kept, cut: ratio",
		h.at("redirects", "/"): "", // what is known is where it ended, below
		// Where a redirect leads to what may not be asked, its robots.txt may not be asked either.
		h.at("to-loopback", "/"): "robots", h.at("to-file", "/"): "robots", h.at("to-metadata", "/"): "robots",
		h.at("rebound", "/"):    "refused by Robots", // nobody can ask an address that is refused for its robots.txt
		h.at("big-header", "/"): "header too large", h.at("many-cookies", "/"): "header too large", h.at("no-header-end", "/"): "time",
		h.at("too-short", "/"): "kept, cut: short", h.at("too-long", "/"): "kept", h.at("bad-chunks", "/"): "kept, cut: short",
		h.at("nonsense", "/"): "no HTTP", h.at("reset-first", "/"): "connection broken", h.at("reset-header", "/"): "connection broken",
		h.at("torn-first", "/"): "connection broken", h.at("torn-header", "/"): "connection broken",
		h.at("silent", "/"):      "time",
		h.at("robots-bomb", "/"): "kept", h.at("robots-bomb", "/secret"): "refused by Robots",
		h.at("robots-large", "/"): "kept", h.at("robots-large", "/secret"): "refused by Robots",
		h.at("robots-away", "/"): "kept", h.at("robots-away", "/secret"): "refused by Robots",
		h.at("million-links", "/"): "kept, cut: size", h.at("nesting", "/"): "kept",
		h.at("bad-utf8", "/"): "kept", h.at("nul", "/"): "kept", h.at("wrong-charset", "/"): "kept",
		h.at("calendar", "/"): "kept", h.at("path", "/"): "kept", h.at("sessions", "/"): "kept", h.at("mirror-1", "/"): "kept", h.at("mirror-2", "/"): "kept",
		tlsHosts["expired"]: "refused by Robots", tlsHosts["other"]: "refused by Robots", tlsHosts["resets"]: "refused by Robots",
	}
	for i := range 10 {
		want[h.at(fmt.Sprintf("good%d", i), "/")] = "kept"
	}
	for address := range want {
		if err := c.queue.AddURL(address); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.queue.Run(c.Collector); err != nil {
		t.Fatal(err)
	}
	want[h.at("redirects", "/xxxxxxxxx")] = "status 302" // after ten requests
	c.rt.(interface{ CloseIdleConnections() }).CloseIdleConnections()

	for address, outcome := range want {
		if c.outcomes[address] != outcome {
			t.Errorf("%s: %q, want %q", address, c.outcomes[address], outcome)
		}
	}
	c.holdGood(t, h)
	for host, most := range map[string]int{"calendar": 60, "path": 12, "sessions": 8, "million-links": 1} {
		if n := c.fetched[host+".example"]; n == 0 || n > most {
			t.Errorf("%s: %d pages, want at most %d", host, n, most)
		}
	}
	if c.twins.MirrorOf("mirror-1.example:"+h.port) == "" && c.twins.MirrorOf("mirror-2.example:"+h.port) == "" {
		t.Error("the mirror was not noticed")
	}
	if c.peak > 300*megabyte {
		t.Errorf("%d MB of heap", c.peak/megabyte)
	}
	t.Logf("peak of the heap %d MB, %d addresses", c.peak/megabyte, len(c.outcomes))
	h.close()
	goleak.VerifyNone(t, before)
}

// holdGood: every page of every good host is kept, whatever the others did.
func (c *crawl) holdGood(t *testing.T, h *hostile) {
	t.Helper()
	for i := range 10 {
		for n := range 20 {
			if address := h.at(fmt.Sprintf("good%d", i), fmt.Sprintf("/%d", n)); c.outcomes[address] != "kept" {
				t.Errorf("a good page, %s: %q", address, c.outcomes[address])
			}
		}
	}
}

// TestHostsThatMayNotBeAsked: what the transport says by itself, where no robots.txt is asked for first.
func TestHostsThatMayNotBeAsked(t *testing.T) {
	h, tlsHosts, base := newHostileWeb(t)
	rt := extensions.Stack(base, guards()...)
	defer rt.(interface{ CloseIdleConnections() }).CloseIdleConnections()
	for address, want := range map[string]string{
		h.at("to-loopback", "/"): "private", h.at("to-metadata", "/"): "private", h.at("to-file", "/"): "scheme", h.at("rebound", "/"): "private",
		tlsHosts["expired"]: "certificate expired", tlsHosts["other"]: "certificate of another name", tlsHosts["resets"]: "stream reset",
		"ftp://good1.example/": "scheme",
	} {
		c := colly.NewCollector()
		c.WithTransport(rt)
		if err := c.Visit(address); err == nil || outcomeOf(0, err) != want {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}
