package again

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
)

// counting counts how often each path was asked for.
type counting struct {
	site
	mu    sync.Mutex
	asked map[string]int
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.asked[r.URL.Path]++
	c.mu.Unlock()
	return c.site.RoundTrip(r)
}

// TestWhatDidNotAnswerTheCrawl is asked for by the rounds, also a start page: what answers then is kept, and what never does is left after
// three of them. It takes a quarter of their visits at most.
func TestWhatDidNotAnswerTheCrawl(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.Seeds = append(c.Seeds, "http://a.example/start")
	web := &counting{site: site{"/": tea("all", "/a", "/late", "/never", "/gone"), "/a": tea("one"), "/late": "busy", "/never": "busy", "/start": "busy"}, asked: map[string]int{}}
	crawled(t, c, web, nil)
	c.Budget.Pages = 12
	web.site["/late"], web.site["/start"] = tea("late"), tea("start", "/more")
	web.site["/more"], web.site["/gone"] = tea("more"), tea("back") // of what was not there the crawl had its answer
	at, was := time.Now(), 1
	for round, want := range []Told{{New: 3, Failed: 1}, {Failed: 1}, {Failed: 1}, {}} {
		at = at.Add(24 * time.Hour)
		told := visitedAgain(t, c, web, at)
		asked := web.asked["/never"] - was
		if was += asked; told.New != want.New || told.Failed != want.Failed || asked != want.Failed {
			t.Errorf("round %d tells %+v, and asked %d times for what never answers", round+1, told, asked)
		}
	}
	checkKept(t, c.Store, "after four rounds", "a.example/", "a.example/a", "a.example/late", "a.example/more", "a.example/start")
	if web.asked["/gone"] != 1 {
		t.Errorf("what was not there was asked for %d times", web.asked["/gone"])
	}

	m, err := remember(c.Store)
	if err != nil || len(m.silent) > 0 {
		t.Errorf("%v are still without an answer (%v)", m.silent, err)
	}
}

// TestTheSilentGetTheirShare: a round gives a quarter of its visits at most to what has not answered, those among it that rounds have asked
// for before, and nothing of it is in the way of what is new. Its hosts take turns: one that is gone for good, with all its pages, keeps no
// round from asking the others.
func TestTheSilentGetTheirShare(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.Budget.Pages = 24
	var silent, tried []string
	for i := range 30 {
		silent = append(silent, fmt.Sprintf("http://a.example/%d", 10+i))
		tried = append(tried, fmt.Sprintf("http://c.example/%d", 10+i))
	}
	silent = append(silent, "http://b.example/1", "http://b.example/2")
	m := &memory{silent: silent, links: links{Waiting: append([]string{"http://a.example/waits"}, tried...), Tried: tried}}
	r := &Round{config: c, memory: m}
	const quarter = "http://c.example/10 http://a.example/10 http://b.example/1 http://c.example/11 http://a.example/11 http://b.example/2"
	for news, want := range map[int]int{0: 6, 1: 6, 8: 3, 11: 0, 40: 0} {
		r.news = nil
		for i := range news {
			r.news = append(r.news, fmt.Sprintf("http://a.example/news%d", i))
		}
		fresh, err := r.fresh()
		if err != nil || len(fresh) != news+1+want || fresh[news] != "http://a.example/waits" || !strings.HasPrefix(quarter, strings.Join(fresh[news+1:], " ")) {
			t.Errorf("with %d news a round of 24 visits asks for %v (%v)", news, fresh, err)
		}
	}
	r.news, r.config.Budget.Pages = nil, 0
	if fresh, err := r.fresh(); err != nil || len(fresh) != 1+30+32 {
		t.Errorf("a round without a bound asks for %d (%v)", len(fresh), err)
	}
}

// TestManySilentAreCountedInTime: where a host of many pages is down, eight times as many take some eight times the time, not 64 times.
func TestManySilentAreCountedInTime(t *testing.T) {
	took := func(n int) time.Duration {
		var addresses []string
		ended := map[uint64]*outcome{}
		for i := range n {
			addresses = append(addresses, fmt.Sprintf("http://a.example/%06d", i))
			ended[uint64(i)] = &outcome{Decision: run.Decision{URL: addresses[i], Decision: "drop", Reason: admit.RefusedDown}}
		}
		r := &Round{below: t.TempDir(), memory: &memory{links: links{Tried: addresses, Waiting: addresses}}}
		began := time.Now()
		noError(t, r.links(ended))
		return time.Since(began)
	}
	var ratio float64
	for range 8 { // the machine does other things, too
		if ratio = float64(took(16_000)) / float64(took(2_000)); ratio < 20 {
			return
		}
	}
	t.Errorf("eight times the pages take %.0f times the time", ratio)
}

// TestWhatWasNotThereYet is asked for when a sitemap says that it has changed since, by the first crawl or by a round; what has not, or says
// so of a time that has not come, is not, and what a round still does not find waits for the sitemap to say more.
func TestWhatWasNotThereYet(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.Scope.Sitemaps = true
	dated := map[string]time.Time{"/soon": {}, "/never": {}, "/old": time.Now().Add(-time.Hour), "/future": time.Now().Add(24 * time.Hour)}
	paths := []string{"/future", "/never", "/old", "/soon"}
	web := &counting{site: site{"/": tea("all", paths...), "/robots.txt": "Sitemap: http://a.example/map.xml\n"}, asked: map[string]int{}}
	list := func() {
		b := "<urlset>"
		for _, path := range paths {
			if b += "<url><loc>http://a.example" + path + "</loc>"; !dated[path].IsZero() {
				b += "<lastmod>" + dated[path].Format(time.RFC3339Nano) + "</lastmod>"
			}
			b += "</url>"
		}
		web.site["/map.xml"] = b + "</urlset>"
	}
	list()
	crawled(t, c, web, nil)
	check := func(when string, want ...int) {
		t.Helper()
		for i, path := range paths {
			if web.asked[path] != want[i] {
				t.Errorf("%s %s was asked for %d times, want %d", when, path, web.asked[path], want[i])
			}
		}
	}
	check("by the crawl", 1, 1, 1, 1)
	web.site["/soon"] = tea("soon")
	visitedAgain(t, c, web, time.Now())
	check("by a round of which no list has told", 1, 1, 1, 1)
	dated["/soon"], dated["/never"] = time.Now(), time.Now()
	list()
	visitedAgain(t, c, web, time.Now())
	check("by one that was told", 1, 2, 1, 2)
	checkKept(t, c.Store, "after it", "a.example/", "a.example/soon")
	visitedAgain(t, c, web, time.Now())
	if web.asked["/never"] != 2 {
		t.Errorf("what was not there was asked for %d times, though no list said more", web.asked["/never"])
	}
	dated["/never"] = time.Now()
	list()
	web.site["/never"] = tea("at last")
	visitedAgain(t, c, web, time.Now())
	checkKept(t, c.Store, "at last", "a.example/", "a.example/soon", "a.example/never")
}
