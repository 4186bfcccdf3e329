package page

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Itself is the canonical form of the address that a page at an address calls its own (rel=canonical); empty where that is the one it is
// known by already, or none that is believed. It is believed only of another query, another scheme or what stands before the host of a
// site's twins: a print version, a session, a campaign, a page for telephones. Too many sites call every page of theirs by the address of
// their front page, or of the program that shows them all: where the query may be what tells them apart it is not believed either.
func Itself(canonical, at string) string {
	if canonical == "" {
		return ""
	}
	named, err := Canonical(canonical)
	if err != nil || !samePath(named, at) {
		return ""
	}
	if own, err := Canonical(at); err != nil || own == named || asksForMore(own, named) {
		return ""
	}
	return named
}

// asksForMore tells of an address that its query may ask for another page than that of the other address, which leaves some of it out: by a
// number, in another language, or where nothing else says what a folder or a program is to show. A 1 is as often a switch: ?print=1.
func asksForMore(at, other string) bool {
	own, _ := url.Parse(at) // Canonical has read both
	to, _ := url.Parse(other)
	if own == nil || to == nil || own.RawQuery == to.RawQuery {
		return false
	}
	asked := own.Query()
	for key, values := range asked {
		if len(values) == 1 && (values[0] == "0" || values[0] == "1") && !to.Query().Has(key) {
			delete(asked, key)
		}
	}
	ext := strings.ToLower(path.Ext(to.Path))
	manyPages := strings.HasSuffix(to.Path, "/") || ext != "" && !strings.Contains(ext, "htm") && ext != ".xml"
	return !leavesOutNoNumber(asked, to.Query()) || to.RawQuery == "" && manyPages
}

// Itself is what a page at an address calls its own, where that is believed. A 1 that it leaves out is no switch but the number of a part where
// the page leads to more of them: sites that count from 0 call each part by the address of the first.
func (p *Page) Itself(at string) string {
	named := Itself(p.Facts.Canonical, at)
	if named == "" || p.isPart(at, named) {
		return ""
	}
	return named
}

// isPart tells whether a page leads to its own address with a greater number in the place of one that another address leaves out.
func (p *Page) isPart(at, named string) bool {
	where, query, _ := strings.Cut(at, "?")
	asked, _ := url.ParseQuery(query)
	_, query, _ = strings.Cut(named, "?")
	left, _ := url.ParseQuery(query)
	for key := range asked {
		if left.Has(key) {
			continue
		}
		for i := range p.Links {
			to, query, _ := strings.Cut(p.Links[i].URL, "?")
			if to != where || !strings.Contains(query, key) {
				continue
			}
			other, _ := url.ParseQuery(query)
			if n, err := strconv.Atoi(other.Get(key)); err == nil && n > 1 {
				return true
			}
		}
	}
	return false
}

// Names are the other addresses of a page, by its own word (see OtherNames). A list has none, for another part of it may be behind the other
// name.
func (p *Page) Names() []string {
	if p.Kind == Hub {
		return nil
	}
	return OtherNames(p.Facts.Canonical, p.URL)
}

// Shows tells whether the main text is another page's: it stands below a heading that leads there, as each post does in a list of them.
// A heading that leads to a folder around the page, or to another host, says nothing of it.
func (p *Page) Shows() bool {
	head := nothing
	for i := range p.Runs {
		switch u := &p.Runs[i]; {
		case u.Position == Top || u.Position == Heading:
			head = i
		case u.Main && u.Position != Title && u.Position != Meta:
			return head != nothing && p.Runs[head].Linked && p.leadsOn(p.Runs[head].Text)
		}
	}
	return false
}

// leadsOn tells whether the links of those words lead to other pages of the host, none to the page itself.
func (p *Page) leadsOn(words string) (on bool) {
	at, err := url.Parse(p.URL)
	if err != nil {
		return false
	}
	own, _ := Canonical(p.URL)
	for i := range p.Links {
		l := &p.Links[i]
		if !strings.Contains(" "+l.Anchor+" ", " "+words+" ") { // beside them it may say "read more": links to one address are one
			continue
		}
		to, err := url.Parse(l.URL)
		if err != nil || l.Identity == own || l.URL == p.Facts.Canonical || to.Host != at.Host || isAround(to, at) {
			return false
		}
		on = true
	}
	return on
}

