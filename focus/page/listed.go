package page

import (
	"slices"
	"strings"
)

// What stands in a list of other pages, each with a heading that leads to it, is said of these.

const (
	fewListed = 3   // pages are no list yet below so many
	cardDepth = 8   // elements between a heading and what is said of its page
	maxDates  = 200 // so many are looked at
)

// listing knows the headings of a page, to tell what is said of others.
type listing struct {
	*reading
	c        []candidate
	to       *resolver
	own      []string // what the page itself is called
	headings []int32
}

func (r *reading) listing(c []candidate, to *resolver) *listing {
	l := &listing{reading: r, c: c, to: to}
	for _, own := range []string{r.address, r.page.Facts.Canonical} {
		if a, ok := to.resolve(own); ok && own != "" {
			l.own = append(l.own, a.identity())
		}
	}
	for i := range r.parts {
		if facts[r.parts[i].tag]&isHeading != 0 && c[i].all > 0 {
			l.headings = append(l.headings, int32(i))
		}
	}
	return l
}

// about is the page of which a part says something that stands in the smallest element with a heading around it, by that heading: the
// last before the part, else the first behind it. It is nothing where that is the page itself.
func (l *listing) about(part int32) string {
	at, _ := slices.BinarySearch(l.headings, part)
	for i, depth := part, 0; i > 0 && depth < cardDepth; i, depth = l.parts[i].parent, depth+1 {
		if at > 0 && l.inside(l.headings[at-1], i) {
			return l.leadsTo(l.headings[at-1])
		}
		if at < len(l.headings) && l.inside(l.headings[at], i) {
			return l.leadsTo(l.headings[at])
		}
	}
	return ""
}

// leadsTo is the other page to which all of a heading leads, where it is no longer than headings are. A link with a fragment leads to a
// place, as to a post of a thread, whichever of its addresses that has.
func (l *listing) leadsTo(heading int32) (page string) {
	for k := l.c[heading].opens; int(k) < len(l.prose.runs); k++ {
		u := &l.prose.runs[k]
		if u.part != heading && !l.inside(u.part, heading) {
			break
		}
		if u.link == nothing || k-l.c[heading].opens > maxMarked {
			return ""
		}
		href := l.links[u.link].href
		to, ok := l.to.resolve(href)
		if page = to.identity(); !ok || strings.Contains(href, "#") || slices.Contains(l.own, page) || folderOf(to.path) == "/" && to.query == "" {
			return ""
		}
	}
	return page
}

// dates says whether the page has the dates of several other pages.
func (l *listing) dates() bool {
	pages, seen := map[string]bool{}, 0
	for i := range l.parts {
		if l.datedBy(l.c, i, false) < classSays {
			continue
		}
		if page := l.about(int32(i)); page != "" {
			pages[page] = true
		}
		if seen++; len(pages) >= fewListed || seen >= maxDates {
			break
		}
	}
	return len(pages) >= fewListed
}
