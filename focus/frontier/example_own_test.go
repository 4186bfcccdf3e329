package frontier_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// line is a frontier of one's own: what came first goes first, whatever its score. Five methods make a frontier, and what else it
// can do (leases, hosts' clocks, keeping what was learned) is found out by asking it for the interfaces of this package.
type line struct {
	mu      sync.Mutex
	ids     map[string]uint64
	waiting []frontier.Item
	out     map[uint64]frontier.Item
	changed chan struct{} // closed when anybody who waits should look again
}

func newLine() *line {
	return &line{ids: map[string]uint64{}, out: map[uint64]frontier.Item{}, changed: make(chan struct{})}
}

func (l *line) tell() {
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *line) Push(it frontier.Item) (id uint64, fresh bool, err error) {
	if err := it.Check(); err != nil {
		return 0, false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if id, known := l.ids[it.Known()]; known {
		return id, false, nil
	}
	it.ID = uint64(len(l.ids)) + 1
	l.ids[it.Known()], l.waiting = it.ID, append(l.waiting, it)
	l.tell()
	return it.ID, true, nil
}

func (l *line) Pop(ctx context.Context, _ int) (frontier.Item, error) {
	for {
		l.mu.Lock()
		changed := l.changed
		switch {
		case len(l.waiting) > 0:
			it := l.waiting[0]
			l.waiting, l.out[it.ID] = l.waiting[1:], it
			l.mu.Unlock()
			return it, nil
		case len(l.out) == 0:
			l.mu.Unlock()
			return frontier.Item{}, frontier.ErrEmpty
		}
		l.mu.Unlock()
		select { // what is out may lead to more
		case <-ctx.Done():
			return frontier.Item{}, ctx.Err()
		case <-changed:
		}
	}
}

func (l *line) Done(id uint64, o frontier.Outcome) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	it, leased := l.out[id]
	if !leased {
		return frontier.ErrNotLeased
	}
	delete(l.out, id)
	if o.Again {
		l.waiting = append(l.waiting, it)
	}
	l.tell()
	return nil
}

func (l *line) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting)
}

func (l *line) Close() error { return nil }

// A frontier of one's own is under a Colly program like any other. Package frontiertest holds one to what the others promise.
func Example_ofOnesOwn() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			fmt.Fprint(w, `<a href="/near">near</a><a href="/far">far</a>`)
		}
	}))
	defer site.Close()

	c := colly.NewCollector()
	q, _ := extensions.NewQueue(1, newLine())
	c.OnRequest(func(r *colly.Request) { fmt.Println(r.URL.Path) })
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		if to, err := e.Request.New("GET", e.Request.AbsoluteURL(e.Attr("href")), nil); err == nil {
			q.AddRequest(to)
		}
	})
	q.AddScored(site.URL+"/", 0.1)
	q.AddScored(site.URL+"/second", 0.9)
	q.Run(c)
	// Output:
	// /
	// /second
	// /near
	// /far
}
