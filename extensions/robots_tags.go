package extensions

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/gocolly/colly/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// RobotsTags is what a page asks of crawlers, in its X-Robots-Tag header and its robots meta elements.
type RobotsTags struct {
	NoIndex   bool // do not keep the page
	NoFollow  bool // do not follow its links
	NoArchive bool // do not keep a copy
	NoAI      bool // do not train on it (noai, noml)
}

const tagsKey = "thresher.robots:"

// MayFollow tells whether the page that a request fetched lets its links be followed. It needs Robots, and is asked in
// a callback of the page: if extensions.MayFollow(e.Request) { e.Request.Visit(…) }.
func MayFollow(r *colly.Request) bool { return !tagsIn(r).NoFollow }

// MayIndex tells whether the page that a request fetched may be kept. It needs Robots.
func MayIndex(r *colly.Request) bool { return !tagsIn(r).NoIndex }

func tagsIn(r *colly.Request) RobotsTags {
	tags, _ := r.Ctx.GetAny(tagsKey + r.URL.String()).(RobotsTags)
	return tags
}

// TagsOf reads what a page asks of the crawler of that product token. What is said to everybody holds too.
func TagsOf(header http.Header, body []byte, token string) RobotsTags {
	var t RobotsTags
	for _, line := range header.Values("X-Robots-Tag") {
		t.header(line, token)
	}
	kind := strings.ToLower(header.Get("Content-Type"))
	if strings.Contains(kind, "html") {
		for content := range robotsMetas(body, token) {
			for word := range strings.SplitSeq(content, ",") {
				t.add(word)
			}
		}
	}
	return t
}

// header reads one X-Robots-Tag line. A name with a colon speaks to one crawler, up to the next name; the directives
// that have a colon themselves are no names.
func (t *RobotsTags) header(line, token string) {
	ours := true
	for part := range strings.SplitSeq(line, ",") {
		name, rest, ok := strings.Cut(part, ":")
		name = strings.ToLower(strings.TrimSpace(name))
		if ok && name != "unavailable_after" && !strings.HasPrefix(name, "max-") {
			ours = strings.EqualFold(name, token) || name == "*" || name == "robots"
			part = rest
		}
		if ours {
			t.add(part)
		}
	}
}

func (t *RobotsTags) add(directive string) {
	switch strings.ToLower(strings.TrimSpace(directive)) {
	case "noindex":
		t.NoIndex = true
	case "nofollow":
		t.NoFollow = true
	case "none":
		t.NoIndex, t.NoFollow = true, true
	case "noarchive", "nocache":
		t.NoArchive = true
	case "noai", "noml", "notrain":
		t.NoAI = true
	}
}

// headLength is how far into a page meta elements are looked for.
const headLength = 64 << 10

// robotsMetas are the contents of the meta elements in the head that speak to robots, or to the crawler of that token.
func robotsMetas(body []byte, token string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		z := html.NewTokenizer(bytes.NewReader(body[:min(len(body), headLength)]))
		for {
			kind := z.Next()
			if kind == html.ErrorToken {
				return
			}
			if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
				continue
			}
			tag, more := z.TagName()
			switch atom.Lookup(tag) {
			case atom.Body:
				return
			case atom.Meta:
				name, content := metaOf(z, more)
				if strings.EqualFold(name, "robots") || token != "" && strings.EqualFold(name, token) {
					if !yield(content) {
						return
					}
				}
			}
		}
	}
}

// metaOf reads the name and content of the meta element at hand.
func metaOf(z *html.Tokenizer, more bool) (name, content string) {
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "name":
			name = strings.TrimSpace(string(value))
		case "content":
			content = string(value)
		}
	}
	return name, content
}
