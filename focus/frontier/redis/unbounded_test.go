package redis

import (
	"fmt"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Without a budget no page is reserved, and each visit ends all the same, and is counted for those who come with one.
func TestShardsWithoutABudgetEndTheirVisits(t *testing.T) {
	_, fs := sharded(t, 2, frontier.Manners{}, Options{})
	const pages = 20
	for n := range pages {
		fs[0].Push(frontier.Item{URL: fmt.Sprint("http://h/", n), Host: fmt.Sprint("h", n)})
	}
	for n := range pages {
		f := fs[n%2]
		it, _, err := f.TryPop(0)
		if err != nil || it.ID == 0 {
			t.Fatal(it, err)
		}
		if err := f.Done(it.ID, frontier.Outcome{Counters: map[string]int64{Spent: 1}}); err != nil {
			t.Fatalf("visit %d was not ended: %v", n, err)
		}
	}
	if sums, err := fs[0].Counters(); sums[Spent] != pages || fs[1].Len() != 0 || err != nil {
		t.Errorf("counted %v, %d wait, %v", sums, fs[1].Len(), err)
	}
}
