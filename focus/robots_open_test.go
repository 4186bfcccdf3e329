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
func crawlerOf(r *robots, now time.Time) *Crawler {
	c := &Crawler{robots: r, now: func() time.Time { return now }}
	c.steps = &Steps{crawl: c}
	return c
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
		r, now := newRobots("thresher"), time.Now()
		crawler := crawlerOf(r, now)
		item := frontier.Item{URL: "http://a.example/b"}
		_, f := r.ask(item, now)
		f.fly(t.Context(), true, func() answer { return fetchRobots(t.Context(), client, f.origin, "thresher", time.Minute) })
		wait, _ := crawler.learnRobots(f)
		if (wait == 0) != c.allowed {
			t.Errorf("%s: the host is left alone for %v", name, wait)
		}
		if allowed, why := r.hosts[f.origin].rules.Allowed("/b"); allowed != c.allowed {
			t.Errorf("%s: /b allowed is %v (%s)", name, allowed, why)
		}
	}
}

// Of many items of one host one asks for its robots.txt, and a failure counts once.
func TestARobotsTxtIsAskedForOnce(t *testing.T) {
	r, now := newRobots("thresher"), time.Now()
	c := crawlerOf(r, now)
	_, one := r.ask(frontier.Item{URL: "http://a.example/1"}, now)
	_, two := r.ask(frontier.Item{URL: "HTTP://A.example/2"}, now)
	if one != two || one == nil {
		t.Fatal("two items of one host ask each for itself")
	}
	if _, other := r.ask(frontier.Item{URL: "https://a.example/2"}, now); other == one {
		t.Error("another scheme is another origin")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	two.fly(ctx, false, nil) // whoever shares the answer gives up with the crawl
	one.fly(t.Context(), true, func() answer { return answer{err: errors.New("broken")} })
	two.fly(t.Context(), false, nil)
	first, _ := c.learnRobots(one)
	second, _ := c.learnRobots(two)
	if first == 0 || first != second || r.hosts["http://a.example"].tries != 1 {
		t.Errorf("waits %v and %v, %d tries", first, second, r.hosts["http://a.example"].tries)
	}
}
