package page

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// titling is the search for what a page is called. Where its title element says two things, one of them is the site's name.
type titling struct {
	*reading
	c      []candidate
	to     *resolver
	own    address
	pieces []string // of the title element
	sites  []string // what the site is called, as far as that is known
}

// title is the only h1 that speaks of the page, of several the one that is in the title element, else what the page says to those who
// share it, else the title element without the name of the site. An h1 in which the site has its name is none: then a heading
// below it that the title element has, too, is the page's. A site's front page is called what the site is, and an h1 there is often
// that of the newest article.
func (r *reading) title(c []candidate, heads []int32, to *resolver) string {
	s := &r.said
	t := titling{reading: r, c: c, to: to, pieces: parting.Split(s.whole(), -1)}
	t.own, _ = parseAddress(r.address)
	for _, name := range []string{s.og.SiteName, s.ld.SiteName} {
		t.siteIs(name)
	}
	front := t.own.path == "/" && t.own.query == ""
	home := front || folderOf(t.own.path) == "/" && t.own.query == ""
	var heard []string
	below, logo := "", ""
	for _, h := range heads {
		text := r.saying(c, h)
		switch {
		case text == "" || len(text) > 4*maxLine || t.isSite(text):
		case !home && t.namesSite(h, text):
			logo, below = text, cmp.Or(below, t.headingBelow(h, text))
			t.siteIs(text)
		default:
			heard = append(heard, text)
		}
	}
	best := cmp.Or(t.inTitle(heard, front), below)
	if best == "" && len(heard) == 1 && len(heads) == 1 && !front {
		best = heard[0]
	}
	shared := s.ogTitle
	if t.isSite(shared) && len(t.pieces) > 1 {
		shared = ""
	}
	return cmp.Or(best, shared, t.withoutSite(), logo)
}

func (t *titling) siteIs(name string) {
	if name != "" {
		t.sites = append(t.sites, name)
	}
}

// isSite says whether a text is what the site is called.
func (t *titling) isSite(text string) bool {
	return slices.ContainsFunc(t.sites, func(s string) bool { return strings.EqualFold(s, text) })
}

// piece is which piece of the title element a text is, or -1.
func (t *titling) piece(text string) int {
	return slices.IndexFunc(t.pieces, func(s string) bool { return s != "" && strings.EqualFold(s, text) })
}

// inTitle is that of the headings which the title element has: the one it has without the name of the site, else the longest, and
// on a front page the first.
func (t *titling) inTitle(heard []string, front bool) (best string) {
	title := strings.ToLower(t.said.title)
	for _, text := range heard {
		switch {
		case !strings.Contains(title, strings.ToLower(text)):
		case len(heard) > 1 && text == t.withoutSite():
			return text
		case best == "" || !front && len(text) > len(best):
			best = text
		}
	}
	return best
}

// namesSite says whether an h1 is the site's name: it leads to the front page; or the title element has it behind something else, and
// that is a heading of the page or the site is called so in another place, too. What stands first in the title element is the page's
// more often than not: there it takes both.
func (t *titling) namesSite(h int32, text string) bool {
	front, up := t.leadsTo(h)
	if front {
		return true
	}
	at := t.piece(text)
	if len(t.pieces) < 2 || at < 0 {
		return false
	}
	other := t.piece(t.headingBelow(h, text))
	if other >= 0 && other < at {
		return true
	}
	return (other >= 0 || at > 0) && (up || t.inHost(text) || t.callsFront(text))
}

// headingBelow is the first heading behind an h1, above or in the main text, that the title element has beside what the h1 says.
func (t *titling) headingBelow(h int32, text string) string {
	if len(t.pieces) < 2 {
		return ""
	}
	begun := false
	for i := h + 1; int(i) < len(t.parts); i++ {
		p, at := &t.parts[i], &t.c[i]
		if facts[p.tag]&isHeading == 0 {
			begun = begun || at.keep && at.bytes > 0
			continue
		}
		if begun && !at.keep || p.hints&hintHidden != 0 || !t.beginsPiece(t.beginning(at)) || t.within(t.c, i, elsewhereHints) {
			continue
		}
		if says := t.saying(t.c, i); !strings.EqualFold(says, text) && !t.isSite(says) && t.piece(says) >= 0 {
			return says
		}
	}
	return ""
}

