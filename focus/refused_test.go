package focus

import "testing"

// TestWhatWasDroppedWithoutAVisitCostNoRequest: a page that was refused at its turn was not fetched.
func TestWhatWasDroppedWithoutAVisitCostNoRequest(t *testing.T) {
	for reason, fetched := range map[Refused]bool{
		RefusedRobots: false, RefusedHostFull: false, RefusedDown: false, RefusedAddress: false,
		RefusedWeak: true, RefusedSoft: true, refuse("status", "404 Not Found"): true, refuse("failed", "timeout"): true,
	} {
		if d := (&Decision{Decision: "drop", Reason: reason}); d.Fetched() != fetched {
			t.Errorf("dropped as %q: fetched %v", reason, d.Fetched())
		}
	}
	if !(&Decision{Decision: "keep"}).Fetched() || (&Decision{Decision: "refuse"}).Fetched() {
		t.Error("what is kept was fetched, and what was refused as a link was not")
	}
}
