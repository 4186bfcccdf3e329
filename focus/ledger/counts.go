package ledger

import (
	"maps"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
)

// Window is how many of the last pages the recent harvest rate looks at.
const Window = 500

// Counts are what a crawl counted. A page is a visit that cost a request: an answer, an error status, a redirect or a
// failure. A robots.txt is none.
type Counts struct {
	Pages     int         // visits that cost a request
	Relevant  int         // pages at or above the threshold that repeat none that was kept
	Kept      int         // records written
	Redirects int         // visits that sent us on
	Retries   int         // visits that were put off and made again
	Failed    int         // visits without an answer, or with an error status
	Bytes     int64       // of bodies as received, those that fetch.since spared among them
	Links     int         // links read
	Fresh     int         // links that entered the frontier for the first time
	Refused   admit.Tally // links that did not enter, once each, by reason
	Dropped   admit.Tally // pages that were not kept, by reason
	Started   time.Time   // by the crawl's clock
	Now       time.Time   // by the crawl's clock
	Curve     []Point     // how the harvest grew
	Best      []Find      // the most relevant pages kept
	recent    []bool      // whether each of the last pages was relevant

	Spared      int   // pages that fetch.since had, and that had not changed
	SparedBytes int64 // of their bodies, which were not sent
}

// Host is what was counted of one host.
type Host struct{ Pages, Relevant int }

// Point is one point of the harvest curve.
type Point struct {
	Pages, Relevant int
}

// Find is a page worth showing.
type Find struct {
	URL, Title string
	Relevance  float64
	Second     float64 `json:",omitempty"` // by a second look; 0 where there was none
}

// Harvest is the share of a host's pages that were relevant.
func (h Host) Harvest() float64 { return share(h.Relevant, h.Pages) }

// Harvest is the share of relevant pages among all that were fetched.
func (c *Counts) Harvest() float64 { return share(c.Relevant, c.Pages) }

// Recent is the share of relevant pages among the last 500.
func (c *Counts) Recent() float64 {
	n := 0
	for _, relevant := range c.recent {
		if relevant {
			n++
		}
	}
	return share(n, len(c.recent))
}

// HasWindow tells whether there were that many pages.
func (c *Counts) HasWindow() bool { return len(c.recent) == Window }

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// clone is a copy that goes on saying what it says now, while the counts go on.
func (c *Counts) clone() Counts {
	copied := *c
	copied.Refused = maps.Clone(c.Refused)
	copied.Dropped = maps.Clone(c.Dropped)
	copied.Curve = slices.Clone(c.Curve)
	copied.Best = slices.Clone(c.Best)
	copied.recent = slices.Clone(c.recent)
	return copied
}

// shown is how many of the best finds are remembered.
const shown = 5

// apply counts the visit. A page that sent us on, or failed, has cost a request as well, and so it counts among Pages.
func (e *Counted) apply(l *Ledger) {
	c := &l.counts
	c.Pages++
	host := l.hosts[e.Host]
	if host.Pages++; e.Relevant {
		host.Relevant++
	}
	l.hosts[e.Host] = host
	if e.Page {
		l.relevant[e.ID] = float32(e.Relevance)
		c.Links += e.Links
	}
	switch {
	case e.Redirect:
		c.Redirects++
	case e.Failed:
		c.Failed++
	}
	c.Bytes += e.Bytes
	if e.Relevant {
		c.Relevant++
	}
	c.recent = append(c.recent, e.Relevant)
	if len(c.recent) > Window {
		c.recent = c.recent[1:]
	}
	if e.Kept {
		c.Kept++
		c.remember(Find{URL: e.URL, Title: e.Title, Relevance: e.Relevance})
	} else if e.Refused {
		c.Dropped.Count(e.Reason)
	}
	c.Curve = thin(append(c.Curve, Point{c.Pages, c.Relevant}))
}

// remember keeps the best finds, the earlier one first among equals.
func (c *Counts) remember(f Find) {
	i := len(c.Best)
	for i > 0 && c.Best[i-1].Relevance < f.Relevance {
		i--
	}
	if i < shown {
		c.Best = slices.Insert(c.Best, i, f)
		c.Best = c.Best[:min(len(c.Best), shown)]
	}
}

// thin halves a curve that has grown long, keeping its shape. It goes by the points alone, so that a crawl that was interrupted has the
// same curve as one that was not.
func thin(curve []Point) []Point {
	const most = 4096
	if len(curve) < most {
		return curve
	}
	kept := curve[:0]
	for i, p := range curve {
		if i%2 == 1 {
			kept = append(kept, p)
		}
	}
	return kept
}

// HostStates are the hosts that were visited, by state; down tells of a host that it is given up. It does not wait for the turn, which
// a crawl that stands still holds.
func (l *Ledger) HostStates(down func(host string) bool) map[string]int {
	states := map[string]int{"failing": 0, "down": 0}
	hosts, failing := l.Hosts()
	states["ready"] = len(hosts)
	for host := range failing {
		if hosts[host].Pages > 0 {
			states["ready"]--
		}
		if down(host) {
			states["down"]++
		} else {
			states["failing"]++
		}
	}
	return states
}
