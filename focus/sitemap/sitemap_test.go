package sitemap

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
)

func TestParseSitemap(t *testing.T) {
	at := address(t, "https://a.example/sitemap.xml")
	body := `<?xml version="1.0" encoding="GBK"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
 <url><loc> https://a.example/one?x=1&amp;y=2#part </loc><lastmod>2026-01-02</lastmod><priority>0.8</priority>
  <image:image><image:loc>https://a.example/one.png</image:loc></image:image></url>
 <url><loc><![CDATA[/two]]></loc><lastmod>2026-01-02T03:04:05+08:00</lastmod><priority>7</priority></url>
 <url><loc>ftp://a.example/three</loc></url>
 <url><lastmod>2026</lastmod></url>
 <url><loc>https://a.example/four</loc><lastmod>yesterday</lastmod></url>
</urlset>`
	for name, body := range map[string]string{"plain": body, "gzip": gzipped(body)} {
		s, err := Parse([]byte(body), at)
		if err != nil || len(s.Pages) != 3 || len(s.Files) != 0 || s.Cut {
			t.Fatalf("%s: %+v, %v", name, s, err)
		}
		one, two, four := s.Pages[0], s.Pages[1], s.Pages[2]
		if one.URL != "https://a.example/one?x=1&y=2" || one.Host != "a.example" || one.Source != page.Sitemap || one.Priority != 0.8 ||
			!one.Modified.Equal(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)) || one.From != at.String() || !one.Listed {
			t.Errorf("%s: %+v", name, one)
		}
		if two.URL != "https://a.example/two" || !two.Modified.Equal(time.Date(2026, 1, 1, 19, 4, 5, 0, time.UTC)) || !math.IsNaN(float64(two.Priority)) {
			t.Errorf("%s: %+v", name, two)
		}
		if !four.Modified.IsZero() {
			t.Errorf("%s: %+v", name, four)
		}
	}
	s, err := Parse([]byte(`<urlset xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><xhtml:link rel="alternate" hreflang="de" href="/de"/><loc>https://a.example/en</loc>
		<xhtml:link rel="alternate" hreflang="en" href="https://a.example/en"/><xhtml:link rel="alternate" hreflang="fr" href="https://b.example/fr"/><xhtml:link rel="self" href="/self"/><xhtml:link rel="alternate" media="only screen and (max-width: 640px)" href="https://m.a.example/en"/></url>
		<url><loc>https://a.example/50%-off</loc></url><url><loc>https://a.example/de</loc><lastmod>2026</lastmod><xhtml:link rel="alternate" hreflang="fr" href="https://b.example/fr"/></url></urlset>`), at)
	if err != nil || len(s.Pages) != 4 || s.Pages[1].URL != "https://a.example/50%25-off" || s.Pages[2].Modified.IsZero() || s.Pages[3].URL != "https://b.example/fr" || s.Pages[3].Listed {
		t.Errorf("other languages: %+v, %v", s, err)
	}
	s, err = Parse([]byte(`<sitemapindex><sitemap><loc>https://a.example/s1.xml.gz</loc></sitemap><sitemap><loc>s2.xml</loc></sitemap></sitemapindex>`), at)
	if err != nil || len(s.Pages) != 0 || len(s.Files) != 2 || s.Files[1].URL != "https://a.example/s2.xml" {
		t.Errorf("an index: %+v, %v", s, err)
	}
	s, err = Parse([]byte(`<ns:urlset xmlns:ns="http://www.sitemaps.org/schemas/sitemap/0.9"><ns:url><ns:loc>/one</ns:loc><i:image><i:loc>/i.png</i:loc></i:image></ns:url></ns:urlset>`), at)
	if err != nil || len(s.Pages) != 1 || s.Pages[0].URL != "https://a.example/one" {
		t.Errorf("one with a prefix: %+v, %v", s, err)
	}
	s, err = Parse([]byte("<urlset><url><loc>https://b.example/1</loc></url></urlset>"), at)
	if err != nil || len(s.Pages) != 1 || s.Pages[0].Listed {
		t.Errorf("what another host has is not listed: %+v, %v", s, err)
	}
	s, err = Parse([]byte(`<urlset><url><loc>/茶?q=绿 茶</loc></url></urlset>`), at)
	if err != nil || len(s.Pages) != 1 || s.Pages[0].URL != "https://a.example/%E8%8C%B6?q=%E7%BB%BF%20%E8%8C%B6" {
		t.Errorf("one with a query that is not escaped: %+v, %v", s, err)
	}
	s, err = Parse([]byte("\ufeffhttps://a.example/1\r\nnonsense\nhttps://a.example/2\n"), at)
	if err != nil || len(s.Pages) != 2 || s.Pages[1].URL != "https://a.example/2" {
		t.Errorf("a list: %+v, %v", s, err)
	}
	s, err = Parse([]byte("<urlset><url><loc>https://a.example/1</loc></url><url><loc"), at)
	if err == nil || len(s.Pages) != 1 || !strings.Contains(err.Error(), at.String()) {
		t.Errorf("a broken one: %+v, %v", s, err)
	}
	s, err = Parse([]byte("<urlset>"+strings.Repeat("<url><loc>https://a.example/</loc></url>", mostEntries+10)), at)
	if err != nil || len(s.Pages) != mostEntries || !s.Cut {
		t.Errorf("one that is too long: %d pages, cut %v, %v", len(s.Pages), s.Cut, err)
	}
	if p := ListPage([]byte("<urlset>"+strings.Repeat("<url><loc>/a</loc></url>", 6000)), at.String()); p == nil || len(p.Links) != 6000 {
		t.Errorf("6,000 addresses of a sitemap are a page of %+v", p)
	}
}

