package robots

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/wire"
)

type answering func(*http.Request) (*http.Response, error)

func (w answering) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

// brokenOff is a body that ends with an error.
type brokenOff struct{ io.Reader }

func (b brokenOff) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
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
		"too long": {strings.NewReader(start + strings.Repeat("# on and on\n", most/10)), true},
	} {
		client := &http.Client{Transport: wire.Stack(answering(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Body: io.NopCloser(c.body), ContentLength: -1, Request: r}, nil
		}), wire.Limits(wire.LimitsConfig{}))}
		k := NewKeeper(3, 10)
		f := k.Flight(Origin("http://a.example/b"))
		f.Fly(t.Context(), true, func() Answer { return Fetch(t.Context(), client, f.Origin, "thresher", time.Minute) })
		k.Take(f.Origin, f.Answer.Rules("thresher"), time.Now())
		if (f.Wait == 0) != c.allowed {
			t.Errorf("%s: the host is left alone for %v", name, f.Wait)
		}
		if allowed, why := k.RulesOf("http://a.example/b").Allowed("/b"); allowed != c.allowed {
			t.Errorf("%s: /b allowed is %v (%s)", name, allowed, why)
		}
	}
}

// Of many items of one host one asks for its robots.txt, and a failure counts once.
func TestARobotsTxtIsAskedForOnce(t *testing.T) {
	k, now := NewKeeper(3, 10), time.Now()
	one, two := k.Flight(Origin("http://a.example/1")), k.Flight(Origin("HTTP://A.example/2"))
	if one != two || one == nil {
		t.Fatal("two items of one host ask each for itself")
	}
	if k.Flight(Origin("https://a.example/2")) == one {
		t.Error("another scheme is another origin")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	two.Fly(ctx, false, nil) // whoever shares the answer gives up with the crawl
	one.Fly(t.Context(), true, func() Answer { return Answer{Err: errors.New("broken")} })
	two.Fly(t.Context(), false, nil)
	k.Take(one.Origin, one.Answer.Rules("thresher"), now)
	if one.Wait == 0 || !two.Learned || k.Hosts["http://a.example"].Tries != 1 {
		t.Errorf("waits %v, %d tries", one.Wait, k.Hosts["http://a.example"].Tries)
	}
	if _, asks := k.Known("http://a.example", now); asks == "" {
		t.Error("what said nothing is taken for an answer")
	}
}

func TestKeepersAreBounded(t *testing.T) {
	k := NewKeeper(1, 3)
	for i := range 10 {
		k.Take(fmt.Sprintf("http://h%d.example", i), For(404, nil, nil, "thresher"), time.Now())
		if n := len(k.Hosts); n == 0 || n > 3 {
			t.Errorf("%d hosts are remembered", n)
		}
	}
}

// A robots.txt that nobody could begin to ask for says nothing of its host: whoever wants it next asks.
func TestAFlightThatCouldNotBeginIsForgotten(t *testing.T) {
	k := NewKeeper(3, 100)
	f := k.Flight("http://a.example")
	other := k.Flight("http://b.example")
	k.Unasked(f)
	k.Unasked(nil)
	if again := k.Flight("http://a.example"); again == f || again.Begun {
		t.Error("the flight that was not begun is still there")
	}
	if k.Flight("http://b.example") != other {
		t.Error("another host's flight is gone")
	}
	k.Unasked(f) // it is another one by now
	if _, asks := k.Known("http://a.example", time.Now()); asks != "http://a.example" || len(k.Flights) != 2 {
		t.Errorf("%d flights, %q is to be asked for", len(k.Flights), asks)
	}
}
