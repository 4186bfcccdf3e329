package extract

import (
	"iter"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// candidates are what may be the value, in the order of the page: texts, or things of JSON-LD and microdata.
func (r *Rule) candidates(p *paper, name string) iter.Seq[any] {
	return func(yield func(any) bool) {
		switch {
		case r.CSS != "":
			r.selected(p, yield)
		case r.Meta != "":
			p.meta(yield, r.Meta)
		case r.JSONLD != "":
			within(p.of(jsonLD), r.JSONLD, yield)
		case r.Microdata != "":
			within(p.of(microdata), r.Microdata, yield)
		case r.OG != "":
			p.meta(yield, "og:"+r.OG, r.OG)
		default:
			r.named(p, name, yield)
		}
	}
}

// named looks a value up by its name, wherever pages speak to machines.
func (r *Rule) named(p *paper, name string, yield func(any) bool) {
	more := true
	once := func(v any) bool {
		more = yield(v)
		return more
	}
	for _, source := range []string{jsonLD, microdata} {
		if more {
			anywhere(p.of(source), name, once)
		}
	}
	if more {
		p.meta(once, "og:"+name, name, "article:"+name, "product:"+name)
	}
}

// selected are the texts or attributes of what a selector finds.
func (r *Rule) selected(p *paper, yield func(any) bool) {
	for n := range r.css.finds(p.doc.Nodes[0]) {
		text, ok := "", true
		one := goquery.NewDocumentFromNode(n).Selection
		switch {
		case r.Attr != "":
			text, ok = one.Attr(r.Attr)
		case r.As == "url":
			text = p.firstOf(one, "href", "src", "content")
		case n.Data == "meta":
			text, ok = one.Attr("content")
		case n.Data == "time" && r.As == "date":
			if text, ok = one.Attr("datetime"); !ok {
				text, ok = p.textOf(n), true
			}
		default:
			text = p.textOf(n)
		}
		if ok && !yield(text) {
			return
		}
	}
}

// firstOf is the first of these attributes that an element has, or its text.
func (p *paper) firstOf(one *goquery.Selection, attributes ...string) string {
	for _, name := range attributes {
		if v, ok := one.Attr(name); ok {
			return v
		}
	}
	return p.textOf(one.Nodes[0])
}

// textOf is the text of an element as a person reads it: what stands in different blocks does not grow together, and scripts and
// styles are no text. Of a page on which that took too long there is no more to read.
func (p *paper) textOf(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		p.nodes += 1 + len(n.Data)/asLongAs
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.Type == html.ElementNode && n.Data == "sup" && endsInDigit(b.String()):
			b.WriteByte(' ') // of a price the cents, of a text its note: not digits of the number before
		case n.Type == html.ElementNode && silent[n.Data]:
			return
		case n.Type == html.ElementNode && !inline[n.Data]:
			b.WriteByte(' ')
		}
		for c := n.FirstChild; c != nil && b.Len() < mostValue && p.nodes < mostNodes; c = c.NextSibling {
			walk(c)
		}
		if n.Type == html.ElementNode && !inline[n.Data] {
			b.WriteByte(' ')
		}
	}
	walk(n)
	return b.String()
}

func endsInDigit(s string) bool { return s != "" && '0' <= s[len(s)-1] && s[len(s)-1] <= '9' }

var (
	silent = set("script style template noscript")
	inline = set("a abbr b bdi bdo cite code data em font i ins del kbd label mark q s samp small span strong sub sup time tt u var wbr")
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// meta are the contents of meta elements by name or property: those of the first name that there is one of.
func (p *paper) meta(yield func(any) bool, names ...string) {
	all := p.doc.Find("meta")
	for _, name := range names {
		found := false
		for _, n := range all.Nodes {
			said, content := "", ""
			for _, a := range n.Attr {
				switch a.Key {
				case "name", "property", "itemprop", "http-equiv":
					if strings.EqualFold(strings.TrimSpace(a.Val), name) {
						said = name
					}
				case "content":
					content = a.Val
				}
			}
			if said == "" || strings.TrimSpace(content) == "" {
				continue
			}
			if found = true; !yield(content) {
				return
			}
		}
		if found {
			return
		}
	}
}
