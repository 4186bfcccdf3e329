package extensions_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
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
	"github.com/thresher-crawler/thresher/focus/junk"
	pages "github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/wire"
	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// crawl is a plain Colly program with all extensions that guard it, over a queue.
type crawl struct {
	*colly.Collector
	queue *extensions.Queue
	rt    http.RoundTripper
	twins *junk.Duplicates

	mu       sync.Mutex
	outcomes map[string]string // by address
	fetched  map[string]int    // pages by host
	peak     uint64            // bytes of heap
}

const megabyte = 1 << 20

// guards are the layers between the crawl and the hostile web: every name leads to this machine, and the names of the
// web are allowed to, but for one.
func guards(patience time.Duration) []extensions.Layer {
	names := []string{"expired.example", "other-name.example", "trusted.example", "stream-resets.example"}
	for _, name := range hostiletest.Names() {
		names = append(names, name+".example")
	}
	for i := range 10 {
		names = append(names, fmt.Sprintf("good%d.example", i))
	}
	return []extensions.Layer{
		extensions.PrivateNetworks(extensions.PrivateNetworksConfig{Allow: names}),
		extensions.Resolver(extensions.ResolverConfig{Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		}}),
		extensions.Limits(extensions.LimitsConfig{MaxBody: 2 * megabyte, MaxHeader: 64 << 10, Answer: patience, Whole: 2 * patience}),
		extensions.Decode(extensions.DecodeConfig{MaxBytes: 4 * megabyte}), extensions.Charset(),
	}
}

func newCrawl(base *http.Transport, patience time.Duration) *crawl {
	c := &crawl{Collector: colly.NewCollector(colly.UserAgent("shark/1.0")), outcomes: map[string]string{}, fetched: map[string]int{}}
	c.queue, _ = extensions.NewQueue(16, frontier.NewMemory(frontier.Manners{PerHost: 2, Turns: true}))
	c.queue.Retries = 2
	c.DisableCookies()
	c.MaxBodySize = 0
	c.SetRequestTimeout(0)
	c.rt = wire.Stack(base, guards(patience)...)
	c.WithTransport(c.rt)
	told := func(r extensions.Refusal) { c.note(r.URL, "refused by "+r.By) }
	extensions.Robots(c.Collector, extensions.RobotsConfig{Through: c.rt, OnRefusal: told})
	extensions.Canonical(c.Collector, extensions.CanonicalConfig{})
	extensions.Traps(c.Collector, extensions.TrapsConfig{Paths: 50, Queries: 50, Now: func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }})
	c.twins = extensions.NearDuplicates(c.Collector, extensions.NearDuplicatesConfig{})
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
	case errors.Is(err, wire.ErrPrivate):
		return "private"
	case errors.Is(err, wire.ErrScheme):
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

// newHostile serves a hostile web, and makes the transport that trusts who signed its certificates.
func newHostile(t *testing.T) (*hostiletest.Web, *http.Transport) {
	t.Helper()
	signed, err := hostiletest.NewAuthority()
	noError(t, err)
	base := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: signed.Pool()}, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 2}
	return hostiletest.New(t, signed), base
}

// TestHostileWeb crawls every kind of bad server at once, beside ten good ones. Some never answer, and are waited for as long as
// a good one may take on a machine that has nothing else to do: one that is busier takes another try, with more patience.
func TestHostileWeb(t *testing.T) {
	before := goleak.IgnoreCurrent()
	for try, patience := 1, patience; ; try, patience = try+1, 5*patience {
		wrong := crawlHostile(t, patience)
		if len(wrong) == 0 {
			break
		}
		if t.Logf("with a patience of %v:\n%s", patience, strings.Join(wrong, "\n")); try == 3 {
			t.Error("each time something was wrong")
			break
		}
	}
	if err := hostiletest.Left(before); err != nil {
		t.Error(err)
	}
}

