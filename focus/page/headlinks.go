package page

import (
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A headLink is what a link element says, or a Link header.
type headLink struct{ relation, href, media, title, language string }

// headLink takes a link of the page as a whole.
func (r *reading) headLink(l headLink) {
	kinds := strings.Fields(strings.ToLower(l.relation))
	has := func(kind string) bool { return slices.Contains(kinds, kind) }
	switch {
	case has("canonical"):
		set(&r.page.Facts.Canonical, l.href)
	case has("next"):
		r.linkTo(l.href, Next, l.title)
	case has("sitemap"):
		r.linkTo(l.href, Sitemap, l.title)
	case has("alternate") && !has("stylesheet"):
		r.alternate(l)
	}
}

// alternate takes a feed, or the page in another language. What has a type and names no language is the page once more, in a form for
// machines or for printing: a DokuWiki has each as plain text and as bare HTML. What the link itself says to be no page is none: a WordPress has
// each as JSON, too, in three ways.
func (r *reading) alternate(l headLink) {
	kind, _, _ := strings.Cut(strings.ToLower(l.media), ";")
	switch kind = strings.TrimSpace(kind); {
	case strings.Contains(kind, "oembed"), kind == "application/json" && !strings.Contains(strings.ToLower(l.title+l.href), "feed"):
	case kind == "text/xml", kind == "application/xml", kind == "application/rdf+xml", kind == "application/feed+json", kind == "application/json", news(kind):
		if !r.feedOfComments(l) {
			r.linkTo(l.href, Feed, l.title)
		}
	case kind == "", l.language != "" && (strings.Contains(kind, "html") || kind == "text/plain" || kind == "application/pdf"):
		r.linkTo(l.href, Alternate, l.title)
	}
}

// news tells a type that only feeds have.
func news(kind string) bool { return strings.Contains(kind, "rss") || strings.Contains(kind, "atom") }

// feedOfComments tells a feed of what readers wrote, which leads nowhere but to the pages that they wrote it on. In a WordPress each
// page has one, and the title that says so is in the site's language; the feed of a list, or of a part of it, has what stands on the list. So has
// each page of a Redmine, of a Discourse and of what else is written in Rails, where .atom and .rss ask for a page in that form. An ikiwiki has
// a file comments.rss beside each page.
func (r *reading) feedOfComments(l headLink) bool {
	page, err := url.Parse(r.page.URL)
	if err != nil {
		return false
	}
	feed, err := page.Parse(l.href)
	if err != nil {
		return false
	}
	own := partOfList.ReplaceAllString(strings.TrimSuffix(page.Path, "/"), "")
	return strings.HasSuffix(strings.ToLower(l.title), "comments feed") || ofComments.MatchString(feed.Path) ||
		own != "" && feed.Host == page.Host && slices.Contains([]string{own + "/feed", own + ".atom", own + ".rss"}, strings.TrimSuffix(feed.Path, "/"))
}

// ofComments is a path in which a folder, or the file, is called comments.
var ofComments = regexp.MustCompile(`/comments(?:/|\.\w+$|$)`)

// inSources is the path of a text in a folder of sources: what stands before that folder, and behind it without the ending.
var inSources = regexp.MustCompile(`^(.*/)(?:_?sources?|_?src|raw)/(.+?)(?:\.(?:rst|md|txt)){1,2}$`)

// inMarkup is the path of a text in a markup that pages are made from, without the ending.
var inMarkup = regexp.MustCompile(`^(.+?)(?:\.html?)?\.(?:rst|md|mdx|adoc)$`)

// ownSource tells a link to what the page was made from: the page's own path, in a folder of sources or with the ending of such a
// markup. A Sphinx and a Nikola have it for each page, in plain text that is kept like any other where no link says nofollow.
func (r *reading) ownSource(href string) bool {
	if !slices.Contains([]string{".rst", ".md", ".mdx", ".adoc", ".txt"}, path.Ext(href)) {
		return false
	}
	page, err := url.Parse(r.page.URL)
	if err != nil {
		return false
	}
	to, err := page.Parse(href)
	if err != nil || to.Host != page.Host {
		return false
	}
	from := ""
	if parts := inSources.FindStringSubmatch(to.Path); parts != nil {
		from = parts[1] + parts[2]
	} else if parts = inMarkup.FindStringSubmatch(to.Path); parts != nil {
		from = parts[1]
	}
	own := strings.TrimSuffix(page.Path, ".html")
	return from != "" && (from == own || from == own+"/index" || strings.HasSuffix(own, "/") && (from == own+"index" || from+"/" == own))
}

// partOfList is how the path of a list goes on in a WordPress, and in others that took it from there, where a part of it has a number.
var partOfList = regexp.MustCompile(`/page/\d+$`)

// header reads what an answer says of the page before it begins: where it leads on, and the links of its head. Their addresses are
// relative to the page's own, whatever its base is.
func (r *reading) header(h http.Header) {
	for _, said := range h.Values("Refresh") {
		r.refresh(said)
	}
	for _, line := range h.Values("Link") {
		for line != "" {
			var l headLink
			if l, line = linkOf(line); l.href != "" {
				r.headLink(l)
			}
		}
	}
	if c := &r.page.Facts.Canonical; *c != "" {
		*c = Location(r.page.URL, *c)
	}
	for i := range r.links {
		if to := Location(r.page.URL, r.links[i].href); to != "" {
			r.links[i].href = to
		}
	}
}

// linkOf reads the first link of a Link header: <address>; rel="next"; title="…", and so on, with a comma before the next.
func linkOf(line string) (l headLink, behind string) {
	_, line, _ = strings.Cut(line, "<")
	href, line, closed := strings.Cut(line, ">")
	if !closed {
		return l, ""
	}
	l.href = strings.TrimSpace(href)
	for strings.HasPrefix(strings.TrimLeft(line, " \t"), ";") {
		line = strings.TrimLeft(strings.TrimLeft(line, " \t")[1:], " \t")
		end := upTo(line, "=;,")
		name := strings.ToLower(strings.TrimSpace(line[:end]))
		value := ""
		if line = line[end:]; strings.HasPrefix(line, "=") {
			value, line = parameter(strings.TrimLeft(line[1:], " \t"))
		}
		switch name {
		case "rel":
			set(&l.relation, value)
		case "type":
			set(&l.media, value)
		case "title":
			set(&l.title, value)
		case "hreflang":
			set(&l.language, value)
		}
	}
	return l, line
}

// parameter is the value of a parameter of a header, with or without quotation marks, and what stands behind it.
func parameter(text string) (value, behind string) {
	if quoted, is := strings.CutPrefix(text, `"`); is {
		value, behind, _ = strings.Cut(quoted, `"`)
		return value, behind
	}
	end := upTo(text, ";,")
	return strings.TrimSpace(text[:end]), text[end:]
}

// upTo is how much of a text stands before the first of some signs.
func upTo(text, signs string) int {
	if end := strings.IndexAny(text, signs); end >= 0 {
		return end
	}
	return len(text)
}