func TestParseFeed(t *testing.T) {
	at := address(t, "https://a.example/blog/feed")
	cases := []struct{ name, body string }{
		{"RSS 2.0", `<rss version="2.0" xmlns:media="m" xmlns:content="c"><channel><title>Blog</title><link>https://a.example/</link>
			<item><title>Sharks &amp;amp; rays</title><link>/1</link><pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate><media:title>Picture</media:title>
			<description><![CDATA[<p>All about <b>sharks</b>.</p>]]></description><content:encoded>Long</content:encoded></item>
			<item><title>No address</title></item>
			<item><guid isPermaLink="false">x://y</guid></item>
			<item><title>鲨鱼</title><guid>https://a.example/2</guid></item></channel></rss>`},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><link href="https://a.example/"/>
			<entry><title type="html">Sharks &amp;amp; rays</title><link rel="self" href="/self"/><link rel="alternate" href="../1"/><updated>2027-01-01T00:00:00Z</updated>
			<published>2026-01-02T03:04:05Z</published><summary type="xhtml"><div>All about <b>sharks</b>.</div></summary></entry>
			<entry><title>鲨鱼</title><link href="https://a.example/2"/></entry></feed>`},
		{"Atom with bases of its own", `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/all/"><title>Blog</title><icon xml:base="/no/">i</icon>
			<entry xml:base="../"><title>Sharks &amp;amp; rays</title><link href="1"/><published>2026-01-02T03:04:05Z</published><summary>All about sharks.</summary></entry>
			<entry xml:base="mailto:ann@a.example"><title>鲨鱼</title><link xml:base="..%zz" href="../2"/></entry></feed>`},
		{"RSS 2.0 with a base", `<rss xml:base="https://a.example/"><channel>
			<item><title>Sharks &amp;amp; rays</title><link>1</link><pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate><description>All about sharks.</description></item>
			<item><title>鲨鱼</title><link>2</link></item></channel></rss>`},
		{"RSS 1.0", `<rdf:RDF xmlns:dc="d"><channel rdf:about="x"><title>Blog</title></channel>
			<item rdf:about="y"><title>Sharks &amp;amp; rays</title><link>https://a.example/1</link><dc:date>2026-01-02T03:04:05Z</dc:date><description>All about sharks.</description></item>
			<item><title>鲨鱼</title><link>https://a.example/2</link></item></rdf:RDF>`},
		{"JSON Feed", `{"title": "Blog", "version": "https:\/\/jsonfeed.org\/version\/1.1", "home_page_url": "https://a.example/", "items": [
			{"id": "1", "url": "/1", "title": "Sharks &amp; rays", "date_published": "2026-01-02T03:04:05Z", "date_modified": "2027-01-01T00:00:00Z", "content_html": "<p>All about <b>sharks</b>.</p>"},
			{"id": "no address", "title": "x"}, {"external_url": "https://a.example/2", "title": "鲨鱼"}]}`},
		{"JSON Feed, sorted", `{"items": [
			{"content_html": "<p>All about <b>sharks</b>.</p>", "date_published": "2026-01-02T03:04:05Z", "id": "1", "title": "Sharks &amp; rays", "url": "/1"},
			{"id": "` + strings.Repeat("x", 3000) + `"}, {"external_url": "https://a.example/2", "title": "鲨鱼"}], "version": "https://jsonfeed.org/version/1.1"}`},
	}
	for _, c := range cases {
		found, err := ParseFeed([]byte(c.body), at)
		if err != nil || len(found) != 2 {
			t.Errorf("%s: %d items, %v: %+v", c.name, len(found), err, found)
			continue
		}
		one, two := found[0], found[1]
		if one.URL != "https://a.example/1" || one.Anchor != "Sharks & rays" || strings.ReplaceAll(one.After, " .", ".") != "All about sharks." || one.Source != page.Feed ||
			!one.Modified.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) {
			t.Errorf("%s: %+v", c.name, one)
		}
		if two.URL != "https://a.example/2" || two.Anchor != "鲨鱼" || !two.Modified.IsZero() {
			t.Errorf("%s: %+v", c.name, two)
		}
	}
}

