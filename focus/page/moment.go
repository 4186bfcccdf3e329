package page

import (
	"strings"
	"time"
)

// zones are those that have a name in the dates of mail (RFC 822), and so in those of feeds and headers.
var zones = map[string]time.Duration{"EDT": -4 * time.Hour, "EST": -5 * time.Hour, "CDT": -5 * time.Hour, "CST": -6 * time.Hour,
	"MDT": -6 * time.Hour, "MST": -7 * time.Hour, "PDT": -7 * time.Hour, "PST": -8 * time.Hour}

// Moment is the moment that a date names which is written in one of some layouts, in UTC. It is the same on every machine: a zone that
// mail has no name for is UTC, whatever it is called where the machine stands.
func Moment(written string, layouts []string) (at time.Time, ok bool) {
	written = strings.TrimSpace(written)
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, written, time.UTC); err == nil {
			name, offset := t.Zone()
			if strings.HasPrefix(name, "GMT") { // the reader of "GMT+8" notes the eight hours, and does not count them
				t = t.Add(-time.Duration(offset) * time.Second)
			}
			return t.Add(-zones[name]).UTC(), true
		}
	}
	return at, false
}
