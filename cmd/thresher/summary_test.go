package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
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
