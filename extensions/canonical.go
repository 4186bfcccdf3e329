package extensions

import (
	"hash/maphash"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/recent"
)

// CanonicalConfig tunes Canonical; the zero value is the default.
type CanonicalConfig struct {
	Remember  int           // pages at most; 0 means 1,000,000
	OnRefusal func(Refusal) // hears of every refusal, possibly from many goroutines at once; nil is nobody
}

// Canonical makes different ways of writing an address one address: with and without a fragment, parameters in another
// order, escapes that need not be, session ids. Colly takes them for different pages and fetches each. The first one
// that is asked for is fetched as it was written; a request for another one is aborted in OnRequest, and OnRefusal
// hears of it. The address that a page calls its own (rel=canonical) is noted, and told by CanonicalOf.
//
// Where AllowURLRevisit is set, nothing is aborted.
func Canonical(c *colly.Collector, o CanonicalConfig) {
	seed := maphash.MakeSeed()
	first := recent.New[uint64, uint64](setting("CanonicalConfig.Remember", o.Remember, 1_000_000)) // identity: the address as it was written first
	c.OnRequest(func(r *colly.Request) {
		written := r.URL.String()
		identity, err := page.Canonical(written)
		if err != nil || c.AllowURLRevisit || r.Method != "GET" {
			return
		}
		me := maphash.String(seed, written)
		was := first.Update(maphash.String(seed, identity), func(old uint64, known bool) uint64 {
			if known {
				return old
			}
			return me
		})
		if was != me {
			refusing(o.OnRefusal).refused(written, "Canonical", "another way to write "+identity)
			r.Abort()
		}
	})
	openNotebook(c)
	c.OnResponse(func(r *colly.Response) {
		n := noteOn(r.Request)
		if links := n.head.Links("canonical", r.Request.URL); len(links) > 0 {
			n.canonical = links[0].Address
		}
	})
}

// CanonicalOf is the address that the page of a request calls its own, empty if it names none. It needs Canonical, and
// is asked in a callback of the page.
func CanonicalOf(r *colly.Request) string { return noteOn(r).canonical }
