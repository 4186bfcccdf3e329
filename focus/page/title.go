package page

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// titling is the search for what a page is called. Where its title element says two things, one of them is the site's name.
type titling struct {
	*reading
	c      []candidate
	to     *resolver
	own    address
	low    string   // the title element in lower case
	pieces []string // and its pieces
	sites  []string // what the site is called, as far as that is known
}

// title is the only h1 that speaks of the page, of several the one that is in the title element, and the more that this says around
// it, unless it leads elsewhere; else what the page says to those who share it or says above its source, else the title element without the name of the site. An h1 in which the site has its name is none: then a heading
// below it that the title element has, too, is the page's. A site's front page is called what the site is, and an h1 there is often
// that of the newest article.
func (r *reading) title(c []candidate, heads []int32, to *resolver) string {
	s := &r.said
	t := titling{reading: r, c: c, to: to, low: strings.ToLower(s.whole()), pieces: pieces(s.whole())}
	t.own, _ = parseAddress(r.address)
	for _, name := range []string{s.og.SiteName, s.ld.SiteName} {
		t.siteIs(name)
	}
	if len(t.pieces) > 2 {
		t.pieces = slices.DeleteFunc(t.pieces, betweenPieces.MatchString)
	}
	if at := slices.IndexFunc(t.pieces, label.MatchString); 0 < at && at < len(t.pieces)-1 {
		t.sites = append(t.sites, t.pieces[:at]...)
		t.pieces = t.pieces[at+1:]
	}
	front := t.own.path == "/" && t.own.query == ""
	home := front || folderOf(t.own.path) == "/" && t.own.query == ""
	if title := cmp.Or(s.cited, t.behindSite()); title != "" && !home {
		return title
	}
	var heard []string
	below, logo := "", ""
	for _, h := range heads[:min(len(heads), maxHeadings)] {
		text := t.heading(h)
		switch {
		case text == "" || len(text) > 4*maxLine || t.isSite(text):
		case !home && t.namesSite(h, text):
			logo = text
			if below == "" {
				below, _ = t.headingBelow(h, text)
			}
			t.siteIs(text)
		default:
			heard = append(heard, text)
		}
	}
	best := cmp.Or(t.inTitle(heard, front), below)
	if !front {
		best = t.saidMore(best)
	}
	if best == "" && len(heard) == 1 && (len(heads) == 1 || t.bracketed(logo)) && !front && (len(t.pieces) < 2 || !t.leadsAway(heads[0])) && !t.headsList(heads[len(heads)-1]) {
		best = heard[0]
	}
	if best == "" && len(heads) == 0 && len(t.pieces) == 2 && !home {
		best = t.firstPiece()
	}
	if best == "" && !home {
		best = t.aboveSource()
	}
	if other := cmp.Or(t.shared(), t.withoutSite()); best == "" && other != "" {
		return t.beforeSite(other, home)
	}
	return cmp.Or(best, logo)
}

// label says in the title element, between the name of the site and that of the page, what kind of page it is.
var label = regexp.MustCompile(`(?i)^(?:view (?:topic|thread|forum)|blog archive|查看主题|浏览主题)$`)

// betweenPieces is a piece of the title element between what a page is called and its site: the number of a page, the address of a list.
var betweenPieces = regexp.MustCompile(`(?i)^(?:page \d+(?: of \d+)?|第\s?\d+\s?[页頁]|[^\s@]+@[^\s@]+\.[^\s@]+)$`)

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

