package sitemap

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Listed is what stands in a sitemap or a feed; ok is false for everything else.
func Listed(body []byte, address string) (found []Found, ok bool) {
	at, err := url.Parse(address)
	if err != nil {
		return nil, false
	}
	head := headOf(body)
	switch {
	case IsFeed(body):
		found, _ = ParseFeed(body, at) // what can be read of a broken one is worth having
	case Is(body), bytes.HasPrefix(head, []byte("\x1f\x8b")) && strings.Contains(at.Path, "sitemap"):
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

// The first elements of sitemaps and feeds, which may be written with a prefix, and where a list is nothing else.
const (
	sitemapElement = `<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s/>]`
	feedElement    = `<(?:(?:[\w.-]+:)?(?:rss|feed)|rdf:RDF)[\s/>]`
)

var (
	sitemapBegins = regexp.MustCompile(sitemapElement)
	feedBegins    = regexp.MustCompile(feedElement)
	listBegins    = regexp.MustCompile(`^(?:\x{FEFF})?\s*(?:<\?[^>]*>\s*|<!--(?s:.*?)-->\s*)*(?:` + sitemapElement + `|` + feedElement + `)`)
)

// headOf is as much of a body as tells what it is.
func headOf(body []byte) []byte { return body[:min(len(body), 2048)] }

// Is tells whether a body looks like a sitemap.
func Is(body []byte) bool { return sitemapBegins.Match(headOf(body)) }

// IsNoPage tells of what is sent as a page that it is a sitemap or a feed all the same, as where a script forgot to say so: its
// first element is that of one, or it is a JSON Feed.
func IsNoPage(body []byte) bool { return listBegins.Match(headOf(body)) || isJSONFeed.Match(body) }

// ListPage is a sitemap or a feed as a page of links, as many as either may hold; nil for everything else.
func ListPage(body []byte, address string) *page.Page {
	found, ok := Listed(body, address)
	if !ok {
		return nil
	}
	p := &page.Page{URL: address, Base: address, Kind: page.Hub, HubRatio: 1,
		Blocks: []page.Block{{Parent: -1, Kind: page.Links, LinkCount: int32(len(found))}}}
	for i, f := range found {
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
