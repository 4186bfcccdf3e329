package extensions

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"
)

func TestProgress(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": hyper("x")})
	clock := &watch{}
	var out strings.Builder
	c := colly.NewCollector()
	l := Progress(c, &out, ProgressConfig{Now: clock.now, Every: 10 * time.Second, Goal: 40, Queued: func() int { return 12345 }})
	c.OnResponse(func(r *colly.Response) { l.Relevant(len(r.Request.URL.RawQuery) == 1) })
	for i := range 21 {
		clock.advance(time.Second)
		c.Visit(fmt.Sprintf("%s/?%d", s.URL, i))
	}
	l.Done()
	want := `10 pages · 10 relevant, harvest 100.0 %, of the last 10 100.0 % · 12,345 waiting · 1.0 pages/s · 30s left
20 pages · 10 relevant, harvest 50.0 %, of the last 20 50.0 % · 12,345 waiting · 1.0 pages/s · 20s left
21 pages · 10 relevant, harvest 47.6 %, of the last 21 47.6 % · 12,345 waiting · 1.0 pages/s · 19s left
`
	if out.String() != want {
		t.Errorf("wrote\n%swant\n%s", out.String(), want)
	}
}

func TestProgressOverItself(t *testing.T) {
	var out strings.Builder
	c := colly.NewCollector()
	c.WithTransport(answer(200, nil, ""))
	clock := &watch{}
	l := Progress(c, &out, ProgressConfig{Now: clock.now, Every: time.Second})
	l.terminal = true
	clock.advance(time.Second)
	c.Visit("http://a.example/")
	clock.advance(9 * time.Second)
	l.Done()
	if want := "\r1 pages · 1.0 pages/s\r1 pages · 0.1 pages/s\n"; out.String() != want {
		t.Errorf("wrote %q, want %q", out.String(), want)
	}
}

// Pages may be at hand at the same time, and of some nobody tells whether they are relevant.
func TestTheLastPagesAreCountedWhoeverTellsOfThem(t *testing.T) {
	l := Progress(colly.NewCollector(), io.Discard, ProgressConfig{Every: time.Hour})
	l.Relevant(true)
	l.Relevant(true)
	l.page()
	l.page()
	if got := l.text(l.now()); !strings.Contains(got, "of the last 2 100.0 %") {
		t.Errorf("two relevant pages at the same time: %s", got)
	}
	for range lately {
		l.page()
	}
	if got := l.text(l.now()); !strings.Contains(got, "of the last 500 0.0 %") {
		t.Errorf("after 500 of which nothing was told: %s", got)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
