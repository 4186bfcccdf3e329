package extensions

import (
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/junk"
)

// TrapsConfig tunes Traps; the zero value is the default.
type TrapsConfig struct {
	Paths     int              // addresses of a host that differ only in the numbers of their paths; 0 means 20,000
	Queries   int              // addresses of one path that differ only in the values of their queries; 0 means 2,000
	Hosts     int              // hosts of one site, its registered name or an address with its ports; 0 means 2,000
	Remember  int              // patterns at most; 0 means 500,000
	Now       func() time.Time // the clock, for calendars; nil is the wall's
	OnRefusal func(Refusal)    // hears of every refusal, possibly from many goroutines at once; nil is nobody
}

// Traps aborts, in OnRequest, requests for addresses that look as if a server made them up without end: repeating
// segments, paths that grow, calendars, facets, session ids, and more of one pattern than its budget. OnRefusal hears of
// each of them with the reason. Where the program tells what it answers of the pages that were worth fetching (Kept), more of
// their patterns pass.
func Traps(c *colly.Collector, o TrapsConfig) *junk.TrapWatch {
	w := junk.NewTrapWatch(junk.TrapConfig{Paths: o.Paths, Queries: o.Queries, Hosts: o.Hosts, Remember: o.Remember, Now: o.Now})
	c.OnRequest(func(r *colly.Request) {
		if address := r.URL.String(); r.Method == "GET" {
			if reason := w.Check(address); reason != "" {
				refusing(o.OnRefusal).refused(address, "Traps", reason)
				r.Abort()
			}
		}
	})
	return w
}
