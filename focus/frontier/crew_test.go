package frontier_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A crew visits everything once, acknowledges what its visits have not, hears why nothing comes any more, and tries again
// while it is told to.
func TestACrewVisitsAndAcknowledgesEverything(t *testing.T) {
	for _, threads := range []int{0, 3} {
		f := frontier.NewMemory(frontier.Manners{})
		for i := range 20 {
			if _, _, err := f.Push(frontier.Item{URL: fmt.Sprint(i), Host: fmt.Sprint(i), Score: float32(i)}); err != nil {
				t.Fatal(err)
			}
		}
		var mu sync.Mutex
		var order []int
		var missed []error
		frontier.Crew{Threads: threads,
			Next: func(context.Context) (frontier.Turn, bool) {
				return frontier.Turn{Missed: func(err error) bool {
					mu.Lock()
					defer mu.Unlock()
					missed = append(missed, err)
					return len(missed) < 5
				}}, true
			},
			Visit: func(item frontier.Item, _ int) (frontier.Outcome, bool) {
				mu.Lock()
				order = append(order, int(item.Score))
				mu.Unlock()
				told := item.ID%2 == 0
				if told {
					f.Done(item.ID, frontier.Outcome{})
				}
				return frontier.Outcome{}, told
			},
		}.Run(t.Context(), f)
		if threads == 0 && !slices.IsSortedFunc(order, func(a, b int) int { return b - a }) {
			t.Errorf("one after the other: the order was %v", order)
		}
		if waiting, leased := f.Open(); len(order) != 20 || waiting != 0 || leased != 0 {
			t.Errorf("%d threads: %d visits, %d wait, %d are leased", threads, len(order), waiting, leased)
		}
		if len(missed) < 5 || !errors.Is(missed[0], frontier.ErrEmpty) {
			t.Errorf("%d threads missed %v", threads, missed)
		}
	}
}

// A crew ends when it is told that no more is to be visited, and a lease that lapsed is no error.
func TestACrewEndsWhenItIsTold(t *testing.T) {
	f := frontier.NewMemory(frontier.Manners{})
	for i := range 9 {
		f.Push(frontier.Item{URL: fmt.Sprint(i), Host: "a"})
	}
	visits := 0
	frontier.Crew{
		Next: func(context.Context) (frontier.Turn, bool) {
			return frontier.Turn{Missed: func(err error) bool { t.Error(err); return false }}, visits < 4
		},
		Visit: func(item frontier.Item, _ int) (frontier.Outcome, bool) {
			visits++
			f.Done(item.ID, frontier.Outcome{}) // and the loop tells it again: the lease is somebody else's by now
			return frontier.Outcome{}, false
		},
	}.Run(t.Context(), f)
	if visits != 4 || f.Len() != 5 {
		t.Errorf("%d visits, %d wait", visits, f.Len())
	}
}
