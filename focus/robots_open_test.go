package focus

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
)

type wire func(*http.Request) (*http.Response, error)

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

// brokenOff is a body that ends with an error.
type brokenOff struct{ io.Reader }

func (b brokenOff) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// crawlerOf is a crawler of which only the robots.txt files work, at a time that stands still.
func crawlerOf(now time.Time) *Crawler {
	c := &Crawler{ledger: ledger.New(), steps: &Steps{preparer: preparer{token: "thresher"}}, now: func() time.Time { return now }}
	c.ledger.Robots = ledger.NewRobots()
	return c
}

// asked is the robots.txt that must be fetched before an address is.
func (c *Crawler) asked(address string) *robotsFlight {
	_, origin := c.mayVisit(frontier.Item{URL: address})
	return flightOf(c.ledger.Robots.Ask(origin))
}

// A robots.txt that broke off says nothing: the line that was lost may be the one that forbids. One that is too long is
// used as far as it is read.
func TestARobotsTxtThatBrokeOffIsNotObeyedAsWhole(t *testing.T) {
	start := "User-agent: *\nDisallow: /a\n"
	for name, c := range map[string]struct {
		body    io.Reader
		allowed bool
	}{
		"whole":    {strings.NewReader(start), true},
		"cut":      {brokenOff{strings.NewReader(start)}, false},
		"too long": {strings.NewReader(start + strings.Repeat("# on and on\n", robotsMost/10)), true},
	} {
		client := &http.Client{Transport: extensions.Stack(wire(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Body: io.NopCloser(c.body), ContentLength: -1, Request: r}, nil
		}), extensions.Limits())}
		crawler := crawlerOf(time.Now())
		f := crawler.asked("http://a.example/b")
		f.fly(t.Context(), true, func() answer { return fetchRobots(t.Context(), client, f.Origin, "thresher", time.Minute) })
		wait, _ := crawler.learnRobots(f)
		if (wait == 0) != c.allowed {
			t.Errorf("%s: the host is left alone for %v", name, wait)
		}
		if allowed, why := crawler.ledger.Robots.Rules(f.Origin).Allowed("/b"); allowed != c.allowed {
			t.Errorf("%s: /b allowed is %v (%s)", name, allowed, why)
		}
	}
}

// Of many items of one host one asks for its robots.txt, and a failure counts once.
func TestARobotsTxtIsAskedForOnce(t *testing.T) {
	c := crawlerOf(time.Now())
	one, two := c.asked("http://a.example/1"), c.asked("HTTP://A.example/2")
	if one != two || one == nil {
		t.Fatal("two items of one host ask each for itself")
	}
	if c.asked("https://a.example/2") == one {
		t.Error("another scheme is another origin")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	two.fly(ctx, false, nil) // whoever shares the answer gives up with the crawl
	one.fly(t.Context(), true, func() answer { return answer{err: errors.New("broken")} })
	two.fly(t.Context(), false, nil)
	first, _ := c.learnRobots(one)
	second, _ := c.learnRobots(two)
	if first == 0 || first != second || c.ledger.Robots.Tries("http://a.example") != 1 {
		t.Errorf("waits %v and %v, %d tries", first, second, c.ledger.Robots.Tries("http://a.example"))
	}
}
