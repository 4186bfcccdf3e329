package extensions

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// instant is a clock that nobody waits for: it jumps to when the first one wants to be woken.
type instant struct {
	mu sync.Mutex
	at time.Time
}

func (c *instant) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *instant) After(d time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(max(d, 0))
	rung := make(chan time.Time, 1)
	rung <- c.at
	return rung, func() {}
}

func newTestQueue(threads int) (*Queue, *instant) {
	clock := &instant{at: time.Unix(1e9, 0)}
	return mustQueue(threads, frontier.NewMemory(frontier.Manners{Delay: time.Second, Clock: clock})), clock
}

func mustQueue(threads int, f frontier.Frontier) *Queue {
	q, err := NewQueue(threads, f)
	if err != nil {
		panic(err)
	}
	return q
}

func TestQueueTakesTheBestFirst(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": hyper("")})
	q, _ := newTestQueue(1)
	for path, score := range map[string]float32{"?low": 0.1, "?high": 0.9, "?middle": 0.5, "?none": 0} {
		noError(t, q.AddScored(s.URL+"/"+path, score))
	}
	q.AddScored(s.URL+"/?none", 0.7) // raised
	var order []string
	c := colly.NewCollector()
	c.OnResponse(func(r *colly.Response) { order = append(order, r.Request.URL.RawQuery) })
	noError(t, q.Run(c))
	if want := []string{"high", "none", "middle", "low"}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

func TestQueueRunsTwiceAndGrowsWhileItRuns(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": hyper("")})
	q, _ := newTestQueue(3)
	c := colly.NewCollector()
	var seen atomic.Int32
	c.OnResponse(func(r *colly.Response) {
		if seen.Add(1) == 1 {
			for i := range 10 {
				q.AddURL(fmt.Sprintf("%s/?%d", s.URL, i))
			}
		}
		if err := q.Run(c); !errors.Is(err, ErrRunning) {
			t.Errorf("Run while it runs: %v", err)
		}
	})
	q.AddURL(s.URL + "/")
	if err := q.Run(c); err != nil || seen.Load() != 11 {
		t.Errorf("the first run: %v, %d pages", err, seen.Load())
	}
	q.AddURL(s.URL + "/?later")
	q.AddURL(s.URL + "/?5") // was there
	if err := q.Run(c); err != nil || seen.Load() != 12 {
		t.Errorf("the second run: %v, %d pages", err, seen.Load())
	}
}

func TestQueueStopsAndGoesOn(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": hyper("")})
	q, _ := newTestQueue(1)
	c := colly.NewCollector()
	pages := 0
	c.OnResponse(func(r *colly.Response) {
		if pages++; pages == 3 {
			q.Stop()
		}
	})
	for i := range 10 {
		q.AddURL(fmt.Sprintf("%s/?%d", s.URL, i))
	}
	if err := q.Run(c); err != nil || pages != 3 {
		t.Errorf("stopped: %v after %d pages", err, pages)
	}
	if n, _ := q.Size(); n != 7 {
		t.Errorf("%d wait, want 7", n)
	}
	if err := q.Run(c); err != nil || pages != 10 {
		t.Errorf("going on: %v after %d pages", err, pages)
	}
}

func TestQueueIsCancelled(t *testing.T) {
	arrived := make(chan struct{}, 8)
	s := newSite(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	}})
	ctx, cancel := context.WithCancel(t.Context())
	q, _ := newTestQueue(4)
	for i := range 4 {
		q.AddURL(fmt.Sprintf("%s/?%d", s.URL, i))
	}
	c := colly.NewCollector(colly.StdlibContext(ctx))
	go func() { <-arrived; cancel() }()
	if err := q.Run(c); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if n, _ := q.Size(); n != 4 {
		t.Errorf("%d wait, want all 4: nothing was fetched", n)
	}
	s.set("/", hyper(""))
	if err := q.Run(colly.NewCollector()); err != nil || !q.IsEmpty() {
		t.Errorf("the next run: %v", err)
	}
}

