package page

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// outside are the elements with which the pass and the reference may differ about a page's links.
var outside = []string{"<frameset", "<select", "<template", "<svg", "<math"}

// treeTargets are the addresses, as written, that the tree of golang.org/x/net/html holds, scripting off. It answers
// false for documents the reference refuses or that hold elements left out of the comparison.
func treeTargets(body []byte) ([]string, bool) {
	lower := strings.ToLower(string(body))
	for _, o := range outside {
		if strings.Contains(lower, o) {
			return nil, false
		}
	}
	found, _, ok := treeAddresses(body)
	return found, ok
}

// treeAddresses are the addresses in the reference tree, each behind its element's name, and the base.
func treeAddresses(body []byte) (found []string, base string, ok bool) {
	doc, err := html.ParseWithOptions(bytes.NewReader(body), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, "", false
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		key := targetKey(n.Data)
		for _, a := range n.Attr {
			if a.Key == key {
				found = append(found, n.Data+" "+a.Val)
				break
			}
			if n.Data == "base" && a.Key == "href" && base == "" {
				base = a.Val
			}
		}
	}
	return found, base, true
}

func targetKey(name string) string {
	switch name {
	case "a", "area":
		return "href"
	case "frame", "iframe":
		return "src"
	}
	return ""
}

// passTargets are the same as one pass over the bytes finds them.
func passTargets(body []byte) []string {
	r := newReading(body, "http://x.example/", Options{MaxLinks: 1 << 30}.withDefaults(), new(scratch))
	r.run()
	var found []string
	for _, l := range r.links {
		switch l.source {
		case A:
			found = append(found, "a "+l.href)
		case Area:
			found = append(found, "area "+l.href)
		case Frame:
			found = append(found, "frame "+l.href)
		case Iframe:
			found = append(found, "iframe "+l.href)
		}
	}
	return found
}

// sameTargets compares both as sets.
func sameTargets(t *testing.T, body []byte) {
	t.Helper()
	want, ok := treeTargets(body)
	if !ok {
		return
	}
	got := passTargets(body)
	for _, s := range [2][]string{got, want} {
		slices.Sort(s)
	}
	got, want = slices.Compact(got), slices.Compact(want)
	if !slices.Equal(got, want) {
		t.Errorf("links\n%q\nthe tree has\n%q\nof %q", got, want, body)
	}
}

// tangles are documents that a naive reader gets wrong.
var tangles = []string{
	`<a href=1>x<a href=2>y</a>`,
	`<table><a href=1>x<tr><td><a href=2>y</table><a href=3>`,
	`<table><tr><a href=1><td>y<caption><a href=2></table>`,
	`<p><a href=1><div>x</a>y<p>z`,
	`<!-- <a href=1> --><a href=2><!--><a href=3>--><!---><a href=4><!-- --!><a href=5>`,
	`<script><!-- <script> </script> <a href=1> --></script><a href=2>`,
	`<script><!--<a href=1><script>x</script>--></script><a href=2>`,
	`<script>"</scripty>"</script ><a href=2>`,
	`<title><a href=1></title><a href=2>`,
	`<textarea><a href=1></textarea><a href=2><style><a href=3></style><a href=4>`,
	`<noscript><a href=1></noscript><head><noscript><a href=2></noscript>`,
	`<xmp><a href=1></xmp><iframe src=i><a href=2></iframe><noembed><a href=3></noembed><a href=4>`,
	`<plaintext><a href=1>`,
	`<a href="x>y" href=z>q</a><a href=x/><a href='a"b'><a href=` + "\n" + `c><a href>d`,
	`<a/href=1/><a"b" href=2><a =x href=3><a href = 4 ><A HREF=5>`,
	`<a href=1`, `<a href="1`, `<a href=1></`, `<`, `</`, `<!`, `<!-`, `<?x <a href=1>?><a href=2>`,
	`<![CDATA[<a href=1>]]><a href=2>`,
	`<a href="?a=1&amp;b=2&copy=3&copy;&lt&ltx&notin;&notit;&#65;&#x41&#0;&nosuch;">`,
	`<map><area href=1><area href=2 alt=x></map><image src=x><frame src=y>`,
	`<b><a href=1><p></b>x</a>y<i><table><td></i><a href=2>`,
	`<button><a href=1><button><a href=2></button></p></br><a href=3>`,
	`<form><form><a href=1></form><div></form><a href=2>`,
	`<ul><li><a href=1><li><a href=2></ul><dl><dt><a href=3><dd><a href=4>`,
	`<nobr><a href=1><nobr>x<h1><a href=2><h2>y</h1><a href=3>`,
	`<object><a href=1><object></object><a href=2></object><a href=3>`,
	`<table><colgroup><a href=1><col><a href=2><tbody><tfoot><th><a href=3></thead></table>`,
	`<body></body><a href=1></html><a href=2><!-- x --><a href=3>`,
	"<a href=\"a\x00b\r\nc\">", "<a\x00 href=1>", "<a href=1 x\x00=2>",
	`<a href=1><ruby><rb>x<rt>y<rp>z<a href=2></ruby><option><optgroup><a href=3>`,
	`<table><input type=hidden><form><a href=1><tr></form><td><a href=2>`,
}