// saidMore is the piece of the title element that has a heading with more words, else the heading, as where the page is shared by it.
func (t *titling) saidMore(heading string) string {
	if heading == "" || t.piece(heading) >= 0 || strings.EqualFold(heading, t.said.ogTitle) {
		return heading
	}
	low := strings.ToLower(heading)
	for _, s := range t.pieces {
		before, after, has := strings.Cut(strings.ToLower(s), low)
		if joinsWord(before, low) || joinsWord(low, after) {
			continue
		}
		more := strings.TrimFunc(before+after, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
		if has && serial.MatchString(before+after) {
			return heading
		}
		if has && !partedFrom(low, before, after) && !strings.Contains(low, more) && !t.isSite(more) && !t.inHost(more) {
			return s
		}
	}
	return heading
}

// serial is a number that a site files a page under, or that of a page of several: "[12]", "#12", "#12 ()" around it, "(2)", "(2/3)"; or
// how an archive goes on behind the subject of a letter.
var serial = regexp.MustCompile(`^\s*(?:\[[^\]\pL]*\]|[(\[]?#\d+[)\]]?(?:\s*\(\))?|[(（]\d{1,2}(?:/\d{1,2})?[)）]|from \S.* on (?:19|20)\d\d-\d\d-\d\d \(\S.*\))\s*$`)

// partedFrom says whether what stands around a heading is the site's or the channel's: where it ends in a colon, or in Chinese begins
// with a hyphen.
func partedFrom(heading, before, after string) bool {
	if before = strings.TrimRight(before, " "); strings.HasSuffix(before, ":") || strings.HasSuffix(before, "：") {
		return true
	}
	rest, hyphen := strings.CutPrefix(strings.TrimLeft(after, " "), "-")
	return hyphen && rest != "" && (rest[0] >= utf8.RuneSelf || heading[len(heading)-1] >= utf8.RuneSelf)
}

// namesSite says whether an h1 is the site's name: it leads to the front page; or the title element has it behind something else, and
// that is a heading of the page or the site is called so in another place, too. What stands first in the title element is the page's
// more often than not: there it takes both.
func (t *titling) namesSite(h int32, text string) bool {
	front, up := t.leadsTo(h)
	if front || t.bracketed(text) && t.leadsAway(h) {
		return true
	}
	at := t.piece(text)
	if len(t.pieces) < 2 || at < 0 {
		return false
	}
	_, other := t.headingBelow(h, text)
	if other >= 0 && other < at {
		return true
	}
	return (other >= 0 || at > 0) && (up || t.inHost(text) || t.callsFront(text))
}

// maxHeadings bounds the headings that are looked at for a title.
const maxHeadings = 100

// headingBelow is the first heading behind an h1, above or in the main text, that the title element has beside what the h1 says, and
// in which of its pieces.
func (t *titling) headingBelow(h int32, text string) (title string, piece int) {
	begun, seen := false, 0
	for i := h + 1; int(i) < len(t.parts) && seen < maxHeadings; i++ {
		p, at := &t.parts[i], &t.c[i]
		if facts[p.tag]&isHeading == 0 {
			begun = begun || at.keep && at.bytes > 0
			continue
		}
		if seen++; begun && !at.keep || p.hints&hintHidden != 0 || !t.mayEnd(t.beginning(at)) || t.elsewhere(t.c, i) {
			continue
		}
		says := t.saying(t.c, i)
		if strings.EqualFold(says, text) || t.isSite(says) {
			continue
		}
		if title, piece = t.ending(says, text); piece >= 0 {
			return title, piece
		}
	}
	return "", nothing
}

// firstPiece is the piece that a title element of two begins with, where a heading of a page without an h1 of its own says it, none says
// another, and it is not the site's name. Of three it may be the channel's, and what is left of two is the site.
func (t *titling) firstPiece() string {
	title, piece := t.headingBelow(nothing, "")
	if piece != 0 || t.inHost(title) || t.callsFront(title) {
		return ""
	}
	if _, other := t.headingBelow(nothing, title); other > 0 {
		return ""
	}
	return title
}

// leadsAway says whether all that a part says leads to one other page, as the name of a blog above its articles does.
func (t *titling) leadsAway(h int32) bool {
	link := int32(nothing)
	for k := t.c[h].opens; int(k) < len(t.prose.runs) && k != nothing; k++ {
		u := &t.prose.runs[k]
		if u.part != h && !t.inside(u.part, h) {
			break
		}
		if u.link == nothing || link != nothing && u.link != link {
			return false
		}
		link = u.link
	}
	if link == nothing {
		return false
	}
	to, ok := t.to.resolve(t.links[link].href)
	return ok && t.own.host != "" && (to.host != t.own.host || to.path != t.own.path || to.query != t.own.query)
}

// headsList says whether a heading that has no word of the title element is that of a list beside what the page is about: of links alone,
// and not most of the page.
func (t *titling) headsList(h int32) bool {
	up := t.parts[h].parent
	for up > 0 && t.c[up].all == t.c[h].all {
		up = t.parts[up].parent
	}
	around, own := &t.c[up], &t.c[h]
	links, text := around.linked-own.linked, around.all-own.all
	if around.keep || 2*around.all > t.c[0].all || links < headingBytes || 10*links < 9*text || t.said.title == "" {
		return false
	}
	return similarity(shingles(nil, t.said.title), shingles(nil, t.saying(t.c, h))) == 0
}

// mayEnd says at a glance whether the title element may have a piece that a text ends.
func (t *titling) mayEnd(text string) bool {
	return text != "" && len(text) <= len(t.low) && strings.Contains(t.low, strings.ToLower(text))
}

// ending is the piece of the title element that a heading is, or that it ends behind a colon: of "Site: Title" the title, where an h1
// says the site, and of "Bug 12: Title" all.
func (t *titling) ending(says, site string) (title string, piece int) {
	for i, s := range t.pieces {
		if strings.EqualFold(s, says) {
			return says, i
		}
		at := len(s) - len(says)
		if at <= 0 || !strings.EqualFold(s[at:], says) {
			continue
		}
		before := strings.TrimRight(s[:at], " ")
		if name := strings.TrimRight(before, ":："); name == before {
			continue
		} else if strings.EqualFold(name, site) || t.isSite(name) {
			return says, i
		}
		return s, i
	}
	return "", nothing
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
func (t *titling) inHost(text string) bool { return namedAfter(t.own.host, text) }

// namedAfter says whether a host is named after a text.
func namedAfter(host, text string) bool {
	letters := strings.Map(func(c rune) rune {
		if c >= 0x80 || !isWord(byte(c)) {
			return -1
		}
		return c
	}, strings.ToLower(text))
	return len(letters) >= fewLetters && strings.Contains(hyphens.Replace(host), letters)
}

// hyphens are not looked at in the name of a host.
var hyphens = strings.NewReplacer("-", "", ".", "")

// parting stands between a page's title and the name of its site.
var parting = regexp.MustCompile(`\s+[-–—|·•»›:]+\s+|\s*[|_»｜]+\s*|\s*(?:--|——|::)\s*`)

const (
	siteBars    = "|_»｜" // stand before the name of a site, while a dash as often stands before what the title says more
	longestSite = 32     // columns of what a site may be called
)

// withoutSite is the title element without the name of the site, where it is known or usual which piece that is: in Chinese and
// before a bar it stands behind what the page is called. Else the whole is kept: half a title is worse than one with a site in it.
func (t *titling) withoutSite() string {
	whole := t.said.whole()
	pieces := slices.DeleteFunc(slices.Clone(t.pieces), func(s string) bool { return s == "" || t.isSite(s) })
	if n := len(pieces) - 1; n > 0 && t.inHost(pieces[n]) {
		pieces = pieces[:n]
	}
	switch len(pieces) {
	case 0:
		return whole
	case 1:
		return pieces[0]
	}
	first, last := columns(pieces[0]), columns(pieces[len(pieces)-1])
	bar := strings.ContainsAny(whole, siteBars)
	switch {
	case bar && last > max(2*first, longestSite):
		return pieces[len(pieces)-1]
	case first < 8 || last > 2*first || !bar && columns(pieces[0]) == utf8.RuneCountInString(pieces[0]):
		return whole
	}
	return pieces[0]
}