// crawlHostile crawls a hostile web once, and says what is wrong.
func crawlHostile(t *testing.T, patience time.Duration) (wrong []string) {
	errorf := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	h, base := newHostile(t)
	defer h.Close()
	c := newCrawl(base, patience)
	want := map[string]string{
		h.At("endless", "/"): "kept, cut: size", h.At("drip", "/"): "kept, cut: time",
		h.At("gzip-bomb", "/"): "kept, cut: ratio", h.At("brotli-bomb", "/"): "kept, cut: ratio", h.At("zstd-bomb", "/"): "kept, cut: ratio",
		h.At("redirects", "/"): "", // what is known is where it ended, below
		// Where a redirect leads to what may not be asked, its robots.txt may not be asked either.
		h.At("to-loopback", "/"): "robots", h.At("to-file", "/"): "robots", h.At("to-metadata", "/"): "robots",
		h.At("rebound", "/"):    "refused by Robots", // nobody can ask an address that is refused for its robots.txt
		h.At("big-header", "/"): "header too large", h.At("many-cookies", "/"): "header too large", h.At("no-header-end", "/"): "time",
		h.At("too-short", "/"): "kept, cut: short", h.At("too-long", "/"): "kept", h.At("bad-chunks", "/"): "kept, cut: short",
		h.At("nonsense", "/"): "no HTTP", h.At("closed-first", "/"): "connection broken", h.At("closed-header", "/"): "connection broken",
		h.At("reset-first", "/"): "connection broken", h.At("reset-header", "/"): "connection broken", h.At("reset-body", "/"): "kept, cut: short",
		h.At("silent", "/"):      "time",
		h.At("robots-bomb", "/"): "kept", h.At("robots-bomb", "/secret"): "refused by Robots",
		h.At("robots-large", "/"): "kept", h.At("robots-large", "/secret"): "refused by Robots",
		h.At("robots-away", "/"): "kept", h.At("robots-away", "/secret"): "refused by Robots",
		h.At("robots-silent", "/"): "refused by Robots",
		h.At("many-links", "/"):    "kept, cut: size", h.At("nesting", "/"): "kept",
		h.At("bad-utf8", "/"): "kept", h.At("nul", "/"): "kept", h.At("wrong-charset", "/"): "kept",
		h.At("calendar", "/"): "kept", h.At("path", "/"): "kept", h.At("sessions", "/"): "kept", h.At("mirror-1", "/"): "kept", h.At("mirror-2", "/"): "kept",
		h.Secure["expired"]: "refused by Robots", h.Secure["other-name"]: "refused by Robots", h.Secure["stream-resets"]: "stream reset",
		h.Secure["trusted"]: "kept",
	}
	for i := range 10 {
		want[h.At(fmt.Sprintf("good%d", i), "/")] = "kept"
	}
	for address := range want {
		noError(t, c.queue.AddURL(address))
	}
	noError(t, c.queue.Run(c.Collector))
	want[h.At("redirects", "/xxxxxxxxx")] = "status 302" // after ten requests
	c.rt.(interface{ CloseIdleConnections() }).CloseIdleConnections()

	for address, outcome := range want {
		if c.outcomes[address] != outcome {
			errorf("%s: %q, want %q", address, c.outcomes[address], outcome)
		}
	}
	wrong = append(wrong, c.missingGood(h)...)
	// The addresses of the calendar are of three patterns, each with a budget of 50.
	for host, most := range map[string]int{"calendar": 3*50 + 1, "path": 12, "sessions": 8, "many-links": 1} {
		if n := c.fetched[host+".example"]; n == 0 || n > most {
			errorf("%s: %d pages, want at most %d", host, n, most)
		}
	}
	if c.twins.MirrorOf("mirror-1.example:"+h.Port) == "" && c.twins.MirrorOf("mirror-2.example:"+h.Port) == "" {
		errorf("the mirror was not noticed")
	}
	if c.peak > 300*megabyte {
		errorf("%d MB of heap", c.peak/megabyte)
	}
	t.Logf("peak of the heap %d MB, %d addresses", c.peak/megabyte, len(c.outcomes))
	return wrong
}

// missingGood says which pages of good hosts were not kept: every one is, whatever the others did.
func (c *crawl) missingGood(h *hostiletest.Web) (wrong []string) {
	for i := range 10 {
		for n := range hostiletest.GoodPages {
			if address := h.At(fmt.Sprintf("good%d", i), fmt.Sprintf("/%d", n)); c.outcomes[address] != "kept" {
				wrong = append(wrong, fmt.Sprintf("a good page, %s: %q", address, c.outcomes[address]))
			}
		}
	}
	return wrong
}

// TestHostsThatMayNotBeAsked: what the transport says by itself, where no robots.txt is asked for first.
func TestHostsThatMayNotBeAsked(t *testing.T) {
	h, base := newHostile(t)
	rt := wire.Stack(base, guards(time.Minute)...)
	defer rt.(interface{ CloseIdleConnections() }).CloseIdleConnections()
	for address, want := range map[string]string{
		h.At("to-loopback", "/"): "private", h.At("to-metadata", "/"): "private", h.At("to-file", "/"): "scheme", h.At("rebound", "/"): "private",
		h.Secure["expired"]: "certificate expired", h.Secure["other-name"]: "certificate of another name", h.Secure["stream-resets"]: "stream reset",
		"ftp://good1.example/": "scheme",
	} {
		c := colly.NewCollector()
		c.WithTransport(rt)
		if err := c.Visit(address); err == nil || outcomeOf(0, err) != want {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}
