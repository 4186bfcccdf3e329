package page

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestFacts(t *testing.T) {
	const head = `<head><title> A
 title </title><title>second</title>
<meta name="Description" content="says &quot;this&quot;"><meta name=keywords content="a, b"><meta name=author content="Li Hua">
<meta property="article:published_time" content="2026-01-02T03:04:05Z"><meta property="og:site_name" content="The Site">
<meta name=robots content="noindex, NOFOLLOW"><link rel="canonical" href="/real"></head>`
	p := Parse([]byte(head), "http://x.example/y", Options{})
	want := Facts{Description: `says "this"`, Keywords: "a, b", Author: "Li Hua", Date: "2026-01-02T03:04:05Z", SiteName: "The Site",
		Canonical: "http://x.example/real", NoIndex: true, NoFollow: true}
	if p.Facts != want || p.Title != "A title" {
		t.Errorf("%q says %+v, want %+v", p.Title, p.Facts, want)
	}
}

func TestFactsOfLinkedData(t *testing.T) {
	const head = `<script type="application/ld+json">{"@graph":[{"@type":"WebSite","name":"w"},{"@type":"NewsArticle","headline":"H","datePublished":"2026-05-06",
"author":[{"name":"A"},{"name":"B"}],"publisher":{"name":"P"},"description":"D","keywords":["k","l"]}]}</script>`
	p := Parse([]byte(head), "http://x.example/", Options{})
	want := Facts{Description: "D", Keywords: "k, l", Author: "A, B", Date: "2026-05-06", SiteName: "P"}
	if p.Facts != want || p.Title != "H" {
		t.Errorf("%q says %+v, want %+v", p.Title, p.Facts, want)
	}
}

