package extensions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"time"

	"github.com/gocolly/colly/v2"
	whatwg "github.com/nlnwa/whatwg-url/errors"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// privateKey begins the keys in a colly.Context that are not the program's.
const privateKey = "thresher."

// ItemOf answers the item of the frontier that a queue or a crawl is visiting, given the Ctx of its request or response.
func ItemOf(ctx *colly.Context) (frontier.Item, bool) {
	if ctx == nil {
		return frontier.Item{}, false
	}
	v, ok := ctx.GetAny(frontier.VisitKey).(frontier.Visiting)
	if !ok {
		return frontier.Item{}, false
	}
	return v.Visits(), true
}

// queueVisit is one request of a queue, on its way.
type queueVisit struct {
	item    frontier.Item
	depth   int    // with which Colly is asked
	asked   bool   // Colly was
	ended   func() // nil where nobody wants to know
	id      uint32 // of Colly's request; a Visit in a callback shares the context, and has a higher one
	status  int    // of an answer that Colly calls an error
	after   time.Duration
	refused error // why neither this nor any further one may be made
}

func visitIn(ctx *colly.Context) *queueVisit {
	if ctx == nil {
		return nil
	}
	v, _ := ctx.GetAny(frontier.VisitKey).(*queueVisit)
	return v
}

// Visits is the item on its way: package focus asks, which knows no queue.
func (v *queueVisit) Visits() frontier.Item { return v.item }
func (v *queueVisit) Depth() int            { return v.depth }
func (v *queueVisit) OnEnd(ended func())    { v.ended = ended }
func (v *queueVisit) Refuse(why error)      { v.refused = why }

// started hears of each request of a visit. The item's own is the first that Colly made, though one that an earlier callback made for
// it comes here before.
func (v *queueVisit) started(r *colly.Request) {
	if v != nil && (v.id == 0 || r.ID < v.id) {
		v.id, v.status, v.after, r.Depth = r.ID, 0, 0, int(v.item.Depth)+1
	}
}

func (v *queueVisit) failed(r *colly.Response) {
	if v == nil || r.Request == nil || r.Request.ID != v.id {
		return
	}
	v.status = r.StatusCode
	if r.Headers != nil {
		v.after, _ = wire.RetryAfter(*r.Headers, time.Now())
	}
}

// longestRest is the most that a host's Retry-After keeps it waiting.
const longestRest = time.Hour

// visit makes one request, and says how it ended.
func (r *run) visit(ctx context.Context, item frontier.Item) frontier.Outcome {
	q := r.queue
	if ctx.Err() != nil {
		return frontier.Outcome{Again: true}
	}
	v := &queueVisit{item: item}
	q.mu.Lock()
	tries := q.tries[item.ID]
	q.mu.Unlock()
	begin := time.Now()
	err := r.request(v, tries > 0)
	o := frontier.Outcome{Took: time.Since(begin), Wait: min(v.after, longestRest), Failed: v.isFailure(err)}
	switch {
	case v.refused != nil, errors.Is(err, colly.ErrMaxRequests):
		r.fail(cmp.Or(v.refused, err))
		return frontier.Outcome{Again: true}
	case err != nil && r.collector.Context.Err() != nil:
		o = frontier.Outcome{Again: true} // the crawl was given up, not the page
	case r.storageFailed(v, err):
		r.fail(fmt.Errorf("queue: the collector's storage, asked for %q: %w", item.URL, err))
		return frontier.Outcome{Again: true}
	case o.Failed:
		o.Again = tries < q.Retries
	}
	q.mu.Lock()
	if tries > 0 {
		q.retried++
	}
	if o.Again {
		q.tries[item.ID] = tries + 1
	} else {
		delete(q.tries, item.ID)
	}
	q.mu.Unlock()
	return o
}

// isFailure tells whether it was the host or the way to it that failed, and may do better another time. Colly's own
// refusals and answers such as 404 are final.
func (v *queueVisit) isFailure(err error) bool {
	switch {
	case err == nil || v.id == 0:
		return false
	case v.status == 0:
		var again *colly.AlreadyVisitedError
		return !errors.As(err, &again) && wire.Passing(0, err)
	}
	return wire.Passing(v.status, nil) || v.status >= 500
}

// storageFailed tells whether nothing was requested because the collector's storage did not say if the page was visited. Colly hands
// on what it said as it is: it is what is no refusal of Colly's and no flaw of the address. Where Colly asks for robots.txt, that
// may have failed as well, and the storage is asked once more.
func (r *run) storageFailed(v *queueVisit, err error) bool {
	var address *url.Error
	switch {
	case err == nil, !v.asked, v.id != 0, errors.As(err, new(*colly.AlreadyVisitedError)), errors.As(err, new(*whatwg.ValidationError)),
		errors.As(err, &address) && address.Op == "parse", slices.ContainsFunc(collyRefuses, func(said error) bool { return errors.Is(err, said) }):
		return false
	case !r.collector.IgnoreRobotsTxt:
		_, err = r.collector.HasVisited(v.item.URL)
	}
	return err != nil
}

// collyRefuses is what Colly says of a request that it does not make.
var collyRefuses = []error{colly.ErrForbiddenDomain, colly.ErrMissingURL, colly.ErrMaxDepth, colly.ErrForbiddenURL, colly.ErrNoURLFiltersMatch,
	colly.ErrRobotsTxtBlocked, colly.ErrRetryBodyUnseekable}

// request makes a request. A panic of a callback ends here, and who does not come back from one is told of like it.
func (r *run) request(v *queueVisit, again bool) (err error) {
	came := false
	defer func() {
		p := recover()
		if p == nil && !came {
			p = frontier.ErrGoexit
		}
		if p != nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.panics++; r.panicked == nil {
				r.panicked = fmt.Errorf("queue: a callback panicked on %q: %v\n%s", v.item.URL, p, debug.Stack())
			}
		}
	}()
	defer func() {
		if v.ended != nil {
			v.ended()
		}
	}()
	err = r.ask(v, again)
	came = true
	return err
}

// ask makes Colly do it.
func (r *run) ask(v *queueVisit, again bool) error {
	if most := r.collector.MaxDepth; most > 0 && int(v.item.Depth)+1 > most {
		return colly.ErrMaxDepth
	}
	ctx := colly.NewContext()
	if request, _ := frontier.SplitNote(v.item.Note); !again && len(request) == 0 && v.item.Depth == 0 {
		v.depth, v.asked = 1, true
		ctx.Put(frontier.VisitKey, v)
		return r.collector.Request(http.MethodGet, v.item.URL, nil, ctx, nil)
	}
	req, err := unpackRequest(r.collector, v.item)
	if err != nil {
		return err
	}
	v.depth, v.asked = req.Depth, true
	req.Ctx.Put(frontier.VisitKey, v)
	if again {
		return req.Retry() // Colly has marked it visited, although nothing came of it
	}
	return req.Do()
}
