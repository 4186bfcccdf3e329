package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/ledger"
)

// TestReasonsThatAreNotShownAreCounted: one is told as one, and none as none.
func TestReasonsThatAreNotShownAreCounted(t *testing.T) {
	for more, want := range map[int]string{0: "", 1: "and 1 other reason:", 2: "and 2 other reasons:"} {
		tally := admit.Tally{}
		for i := range shownRefusals + more {
			tally[admit.Refused(fmt.Sprintf("reason %c", 'a'+i))] = 10
		}
		var out strings.Builder
		printReasons(&out, "not kept", tally)
		if said := out.String(); want == "" && strings.Contains(said, "other") || !strings.Contains(said, want) {
			t.Errorf("%d more: %s", more, said)
		}
	}
	var out strings.Builder
	if printReasons(&out, "not kept", admit.Tally{}); out.Len() != 0 {
		t.Errorf("of no reasons %q is said", out.String())
	}
}

// TestPagesAddUp: what waited and was refused at last was never fetched, and is no page that is not kept.
func TestPagesAddUp(t *testing.T) {
	trap, forbidden := admit.Refuse(admit.RefusedTrap, "facets"), admit.Refuse(admit.RefusedRobots, "line 2: Disallow: /")
	c := &ledger.Counts{Pages: 9, Kept: 4, Refused: admit.Tally{trap: 1, admit.RefusedType: 3},
		Dropped: admit.Tally{trap: 700, forbidden: 10, admit.RefusedWeak: 3, admit.Refuse(admit.RefusedStatus, "404 Not Found"): 2}}
	links, pages := refusals(c)
	if not := pages[admit.RefusedWeak] + pages["status: 404 Not Found"]; len(pages) != 2 || not+c.Kept != c.Pages {
		t.Errorf("of %d pages %d are kept, and these are not: %v", c.Pages, c.Kept, pages)
	}
	if links[trap] != 701 || links[forbidden] != 10 || links[admit.RefusedType] != 3 || c.Refused[trap] != 1 {
		t.Errorf("links refused are %v, and counted are %v", links, c.Refused)
	}
}