// isAround tells of an address that it is that of a folder around another, or of the same page: with fewer parameters, as without a
// session or what somebody answers to, with another scheme, or without the stroke at the end.
func isAround(to, at *url.URL) bool {
	if strings.TrimSuffix(to.Path, "/") != strings.TrimSuffix(at.Path, "/") {
		return to.RawQuery == "" && strings.HasSuffix(to.Path, "/") && strings.HasPrefix(at.Path, to.Path)
	}
	asked := at.Query()
	for key, values := range to.Query() {
		if !slices.Equal(asked[key], values) {
			return false
		}
	}
	return true
}

// OtherNames are the canonical forms of other addresses of an article that was found at an address, by its own word (rel=canonical), so that
// nobody need ask there what it says: that which it calls its own, and the same at the host that it was found at. It has none where
// the other name leaves out a number, which may be that of a part, or of the article, or leaves out what alone tells an article from
// others.
func OtherNames(canonical, at string) []string {
	named := Itself(canonical, at)
	if named == "" {
		return nil
	}
	known, _ := Canonical(at) // Itself has read both
	own, _ := url.Parse(known)
	to, _ := url.Parse(named)
	if own == nil || to == nil || strings.Trim(to.Path, "/") == "" || !leavesOutNoNumber(own.Query(), to.Query()) {
		return nil
	}
	if own.RawQuery != to.RawQuery && !ofAnArticle(to.Path) {
		return nil
	}
	names := []string{named}
	own.RawQuery = to.RawQuery
	if here := own.String(); here != named && here != known {
		names = append(names, here)
	}
	return names
}

// ofAnArticle says whether a path alone may name an article: not that of a folder, nor of a program that is told by the query which one
// is wanted, and may say the same of all.
func ofAnArticle(at string) bool {
	last := path.Base(at)
	switch ext := strings.ToLower(path.Ext(last)); {
	case strings.HasSuffix(at, "/"), strings.HasPrefix(last, "index."):
		return false
	case ext == "":
		return strings.ContainsAny(last, "0123456789-_")
	default:
		return strings.Contains(ext, "htm") || ext == ".xml"
	}
}

// languageCode is how an address names a language: what stands there in another one is another article.
var languageCode = regexp.MustCompile(`^[A-Za-z]{2}(?:[-_][A-Za-z]{2,4})?$`)

// leavesOutNoNumber says whether a query asks for nothing but what another asks for, and for all of that which may be a number or a
// language.
func leavesOutNoNumber(whole, part url.Values) bool {
	for key, values := range part {
		if !slices.Equal(whole[key], values) {
			return false
		}
	}
	for key, values := range whole {
		if part.Has(key) {
			continue
		}
		for _, value := range values {
			if strings.Trim(value, "0123456789-_.") == "" || languageCode.MatchString(value) {
				return false
			}
		}
	}
	return true
}

// samePath tells addresses that differ in no more than their queries, their schemes and what stands before the host of twins.
func samePath(one, other string) bool {
	a, err := url.Parse(one)
	if err != nil {
		return false
	}
	b, err := url.Parse(other)
	if err != nil {
		return false
	}
	return a.Path == b.Path && Twinless(a.Host) == Twinless(b.Host)
}

// Twinless is a host without what tells it apart from others that have the same pages.
func Twinless(host string) string {
	host = strings.ToLower(host)
	for _, twin := range []string{"www.", "m.", "wap."} {
		if rest, is := strings.CutPrefix(host, twin); is {
			return rest
		}
	}
	return host
}

// Unfollowed tells of a link that the page asks not to follow: it marks it so, and it leads to a page of its own host. The same mark on a
// link to another host means that nobody vouches for what is there.
func (p *Page) Unfollowed(l *Link) bool { return l.Rel&NoFollow != 0 && l.Host == Host(p.URL) }