// TestQueueGivesFailingHostsAnotherChance: nothing is marked visited by a request of which nothing came.
func TestQueueGivesFailingHostsAnotherChance(t *testing.T) {
	dead := newSite(t, nil)
	dead.Close()
	var shaky *site
	shaky = newSite(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
		if shaky.hits("/") < 3 {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}, "/gone": status(404)})
	good := newSite(t, map[string]http.HandlerFunc{"/": hyper("")})
	q, clock := newTestQueue(2)
	q.Retries = 2
	begin := clock.Now()
	for _, u := range []string{dead.URL + "/", shaky.URL + "/", shaky.URL + "/gone", good.URL + "/"} {
		noError(t, q.AddURL(u))
	}
	c := colly.NewCollector()
	var mu sync.Mutex
	failed := map[string]int{}
	c.OnError(func(r *colly.Response, err error) {
		mu.Lock()
		defer mu.Unlock()
		failed[r.Request.URL.String()]++
	})
	noError(t, q.Run(c))
	if failed[dead.URL+"/"] != 3 || shaky.hits("/") != 3 || shaky.hits("/gone") != 1 || good.hits("/") != 1 {
		t.Errorf("failed %v, shaky %v", failed, shaky.asked)
	}
	if n := q.Retried(); n != 4 {
		t.Errorf("%d requests were made again, want 2 of each host that failed", n)
	}
	if took := clock.Now().Sub(begin); took < 240*time.Second {
		t.Errorf("two Retry-After of 120 s were kept for %v", took)
	}
	if !q.IsEmpty() {
		t.Error("something still waits")
	}
}

// queueOfSix is a queue on two workers with six pages of a site.
func queueOfSix(t *testing.T) *Queue {
	s := newSite(t, map[string]http.HandlerFunc{"/": hyper("")})
	q, _ := newTestQueue(2)
	for i := range 6 {
		q.AddURL(fmt.Sprintf("%s/?%d", s.URL, i))
	}
	return q
}

func TestQueueSurvivesPanics(t *testing.T) {
	q := queueOfSix(t)
	c := colly.NewCollector()
	var pages atomic.Int32
	c.OnResponse(func(r *colly.Response) {
		if pages.Add(1); r.Request.URL.RawQuery == "2" || r.Request.URL.RawQuery == "4" {
			panic("a bug in a callback")
		}
	})
	err := q.Run(c)
	if err == nil || !strings.Contains(err.Error(), "a bug in a callback") || !strings.Contains(err.Error(), "and 1 more panics") {
		t.Errorf("got %v", err)
	}
	if pages.Load() != 6 || !q.IsEmpty() {
		t.Errorf("%d pages", pages.Load())
	}
}

// A callback that ends its goroutine, as t.Fatal does, costs its page, and the queue comes to its end, however many do so.
func TestQueueSurvivesGoexit(t *testing.T) {
	q := queueOfSix(t)
	c := colly.NewCollector()
	var pages atomic.Int32
	c.OnResponse(func(*colly.Response) {
		pages.Add(1)
		runtime.Goexit()
	})
	err := q.Run(c)
	if err == nil || !strings.Contains(err.Error(), "t.Fatal") || !strings.Contains(err.Error(), "and 5 more") {
		t.Errorf("got %v", err)
	}
	if pages.Load() != 6 || !q.IsEmpty() {
		t.Errorf("%d pages", pages.Load())
	}
}

func TestQueueCarriesItemsAndRequests(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		fmt.Fprint(w, r.Method, " ", r.Header.Get("X-Own"), " ", r.PostForm.Get("q"))
	}})
	q, _ := newTestQueue(1)
	c := colly.NewCollector()
	var got []string
	c.OnResponse(func(r *colly.Response) {
		item, ok := ItemOf(r.Ctx)
		if !ok || ok && item.ID == 0 {
			t.Error("no item")
		}
		got = append(got, fmt.Sprintf("%s · %s · via %d depth %d", r.Body, r.Ctx.Get("mine"), item.Via, item.Depth))
		if item.Via == 0 {
			for _, word := range []string{"one", "two", "one"} {
				r2, err := r.Request.New("POST", s.URL, strings.NewReader("q="+word))
				if err != nil {
					t.Error(err)
					return
				}
				r2.Headers = &http.Header{"X-Own": {"yes"}, "Content-Type": {"application/x-www-form-urlencoded"}}
				r2.Ctx.Put("mine", word)
				if err := q.AddRequest(r2); err != nil {
					t.Error(err)
				}
			}
		}
	})
	q.AddURL(s.URL)
	noError(t, q.Run(c))
	want := []string{"GET   ·  · via 0 depth 0", "POST yes one · one · via 1 depth 1", "POST yes two · two · via 1 depth 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, ok := ItemOf(colly.NewContext()); ok {
		t.Error("an item where there is none")
	}
}

