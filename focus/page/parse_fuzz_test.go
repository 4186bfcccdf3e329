package page

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParse holds the promises every Page keeps, whatever the bytes and the bounds.
func FuzzParse(f *testing.F) {
	for _, doc := range tangles {
		f.Add([]byte(doc), uint8(0))
	}
	f.Add([]byte(small), uint8(1))
	f.Add([]byte("<table><tr><td width=30%><div class=ad style='width:200px;display:none'><h2><a href=1>x</h2><hr><iframe src=q></table>"), uint8(2))
	f.Add([]byte("<frameset><frame src=a><noframes><p><a href=b>c</noframes>"), uint8(3))
	f.Add([]byte("<a href=1></a><a href=2></a><script>location='3'</script><frameset><frame src=a>"), uint8(4))
	f.Add([]byte("<svg><a xlink:href=x><title>y</title><style><b>z</svg><template><td><a href=1></template><select><option><a href=2>"), uint8(4))
	f.Add([]byte("<title>\xff\xfe中\n文</title><p>中\n文 \xe4\xb8<pre>a\n b<br>\t　c  <i>d</i>&nbsp;\r\n</pre><script type=application/ld+json>{\"headline\":1,\"author\":[{\"name\":\"x\"}]}</script>"), uint8(5))
	f.Add([]byte("<main><!--$?--><template id=\"B:0\"></template>x<!--/$--></main><div hidden id=\"S:0\"><a href=1>y</a></div><script>$RC(\"B:0\",\"S:0\")</script>"), uint8(0))
	f.Fuzz(func(t *testing.T, body []byte, choice uint8) {
		o := Options{Context: Context(choice & 1), Segment: Segment(choice >> 1 & 1), Hidden: choice&4 != 0}
		if choice&8 != 0 {
			o.MaxLinks, o.MaxDepth, o.MaxText = 3, 9, 50
		}
		p := Parse(body, "http://x.example/a/b", o)
		checkBlocks(t, p)
		checkRuns(t, p)
		checkLinks(t, p)
		for _, s := range []string{p.Title, p.MainText(), p.Markdown(), p.Facts.Description, p.Sample(99)} {
			if !utf8.ValidString(s) {
				t.Errorf("not UTF-8: %q", s)
			}
		}
		if n := len(p.Sample(99)); n > 99 {
			t.Errorf("a sample of 99 bytes has %d", n)
		}
		if err := p.Draw(io.Discard); err != nil {
			t.Error(err)
		}
		if p.HubRatio < 0 || p.HubRatio > 1 || (p.Kind == Hub) != (p.HubRatio > 0.6) {
			t.Errorf("%s page with hub ratio %v", p.Kind, p.HubRatio)
		}
	})
}

func checkBlocks(t *testing.T, p *Page) {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if (i == 0) != (b.Parent == nothing) || int(b.Parent) >= i {
			t.Errorf("block %d stands in %d", i, b.Parent)
		}
		if b.AnchorChars > b.Chars || b.AnchorChars < 0 || b.LinkCount < 0 || b.Width < 0 || b.Kind == Hub {
			t.Errorf("block %d: %+v", i, b)
		}
	}
}

func checkRuns(t *testing.T, p *Page) {
	chars, anchors := make([]int32, len(p.Blocks)), make([]int32, len(p.Blocks))
	for i := range p.Runs {
		u := &p.Runs[i]
		if u.Text == "" || !utf8.ValidString(u.Text) || strings.Trim(u.Text, " \t\r\n\f") != u.Text && u.Position != Title && u.Position != Meta {
			t.Errorf("run %d: %+v", i, u)
		}
		if u.Position == Title || u.Position == Meta {
			continue
		}
		chars[u.Block] += count(u.Text)
		if u.Linked {
			anchors[u.Block] += count(u.Text)
		}
	}
	for i := range p.Blocks {
		if b := &p.Blocks[i]; b.Chars != chars[i] || b.AnchorChars != anchors[i] {
			t.Errorf("block %d counts %d and %d characters, its runs have %d and %d", i, b.Chars, b.AnchorChars, chars[i], anchors[i])
		}
	}
}

func checkLinks(t *testing.T, p *Page) {
	seen := map[string]bool{}
	for i := range p.Links {
		l := &p.Links[i]
		if int(l.Order) != i || l.Block < 0 || int(l.Block) >= len(p.Blocks) || l.Host == "" || l.Host != Host(l.URL) {
			t.Errorf("link %d: %+v", i, l)
		}
		if id, err := Canonical(l.URL); err != nil || id != l.Identity || seen[id] {
			t.Errorf("link %d: %q is known as %q, %v", i, l.URL, id, err)
		}
		seen[l.Identity] = true
		for _, s := range []string{l.Anchor, l.Before, l.After, l.Heading} {
			if !utf8.ValidString(s) {
				t.Errorf("link %d: not UTF-8: %q", i, s)
			}
		}
	}
}