// beginsPiece says whether one of the pieces of the title element begins with a text.
func (t *titling) beginsPiece(text string) bool {
	return text != "" && slices.ContainsFunc(t.pieces, func(s string) bool { return len(s) >= len(text) && strings.EqualFold(s[:len(text)], text) })
}

// leadsTo says whether all that a part says leads to the front page of the site, or to the page of a folder in which this one stands.
func (t *titling) leadsTo(h int32) (front, up bool) {
	front, up = true, true
	last := int32(nothing)
	for k := t.c[h].opens; int(k) < len(t.prose.runs) && k != nothing; k++ {
		u := &t.prose.runs[k]
		switch {
		case u.part != h && !t.inside(u.part, h):
			return front, up
		case u.link == nothing:
			return false, false
		case u.link == last:
			continue
		}
		f, a := t.leads(u.link)
		front, up, last = front && f, up && a, u.link
		if !front && !up {
			return false, false
		}
	}
	return front, up
}

// inside says whether a part stands in another.
func (r *reading) inside(part, around int32) bool {
	for part > around {
		part = r.parts[part].parent
	}
	return part == around
}

// leads says the same of a link.
func (t *titling) leads(link int32) (front, up bool) {
	to, ok := t.to.resolve(t.links[link].href)
	if !ok || to.query != "" || t.own.host == "" {
		return false, false
	}
	folder, own := folderOf(to.path), folderOf(t.own.path)
	switch {
	case folder == "/":
		return to.host == t.own.host || SameSite(to.host, t.own.host), true
	case to.host != t.own.host || folder[len(folder)-1] != '/' || !strings.HasPrefix(own, folder):
		return false, false
	}
	return false, own != folder || t.own.query != ""
}

// folderOf is the path of an address without the name of the file that a server gives for the folder.
func folderOf(path string) string {
	at := strings.LastIndexByte(path, '/') + 1
	if name := strings.ToLower(path[at:]); strings.HasPrefix(name, "index.") || strings.HasPrefix(name, "default.") {
		path = path[:at]
	}
	return cmp.Or(path, "/")
}

// callsFront says whether a link to the front page is called so.
func (t *titling) callsFront(text string) bool {
	for i := range t.links {
		l := &t.links[i]
		if l.head || !strings.EqualFold(l.alt, text) && (l.text.to == 0 || !strings.EqualFold(t.slice(l.text), text)) {
			continue
		}
		if front, _ := t.leads(int32(i)); front {
			return true
		}
	}
	return false
}

// fewLetters are too few to know a name by them in that of a host.
const fewLetters = 5

// inHost says whether the host is named after a text.
func (t *titling) inHost(text string) bool {
	letters := strings.Map(func(c rune) rune {
		if c >= 0x80 || !isWord(byte(c)) {
			return -1
		}
		return c
	}, strings.ToLower(text))
	return len(letters) >= fewLetters && strings.Contains(strings.ReplaceAll(t.own.host, "-", ""), letters)
}

// parting stands between a page's title and the name of its site.
var parting = regexp.MustCompile(`\s+[-–—|·•»:]+\s+|\s*[|_»｜]+\s*|\s*(?:--|——|::)\s*`)

// withoutSite is the title element without the site's name at its end or beginning.
func (t *titling) withoutSite() string {
	pieces := make([]string, 0, 4)
	for _, s := range t.pieces {
		if s != "" && !t.isSite(s) {
			pieces = append(pieces, s)
		}
	}
	if len(pieces) == 0 {
		return t.said.whole()
	}
	first, last := pieces[0], pieces[len(pieces)-1]
	if columns(last) > 2*columns(first) {
		return last
	}
	if len(pieces) == 1 || columns(first) >= 8 {
		return first
	}
	return t.said.whole()
}
