package page

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// drawnPage is a page of about 46 KB with 80 links: a head, a menu, an article of some screens with links in it, a list of
// related articles and a foot, of the weight of markup that pages have.
func drawnPage() []byte {
	random := rand.New(rand.NewPCG(4, 46))
	words := strings.Fields(`shark grain field harvest topic crawl page link river mountain old town travel guide season weather
market music night train station island coast museum garden bridge festival local people food price ticket hotel`)
	sentence := func(b *strings.Builder, n int) {
		for i := range n {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(words[random.IntN(len(words))])
		}
	}
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Harvest festival &amp; old town - Drawn Web</title>\n" +
		"<meta name=\"description\" content=\"A page drawn for measuring\">\n<link rel=\"stylesheet\" href=\"/static/site.css?v=3\">\n" +
		"<script>var site = {id: 17, name: \"drawn\"}; for (var i = 0; i < 10; i++) { site[i] = i < 5 ? \"<p>\" : \"</p>\"; }</script>\n</head>\n<body class=\"page article\">\n<div id=\"header\" class=\"header wide\">\n<ul class=\"nav main-nav\">\n")
	for i := range 15 {
		fmt.Fprintf(&b, "<li class=\"nav-item item-%d\"><a class=\"nav-link\" href=\"/channel/%s/\" title=\"Channel %d\">%s</a></li>\n", i, words[i], i, words[i])
	}
	b.WriteString("</ul>\n</div>\n<div class=\"container\">\n<div class=\"main content\" id=\"main\">\n<h1 class=\"title\">Harvest festival &amp; old town</h1>\n")
	for i := range 60 {
		if i%12 == 11 {
			b.WriteString("<h2>")
			sentence(&b, 4)
			b.WriteString("</h2>\n")
		}
		b.WriteString("<p class=\"text\">")
		sentence(&b, 38)
		if i%2 == 0 {
			fmt.Fprintf(&b, ", <a href=\"http://www.drawn.example/2026/%02d/%02d/story-%d.html\">", i%12+1, i%28+1, i*37)
			sentence(&b, 4)
			b.WriteString("</a> ")
			sentence(&b, 18)
		} else {
			b.WriteString(" <em>")
			sentence(&b, 2)
			b.WriteString("</em> &mdash; <span class=\"note\">")
			sentence(&b, 25)
			b.WriteString("</span>")
		}
		b.WriteString(".</p>\n")
	}
	b.WriteString("</div>\n<div class=\"sidebar\">\n<div class=\"box\"><h3>Related articles</h3>\n<ul class=\"list\">\n")
	for i := range 25 {
		fmt.Fprintf(&b, "<li class=\"item\"><span class=\"date\">2026-%02d-%02d</span> <a href=\"/2026/%02d/%02d/story-%d.html\" target=\"_blank\">", i%12+1, i%28+1, i%12+1, i%28+1, 5000+i)
		sentence(&b, 7)
		b.WriteString("</a></li>\n")
	}
	b.WriteString("</ul></div>\n</div>\n</div>\n<div class=\"footer\"><p>")
	for i := range 10 {
		fmt.Fprintf(&b, "<a href=\"https://partner%d.example/?utm_source=drawn&amp;id=%d\">Partner %d</a> | ", i, i, i)
	}
	b.WriteString("</p><p>&copy; 2026 drawn.example, all rights reserved.</p></div>\n")
	for b.Len() < 46<<10 {
		b.WriteString("<!-- ")
		sentence(&b, 12)
		b.WriteString(" -->\n")
	}
	b.WriteString("</body>\n</html>\n")
	return []byte(b.String())
}

// TestDrawnPage holds the page the benchmarks read to the size they claim.
func TestDrawnPage(t *testing.T) {
	body := drawnPage()
	p := Parse(body, "http://www.drawn.example/page.html", Options{})
	if n := len(p.Links); n != 80 || len(body) < 46<<10 || len(body) > 47<<10 {
		t.Errorf("%d links, %d bytes", n, len(body))
	}
}

func BenchmarkParse(b *testing.B) {
	body := drawnPage()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if p := Parse(body, "http://www.drawn.example/page.html", Options{}); len(p.Links) != 80 {
			b.Fatal(len(p.Links))
		}
	}
}

func BenchmarkParseTokenizer(b *testing.B) {
	body := drawnPage()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		tokenize(body)
	}
}

// tokenize asks golang.org/x/net/html's tokenizer for everything it has.
func tokenize(body []byte) (n int) {
	z := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return n
		case html.TextToken:
			n += len(z.Text())
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			_, more := z.TagName()
			for more {
				var v []byte
				_, v, more = z.TagAttr()
				n += len(v)
			}
		}
	}
}

func BenchmarkParseGoquery(b *testing.B) {
	body := drawnPage()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		doc, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		doc.Find("a").Each(func(_ int, s *goquery.Selection) {
			n += len(s.AttrOr("href", "")) + len(s.Text())
		})
		n += len(doc.Text())
		if n == 0 {
			b.Fatal("nothing read")
		}
	}
}
