package rights

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Head is what a page says of itself in its head and its header: meta and link elements, without a tree.
type Head struct {
	metas []headMeta
	links []HeadLink
}

type headMeta struct{ name, content string }

// HeadLink is a link element, or a Link header.
type HeadLink struct {
	Relation string // in lower case; several words may stand in it
	Address  string
	Type     string // the media type it names, in lower case

	where string // page or header
}

// headLength is how far into a page its head is looked for.
const headLength = 64 << 10

// ReadHead reads meta and link elements up to the body, and the links of the Link header.
func ReadHead(header http.Header, body []byte) *Head {
	h := &Head{}
	for _, line := range header.Values("Link") {
		h.linkHeader(line)
	}
	if !strings.Contains(strings.ToLower(header.Get("Content-Type")), "html") {
		return h
	}
	z := html.NewTokenizer(bytes.NewReader(body[:min(len(body), headLength)]))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return h
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		tag, more := z.TagName()
		switch atom.Lookup(tag) {
		case atom.Body:
			return h
		case atom.Meta, atom.Link:
			h.element(z, atom.Lookup(tag), more)
		}
	}
}

// element takes the meta or link element at hand.
func (h *Head) element(z *html.Tokenizer, tag atom.Atom, more bool) {
	var m headMeta
	l := HeadLink{where: inPage}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "name":
			m.name = strings.ToLower(strings.TrimSpace(string(value)))
		case "content":
			m.content = string(value)
		case "rel":
			l.Relation = strings.ToLower(string(value))
		case "href":
			l.Address = strings.TrimSpace(string(value))
		case "type":
			l.Type = strings.ToLower(strings.TrimSpace(string(value)))
		}
	}
	switch {
	case tag == atom.Meta && m.name != "":
		h.metas = append(h.metas, m)
	case tag == atom.Link && l.Relation != "" && l.Address != "":
		h.links = append(h.links, l)
	}
}

// linkHeader takes one Link header: <address>; rel="…"; type="…", and so on.
func (h *Head) linkHeader(line string) {
	for {
		_, rest, ok := strings.Cut(line, "<")
		if !ok {
			return
		}
		href, rest, ok := strings.Cut(rest, ">")
		if !ok {
			return
		}
		params, next, _ := strings.Cut(rest, "<")
		l := HeadLink{Address: strings.TrimSpace(href), where: inHeader}
		for param := range strings.SplitSeq(strings.TrimRight(params, " ,"), ";") {
			key, value, _ := strings.Cut(param, "=")
			value = strings.Trim(strings.TrimSpace(value), `"`)
			switch strings.ToLower(strings.TrimSpace(key)) {
			case "rel":
				l.Relation = strings.ToLower(value)
			case "type":
				l.Type = strings.ToLower(value)
			}
		}
		if l.Relation != "" && l.Address != "" {
			h.links = append(h.links, l)
		}
		if next == "" {
			return
		}
		line = "<" + next
	}
}

// meta answers the contents of the meta elements of any of some names.
func (h *Head) meta(names ...string) (contents []string) {
	for _, m := range h.metas {
		for _, name := range names {
			if name != "" && m.name == strings.ToLower(name) {
				contents = append(contents, m.content)
				break
			}
		}
	}
	return contents
}

// Links answers the links of a relation, resolved against the page's address.
func (h *Head) Links(rel string, page *url.URL) (found []HeadLink) {
	for _, l := range h.links {
		for word := range strings.FieldsSeq(l.Relation) {
			if word != rel {
				continue
			}
			if u, err := page.Parse(l.Address); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
				u.Fragment, u.User = "", nil
				found = append(found, HeadLink{rel, u.String(), l.Type, l.where})
			}
			break
		}
	}
	return found
}
