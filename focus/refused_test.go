package focus

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
)

// TestWhatWasDroppedWithoutAVisitCostNoRequest: a page that was refused at its turn was not fetched.
func TestWhatWasDroppedWithoutAVisitCostNoRequest(t *testing.T) {
	for reason, fetched := range map[admit.Refused]bool{
		admit.RefusedRobots: false, admit.RefusedHostFull: false, admit.RefusedDown: false, admit.RefusedAddress: false, admit.RefusedKiller: false,
		admit.RefusedWeak: true, admit.RefusedSoft: true, admit.Refuse(admit.RefusedStatus, "404 Not Found"): true, admit.Refuse(admit.RefusedFailed, "timeout"): true,
	} {
		if d := (&run.Decision{Decision: "drop", Reason: reason}); d.Fetched() != fetched {
			t.Errorf("dropped as %q: fetched %v", reason, d.Fetched())
		}
	}
	if !(&run.Decision{Decision: "keep"}).Fetched() || (&run.Decision{Decision: "refuse"}).Fetched() {
		t.Error("what is kept was fetched, and what was refused as a link was not")
	}
}
