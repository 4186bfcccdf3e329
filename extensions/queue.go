package extensions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Queue is Colly's queue.Queue over a frontier: requests are made in the order of their scores, each host has a clock
// of its own, and what a frontier on disk or on Redis holds is taken up again by the next process. Its methods may be called at
// any time, before, while and after it runs, and from callbacks. These are all the differences:
//
//   - The next request is that with the highest score whose host may be asked; among equals the first that was added. In Colly's
//     queue it is the first that was added.
//   - An address that was added already is not queued again, unless the collector has AllowURLRevisit. Colly's queue asks the
//     collector when its turn has come.
//   - MaxDepth holds: what was added by AddRequest of a Request.New is one deeper than the page of the callback that made it. In
//     Colly's queue it has depth 0.
//   - Run answers an error where Colly's queue panics (it is running already), returns at once (the collector is Async) or hangs
//     (AddRequest after Run, t.Fatal in a callback). A callback that panics costs its own page, and Run tells of the first one when
//     it ends.
//   - A name and a password in an address (https://name:password@www.example.org/) are sent to its origin and kept in memory
//     alone: the next process must be told them again.
type Queue struct {
	// Threads is how many requests are made at the same time.
	Threads int
	// Retries is how often a request that failed is made again when its host's turn comes: one that had no answer, or 408, 429
	// or 5xx. As in Colly's queue it is none, unless it is set before Run.
	Retries int

	frontier frontier.Frontier
	logins   wire.Logins // of addresses that were added
	mu       sync.Mutex
	stop     context.CancelFunc        // of the run under way
	hooked   map[*colly.Collector]bool // collectors that report to their visits
	tries    map[uint64]int            // failed visits of items that wait again
	retried  int                       // requests that were made again
	renew    time.Duration             // how often leases are renewed

	revisits bool            // the collector that it runs on has AllowURLRevisit
	repeated []frontier.Item // what was added again while nothing ran
	repeats  uint64          // what was queued again, so that each is known by a name of its own
}

// Errors of Run.
var (
	// ErrRunning: the queue is being run already.
	ErrRunning = errors.New("the queue is running already")
	// ErrAsync: a queue brings its own threads, and must know when a request has ended.
	ErrAsync = errors.New("a queue needs a collector that is not Async: drop colly.Async()")
)

// NewQueue makes a queue of that many threads over a frontier; nil is one in memory without pauses.
//
//	q, err := extensions.NewQueue(2, frontier.NewMemory(frontier.Manners{Delay: time.Second}))
func NewQueue(threads int, f frontier.Frontier) (*Queue, error) {
	if threads < 1 {
		return nil, fmt.Errorf("extensions.NewQueue: %d threads make no request: want at least 1", threads)
	}
	if f == nil {
		f = frontier.NewMemory(frontier.Manners{})
	}
	return &Queue{Threads: threads, frontier: f, hooked: map[*colly.Collector]bool{}, tries: map[uint64]int{}, renew: 5 * time.Second}, nil
}

// Retried is how many requests were made again, because they had failed before.
func (q *Queue) Retried() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.retried
}

// Size is the number of requests that wait.
func (q *Queue) Size() (int, error) { return q.frontier.Len(), nil }

// IsEmpty tells whether no request waits.
func (q *Queue) IsEmpty() bool { return q.frontier.Len() == 0 }

// Stop ends Run when the requests under way have ended. What waits goes on waiting: Run takes it up again.
func (q *Queue) Stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stop != nil {
		q.stop()
	}
}

// Run makes the collector request what waits, until nothing waits and no request is under way, until Stop, or until
// the collector's Context ends, which is then the error.
func (q *Queue) Run(c *colly.Collector) error {
	if c.Async {
		return ErrAsync
	}
	ctx, end, err := q.begin(c)
	if err != nil {
		return err
	}
	defer end()
	if err := q.repeat(); err != nil {
		return err
	}
	r := &run{queue: q, collector: c, visits: map[uint64]bool{}}
	defer r.renewing()()
	r.work(ctx, q.Threads)
	return r.result()
}

// begin makes a run the one under way.
func (q *Queue) begin(c *colly.Collector) (context.Context, func(), error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stop != nil {
		return nil, nil, ErrRunning
	}
	if !q.hooked[c] {
		q.hooked[c] = true
		c.OnRequest(func(r *colly.Request) {
			visitIn(r.Ctx).started(r)
			if said := q.logins.Of(r.URL); said != "" && r.Headers.Get("Authorization") == "" {
				r.Headers.Set("Authorization", said)
			}
		})
		c.OnError(func(r *colly.Response, _ error) { visitIn(r.Ctx).failed(r) })
	}
	ctx, cancel := context.WithCancel(c.Context)
	q.stop, q.revisits = cancel, c.AllowURLRevisit
	return ctx, func() {
		cancel()
		q.mu.Lock()
		defer q.mu.Unlock()
		q.stop, q.revisits = nil, false
	}, nil
}

// run is one Run.
type run struct {
	queue     *Queue
	collector *colly.Collector
	mu        sync.Mutex
	err       error // what ended it before its end
	panicked  error // the first panic of a callback
	panics    int
	visits    map[uint64]bool // items under way
}

// work visits what waits, until there is nothing or the run is ended.
func (r *run) work(ctx context.Context, threads int) {
	missed := func(err error) bool {
		if errors.Is(err, frontier.ErrHeld) {
			if open, ok := r.collector.Context.Value(frontier.OpeningKey{}).(frontier.Opening); ok {
				return open() && ctx.Err() == nil
			}
		}
		if ended := ctx.Err(); !errors.Is(err, frontier.ErrEmpty) && (ended == nil || !errors.Is(err, ended)) {
			r.fail(fmt.Errorf("queue: %w", err))
		}
		return false
	}
	frontier.Crew{
		Threads: threads,
		Next:    func(context.Context) (frontier.Turn, bool) { return frontier.Turn{Missed: missed}, ctx.Err() == nil },
		Visit: func(item frontier.Item, _ int) (frontier.Outcome, bool) {
			r.mu.Lock()
			r.visits[item.ID] = true
			r.mu.Unlock()
			defer func() {
				r.mu.Lock()
				delete(r.visits, item.ID)
				r.mu.Unlock()
			}()
			o := r.visit(ctx, item)
			o.Score = float32(math.NaN())
			return o, false
		},
	}.Run(ctx, r.queue.frontier)
}

// renewing keeps the leases of visits from lapsing, where a frontier has leases that lapse, until it is ended.
func (r *run) renewing() (end func()) {
	renewer, ok := r.queue.frontier.(frontier.Renewer)
	if !ok {
		return func() {}
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(r.queue.renew)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				for _, id := range r.underway() {
					renewer.Renew(id) // one that has ended meanwhile needs no lease
				}
			}
		}
	}()
	return func() { close(stop); <-done }
}

func (r *run) underway() []uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Collect(maps.Keys(r.visits))
}

// fail ends the run before its end.
func (r *run) fail(err error) {
	r.mu.Lock()
	if r.err == nil {
		r.err = err
	}
	r.mu.Unlock()
	r.queue.Stop()
}

func (r *run) result() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.err
	if err == nil {
		err = context.Cause(r.collector.Context)
	}
	if r.panics > 1 {
		r.panicked = fmt.Errorf("%w (and %d more panics)", r.panicked, r.panics-1)
	}
	return errors.Join(err, r.panicked)
}
