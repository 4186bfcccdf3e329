package page

import (
	"math/bits"
	"strings"
)

// makeLinks resolves the addresses, joins the mentions of one address and gives each link its words. A link to the page itself is none,
// but tells of the kind of its block.
func (r *reading) makeLinks(to *resolver) {
	p := r.page
	own := ""
	if a, err := parseAddress(r.address); err == nil {
		own, r.own = a.identity(), a.host
	}
	p.Links = make([]Link, 0, len(r.links))
	r.features = make([]features, len(p.Blocks))
	if r.seen == nil {
		r.seen = make(map[string]int32, len(r.links))
	}
	place := make([]int32, len(r.links))
	around := r.contexts()
	title := shingles(nil, r.said.whole())
	for i := range r.links {
		l := &r.links[i]
		place[i] = nothing
		a, ok := to.resolve(l.href)
		anchor := r.anchor(l)
		id := ""
		if ok {
			id = a.identity()
		}
		if ok && id == own {
			if !l.head {
				r.features[r.block[l.region]].own++
			}
			continue
		}
		if !l.head {
			r.count(l, &a, title, anchor)
		}
		if !ok {
			continue
		}
		first, again := r.seen[id]
		if again {
			p.Links[first].again(anchor, l.rel)
			place[i] = first
			continue
		}
		place[i] = int32(len(p.Links))
		r.seen[id] = place[i]
		p.Links = append(p.Links, r.link(l, &a, id, anchor, &around))
	}
	r.pointMarks(place)
}

// count counts a link for its block.
func (r *reading) count(l *occurrence, to *address, title []uint32, anchor string) {
	block := r.block[l.region]
	f := &r.features[block]
	if to.host != r.other {
		r.other, r.ours, r.theirs = to.host, r.ofOurSite(to.host), r.lists.advertiser(to.host)
	}
	f.add(to, r.theirs)
	if r.linky(&r.page.Blocks[block]) {
		r.shingles = f.addWords(r.lists, title, anchor, r.ours, r.shingles)
	}
}

// ofOurSite is SameSite of a host and the page's own, whose domain is looked up once. The page's domain is a part of the host
// where both are of one site, so that most foreign hosts need no look.
func (r *reading) ofOurSite(host string) bool {
	if host == r.own {
		return true
	}
	if r.site == nil {
		site := Site(r.own)
		r.site = &site
	}
	return *r.site != "" && strings.HasSuffix(host, *r.site) && Site(host) == *r.site
}

// link is the Link of an address mentioned for the first time.
func (r *reading) link(l *occurrence, to *address, id, anchor string, around *surroundings) Link {
	link := Link{
		URL: to.whole, Identity: id, Host: rootless(to.host), Anchor: anchor, Path: l.path, Block: r.block[l.region],
		Order: int32(len(r.page.Links)), Rel: l.rel, Source: l.source,
	}
	if l.heading != nothing {
		link.Heading = r.slice(r.headings[l.heading])
	}
	if !l.head {
		link.Before, link.After = around.of(r.page.prose, l)
	}
	return link
}

// pointMarks lets the marks of links point to the page's links instead of mentions of them.
func (r *reading) pointMarks(place []int32) {
	for i := range r.page.marks {
		if m := &r.page.marks[i]; m.kind == markLink {
			m.arg = place[m.arg]
		}
	}
}

// again joins another mention of the same address: its words are added, and a mark holds only if all mentions have it.
func (l *Link) again(anchor string, marks Rel) {
	l.Rel &= marks
	switch {
	case anchor == "" || len(l.Anchor) > maxAnchor || strings.Contains(l.Anchor, anchor):
	case strings.Contains(anchor, l.Anchor):
		l.Anchor = anchor
	default:
		l.Anchor += " " + anchor
	}
}

// surroundings finds the text around links.
type surroundings struct {
	edges []edge
	at    int
	page  bool
}

