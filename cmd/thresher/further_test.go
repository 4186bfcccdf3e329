package main

import (
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// TestWhatLetsACrawlGoOn: whatever ended it, the key is named of which more is needed.
func TestWhatLetsACrawlGoOn(t *testing.T) {
	counts := &ledger.Counts{Pages: 3, Relevant: 7, Bytes: 9}
	for want, budget := range map[string]crawlfile.BudgetConfig{
		"raise budget.relevant in x.yaml": {Relevant: 7}, "raise budget.time in x.yaml": {Time: strict.Duration(time.Hour)},
		"raise budget.bytes in x.yaml": {Bytes: 9},
	} {
		if reason := budget.UsedUp(counts, 2*time.Hour); reason == "" || furtherAfter(reason, "x.yaml") != want {
			t.Errorf("%q: %s, want %s", reason, furtherAfter(reason, "x.yaml"), want)
		}
	}
	for reason, want := range map[string]string{
		"saturated: 1.2 % of the last 500 pages were relevant, less than 5.0 %": "lower budget.saturation in x.yaml",
		"1 relevant page was found": "raise budget.relevant in x.yaml", "the budget of 2 rounds is used up": "raise budget.rounds in x.yaml", "the budget of 1 generation is used up": "raise budget.rounds in x.yaml",
		"the budget of 1 page is used up": "give it a larger --budget", "the budget of 3 pages is used up": "give it a larger --budget",
	} {
		if got := furtherAfter(reason, "x.yaml"); got != want {
			t.Errorf("%q: %s, want %s", reason, got, want)
		}
	}
	if got := furtherAfter(run.NothingMore, "x.yaml"); !strings.HasSuffix(got, "widen the scope in x.yaml") {
		t.Errorf("%s", got)
	}
}