func TestLinksAreThoseOfTheTree(t *testing.T) {
	for _, doc := range tangles {
		sameTargets(t, []byte(doc))
	}
}

func FuzzLinksAreThoseOfTheTree(f *testing.F) {
	for _, doc := range tangles {
		f.Add([]byte(doc))
	}
	f.Add([]byte(small))
	f.Fuzz(func(t *testing.T, body []byte) { sameTargets(t, body) })
}

// treeText is the number of characters of text in the reference tree, and how many of them stand inside links.
func treeText(body []byte) (chars, anchors int32, ok bool) {
	doc, err := html.ParseWithOptions(bytes.NewReader(body), html.ParseOptionEnableScripting(false))
	if err != nil {
		return 0, 0, false
	}
	var walk func(n *html.Node, linked bool)
	walk = func(n *html.Node, linked bool) {
		switch {
		case n.Type == html.TextNode:
			c := count(strings.Map(visible, n.Data))
			if chars += c; linked {
				anchors += c
			}
			return
		case n.Type == html.ElementNode && (slices.Contains(silent, n.Data) || isSound(n)):
			return
		case n.Type == html.ElementNode && n.Data == "a":
			for _, a := range n.Attr {
				linked = linked || a.Key == "href"
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, linked)
		}
	}
	walk(doc, false)
	return chars, anchors, true
}

var silent = []string{"head", "title", "script", "style", "textarea", "iframe", "noembed", "noframes", "select", "template", "svg", "math"}

// isSound tells of what stands over the words of a ruby.
func isSound(n *html.Node) bool {
	if n.Data != "rt" && n.Data != "rp" && n.Data != "rtc" {
		return false
	}
	for n = n.Parent; n != nil; n = n.Parent {
		if n.Data == "ruby" {
			return true
		}
	}
	return false
}

// visible leaves out what the pass takes for white space, and what nobody sees.
func visible(c rune) rune {
	switch c {
	default:
		if c < ' ' || '\u2000' <= c && c <= '\u200a' || c == '\u202f' {
			return -1
		}
	case 0xA0, 0x3000, 0xAD, 0x200B, 0x2060, 0xFEFF:
		return -1
	}
	return c
}

func TestTextIsThatOfTheTree(t *testing.T) {
	for _, doc := range tangles {
		chars, anchors, _ := treeText([]byte(doc))
		p := Parse([]byte(doc), "http://x.example/", Options{})
		if p.Blocks[0].Parent != nothing {
			t.Fatal("no page")
		}
		var c, a int32
		for i := range p.Blocks {
			c += p.Blocks[i].Chars
			a += p.Blocks[i].AnchorChars
		}
		if c != chars || a != anchors {
			t.Errorf("%d characters, %d in links; the tree has %d and %d in %q", c, a, chars, anchors, doc)
		}
	}
}
