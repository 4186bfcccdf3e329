package serve

import (
	"bytes"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shown are the elements of a kept copy, with the attributes they keep. None of them loads or runs anything. What is not
// among them is left out and its text shown, but for the elements of hidden, which are left out with all that is in them.
var shown = map[atom.Atom][]string{
	atom.A: {"href"}, atom.Abbr: {"title"}, atom.Address: nil, atom.Article: nil, atom.Aside: nil, atom.B: nil, atom.Bdi: nil,
	atom.Bdo: nil, atom.Blockquote: nil, atom.Br: nil, atom.Caption: nil, atom.Cite: nil, atom.Code: nil, atom.Dd: nil,
	atom.Del: nil, atom.Details: nil, atom.Dfn: nil, atom.Div: nil, atom.Dl: nil, atom.Dt: nil, atom.Em: nil, atom.Figcaption: nil,
	atom.Figure: nil, atom.Footer: nil, atom.H1: nil, atom.H2: nil, atom.H3: nil, atom.H4: nil, atom.H5: nil, atom.H6: nil,
	atom.Header: nil, atom.Hr: nil, atom.I: nil, atom.Ins: nil, atom.Kbd: nil, atom.Li: nil, atom.Main: nil, atom.Mark: nil,
	atom.Nav: nil, atom.Ol: nil, atom.P: nil, atom.Pre: nil, atom.Q: nil, atom.Rp: nil, atom.Rt: nil, atom.Ruby: nil, atom.S: nil,
	atom.Samp: nil, atom.Section: nil, atom.Small: nil, atom.Span: nil, atom.Strong: nil, atom.Sub: nil, atom.Summary: nil,
	atom.Sup: nil, atom.Table: nil, atom.Tbody: nil, atom.Td: {"colspan", "rowspan"}, atom.Tfoot: nil,
	atom.Th: {"colspan", "rowspan"}, atom.Thead: nil, atom.Tr: nil, atom.U: nil, atom.Ul: nil, atom.Var: nil, atom.Wbr: nil,
}

var hidden = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Head: true, atom.Iframe: true, atom.Object: true, atom.Embed: true, atom.Applet: true,
	atom.Noscript: true, atom.Template: true, atom.Svg: true, atom.Math: true, atom.Audio: true, atom.Video: true, atom.Canvas: true,
	atom.Textarea: true, atom.Select: true, atom.Noembed: true, atom.Noframes: true, atom.Title: true, atom.Xmp: true, atom.Plaintext: true,
}

// deepest is how deep elements of a copy are nested: deeper ones are written beside each other.
const deepest = 200

// harmless is a page taken apart, and written anew from what does nothing. base is its address, against which links are
// resolved.
func harmless(page []byte, base string) []byte {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil
	}
	address, err := url.Parse(base)
	if err != nil {
		address = &url.URL{}
	}
	c := copier{base: baseOf(root, address)}
	c.children(root, 0)
	return c.out.Bytes()
}

// baseOf is the address against which a page has its links resolved: the one that it names first, where it leads anywhere, or its own.
func baseOf(root *html.Node, address *url.URL) *url.URL {
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if n.DataAtom != atom.Base || a.Key != "href" {
				continue
			}
			if to, err := address.Parse(strings.TrimSpace(a.Val)); err == nil && (to.Scheme == "http" || to.Scheme == "https") {
				return to
			}
			return address
		}
	}
	return address
}

type copier struct {
	out  bytes.Buffer
	base *url.URL
}

func (c *copier) children(n *html.Node, depth int) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		c.node(child, depth)
	}
}

func (c *copier) node(n *html.Node, depth int) {
	switch n.Type {
	case html.TextNode:
		c.out.WriteString(html.EscapeString(n.Data))
		return
	case html.ElementNode:
	case html.DocumentNode:
		c.children(n, depth)
		return
	default:
		return
	}
	if hidden[n.DataAtom] || n.Namespace != "" {
		return
	}
	attributes, known := shown[n.DataAtom]
	if !known || depth > deepest {
		if n.DataAtom == atom.Img {
			c.picture(n)
		}
		c.children(n, depth)
		return
	}
	name := n.DataAtom.String()
	c.out.WriteString("<" + name)
	for _, a := range n.Attr {
		c.attribute(attributes, a)
	}
	c.out.WriteString(">")
	switch n.DataAtom {
	case atom.Br, atom.Hr, atom.Wbr:
		return
	}
	c.children(n, depth+1)
	c.out.WriteString("</" + name + ">")
}

// attribute writes an attribute that its element keeps. Links lead to the live web, in a window of their own that learns
// nothing of us.
func (c *copier) attribute(keeps []string, a html.Attribute) {
	for _, k := range keeps {
		if a.Namespace != "" || a.Key != k {
			continue
		}
		value := a.Val
		if k == "href" {
			u, err := c.base.Parse(strings.TrimSpace(value))
			if err != nil || u.Scheme != "http" && u.Scheme != "https" {
				return
			}
			u.User = nil // a password that a page brings along is not handed on
			value = u.String()
			c.out.WriteString(` target="_blank" rel="noopener noreferrer nofollow"`)
		}
		c.out.WriteString(" " + k + `="` + html.EscapeString(value) + `"`)
	}
}

// picture writes what a picture shows in words: to show it would tell its server who looks.
func (c *copier) picture(n *html.Node) {
	for _, a := range n.Attr {
		if a.Key == "alt" && strings.TrimSpace(a.Val) != "" {
			c.out.WriteString("<em>[" + html.EscapeString(a.Val) + "]</em>")
		}
	}
}
