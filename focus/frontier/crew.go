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

// ErrGoexit: what a program hung on a visit has not come back from it. It costs the page, as a panic does.
var ErrGoexit = errors.New("it ended the goroutine in which it was called, as t.Fatal and t.FailNow of a test do (runtime.Goexit): let it return, and fail the test when the crawl has ended")

// Run returns when all have come to their end.
func (c Crew) Run(ctx context.Context, f Frontier) {
	var crew sync.WaitGroup
	for range max(c.Threads, 1) {
		Outlive(&crew, func() bool { return c.one(ctx, f) })
	}
	crew.Wait()
}

// Outlive works until there is nothing more to do. A goroutine that a program ends meanwhile has another one in its place.
func Outlive(crew *sync.WaitGroup, work func() (more bool)) {
	crew.Go(func() {
		ended := false
		defer func() {
			if !ended {
				Outlive(crew, work)
			}
		}()
		for work() {
		}
		ended = true
	})
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
	came := false
	defer func() {
		if !came { // the page is over, and its host free for others
			f.Done(item.ID, Outcome{})
		}
	}()
	o, told := c.Visit(item, t.Lane)
	if came = true; !told {
		err = f.Done(item.ID, o)
	}
	if err == nil || errors.Is(err, ErrNotLeased) {
		return true
	}
	return t.Missed(err)
}
