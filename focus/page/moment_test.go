package page

import (
	"testing"
	"time"
)

// A date means the same wherever it is read.
func TestAMomentHangsOnNoMachine(t *testing.T) {
	here := time.Local
	defer func() { time.Local = here }()
	layouts := []string{time.RFC1123, time.RFC1123Z, time.RFC3339}
	for _, there := range []*time.Location{time.UTC, time.FixedZone("PST", 8*3600), time.FixedZone("XYZ", 5*3600)} {
		time.Local = there
		for written, want := range map[string]string{
			"Fri, 02 Jan 2026 20:00:00 PST":   "2026-01-03T04:00:00Z",
			"Thu, 02 Jul 2026 20:00:00 EDT":   "2026-07-03T00:00:00Z",
			"Fri, 02 Jan 2026 20:00:00 GMT":   "2026-01-02T20:00:00Z",
			"Fri, 02 Jan 2026 20:00:00 GMT+8": "2026-01-02T12:00:00Z",
			"Fri, 02 Jan 2026 20:00:00 GMT-5": "2026-01-03T01:00:00Z",
			"Fri, 02 Jan 2026 20:00:00 XYZ":   "2026-01-02T20:00:00Z",
			"Fri, 02 Jan 2026 20:00:00 +0800": "2026-01-02T12:00:00Z",
			" 2026-01-02T20:00:00-05:00 ":     "2026-01-03T01:00:00Z",
		} {
			if got, ok := Moment(written, layouts); !ok || got.Format(time.RFC3339) != want {
				t.Errorf("%s, read in %s: %s, want %s", written, there, got.Format(time.RFC3339), want)
			}
		}
	}
	if at, ok := Moment("soon", layouts); ok || !at.IsZero() {
		t.Errorf("soon is %s", at)
	}
}
