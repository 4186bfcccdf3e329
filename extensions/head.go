package extensions

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pageHead is what a page says of itself in its head: the little that extensions need, without a tree.
type pageHead struct {
	metas []headMeta
	links []headLink
}

type headMeta struct{ name, content string }

type headLink struct{ rel, href, kind string }

// headLength is how far into a page its head is looked for.
const headLength = 64 << 10

// readHead reads meta and link elements up to the body, and the links of the Link header.
func readHead(header http.Header, body []byte) *pageHead {
	h := &pageHead{}
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
func (h *pageHead) element(z *html.Tokenizer, tag atom.Atom, more bool) {
	var m headMeta
	var l headLink
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "name":
			m.name = strings.ToLower(strings.TrimSpace(string(value)))
		case "content":
			m.content = string(value)
		case "rel":
			l.rel = strings.ToLower(string(value))
		case "href":
			l.href = strings.TrimSpace(string(value))
		case "type":
			l.kind = strings.ToLower(strings.TrimSpace(string(value)))
		}
	}
	switch {
	case tag == atom.Meta && m.name != "":
		h.metas = append(h.metas, m)
	case tag == atom.Link && l.rel != "" && l.href != "":
		h.links = append(h.links, l)
	}
}

// linkHeader takes one Link header: <address>; rel="…"; type="…", and so on.
func (h *pageHead) linkHeader(line string) {
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
		l := headLink{href: strings.TrimSpace(href)}
		for param := range strings.SplitSeq(strings.TrimRight(params, " ,"), ";") {
			key, value, _ := strings.Cut(param, "=")
			value = strings.Trim(strings.TrimSpace(value), `"`)
			switch strings.ToLower(strings.TrimSpace(key)) {
			case "rel":
				l.rel = strings.ToLower(value)
			case "type":
				l.kind = strings.ToLower(value)
			}
		}
		if l.rel != "" && l.href != "" {
			h.links = append(h.links, l)
		}
		if next == "" {
			return
		}
		line = "<" + next
	}
}

// meta answers the contents of the meta elements of any of some names.
func (h *pageHead) meta(names ...string) (contents []string) {
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

// link answers the links of a relation, resolved against the page's address.
func (h *pageHead) link(rel string, page *url.URL) (found []headLink) {
	for _, l := range h.links {
		for word := range strings.FieldsSeq(l.rel) {
			if word != rel {
				continue
			}
			if u, err := page.Parse(l.href); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
				u.Fragment = ""
				found = append(found, headLink{rel, u.String(), l.kind})
			}
			break
		}
	}
	return found
}
