package extensions

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gocolly/colly/v2"
)

// TrapHeader is the response header that says why a page is none: SoftNotFound and Walls set it.
const TrapHeader = "X-Thresher-Trap"

// Fingerprints of error pages.
const (
	softBits   = 4       // in which error pages of one host differ, their own address left out
	softLength = 1 << 20 // bytes of one that are read
	softWithin = 15 * time.Second
)

// ErrorPage is what a host says with status 200 where there is nothing. The zero value is of a host that says so with
// another status: no page is like it.
type ErrorPage struct {
	soft  bool
	print uint64
	words int
}

// ErrorPageOf is the error page of a host by what it answered with 200 at an address that nobody can have (see Nonsense):
// its HTML, or its text alone if that is what Like is asked about too.
func ErrorPageOf(at *url.URL, said []byte) ErrorPage {
	print, words := Fingerprint(without(said, at))
	return ErrorPage{true, print, words}
}

// Like tells whether what stands at an address is the error page: its own address left out, it says the same but for a
// word or two.
func (e ErrorPage) Like(at *url.URL, said []byte) bool {
	if !e.soft {
		return false
	}
	print, words := Fingerprint(without(said, at))
	few := words < fewWords && e.words < fewWords
	return few && print == e.print || !few && Distance(print, e.print) <= softBits
}

// Nonsense is an address at the host of another one that nobody can have. It is the same whenever it is asked for.
func Nonsense(at *url.URL) *url.URL {
	return &url.URL{Scheme: at.Scheme, Host: at.Host, Path: "/" + nonsenseFor(at.Host)}
}

// softAnswer is the error page of a host, while it is asked for and after.
type softAnswer struct {
	ErrorPage
	asked chan struct{} // closed when it is known
}

// SoftNotFound finds pages that say "not found" with status 200. The first page of a host makes it ask the host for an
// address that nobody can have; what comes back with 200 is the host's error page, and pages like it are marked in
// TrapHeader. It costs one request for each host, which Robots is asked about, where it is in use.
func SoftNotFound(c *colly.Collector, o ...Option) {
	s := &bounded{10_000}
	tune("SoftNotFound", s, o)
	hosts := newRecent[string, *softAnswer](s.capacity)
	c.OnResponse(func(r *colly.Response) {
		if r.StatusCode != http.StatusOK || !isHTML(*r.Headers) {
			return
		}
		mine := &softAnswer{asked: make(chan struct{})}
		a := hosts.update(origin(r.Request.URL), func(old *softAnswer, known bool) *softAnswer {
			if known {
				return old
			}
			return mine
		})
		if a == mine {
			a.ask(c, r.Request.URL)
		}
		<-a.asked
		if a.Like(r.Request.URL, r.Body) {
			r.Headers.Set(TrapHeader, "soft 404")
		}
	})
}

func isHTML(h http.Header) bool {
	return strings.Contains(strings.ToLower(h.Get("Content-Type")), "html")
}

// without is a page without its own address, which error pages like to repeat.
func without(body []byte, at *url.URL) []byte {
	for _, own := range []string{at.String(), at.RequestURI(), at.Path, strings.TrimPrefix(at.Path, "/")} {
		if len(own) > 1 {
			body = bytes.ReplaceAll(body, []byte(own), nil)
		}
	}
	return body
}

// ask fetches what a host answers to nonsense. What fails, or sends elsewhere, tells nothing.
func (a *softAnswer) ask(c *colly.Collector, at *url.URL) {
	defer close(a.asked)
	ctx, cancel := context.WithTimeout(c.Context, softWithin)
	defer cancel()
	nonsense := Nonsense(at)
	if g, ok := ctx.Value(gateKey{}).(*RobotsGate); ok {
		if allowed, _ := g.Allowed(ctx, nonsense); !allowed {
			return
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, nonsense.String(), nil)
	if err != nil {
		return
	}
	req.Header.Set("User-Agent", c.UserAgent)
	resp, err := transportOf(c).RoundTrip(req) // a redirect is an answer of its own kind, and not followed
	if err != nil {
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, softLength))
	if err == nil && resp.StatusCode == http.StatusOK {
		a.ErrorPage = ErrorPageOf(nonsense, body)
	}
}

// nonsenseFor is a name that no page of a host has. It is the same whenever it is asked for.
func nonsenseFor(host string) string {
	h := fnv.New64a()
	io.WriteString(h, host)
	return fmt.Sprintf("nothing-here-%016x", h.Sum64())
}
