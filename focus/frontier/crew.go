package frontier

import (
	"context"
	"errors"
	"sync"
)

// Crew visits what waits, several links at the same time. It is the one loop that pops, visits and acknowledges: a crawl on
// the web, the queue of a Colly program and whoever only looks at single pages differ in what they do with a link.
type Crew struct {
	// Threads is how many work at the same time; none means one.
	Threads int
	// Next waits until another link may be visited, and says from which lane. ok is false when no more is to be visited.
	Next func(context.Context) (t Turn, ok bool)
	// Visit visits a link. The outcome is told to the frontier then, unless the visit has told it already.
	Visit func(item Item, lane int) (o Outcome, told bool)
}

// Turn is one link that may be visited.
type Turn struct {
	Lane int
	// Missed hears why nothing was visited after all: of ErrEmpty, ErrHeld and all other errors of Pop, and of those of Done,
	// but that the lease had lapsed. It answers whether it is worth another try.
	Missed func(error) (again bool)
}

// Run returns when all have come to their end.
func (c Crew) Run(ctx context.Context, f Frontier) {
	var crew sync.WaitGroup
	for range max(c.Threads, 1) {
		crew.Go(func() {
			for c.one(ctx, f) {
			}
		})
	}
	crew.Wait()
}

// one visits one link, and answers whether to go on.
func (c Crew) one(ctx context.Context, f Frontier) bool {
	t, ok := c.Next(ctx)
	if !ok {
		return false
	}
	item, err := f.Pop(ctx, t.Lane)
	if err != nil {
		return t.Missed(err)
	}
	if o, told := c.Visit(item, t.Lane); !told {
		err = f.Done(item.ID, o)
	}
	if err == nil || errors.Is(err, ErrNotLeased) {
		return true
	}
	return t.Missed(err)
}