// Of a sitemap that is longer than one may be there is what stands before that, whole addresses alone.
func TestASitemapThatIsTooLongIsReadToItsBound(t *testing.T) {
	at := address(t, "https://a.example/sitemap.xml.gz")
	for body, cut := range map[string]string{
		"<urlset>" + strings.Repeat("<url><loc>https://a.example/one</loc></url>", 10): "ne</loc></url>",
		strings.Repeat("https://a.example/one\n", 10):                                  "ne\n",
	} {
		for _, sent := range []string{body, gzipped(body)} {
			if s, err := parse([]byte(sent), at, len(body)-len(cut)); err != nil || len(s.Pages) != 9 || !s.Cut {
				t.Errorf("%.20q: %d pages, cut %v, %v", sent, len(s.Pages), s.Cut, err)
			}
			if s, _ := parse([]byte(sent), at, len(body)); len(s.Pages) != 10 || s.Cut {
				t.Errorf("%.20q, as long as it may be: %d pages, cut %v", sent, len(s.Pages), s.Cut)
			}
		}
	}
}

// An element that a feed leaves open costs at most the rest of its item.
func TestAFeedWithHTMLInItsTexts(t *testing.T) {
	found, err := ParseFeed([]byte(`<rss><channel>
		<item><title>One</title><description>a<BR>b <img src="x"> c<hr/></description><link>/1</link><pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate></item>
		<item><title>Two</title><link>/2</link><description>a <p> b</description></item>
		<item><title>Three</title><link>/3</link></item></channel></rss>`), address(t, "https://a.example/feed"))
	if err != nil || len(found) != 3 || found[0].After != "a b c" || found[0].Modified.IsZero() || found[2].URL != "https://a.example/3" {
		t.Errorf("%v: %+v", err, found)
	}
}

