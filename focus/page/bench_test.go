package page

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// drawnAddress is the page of the drawn web the benchmarks read: 46 KB with 80 links, as a page of the live web has on
// average.
const drawnAddress = "http://greenlane.example/almanac.html"

// drawnPage are its bytes.
func drawnPage(tb testing.TB) (body []byte) {
	tb.Helper()
	eachPage(tb, filepath.Join("..", "..", "testdata", "webs", "quickstart"), func(p recorded) {
		if p.address == drawnAddress {
			body = p.body
		}
	})
	if body == nil {
		tb.Fatalf("the drawn web has no page %s any more", drawnAddress)
	}
	return body
}

// TestDrawnPage holds the page the benchmarks read to the size they claim.
func TestDrawnPage(t *testing.T) {
	body := drawnPage(t)
	links, _, _ := treeAddresses(body)
	if n := len(body) >> 10; n < 44 || n > 48 || len(links) != 80 {
		t.Errorf("%d KB, %d links", n, len(links))
	}
	if p := Parse(body, drawnAddress, Options{}); len(p.Links) < 70 || p.Cut != "" {
		t.Errorf("%d links read, cut %q", len(p.Links), p.Cut)
	}
}

func BenchmarkParse(b *testing.B) {
	body := drawnPage(b)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if p := Parse(body, drawnAddress, Options{}); len(p.Links) < 70 {
			b.Fatal(len(p.Links))
		}
	}
}

func BenchmarkParseTokenizer(b *testing.B) {
	body := drawnPage(b)
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
	body := drawnPage(b)
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
