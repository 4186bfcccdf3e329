package focus_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// softSite is a site that says "not found" with status 200, and what it was asked for.
type softSite struct {
	mu    sync.Mutex
	asked []string
	times []time.Time
}

const softPage = "<title>Solar energy shop</title><nav><a href=/1>panel</a></nav><h1>Sorry</h1><p>The solar energy panel at %s is not to be found here any more; look at our other solar panels"

func (s *softSite) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.URL.Host+r.URL.Path)
	status, body := 200, fmt.Sprintf(softPage, r.URL.Path)
	var n int
	switch _, err := fmt.Sscanf(r.URL.Path, "/%d", &n); {
	case r.URL.Path == "/robots.txt":
		status, body = 404, ""
		if r.URL.Host == "shut.example" {
			status, body = 200, "User-agent: *\nDisallow: /nothing-here"
		}
	case err == nil || r.URL.Path == "/":
		body = fmt.Sprintf("<title>Solar energy %d</title><p>solar energy panel number %d %s", n, n, strings.Repeat(fmt.Sprintf("word%d solar ", n*n), 20))
		if pages := 8; r.URL.Host != "few.example" {
			for i := range pages {
				body += fmt.Sprintf("<a href=/%d>panel %d</a> <a href=/gone%d>solar energy panel</a> ", i+1, i+1, i+1)
			}
		} else {
			body += "<a href=/1>panel</a> <a href=/gone1>solar</a>"
		}
	}
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// count is how often addresses that begin so were asked for.
func (s *softSite) count(begin string) (n int) {
	for _, a := range s.asked {
		if strings.HasPrefix(a, begin) {
			n++
		}
	}
	return n
}

// A page that says "not found" with status 200 is refused by name, on hosts of more than a few pages that may be asked.
func TestErrorPagesThatSayTheyAreNone(t *testing.T) {
	for _, c := range []struct {
		host        string
		watch       string
		asked, most int // for nonsense; soft pages that are kept, at most
	}{
		{"soft.example", "watch", 1, 5}, {"few.example", "watch", 0, 1}, {"shut.example", "watch", 0, 8}, {"soft.example", "ignore", 0, 8},
	} {
		s := &softSite{}
		config := solarConfig(t, s)
		config.Seeds = []string{"http://" + c.host + "/"}
		config.Polite.PerHost, config.Polite.Parallel = 1, 2
		config.Topic.Threshold = 0
		config.Duplicates = "keep"
		config.Scope.Soft404 = c.watch
		report := crawlWith(t, config)
		if n := s.count(c.host + "/nothing-here"); n != c.asked {
			t.Errorf("%s, %s: it was asked for nonsense %d times, want %d", c.host, c.watch, n, c.asked)
		}
		good, soft := 0, 0
		for _, r := range harvest(t, config) {
			if strings.Contains(r.URL, "/gone") {
				soft++
			} else {
				good++
			}
		}
		gone := s.count(c.host + "/gone")
		if refused := report.Counts.Dropped["soft 404"]; refused+soft != gone || soft > c.most || c.asked == 0 && refused > 0 || c.asked > 0 && refused == 0 {
			t.Errorf("%s, %s: of %d soft pages %d were kept and %d refused", c.host, c.watch, gone, soft, refused)
		}
		if want := s.count(c.host+"/") - s.count(c.host+"/gone") - s.count(c.host+"/robots") - s.count(c.host+"/nothing") - s.count(c.host+"/.well-known"); good != want {
			t.Errorf("%s, %s: %d of %d good pages were kept: %v", c.host, c.watch, good, want, report.Counts.Dropped)
		}
		if report.Counts.Pages != good+gone {
			t.Errorf("%s, %s: %d pages count, want %d", c.host, c.watch, report.Counts.Pages, good+gone)
		}
	}
}

// The question takes the host's turn: nothing else is asked of the host at the same time, or before its pause is over.
func TestAskingForNonsenseTakesTheHostsTurn(t *testing.T) {
	s := &softSite{}
	timed := transport(func(r *http.Request) (*http.Response, error) {
		s.mu.Lock()
		s.times = append(s.times, time.Now())
		s.mu.Unlock()
		return s.RoundTrip(r)
	})
	config := solarConfig(t, timed)
	config.Seeds = []string{"http://soft.example/"}
	const pause = 20 * time.Millisecond
	config.Polite.PerHost, config.Polite.Parallel, config.Polite.Robots = 1, 4, "ignore"
	config.Polite.Delay = strict.Pace(pause)
	config.Budget.Pages = 9
	crawlWith(t, config)
	if s.count("soft.example/nothing-here") != 1 {
		t.Fatalf("asked was %v", s.asked)
	}
	for i := 1; i < len(s.times); i++ {
		if d := s.times[i].Sub(s.times[i-1]); d < pause*9/10 {
			t.Errorf("%s was asked for %v after %s, want %v", s.asked[i], d, s.asked[i-1], pause)
		}
	}
}
