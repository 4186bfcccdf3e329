package focus

import (
	"context"
	"errors"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/admit"
)

// window is how many of the last pages the recent harvest rate looks at.
const window = 500

// Counts are what a crawl counted. A page is a visit that cost a request: an answer, an error status, a redirect or a
// failure. A robots.txt is none.
type Counts struct {
	Pages     int         // visits that cost a request
	Relevant  int         // pages at or above the threshold
	Kept      int         // records written
	Redirects int         // visits that sent us on
	Retries   int         // visits that were put off and made again
	Failed    int         // visits without an answer, or with an error status
	Bytes     int64       // of bodies as received
	Links     int         // links read
	Fresh     int         // links that entered the frontier for the first time
	Refused   admit.Tally // links that did not enter, once each, by reason
	Dropped   admit.Tally // pages that were not kept, by reason
	Started   time.Time   // by the crawl's clock
	Now       time.Time   // by the crawl's clock
	Curve     []Point     // how the harvest grew
	Best      []Find      // the most relevant pages kept
	recent    []bool      // whether each of the last pages was relevant
}

// hostCount is what was counted of one host.
type hostCount struct{ pages, relevant int }

// Point is one point of the harvest curve.
type Point struct {
	Pages, Relevant int
}

// Find is a page worth showing.
type Find struct {
	URL, Title string
	Relevance  float64
}

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

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

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

// count takes a judged visit into the counts.
func (st *Steps) count(v *Visit) {
	e := counted{id: v.Item.ID, host: v.Item.Host, page: v.Page != nil, kept: v.Kept, redirect: v.redirect != "",
		failed: v.Err != nil || v.Status >= 400, refused: v.Refused != "", reason: v.Refused, bytes: int64(len(v.Body))}
	if e.page {
		e.relevant, e.relevance, e.links = v.Judgement.Relevant, v.Judgement.Relevance, len(v.Page.Links)
	}
	if v.raw != nil {
		e.bytes = int64(len(v.raw.body))
	}
	if v.Kept {
		e.url, e.title = v.FinalURL, v.Page.Title
	}
	st.happen(&e)
}

func (e *counted) apply(st *Steps) {
	st.counting.Lock()
	defer st.counting.Unlock()
	c := &st.counts
	c.Pages++
	host := st.hosts[e.host]
	if host.pages++; e.relevant {
		host.relevant++
	}
	st.hosts[e.host] = host
	if e.page {
		st.relevant[e.id] = float32(e.relevance)
		c.Links += e.links
	}
	switch {
	case e.redirect:
		c.Redirects++
	case e.failed:
		c.Failed++
	}
	c.Bytes += e.bytes
	if e.relevant {
		c.Relevant++
	}
	c.recent = append(c.recent, e.relevant)
	if len(c.recent) > window {
		c.recent = c.recent[1:]
	}
	if e.kept {
		c.Kept++
		c.remember(Find{URL: e.url, Title: e.title, Relevance: e.relevance})
	} else if e.refused {
		c.Dropped[e.reason]++
	}
	c.Curve = thin(append(c.Curve, Point{c.Pages, c.Relevant}))
}

// countFresh counts the links that entered for the first time.
func (st *Steps) countFresh(v *Visit) {
	links := 0
	for i := range v.Found {
		if f := &v.Found[i]; f.Fresh && f.Refused == "" {
			links++
		}
	}
	if links > 0 {
		st.happen(&fresh{links})
	}
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

// thin halves a curve that has grown long, keeping its shape.
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

// failure names what went wrong without an address in it, so that failures can be counted by kind.
func failure(err error) string {
	var dns *net.DNSError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.As(err, &dns):
		return "no such host"
	case errors.Is(err, extensions.ErrPrivate):
		return extensions.ErrPrivate.Error() + "; fetch.private lets it be visited"
	}
	said := err.Error()
	if i := strings.LastIndex(said, ": "); i >= 0 {
		said = said[i+2:]
	}
	return said
}
