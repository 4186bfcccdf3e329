package run_test

import (
	"sync"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
)

// A program may push a Visit while a page has the turn: under the race detector nothing is found, and what is told last counts.
func TestReachesAreToldFromManyGoroutines(t *testing.T) {
	r := run.NewReaches(frontier.NewMemory(frontier.Manners{}), nil)
	var told sync.WaitGroup
	told.Go(func() {
		for id := range uint64(2000) {
			r.Set(id, 3)
		}
	})
	told.Go(func() {
		for id := range uint64(2000) {
			r.Forget(id)
		}
	})
	told.Go(func() {
		for id := range uint64(2000) {
			if err := r.Lengthen(id, 3, &frontier.Item{}); err != nil {
				t.Error(err)
			}
		}
	})
	told.Wait()
}
