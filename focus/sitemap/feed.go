package sitemap

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/thresher-crawler/thresher/focus/page"
)

// mostItems is how many items of one feed are read.
const mostItems = 5000

// ParseFeed reads an RSS feed of any version, an Atom feed or a JSON Feed, found at an address. The title of an item is its Anchor,
// the beginning of its description stands After it. What can be read of a broken feed is answered with the error;
// of JSON that is nothing.
func ParseFeed(body []byte, at *url.URL) ([]Found, error) {
	if isJSONFeed.Match(body) {
		return parseJSONFeed(body, at)
	}
	f := feed{at: at, base: at}
	d := xmlTokens(bytes.NewReader(body))
	for len(f.found) < mostItems {
		token, err := d.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			return f.found, fmt.Errorf("feed %q: %w", at, err)
		}
		f.take(token)
	}
	return f.found, nil
}

// feed is a feed that is being read.
type feed struct {
	at     *url.URL
	base   *url.URL // what relative addresses are resolved against (xml:base)
	own    *url.URL // and those of the item
	found  []Found
	now    Found
	guid   string // an address, unless it says that it is none
	isGUID bool
	item   xml.Name // the element that the item is
	inside int      // elements that are open in the item; 0 outside of items
	text   texts
}

// isEmpty tells of an element of HTML that has no end: some feeds have them in their texts as they are.
func isEmpty(name string) bool {
	switch strings.ToLower(name) {
	case "br", "hr", "img", "input", "wbr":
		return true
	}
	return false
}

func (f *feed) take(token xml.Token) {
	switch t := token.(type) {
	case xml.StartElement:
		name := t.Name.Local
		if f.inside == 0 {
			if own := based(t.Attr, f.base); name == "feed" || name == "rss" || name == "channel" {
				f.base = own
			} else if name == "item" || name == "entry" {
				f.own = own
				f.now = Found{Link: page.Link{Source: page.Feed}, From: f.at.String(), Priority: float32(math.NaN())}
				f.guid, f.isGUID, f.item, f.inside = "", true, t.Name, 1
			}
			return
		}
		if isEmpty(name) {
			f.text.add([]byte(" "))
			return
		}
		f.inside++
		if f.inside == 2 {
			f.text.take()
			f.attributes(name, t.Attr)
		}
	case xml.CharData:
		if f.inside >= 2 {
			f.text.add(t)
		}
	case xml.EndElement:
		f.end(t.Name)
	}
}

// attributes takes what stands in the tag itself: Atom's links, and whether RSS's guid is an address.
func (f *feed) attributes(name string, attrs []xml.Attr) {
	href, rel := valueOf(attrs, "href"), valueOf(attrs, "rel")
	if said := valueOf(attrs, "isPermaLink"); said != "" {
		f.isGUID = said != "false"
	}
	if name == "link" && href != "" && (rel == "" || rel == "alternate") && f.now.URL == "" {
		f.now.link(href, based(attrs, f.own))
	}
}

// based is what addresses in an element are resolved against: its own xml:base, where it has one that can be read, or that around it.
func based(attrs []xml.Attr, around *url.URL) *url.URL {
	for _, a := range attrs {
		if a.Name.Space == "xml" && a.Name.Local == "base" {
			if own, err := around.Parse(strings.TrimSpace(a.Value)); err == nil && own.Host != "" {
				return own
			}
		}
	}
	return around
}

// end ends an element. What was left open in an item ends with it.
func (f *feed) end(name xml.Name) {
	if f.inside == 0 || isEmpty(name.Local) {
		return
	}
	if f.inside--; name == f.item {
		f.inside = 0
	}
	switch f.inside {
	case 1:
		f.element(name, f.text.take())
	case 0:
		if f.now.URL == "" && f.isGUID && strings.Contains(f.guid, "://") {
			f.now.link(f.guid, f.own)
		}
		if f.now.URL != "" {
			f.found = append(f.found, f.now)
		}
	}
}

// element takes the text of an element of an item.
func (f *feed) element(name xml.Name, text string) {
	switch name.Local {
	case "title":
		if name.Space == "" || f.now.Anchor == "" { // media:title is a picture's
			f.now.Anchor = plainText(text)
		}
	case "link", "origLink":
		if text != "" && (name.Space == "" || name.Space == "feedburner") {
			f.now.link(text, f.own)
		}
	case "guid", "id":
		f.guid = text
	case "description", "summary", "content", "encoded":
		if f.now.After == "" {
			f.now.After = plainText(text)
		}
	case "pubDate", "published", "updated", "date":
		if at := date(text); f.now.Modified.IsZero() || name.Local == "published" && !at.IsZero() {
			f.now.Modified = at
		}
	}
}

// descriptionBytes is how much of a description is kept: about as much as stands after a link on a page.
const descriptionBytes = 300

// plainText is the text of an element whose content may be HTML.
func plainText(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for kind := z.Next(); kind != html.ErrorToken && b.Len() < descriptionBytes; kind = z.Next() {
		if kind == html.TextToken {
			b.Write(z.Text())
		} else {
			b.WriteByte(' ')
		}
	}
	text := page.OneLine(html.UnescapeString(b.String()))
	if len(text) > descriptionBytes {
		text = strings.ToValidUTF8(text[:descriptionBytes], "")
	}
	return text
}

// IsFeed tells whether a body looks like a feed.
func IsFeed(body []byte) bool { return feedBegins.Match(headOf(body)) || isJSONFeed.Match(body) }
