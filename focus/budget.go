package focus

import (
	"context"
	"fmt"
	"sync"

	"github.com/thresher-crawler/thresher/focus/ledger"
)

// budget counts the pages that may still be fetched, those in flight included, so that no page too many is popped.
type budget struct {
	mu     sync.Mutex
	freed  sync.Cond
	most   int // pages; 0 means no bound
	spent  int // pages that cost a request
	flight int // visits under way
}

func (b *budget) init(most int) {
	b.freed.L = &b.mu
	b.most = most
}

// try reserves a page, or answers false when there may be none left.
func (b *budget) try() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.most > 0 && b.spent+b.flight >= b.most {
		return false
	}
	b.flight++
	return true
}

// take reserves a page. While the last pages are in flight it waits to see whether one is given back. It answers false
// when the budget is spent or the context is done.
func (b *budget) take(ctx context.Context) bool {
	defer context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.freed.Broadcast()
	})()
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.most > 0 && b.spent < b.most && b.spent+b.flight >= b.most && ctx.Err() == nil {
		b.freed.Wait()
	}
	if ctx.Err() != nil || (b.most > 0 && b.spent >= b.most) {
		return false
	}
	b.flight++
	return true
}

// giveBack returns a reservation for which nothing was popped.
func (b *budget) giveBack() { b.done(false) }

// done ends a visit: spent if it cost a page.
func (b *budget) done(spent bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flight--
	if spent {
		b.spent++
	}
	b.freed.Broadcast()
}

func (b *budget) leased() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.flight
}

func (b *budget) used() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.most > 0 && b.spent >= b.most
}

// judgeBudget stops the crawl when something it was given is used up. The turn must be held.
func (c *Crawler) judgeBudget() {
	if c.steps.err != nil {
		c.stop("failed: " + c.steps.err.Error())
	} else if reason := c.usedUp(); reason != "" {
		c.stop(reason)
	}
}

// usedUp says what of the budget is used up; nothing if nothing is.
func (c *Crawler) usedUp() string {
	counts, given := c.ledger.Standing(), &c.config.Budget
	elapsed := c.now().Sub(counts.Started)
	recent := counts.Recent()
	switch {
	case c.budget.used():
		return fmt.Sprintf("the budget of %d pages is used up", given.Pages)
	case given.Relevant > 0 && counts.Relevant >= given.Relevant:
		return fmt.Sprintf("%d relevant pages were found", given.Relevant)
	case given.Time > 0 && elapsed >= given.Time.Duration():
		return fmt.Sprintf("the time of %v is over", given.Time)
	case given.Bytes > 0 && counts.Bytes >= int64(given.Bytes):
		return fmt.Sprintf("the budget of %v is used up", given.Bytes)
	case given.Saturation > 0 && counts.HasWindow() && recent < given.Saturation:
		return fmt.Sprintf("saturated: %.1f %% of the last %d pages were relevant, less than %.1f %%",
			100*recent, ledger.Window, 100*given.Saturation)
	}
	return ""
}
