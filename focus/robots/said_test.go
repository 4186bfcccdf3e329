package robots

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestTermsOfAHost: a tdmrep.json says what is reserved below which paths; the longest that matches holds.
func TestTermsOfAHost(t *testing.T) {
	rules := Parse([]byte("User-agent: *\nDisallow: /private/"), "shark").withTerms(&Answer{Status: 200, Body: []byte(`[
		{"location": "/", "tdm-reservation": 1, "tdm-policy": "https://a.example/tdm"},
		{"location": "/free/*", "tdm-reservation": 0},
		{"location": "/free/*.pdf$", "tdm-reservation": "1"},
		{"location": "elsewhere", "tdm-reservation": 1},
		{"location": "/odd/", "tdm-reservation": {"a": 1}}]`)})
	for path, want := range map[string]string{"/a": "1 https://a.example/tdm", "/free/b": "0 https://a.example/tdm", "/free/c.pdf": "1 https://a.example/tdm"} {
		var values []string
		for _, s := range rules.Said(path) {
			values = append(values, s.Value)
		}
		if got := strings.Join(values, " "); len(values) != 2 || !strings.Contains(want, values[0]) || !strings.Contains(want, values[1]) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	b, _ := rules.MarshalBinary()
	var again Rules
	if err := again.UnmarshalBinary(b); err != nil || !reflect.DeepEqual(again.Said("/free/b"), rules.Said("/free/b")) || !again.settled() {
		t.Errorf("saved and read again it says %v: %v", again.Said("/free/b"), err)
	}
}

// TestTermsThatSayNothing: what is no tdmrep.json reserves nothing, and is not asked for again.
func TestTermsThatSayNothing(t *testing.T) {
	many := "[" + strings.Repeat(`{"location":"/x","tdm-reservation":1},`, 5000) + `{"location":"/x","tdm-reservation":1}]`
	for name, a := range map[string]Answer{"404": {Status: 404, Body: []byte(`[{"location":"/","tdm-reservation":1}]`)}, "HTML": {Status: 200, Body: []byte("<html>")},
		"an object": {Status: 200, Body: []byte(`{"location":"/","tdm-reservation":1}`)}, "very many": {Status: 200, Body: []byte(many)}} {
		rules := Parse(nil, "shark").withTerms(&a)
		if n := len(rules.Said("/")); n != 0 || !rules.settled() || len(rules.said) > maxTerms {
			t.Errorf("%s: %d statements of /, %d in all, settled %v", name, n, len(rules.said), rules.settled())
		}
	}
}

// TestAHostIsAskedForItsTerms: after its robots.txt, once, and only where that allows it.
func TestAHostIsAskedForItsTerms(t *testing.T) {
	const origin = "https://a.example"
	noon := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		robots Answer
		terms  bool
		wants  string
	}{
		{Answer{Status: 200, Body: []byte("User-agent: *\nDisallow: /x")}, true, "/robots.txt /.well-known/tdmrep.json"},
		{Answer{Status: 404}, true, "/robots.txt /.well-known/tdmrep.json"},
		{Answer{Status: 404}, false, "/robots.txt"},
		{Answer{Status: 200, Body: []byte("User-agent: *\nDisallow: /")}, true, "/robots.txt"},
		{Answer{Status: 503}, true, "/robots.txt"},
	} {
		k := NewKeeper(1, 100)
		k.Terms = c.terms
		var asked []string
		for range 5 {
			if _, asks := k.Known(origin, noon); asks == "" {
				break
			}
			_, asks := k.Known(origin, noon)
			f := k.Flight(asks)
			asked = append(asked, strings.TrimPrefix(f.Address(), origin))
			f.Answer = c.robots
			if f.Terms {
				f.Answer = Answer{Status: 200, Body: []byte(`[{"location":"/","tdm-reservation":1}]`)}
			}
			k.Take(origin, k.Rules(f, "shark"), noon)
		}
		if got := strings.Join(asked, " "); got != c.wants {
			t.Errorf("%d, terms %v: asked for %q, want %q", c.robots.Status, c.terms, got, c.wants)
		}
		rules, _ := k.Known(origin, noon)
		if said := fmt.Sprint(rules.Said("/y")); strings.Contains(c.wants, "tdmrep") != (said == "[{tdm-reservation 1}]") {
			t.Errorf("%d, terms %v: it says %s", c.robots.Status, c.terms, said)
		}
	}
}

// TestTermsAreThoseOfTheirOrigin: where a tdmrep.json redirects, nobody else is asked.
func TestTermsAreThoseOfTheirOrigin(t *testing.T) {
	const origin, reserved = "http://a.example", `[{"location":"/","tdm-reservation":1}]`
	for to, follows := range map[string]bool{
		"http://www.a.example/.well-known/tdmrep.json": false,
		"https://a.example/.well-known/tdmrep.json":    false,
		"/":                              false,
		"/legal/tdmrep.json":             true,
		"http://A.example/tdmrep.json?x": true,
	} {
		var asked []string
		client := Client(answering(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.URL.String())
			a := &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(reserved)), Request: r}
			if len(asked) == 1 {
				a.StatusCode = 301
				a.Header.Set("Location", to)
			}
			return a, nil
		}))
		f := NewFlight(origin + termsPath)
		f.Answer = Fetch(t.Context(), client, f.Address(), "shark", time.Minute)
		said := (&Rules{}).withTerms(&f.Answer).Said("/x")
		if follows != (len(asked) == 2) || follows != (len(said) == 1) || f.Answer.Err != nil {
			t.Errorf("%s: asked for %q, and heard %v (%v)", to, asked, said, f.Answer.Err)
		}
	}
}

// TestTermsThatCannotBeHad: a host that gives no answer is asked again, with pauses, and no more after a few times; its robots.txt
// grows no younger by that.
func TestTermsThatCannotBeHad(t *testing.T) {
	const origin = "https://a.example"
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	for name, bad := range map[string]Answer{"no answer": {Err: errors.New("reset")}, "503": {Status: 503}, "429": {Status: 429}} {
		for answersAt := range 5 { // 0: never
			k := NewKeeper(3, 100)
			k.Terms = true
			read, asked, waited := now, 0, time.Duration(0)
			for at := now; ; {
				_, asks := k.Known(origin, at)
				if asks == "" {
					break
				}
				f := k.Flight(asks)
				f.Answer = Answer{Status: 404}
				if f.Terms {
					if asked++; asked != answersAt {
						f.Answer = bad
					} else {
						f.Answer = Answer{Status: 200, Body: []byte(`[{"location":"/","tdm-reservation":1}]`)}
					}
				}
				k.Take(origin, k.Rules(f, "shark"), at)
				if !f.Learned {
					t.Fatalf("%s: nobody heard of the answer", name)
				}
				waited += f.Wait
				at = at.Add(f.Wait + time.Second)
			}
			rules, _ := k.Known(origin, now)
			want := termsTries
			if 0 < answersAt && answersAt <= termsTries {
				want = answersAt
			}
			if said := len(rules.Said("/")); asked != want || (said == 1) != (want == answersAt && answersAt > 0) || want > 1 && waited < firstWait {
				t.Errorf("%s, answered at %d: asked %d times, waited %v, it says %d things", name, answersAt, asked, waited, said)
			}
			if h := k.Hosts[origin]; !h.Expires.Equal(read.Add(life)) {
				t.Errorf("%s: the robots.txt of %v holds until %v", name, read, h.Expires)
			}
		}
	}
}
