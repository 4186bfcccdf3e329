package focus

import (
	"bytes"
	"math"
	"net/url"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sitemap"
)

// linkList is a sitemap or a feed as a page of links, at most so many; nil for everything else.
func linkList(body []byte, address string, most int) *page.Page {
	at, err := url.Parse(address)
	if err != nil {
		return nil
	}
	head := body[:min(len(body), 2048)]
	var found []sitemap.Found
	switch {
	case hasAny(head, "<rss", "<feed", "<rdf:RDF"):
		found, _ = sitemap.ParseFeed(body, at) // what can be read of a broken one is worth having
	case hasAny(head, "<urlset", "<sitemapindex"), bytes.HasPrefix(head, []byte("\x1f\x8b")) && strings.Contains(at.Path, "sitemap"):
		s, _ := sitemap.Parse(body, at)
		found = append(s.Files, s.Pages...)
	default:
		return nil
	}
	p := &page.Page{URL: address, Base: address, Kind: page.Hub, HubRatio: 1,
		Blocks: []page.Block{{Parent: -1, Kind: page.Links, LinkCount: int32(len(found))}}}
	if most == 0 {
		most = 5000
	}
	for i, f := range found[:min(len(found), most)] {
		f.Link.Order = int32(i)
		p.Links = append(p.Links, f.Link)
	}
	return p
}

func hasAny(head []byte, words ...string) bool {
	for _, w := range words {
		if bytes.Contains(head, []byte(w)) {
			return true
		}
	}
	return false
}

// mostSitemaps is how many sitemaps are taken from one robots.txt.
const mostSitemaps = 20

// pushSitemaps lets the sitemaps that a robots.txt names wait with the promise of the item that it was asked for. The
// turn must be held.
func (c *Crawler) pushSitemaps(v *Visit, f *robots.Flight) {
	rules := c.ledger.Robots.RulesOf(f.Origin)
	if !c.steps.lists || rules == nil || f.Sitemaps {
		return
	}
	f.Sitemaps = true
	for _, address := range rules.Sitemaps()[:min(len(rules.Sitemaps()), mostSitemaps)] {
		l := page.LinkTo(address)
		if refused := c.steps.scope.Admit(&l, int(v.Item.Depth)); refused != "" {
			c.steps.turnAway(&Candidate{Link: &l, Refused: refused})
			continue
		}
		item := v.Item
		item.ID, item.URL, item.Identity, item.Host = 0, l.URL, l.Identity, l.Host
		id, fresh, err := c.frontier.Push(item)
		c.steps.fail(err)
		if err == nil && fresh {
			c.steps.fail(c.steps.log.Write(&run.Decision{Time: c.now(), Decision: "push", ID: id, Via: v.Item.Via, Hops: v.note.Hops,
				Score: float64(item.Score), Relevance: math.NaN(), URL: l.URL}))
		}
	}
}