// edge is where another block's text begins.
type edge struct {
	from  int32
	block int32
}

// contextWords bounds the words on each side of a link.
const contextWords = 20

// contexts notes where the text of one block ends and that of the next begins, as the words around a link are those of its own block.
func (r *reading) contexts() surroundings {
	s := surroundings{page: r.o.Context == WholePage}
	if s.page {
		return s
	}
	for i := range r.prose.runs {
		u := &r.prose.runs[i]
		b := r.block[u.region]
		if n := len(s.edges); n == 0 || s.edges[n-1].block != b {
			s.edges = append(s.edges, edge{u.from, b})
		}
	}
	return s
}

// of is the text before and after a link. Links are asked about in the order of the page, so that edges are gone through once for all.
func (s *surroundings) of(prose string, l *occurrence) (before, after string) {
	from, to := l.at, l.at
	if l.text.to > 0 {
		from, to = l.text.from, l.text.to
		if n := len(l.more); n > 0 {
			to = l.more[n-1].to
		}
	}
	low, high := int32(0), int32(len(prose))
	if !s.page {
		for s.at+1 < len(s.edges) && s.edges[s.at+1].from <= from {
			s.at++
		}
		low, high = s.between(from, to, high)
	}
	return lastWords(prose[low:from]), firstWords(prose[to:high])
}

// between is the part of the text around from and to that stands in one block.
func (s *surroundings) between(from, to, end int32) (low, high int32) {
	if len(s.edges) == 0 {
		return from, to
	}
	if low = s.edges[s.at].from; low > from {
		low = from
	}
	high = end
	for i := s.at + 1; i < len(s.edges); i++ {
		if s.edges[i].from >= to {
			high = s.edges[i].from
			break
		}
	}
	return low, high
}

// firstWords is the beginning of s, up to contextWords words; two Chinese characters count as one.
func firstWords(s string) string {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	half, i := 2*contextWords, 0
	for i+8 <= min(len(s), maxContext) {
		n, ok := blanksIn(eight(s, i))
		if !ok || half <= 2*n {
			break // it may end here: the loop below sees where
		}
		i, half = i+8, half-2*n
	}
	for i < len(s) && half > 0 && i < maxContext {
		switch c := s[i]; {
		case c <= ' ':
			half -= 2
			if half > 0 {
				i++
			}
		case han(c):
			half--
			i += 3
		default:
			i++
		}
	}
	return strings.TrimRight(s[:runeStart(s, min(i, len(s)))], " \n")
}

// lastWords is the end of s, up to contextWords words.
func lastWords(s string) string {
	s = strings.TrimRight(s, " \n")
	half, end := 2*contextWords, len(s)
	for end >= 8 && len(s)-end+8 < maxContext {
		n, ok := blanksIn(eight(s, end-8))
		if !ok || half <= 2*n {
			break
		}
		end, half = end-8, half-2*n
	}
	for i := end - 1; i >= 0; i-- {
		c := s[i]
		switch {
		case c > ' ' && c < hanLow:
			if len(s)-i < maxContext {
				continue
			}
		case c <= ' ':
			half -= 2
		case han(c):
			half--
		}
		if half <= 0 {
			return strings.TrimLeft(s[i:], " \n")
		}
		if len(s)-i >= maxContext {
			return s[runeStart(s, i):]
		}
	}
	return s
}

// eight are eight bytes of s from i on.
func eight(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// blanksIn is how many of eight bytes are blanks, if all of them are ASCII.
func blanksIn(w uint64) (n int, ok bool) {
	return bits.OnesCount64(^(w + lows*(0x80-' '-1)) & highs), w&highs == 0
}

// maxContext bounds a context in bytes: there are scripts and nonsense without blanks.
const maxContext = 400

// runeStart is the first place from i on at which a character begins.
func runeStart(s string, i int) int {
	for i < len(s) && s[i]&0xC0 == 0x80 {
		i++
	}
	return i
}
