package seek

import (
	"cmp"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// pointer is a link that speaks for where it leads.
type pointer struct {
	url      string
	evidence Evidence
}

// fewAnchors is how many links a block must have for the rest of it to be believed because most of them match.
const fewAnchors = 3

// directory reads a page of links for the topic: of a block whose heading matches, or half of whose anchors do, all links
// that lead to other hosts; of other blocks those that match themselves. Advertisements are left out.
func directory(p *page.Page, about *topic.Topic) []pointer {
	links, matching := make([]int, len(p.Blocks)), make([]int, len(p.Blocks))
	own := make([]bool, len(p.Links))
	for i := range p.Links {
		l := &p.Links[i]
		links[l.Block]++
		if own[i] = len(about.Matches(l.Anchor)) > 0; own[i] {
			matching[l.Block]++
		}
	}
	var found []pointer
	here := page.Host(p.URL)
	for i := range p.Links {
		l := &p.Links[i]
		b := &p.Blocks[l.Block]
		heading := cmp.Or(l.Heading, b.Heading)
		announced := heading != "" && len(about.Matches(heading)) > 0
		mostly := links[l.Block] >= fewAnchors && 2*matching[l.Block] >= links[l.Block]
		if !own[i] && !announced && !mostly || !leadsAway(l, here) || b.Kind == page.Advertisement {
			continue
		}
		e := Evidence{Kind: "directory", From: p.URL, Anchor: l.Anchor, URL: l.URL}
		if announced {
			e.Block = heading
		}
		found = append(found, pointer{l.URL, e})
	}
	return found
}

// recommended are the links of an example page that match the topic and lead to other hosts, menus and advertisements
// left out.
func recommended(p *page.Page, about *topic.Topic) []pointer {
	var found []pointer
	here := page.Host(p.URL)
	for i := range p.Links {
		l := &p.Links[i]
		kind := p.Blocks[l.Block].Kind
		if !leadsAway(l, here) || kind == page.Advertisement || kind == page.Navigation {
			continue
		}
		if len(about.Matches(l.Anchor)) > 0 || kind == page.Related {
			found = append(found, pointer{l.URL, Evidence{Kind: "example", From: p.URL, Anchor: l.Anchor, URL: l.URL}})
		}
	}
	return found
}

// leadsAway tells a link to a page of another host that its author stands by.
func leadsAway(l *page.Link, here string) bool {
	return l.Host != here && (l.Source == page.A || l.Source == page.Area) && l.Rel&(page.Sponsored|page.UGC) == 0 && !page.Binary(l.URL)
}
