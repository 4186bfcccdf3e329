package ledger_test

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/ledger"
)

// What happens to one ledger can be applied to another: that is how a crawl that was killed goes on, and how machines
// hear from each other.
func Example() {
	here, there := ledger.New(), ledger.New()
	here.Keeps = true
	here.Record(&ledger.Counted{ID: 1, Host: "a.example", Page: true, Relevant: true, Kept: true, Relevance: 0.8, URL: "https://a.example/"})
	here.Record(&ledger.Refused{Address: 17, Reason: "host"})
	if err := there.Again(here.Told(nil)); err != nil {
		fmt.Println(err)
	}
	counts := there.Counts()
	fmt.Println(counts.Pages, counts.Harvest(), counts.Refused.Sorted(), there.WasRefused(17))
	// Output: 1 1 [host] true
}