// A date that cannot be read takes none away.
func TestADateOfPublicationThatIsNone(t *testing.T) {
	found, _ := ParseFeed([]byte(`<feed><entry><link href="/1"/><updated>2026-01-02T03:04:05Z</updated><published>soon</published></entry></feed>`), address(t, "https://a.example/feed"))
	if len(found) != 1 || found[0].Modified.IsZero() {
		t.Errorf("%+v", found)
	}
}

// What only begins as the element of a feed is none.
func TestIsFeed(t *testing.T) {
	for body, want := range map[string]bool{"<rss version=2>": true, `<?xml version="1.0"?><atom:feed xmlns:atom="a">`: true, "<rdf:RDF>": true, "<feedback>": false, "<rssi>": false} {
		if IsFeed([]byte(body)) != want {
			t.Errorf("%s: %v", body, !want)
		}
	}
}

func FuzzSitemap(f *testing.F) {
	f.Add([]byte("<urlset><url><loc>https://a.example/&#x41;</loc><priority>NaN</priority></url>"))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Add([]byte("https://a.example/\n\xff"))
	f.Add([]byte("<loc>https://a.iority>N&#x41;</loc></url>")) // no address, and in nothing that began
	at := address(f, "https://a.example/s.xml")
	f.Fuzz(func(t *testing.T, body []byte) {
		s, _ := Parse(body, at)
		for _, p := range append(s.Pages, s.Files...) {
			if p.URL == "" || p.Host == "" || p.Identity == "" || p.Source != page.Sitemap || p.From == "" || p.Priority < 0 || p.Priority > 1 {
				t.Fatalf("%+v", p)
			}
		}
	})
}

func FuzzFeed(f *testing.F) {
	f.Add([]byte("<rss><item><title>x</title><link>/1</link></item>"))
	f.Add([]byte("<feed><entry><link href='//b.example'/><entry></feed>"))
	at := address(f, "https://a.example/feed")
	f.Fuzz(func(t *testing.T, body []byte) {
		found, _ := ParseFeed(body, at)
		for _, p := range found {
			if p.URL == "" || p.Host == "" || len(p.After) > descriptionBytes || len(p.Anchor) > descriptionBytes {
				t.Fatalf("%+v", p)
			}
		}
	})
}

func address(t testing.TB, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// What a server sends as a page is a list where it begins as one, and not where it shows one.
func TestAListThatIsSentAsAPage(t *testing.T) {
	for body, want := range map[string]bool{
		"\ufeff\n<?xml version='1.0'?><!-- made\nby a > b --><?style x?>\n<urlset><url>": true, "<s:sitemapindex xmlns:s='x'>": true, "<rss version=2>": true,
		"<atom:feed>": true, `{"version":"https://jsonfeed.org/version/1"`: true, `{"items":["` + strings.Repeat("x", 3000) + `"],"version":"https://jsonfeed.org/version/1"}`: true, `<p>{"version":"https://jsonfeed.org/version/1"`: false, "<rdf:RDF>": true, "<!DOCTYPE html><html><pre><urlset>": false, "<?xml version='1.0'?><html><rss>": false, "<urlsets>": false, "": false,
	} {
		if got := IsNoPage([]byte(body)); got != want {
			t.Errorf("%q: %v, want %v", body, got, want)
		}
	}
}

func TestAPlainListIsTold(t *testing.T) {
	long := strings.Repeat("http://a.example/a-page\n", 200)
	for text, want := range map[string]bool{
		"http://a.example/1\nhttps://a.example/2\n": true, "\ufeff\r\nhttp://a.example/1\r\n\r\nhttp://a.example/2": true, long: true, long + "and so on": true,
		"": false, "\n": false, "http://a.example/1\n": false, "see\nhttp://a.example/1\nhttp://a.example/2": false, "http://a.example/1 is one\nhttp://a.example/2": false,
		strings.Repeat("x", 3000): false, "http://a.example/1\nhttp://a.example/2\nand so on": false,
	} {
		if _, got := Listed([]byte(text), "http://a.example/list.txt"); got != want {
			t.Errorf("%.60q: %v, want %v", text, got, want)
		}
	}
}
