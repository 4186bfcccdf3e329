package rights

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
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

// ReadHead reads meta and link elements up to the body, the links of the Link header, and in the body those that name a licence.
func ReadHead(header http.Header, body []byte) *Head {
	h := &Head{}
	for _, line := range header.Values("Link") {
		h.linkHeader(line)
	}
	if !strings.Contains(strings.ToLower(header.Get("Content-Type")), "html") {
		return h
	}
	h.elements(body[:min(len(body), headLength)])
	h.licences(body)
	return h
}

// elements takes the meta and link elements up to the body.
func (h *Head) elements(body []byte) {
	z := html.NewTokenizer(bytes.NewReader(body))
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
	case tag != atom.Meta && l.Relation != "" && l.Address != "":
		h.links = append(h.links, l)
	}
}

// Bounds of what is looked at to find the licences in a body.
const (
	mostLicences = 8
	mostTags     = 512 // that are read for one
	tagLength    = 2048
	textLength   = 1 << 20 // of a page of more nobody has read the end
)

// licences takes the links by which the text of a page names its licence: <a rel="license">, as Creative Commons has it made. Only the
// tags of links are looked at, for reading all of a page would cost more than all else here.
func (h *Head) licences(body []byte) {
	body = body[:min(len(body), textLength)]
	for at, read, found := 0, 0, 0; read < mostTags && found < mostLicences; at++ {
		i := bytes.IndexByte(body[at:], '<')
		if i < 0 {
			return
		}
		at += i
		tag := body[at:min(len(body), at+tagLength)]
		if !opensLink(tag) {
			continue
		}
		said := tag
		if end := bytes.IndexByte(tag[1:], '<'); end >= 0 {
			said = tag[:end+1]
		}
		if !bytes.Contains(said, []byte("license")) || !bytes.Contains(bytes.ToLower(said), []byte("rel")) {
			continue
		}
		read++
		if l, is := licence(tag); is {
			if found++; !slices.Contains(h.links, l) && !unread(body[:at]) {
				h.links = append(h.links, l)
			}
		}
	}
}

// opensLink says whether a text begins with the start tag of a link.
func opensLink(text []byte) bool {
	return len(text) > 2 && text[0] == '<' && text[1]|0x20 == 'a' && bytes.IndexByte([]byte(" \t\r\n\f/"), text[2]) >= 0
}

// unread says whether what stands behind a text is a comment or a script.
func unread(before []byte) bool {
	for _, part := range [][2]string{{"<!--", "-->"}, {"<script", "</script"}} {
		if bytes.LastIndex(before, []byte(part[0])) > bytes.LastIndex(before, []byte(part[1])) {
			return true
		}
	}
	return false
}

// licence is the link of a start tag, and whether that is its relation.
func licence(tag []byte) (l HeadLink, is bool) {
	z := html.NewTokenizer(bytes.NewReader(tag))
	if kind := z.Next(); kind != html.StartTagToken && kind != html.SelfClosingTagToken {
		return l, false
	}
	_, more := z.TagName()
	read := Head{}
	read.element(z, atom.A, more)
	for _, l = range read.links {
		is = slices.Contains(strings.Fields(l.Relation), "license")
		l.Relation = "license"
	}
	return l, is
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