// TestQueueLeavesCollysVisitAlone: a Visit in a callback is made at once, and its failure is not the item's.
func TestQueueLeavesCollysVisitAlone(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": hyper(`<a href="/broken">1</a>`), "/broken": status(500)})
	q, _ := newTestQueue(1)
	c := colly.NewCollector()
	c.OnHTML("a[href]", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
	q.AddURL(s.URL + "/")
	if err := q.Run(c); err != nil || s.hits("/broken") != 1 || s.hits("/") != 1 {
		t.Errorf("%v, asked for %v", err, s.asked)
	}
}

func TestQueueRefusesWhatItCannotDo(t *testing.T) {
	q, _ := newTestQueue(1)
	if err := q.Run(colly.NewCollector(colly.Async())); !errors.Is(err, ErrAsync) {
		t.Errorf("async: %v", err)
	}
	for _, address := range []string{"", "://", "http://"} {
		if err := q.AddURL(address); err == nil {
			t.Errorf("%q was added", address)
		}
	}
	if err := q.AddRequest(&colly.Request{}); !errors.Is(err, colly.ErrMissingURL) {
		t.Errorf("a request without an address: %v", err)
	}
	q.AddURL("http://a.example/1")
	q.AddURL("http://a.example/2")
	c := colly.NewCollector(colly.MaxRequests(1))
	c.WithTransport(answer(200, nil, ""))
	if err := q.Run(c); !errors.Is(err, colly.ErrMaxRequests) {
		t.Errorf("more than MaxRequests: %v", err)
	}
	if n, _ := q.Size(); n != 1 {
		t.Errorf("%d wait, want the one that was not requested", n)
	}
}

// TestQueueRenewsLeases: a visit that takes longer than its lease is not given to somebody else.
func TestQueueRenewsLeases(t *testing.T) {
	renewed := make(chan uint64, 100)
	s := newSite(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) {
		for range 3 {
			<-renewed
		}
	}})
	q := mustQueue(1, renewing{frontier.NewMemory(frontier.Manners{}), renewed})
	q.renew = time.Millisecond
	q.AddURL(s.URL + "/")
	if err := q.Run(colly.NewCollector()); err != nil || s.hits("/") != 1 {
		t.Errorf("%v, asked for %v", err, s.asked)
	}
}

type renewing struct {
	*frontier.Memory
	renewed chan uint64
}

func (r renewing) Renew(id uint64) error {
	select {
	case r.renewed <- id:
	default:
	}
	return r.Memory.Renew(id)
}

// TestPoliteness is read from what the servers saw: Crawl-delay, Retry-After and how many requests at once.
func TestPoliteness(t *testing.T) {
	clock := &instant{at: time.Unix(1e9, 0)}
	var mu sync.Mutex
	at := map[string][]time.Time{}
	now, most := map[string]int{}, map[string]int{}
	base := roundTripper(func(r *http.Request) (*http.Response, error) {
		host := r.URL.Host
		if r.URL.Path == "/robots.txt" {
			return answer(200, nil, map[string]string{"slow.example": "User-agent: *\nCrawl-delay: 30"}[host]).RoundTrip(r)
		}
		mu.Lock()
		at[host] = append(at[host], clock.Now())
		first := len(at[host]) == 1
		now[host]++
		most[host] = max(most[host], now[host])
		mu.Unlock()
		defer func() {
			mu.Lock()
			now[host]--
			mu.Unlock()
		}()
		if host == "busy.example" && first {
			return answer(429, http.Header{"Retry-After": {"90"}}, "").RoundTrip(r)
		}
		return answer(200, http.Header{"Content-Type": {"text/html"}}, "x").RoundTrip(r)
	})
	f := frontier.NewMemory(frontier.Manners{Delay: 2 * time.Second, Clock: clock})
	q := mustQueue(8, f)
	q.Retries = 2
	c := colly.NewCollector()
	c.WithTransport(base)
	Robots(c, RobotsConfig{Through: base, Pacing: f})
	hosts := []string{"plain.example", "slow.example", "busy.example"}
	for i := range 15 {
		q.AddURL(fmt.Sprintf("http://%s/%d", hosts[i%3], i))
	}
	noError(t, q.Run(c))
	for host, least := range map[string]time.Duration{"plain.example": 2 * time.Second, "slow.example": 30 * time.Second, "busy.example": 2 * time.Second} {
		for i := 1; i < len(at[host]); i++ {
			if gap := at[host][i].Sub(at[host][i-1]); gap < least || host == "busy.example" && i == 1 && gap < 90*time.Second {
				t.Errorf("%s: request %d came after %v", host, i, gap)
			}
		}
		if most[host] != 1 {
			t.Errorf("%s: %d requests at once", host, most[host])
		}
	}
	if len(at["plain.example"]) != 5 || len(at["slow.example"]) != 5 || len(at["busy.example"]) != 6 {
		t.Errorf("visits: %v", at)
	}
}
