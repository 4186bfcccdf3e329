package focus_test

import (
	"strings"
	"testing"
)

// A host that may not be visited, since it is on a private network, is not waited for: its pages are dropped at once, with
// a reason that names the cure.
func TestAPrivateHostIsNotWaitedFor(t *testing.T) {
	config := solarConfig(t, nil)
	config.Transport = nil
	config.Seeds = []string{"http://127.0.0.1:9/"}
	report := crawlWith(t, config)
	for reason, n := range report.Counts.Dropped {
		if n != 1 || !strings.Contains(string(reason), "not a public address; fetch.private") {
			t.Errorf("%d × %s", n, reason)
		}
	}
	if len(report.Counts.Dropped) != 1 || report.Wall.Seconds() > 5 {
		t.Errorf("dropped %v after %v", report.Counts.Dropped, report.Wall)
	}
}
