package sitemap

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Listed is what stands in a sitemap or a feed; ok is false for everything else.
func Listed(body []byte, address string) (found []Found, ok bool) {
	at, err := url.Parse(address)
	if err != nil {
		return nil, false
	}
	head := body[:min(len(body), 2048)]
	switch {
	case hasAny(head, "<rss", "<feed", "<rdf:RDF"):
		found, _ = ParseFeed(body, at) // what can be read of a broken one is worth having
	case hasAny(head, "<urlset", "<sitemapindex"), bytes.HasPrefix(head, []byte("\x1f\x8b")) && strings.Contains(at.Path, "sitemap"):
		s, _ := Parse(body, at)
		found = append(s.Files, s.Pages...)
	case plainList(head, len(head) < len(body)):
		s, _ := Parse(body, at)
		found = s.Pages
	default:
		return nil, false
	}
	return found, true
}

// ListPage is a sitemap or a feed as a page of links, at most so many; nil for everything else.
func ListPage(body []byte, address string, most int) *page.Page {
	found, ok := Listed(body, address)
	if !ok {
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

// plainList tells of a text that its lines are addresses, as those of a plain sitemap. The last line may be cut off.
func plainList(head []byte, cut bool) bool {
	if cut {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	lines := 0
	for line := range bytes.Lines(bytes.TrimPrefix(head, []byte("\ufeff"))) {
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0:
			continue
		case !bytes.HasPrefix(line, []byte("http://")) && !bytes.HasPrefix(line, []byte("https://")), bytes.ContainsAny(line, " \t<"):
			return false
		}
		lines++
	}
	return lines > 1
}

func hasAny(head []byte, words ...string) bool {
	for _, w := range words {
		if bytes.Contains(head, []byte(w)) {
			return true
		}
	}
	return false
}