// TestFactsInOrder holds the order in which sources are believed: for the title OpenGraph, the title element, JSON-LD; else meta,
// OpenGraph, JSON-LD; an element with the time when none of these knows one.
func TestFactsInOrder(t *testing.T) {
	const ld = `<script type="application/ld+json">{"headline":"ld","description":"ld","author":"ld"}</script>`
	const og = `<meta property="og:title" content="og"><meta property="og:description" content="og">`
	for page, want := range map[string][3]string{
		ld: {"ld", "ld", "ld"},
		ld + og + `<time datetime="2026-02-03">Feb</time>`:                                        {"og", "og", "ld"},
		ld + og + `<title>t</title><meta name=description content=m><meta name=author content=m>`: {"og", "m", "m"},
	} {
		p := Parse([]byte(page), "http://x.example/", Options{})
		if got := [3]string{p.Title, p.Facts.Description, p.Facts.Author}; got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
	for page, want := range map[string]string{
		"<meta name=citation_author content='Lee, Ann'><meta name=citation_author content='Ray, Bob'><meta name=dc.creator content='A. Lee'>":                                           "Lee, Ann; Ray, Bob",
		"<meta property=article:author content=https://x.example/ann><meta name=author content='Ann Lee'>":                                                                              "Ann Lee",
		`<script type="application/ld+json">{"headline":"ld","author":{"@id":"#1"}}</script><script type="application/ld+json">{"@type":"Person","@id":"#1","name":"Ann Lee"}</script>`: "Ann Lee",
		`<script type="application/ld+json">{"headline":"ld","author":[{"@id":"#1"},"` + strings.Repeat(`Ann Lee","`, 20) + `Bob"]}</script>`:                                           "Ann Lee, Bob",
	} {
		if got := Parse([]byte(page), "http://x.example/", Options{}).Facts.Author; got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
	p := Parse([]byte(`<time datetime="2026-02-03">Feb</time><time datetime="2020-01-01">`), "http://x.example/", Options{})
	if p.Facts.Date != "2026-02-03" {
		t.Errorf("date %q, want that of the time element", p.Facts.Date)
	}
	for said, want := range map[string]string{"2024-02-30T25:61:00Z": "2020-01-01", "2024-02-29T25:61:00Z": "2024-02-29", "2024-02-29T23:59:00Z": "2024-02-29T23:59:00Z", "31 June 2024": "2020-01-01",
		"2023-02-29": "2020-01-01", "2024-05-31T10:61": "2024-05-31", "2024-03-15 banana": "2024-03-15", "2024-03-15 09:30": "2024-03-15T09:30", "2024-03-15 09:30:11": "2024-03-15T09:30:11",
		"2018-12-28 20:58 来源: 北云汽车": "2018-12-28T20:58", "2019-10-07 11:38:48 二师兄玩车": "2019-10-07T11:38:48", "2024-12-20 Swimming before work.": "2024-12-20", "2024年03月15日09:30:11": "2024-03-15T09:30:11",
		"2024-03-15T09:30:00.000Z": "2024-03-15T09:30:00.000Z", "2024-03-15T09:30+08:00": "2024-03-15T09:30+08:00", "2024-03-15T09:30:00+0800": "2024-03-15T09:30:00+08:00", "2024-03-15 09:30:11 -0330 by Ann": "2024-03-15T09:30:11-03:30",
		"2024-03-15 09:30:11Z": "2024-03-15T09:30:11Z", "2024-03-15 09:30-10:30": "2024-03-15T09:30", "2024-03-15 9:05 PM": "2024-03-15T21:05", "2024/3/5 12:05 a.m.": "2024-03-05T00:05", "2024-03-15 09:30:75": "2024-03-15",
		"6 May 2024 • 10:11am": "2024-05-06T10:11", "May 6, 2024 at 10:11 pm": "2024-05-06T22:11", "Monday, 6 May 2024, at 10:11": "2024-05-06T10:11", "Mon, 06 May 2024 10:11:12 GMT": "2024-05-06T10:11:12Z",
		"Mon, 13/05/2024 - 10:11": "2024-05-13T10:11", "06.05.2024": "2024-05-06", "6.5.2024 10:11": "2024-05-06T10:11", "13.13.2024": "2020-01-01", "May 6, 2024 2:1": "2024-05-06", "May 6, 2024-10:11": "2024-05-06",
		"12/03/2024": "2020-01-01", "13/03/2024": "2024-03-13", "03/13/2024": "2024-03-13", "03/03/2024": "2024-03-03"} {
		p := Parse([]byte(`<meta property="article:published_time" content="`+said+`"><time datetime="2020-01-01">`), "http://x.example/", Options{})
		if p.Facts.Date != want {
			t.Errorf("%s is the date %q, want %q", said, p.Facts.Date, want)
		}
	}
}

// What stands beside the links of a hub is said of the pages behind them; what its head says is its own.
func TestAHubHasNotTheFactsOfWhatItLists(t *testing.T) {
	list := "<h1>Tea</h1><ul>" + strings.Repeat("<li><a href=/a>A page of tea that is listed here, and what it says of green and of black leaves</a> <time class=date>2024-05-31</time> <span class=byline>by Ann Lee</span>", 20) + "</ul>"
	for head, want := range map[string]Facts{"": {}, "<meta name=author content=Li><meta property='article:published_time' content=2026-01-02>": {Author: "Li", Date: "2026-01-02"}} {
		p := Parse([]byte(head+list), "http://x.example/tea/", Options{})
		if p.Kind != Hub || p.Facts.Author != want.Author || p.Facts.Date != want.Date {
			t.Errorf("%q: %v by %q on %q, want a hub with %+v", head, p.Kind, p.Facts.Author, p.Facts.Date, want)
		}
	}
}

// An article is one also where the menus around it say more: they stand apart from it and its heading.
func TestAnArticleAmongMenusHasItsFacts(t *testing.T) {
	menus := strings.Repeat("<li><a href=/m>A room of the house, and all that is in it</a>", 120)
	text := "<p>" + strings.Repeat("Let the kettle cool to about eighty degrees, pour the water over the leaves, and wait for two minutes. ", 8)
	for body, want := range map[string]string{
		"<nav><ul>" + menus + "</ul></nav><div><div><h1>Tea</h1><div class=date>2024-05-31</div></div><div>" + text + "</div></div>": "2024-05-31",
		"<div><h1>Tea</h1><ul>" + menus + "</ul><div class=date>2024-05-31</div></div><div>" + text + "</div>":                       "",
	} {
		if p := Parse([]byte(body), "http://x.example/tea/", Options{}); p.Kind != Hub || p.Facts.Date != want {
			t.Errorf("%v of %q, want a hub of %q", p.Kind, p.Facts.Date, want)
		}
	}
}

// A list that says much of the pages it lists is no hub, but has not their dates; a thread and a blog entry that leads to itself have,
// also where the posts of the thread or the entry have addresses of their own.
func TestAListHasNotTheDatesOfWhatItLists(t *testing.T) {
	teasers := func(to string) (list string) {
		for i := range fewListed {
			list += fmt.Sprintf("<article><h2><a href=%[1]s%[2]d>The story</a></h2><time datetime=2024-05-0%[2]d>May</time><p>%[3]s</p></article>", to, i+1, strings.Repeat("Pour the water over the leaves, and wait. ", 10))
		}
		return list
	}
	for page, want := range map[string]string{
		"<h1>Tea</h1>" + teasers("/a"): "",
		"<h1>Tea</h1>" + teasers("#p"): "2024-05-01",
		"<h1>Tea</h1>" + strings.ReplaceAll(teasers("./topic?p="), ">The story", "#p>The story"):                                          "2024-05-01",
		"<link rel=canonical href=/z><article><h2><a href=/z>Tea</a></h2><time datetime=2024-06-07>June</time></article>" + teasers("/a"): "2024-06-07",
		"<h1>Tea</h1><p class=date>2024-06-07</p>" + teasers("/a"):                                                                        "2024-06-07",
		"<h2><a href=/y>Tea</a></h2><time datetime=2024-06-07>June</time>" + teasers("/a"):                                                "2024-06-07",
		"<h1>Tea</h1><article><h2><a href=/a>Tea</a></h2><time datetime=2024-06-07>June</time><p>x":                                       "2024-06-07",
	} {
		p := Parse([]byte(page), "http://x.example/y", Options{})
		if p.Kind == Hub || p.Facts.Date != want {
			t.Errorf("%q: %v of %q, want %q", page, p.Kind, p.Facts.Date, want)
		}
	}
}

func TestLinksOfTheHead(t *testing.T) {
	const head = `<head><link rel=next href=2><link rel="alternate" hreflang=de href=de title=Deutsch><link rel=alternate type="application/rss+xml" href=feed title=News>
<link rel="alternate stylesheet" href=style.css><link rel=sitemap href=/sitemap.xml><link rel=stylesheet href=s.css><link rel=icon href=i.ico>
<meta http-equiv=refresh content="5; URL='next.html'"><noscript><meta http-equiv=Refresh content="0;url=plain.html"></noscript></head>`
	p := Parse([]byte(head), "http://x.example/", Options{})
	want := []struct {
		url    string
		source Source
		anchor string
	}{
		{"http://x.example/2", Next, ""}, {"http://x.example/de", Alternate, "Deutsch"}, {"http://x.example/feed", Feed, "News"},
		{"http://x.example/sitemap.xml", Sitemap, ""}, {"http://x.example/next.html", Refresh, ""}, {"http://x.example/plain.html", Refresh, ""},
	}
	if len(p.Links) != len(want) {
		t.Fatalf("%d links, want %d: %+v", len(p.Links), len(want), p.Links)
	}
	for i, w := range want {
		if l := p.Links[i]; l.URL != w.url || l.Source != w.source || l.Anchor != w.anchor {
			t.Errorf("link %d is %q from %d, %q, want %+v", i, l.URL, l.Source, l.Anchor, w)
		}
	}
}

// What the header of an answer says of links counts as what the head of the page does; its addresses are relative to the page's own.
func TestLinksOfTheHeader(t *testing.T) {
	header := http.Header{"Refresh": {"0; url=home/"}, "Link": {`<next?a=1,2>; rel="next"; title="Page 2; more, and <more>", </s.css>; rel=preload; as=style`,
		`</feed>;type="application/rss+xml" ; rel=alternate, </wp-json/7>; rel="alternate"; title=JSON; type="application/json",<http://x.example/de>;rel="alternate prefetch";hreflang=de`, `<broken; rel=next`, `; rel=next`, `<page>; rel=canonical`}}
	p := Parse([]byte("<base href=/other/><a href=own>own</a>"), "http://x.example/at/", Options{}.In("", header))
	var have []string
	for _, l := range p.Links {
		have = append(have, fmt.Sprint(l.Source, " ", strings.TrimPrefix(l.URL, "http://x.example"), " ", l.Anchor))
	}
	want := []string{fmt.Sprint(Refresh, " /at/home/ "), fmt.Sprint(Next, " /at/next?a=1,2 Page 2; more, and <more>"), fmt.Sprint(Feed, " /feed "), fmt.Sprint(Alternate, " /de "), fmt.Sprint(A, " /other/own own")}
	if !slices.Equal(have, want) || p.Facts.Canonical != "http://x.example/at/page" {
		t.Errorf("links %q, want %q; canonical %s", have, want, p.Facts.Canonical)
	}
}

// What a WordPress has in its head leads to pages and to the feed of the site; what is none, or repeats what readers wrote, is no link.
func TestLinksOfTheHeadOfAWordPress(t *testing.T) {
	const head = `<link rel=alternate type="application/rss+xml" title="Sailing &raquo; Feed" href="/feed/"><link rel=alternate type="application/rss+xml" title="Sailing &raquo; Comments Feed" href="/blog/comment-feed/">
<link rel=alternate type="application/rss+xml" title="Segeln &raquo; Kommentar-Feed" href="/comments/feed/"><link rel=alternate type="application/rss+xml" title="Segeln &raquo; Kiel Kommentar-Feed" href="http://x.example/kiel/feed/">
<link rel="https://api.w.org/" href="/wp-json/"><link rel=alternate title=JSON type="application/json" href="/wp-json/wp/v2/posts/7"><link rel=alternate type="application/json+oembed" href="/wp-json/oembed/1.0/embed?url=a">
<link rel=alternate type="text/xml+oembed" href="/wp-json/oembed/1.0/embed?url=a&#038;format=xml"><link rel=alternate type="Text/HTML; charset=utf-8" hreflang=en href="/en/kiel/"><link rel=alternate type="application/x-wiki" href="/edit">
<link rel=alternate type="application/atom+xml" href="/kiel.atom?key=1"><link rel=alternate type="text/xml" href="/xml/"><link rel=alternate type="application/feed+json" href="/feed/json/"><link rel=alternate type="application/json" title="JSON Feed" href="/feed.json">`
	for at, want := range map[string]string{
		"http://x.example/kiel/":         "/feed/ /en/kiel/ /xml/ /feed/json/ /feed.json",
		"http://x.example/kiel":          "/feed/ /en/kiel/ /xml/ /feed/json/ /feed.json",
		"http://x.example/kiel/page/12/": "/feed/ /en/kiel/ /xml/ /feed/json/ /feed.json",
		"http://x.example/page/2/":       "/feed/ /kiel/feed/ /en/kiel/ /kiel.atom?key=1 /xml/ /feed/json/ /feed.json",
		"http://x.example/":              "/feed/ /kiel/feed/ /en/kiel/ /kiel.atom?key=1 /xml/ /feed/json/ /feed.json",
	} {
		var have []string
		for _, l := range Parse([]byte(head), at, Options{}).Links {
			have = append(have, strings.TrimPrefix(l.URL, "http://x.example"))
		}
		if got := strings.Join(have, " "); got != want {
			t.Errorf("%s leads to %s, want %s", at, got, want)
		}
	}
}

// The feed of what readers wrote is no link in the text, either, where the link says that it leads to a feed; a page called so is one, and its words stay.
func TestFeedsOfCommentsInTheText(t *testing.T) {
	const page = `<link rel=alternate type="application/atom+xml" title="wiki (Atom feed)" href="comments.atom"><h1>Kiel</h1><p>The boats left the harbour at noon.
<div><a class=button type="application/rss+xml" rel=alternate title="wiki (RSS feed)" href="comments.rss">RSS</a> <a type="application/rss+xml" rel=alternate href="/boats/kiel/feed/">Feed</a>
<a type="application/rss+xml" rel=alternate href="/boats/index.rss">All boats</a> <a href="/comments/">Comments</a> <a href="comments.html">More</a> <a href="comments.atom">Raw</a></div>`
	p := Parse([]byte(page), "http://x.example/boats/kiel/", Options{})
	var have []string
	for _, l := range p.Links {
		have = append(have, strings.TrimPrefix(l.URL, "http://x.example"))
	}
	want := []string{"/boats/index.rss", "/comments/", "/boats/kiel/comments.html", "/boats/kiel/comments.atom"}
	if !slices.Equal(have, want) {
		t.Errorf("links %q, want %q", have, want)
	}
}

// The source of a page, in a folder of sources that has the page's own path or beside it, is the page once more. That of another page, a text that
// is called as the page is, and an article on sources are links.
func TestSourceOfThePage(t *testing.T) {
	for at, hrefs := range map[string]string{
		"http://x.example/book/boats/kiel.html":  "/book/_sources/boats/kiel.rst.txt /book/sources/boats/kiel.md ../_sources/boats/kiel.rst /raw/book/boats/kiel.txt kiel.rst kiel.html.md /book/boats/kiel.adoc",
		"http://x.example/book/boats/":           "/book/_sources/boats/index.md.txt /book/_sources/boats.rst.txt index.md /book/boats.md",
		"http://x.example/book/boats/index.html": "/book/_sources/boats/index.md.txt",
		"http://x.example/":                      "/_sources/index.rst.txt /index.mdx",
		"http://x.example/book/boats/kiel":       "/book/boats/kiel.md /book/boats/kiel/index.md",
	} {
		const others = "/book/boats/kiel.txt /book/boats/rope.md /book/boats/readme.md /book/_sources/boats/rope.rst.txt /book/texts/boats/kiel.txt /sources/boats/ /book/sources/boats/kiel.html http://y.example/book/_sources/boats/kiel.rst.txt"
		var page, have strings.Builder
		for _, href := range strings.Fields(hrefs + " " + others) {
			fmt.Fprintf(&page, "<p>The boats left the harbour at noon. <a href=%q>Source</a>", href)
		}
		for _, l := range Parse([]byte(page.String()), at, Options{}).Links {
			have.WriteString(" " + strings.TrimPrefix(l.URL, "http://x.example"))
		}
		if got := strings.TrimSpace(have.String()); got != others {
			t.Errorf("%s leads to %s, want %s", at, got, others)
		}
	}
}

// A page that is there once more, as plain text, as bare HTML or as a PDF, says so with a type and no language: that is no page of its own, be it in the
// head or in the header. What names a language is, and what has neither may be a form for small screens, on which links differ.
func TestTheSamePageInAnotherForm(t *testing.T) {
	const head = `<link rel=alternate type="text/html" title="Plain HTML" href="/doku.php?do=export_xhtml&id=a"><link rel=alternate type="text/plain" title="Wiki Markup" href="/doku.php?do=export_raw&id=a">
<link rel=alternate type="application/pdf" href=/a.pdf><link rel=alternate type="text/html" hreflang=de href=/de/a><link rel=alternate media="only screen and (max-width: 640px)" href=http://m.x.example/a>`
	header := http.Header{"Link": {`</print/a>; rel=alternate; type="text/html", </fr/a>; rel=alternate; type="text/html"; hreflang=fr`}}
	var have []string
	for _, l := range Parse([]byte(head), "http://x.example/a", Options{}.In("", header)).Links {
		have = append(have, l.URL)
	}
	slices.Sort(have)
	if want := []string{"http://m.x.example/a", "http://x.example/de/a", "http://x.example/fr/a"}; !slices.Equal(have, want) {
		t.Errorf("links %q, want %q", have, want)
	}
}

func TestLinksOfFrames(t *testing.T) {
	const page = `<html><head><title>x</title></head><frameset cols="1,2"><frame src=a><frameset><frame src=b></frameset>
<noframes><body><a href=c>c</a></body></noframes></frameset></html>`
	for _, c := range []struct {
		hidden bool
		links  int
	}{{false, 2}, {true, 3}} {
		p := Parse([]byte(page), "http://x.example/", Options{Hidden: c.hidden})
		if len(p.Links) != c.links || p.Links[0].Source != Frame || p.Links[0].Block == p.Links[1].Block {
			t.Errorf("hidden %v: %+v", c.hidden, p.Links)
		}
	}
}

// A frameset takes the place of a body that has said nothing, and of its links.
func TestAFramesetInThePlaceOfLinks(t *testing.T) {
	for page, want := range map[string]string{
		`<a href=/x></a><a href=/y></a><frameset>`:                                             "",
		`<a href=/x></a><a href=/y></a><link rel=next href=/n><frameset><frame src=/f><frame>`: "/n /f",
	} {
		var have []string
		p := Parse([]byte(page), "http://x.example/", Options{})
		for _, l := range p.Links {
			have = append(have, strings.TrimPrefix(l.URL, "http://x.example"))
		}
		if got := strings.Join(have, " "); got != want || p.Markdown() != "" {
			t.Errorf("%s: links to %q, want %q; says %q", page, got, want, p.Markdown())
		}
	}
}

// TestMarksOfLinks: a mark holds for an address only if all its mentions have it.
func TestMarksOfLinks(t *testing.T) {
	const page = `<a href=1 rel="nofollow">a</a><a href=2 rel="external UGC NoFollow">b</a><a href=3 rel=sponsored>c</a><a href=1>d</a>`
	p := Parse([]byte(page), "http://x.example/", Options{})
	for i, want := range []Rel{0, UGC | NoFollow, Sponsored} {
		if p.Links[i].Rel != want {
			t.Errorf("link %d is marked %b, want %b", i, p.Links[i].Rel, want)
		}
	}
}

func TestBase(t *testing.T) {
	for page, want := range map[string]string{
		`<base href="/d/"><a href=x>`:                                  "http://x.example/d/x",
		`<a href=x><base href="http://y.example/e/f"><base href="/g">`: "http://y.example/e/x",
		`<base target=_top><base href=" /d/ "><a href=x>`:              "http://x.example/d/x",
		`<base href="javascript:1"><a href=x>`:                         "http://x.example/b/x",
		`<template><base href="/d/"></template><a href=x>`:             "http://x.example/b/x",
	} {
		p := Parse([]byte(page), "http://x.example/b/c", Options{})
		if len(p.Links) != 1 || p.Links[0].URL != want {
			t.Errorf("%q links to %+v, want %q", page, p.Links, want)
		}
	}
}

// The base of a page is said by HTML alone: in a drawing the element means nothing.
func TestABaseInADrawingIsNone(t *testing.T) {
	p := Parse([]byte("<svg><base href=/a/></svg><base href=/b/><a href=c>x</a>"), "http://x.example/", Options{})
	if len(p.Links) != 1 || p.Links[0].URL != "http://x.example/b/c" {
		t.Errorf("%+v", p.Links)
	}
}

func TestBounds(t *testing.T) {
	nested := ""
	for range 100 {
		nested += "<div>"
	}
	many := "<a"
	for range maxAttributes + 1 {
		many += " x"
	}
	for cut, c := range map[string]struct {
		page string
		o    Options
	}{
		"":           {"<a href=1>x</a>", Options{}},
		"links":      {"<a href=1>x</a><a href=2>y</a>", Options{MaxLinks: 1}},
		"depth":      {nested + "<a href=1>x</a>", Options{MaxDepth: 50}},
		"text":       {"<a href=1>中文</a> and more", Options{MaxText: 7}},
		"attributes": {"<a href=1>x</a>" + many + ">", Options{}},
	} {
		p := Parse([]byte(c.page), "http://x.example/", c.o)
		if p.Cut != cut || len(p.Links) != 1 || p.Links[0].Anchor == "" && cut != "depth" {
			t.Errorf("cut by %q, want %q: %+v", p.Cut, cut, p.Links)
		}
	}
}

// What a page says of itself is cut into words whole, and the changes of its form are kept: a page of nothing else must not fill the
// memory with them.
func TestWhatAPageSaysOfItselfIsBounded(t *testing.T) {
	long := strings.Repeat("sailing ", 100_000)
	p := Parse([]byte("<title>"+long+"</title><meta name=description content='"+long+"'><meta name=keywords content='"+long+"'>"+
		"<meta name=author content='"+long+"'><p>text"), "http://x.example/", Options{})
	for name, said := range map[string]string{"title": p.Title, "description": p.Facts.Description, "keywords": p.Facts.Keywords, "author": p.Facts.Author} {
		if len(said) > maxSaid || name != "author" && len(said) < maxSaid/2 {
			t.Errorf("the %s has %d bytes", name, len(said))
		}
	}
	p = Parse([]byte("<pre>one</pre>"+strings.Repeat("<p><b>x</b>", maxMarks/3)+"<pre>two</pre><p>three"), "http://x.example/", Options{MaxText: 10 << 20})
	if len(p.marks) != maxMarks || !strings.HasSuffix(p.prose, "two\nthree") {
		t.Errorf("%d marks, text %.20q", len(p.marks), p.prose[max(0, len(p.prose)-20):])
	}
	if text := p.Markdown(); strings.Count(text, "```") != 2 || !strings.Contains(text, "three") {
		t.Errorf("%d marks of a block of code", strings.Count(text, "```"))
	}
}
