package page

import (
	"net/url"
	"strings"
)

// alternate takes a feed, or the page in another language or form. What the link itself says to be neither is none: a WordPress has each
// page as JSON, too, in three ways.
func (r *reading) alternate(href string) {
	kind, _, _ := strings.Cut(strings.ToLower(r.value("type")), ";")
	title := r.value("title")
	switch kind = strings.TrimSpace(kind); {
	case strings.Contains(kind, "oembed"):
	case kind == "text/xml", kind == "application/xml", kind == "application/rdf+xml", kind == "application/feed+json",
		strings.Contains(kind, "rss"), strings.Contains(kind, "atom"):
		if !r.feedOfComments(href, title) {
			r.linkTo(href, Feed, title)
		}
	case kind == "", strings.Contains(kind, "html"), kind == "text/plain", kind == "application/pdf":
		r.linkTo(href, Alternate, title)
	}
}

// feedOfComments tells a feed of what readers wrote, which leads nowhere but to the pages that they wrote it on. In a WordPress each
// page has one, and the title that says so is in the site's language; the feed of a list has what stands on the list.
func (r *reading) feedOfComments(href, title string) bool {
	page, err := url.Parse(r.page.URL)
	if err != nil {
		return false
	}
	feed, err := page.Parse(href)
	if err != nil {
		return false
	}
	own := strings.TrimSuffix(page.Path, "/")
	return strings.HasSuffix(strings.ToLower(title), "comments feed") || strings.Contains(feed.Path+"/", "/comments/") ||
		own != "" && feed.Host == page.Host && strings.TrimSuffix(feed.Path, "/") == own+"/feed"
}
