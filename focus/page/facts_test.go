package page

import (
	"cmp"
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

// The title of a page is not that of its site, whatever the site puts into an h1.
func TestTitlesAreThoseOfPages(t *testing.T) {
	const text = "<p>Let the kettle cool to about eighty degrees, pour the water over the leaves, and wait for two minutes.</p><p>The leaves are picked in late March, and fired in a wok the very same day.</p>"
	const logo, article = "<header><h1><a href=/>Tea Post</a></h1><nav><a href=/n>News</a></nav></header>", "<article><h2>Brewing tea</h2>" + text + "</article>"
	const zh = "<p>冲泡龙井茶时，水温以八十度左右为宜，可用玻璃杯冲泡。</p><p>清明前采摘的茶叶称为明前茶，品质最佳。</p>"
	for _, c := range []struct{ address, page, want string }{
		{"", "<title>Brewing tea - Tea Post</title>" + logo + article, "Brewing tea"},
		{"", "<title>Tea Post » Blog Archive » Brewing tea</title>" + logo + article, "Brewing tea"},
		{"", "<title>Tea Post: Brewing</title>" + strings.Replace(logo, "/>", "http://www.x.example/>", 1) + "<div>" + text + "</div>", "Tea Post: Brewing"},
		{"", "<title>FAQ - Tea Post</title>" + strings.Replace(logo, "/>", "../index.html>", 1) + "<div>" + text + "</div>", "FAQ"},
		{"", "<title>Brewing tea | The Tea Post, a magazine</title>" + logo + article, "Brewing tea"},
		{"", "<title>Brewing tea - Tea Post</title><meta property='og:title' content='Brewing tea'>" + logo + article, "Brewing tea"},
		{"", "<title>Brewing tea - Tea Post</title><meta property='og:title' content='Tea Post'>" + logo + "<div>" + text + "</div>", "Brewing tea"},
		{"", "<title>Brewing tea - Tea Post</title>" + logo + strings.ReplaceAll(article, "h2>", "h1>"), "Brewing tea"},
		{"", "<title>Brewing tea - The Honourable Tea Post</title><h1>The Honourable Tea Post</h1>" + strings.ReplaceAll(article, "h2>", "h1>"), "Brewing tea"},
		{"", "<title>How to brew - Tea Wiki</title><div id=top><h1>Tea Wiki</h1></div><div><h2>How to brew</h2>" + text + "</div>", "How to brew"},
		{"", "<title>Tea Wiki - How to brew</title><div><a href=/ title='Tea Wiki'></a><h1>Tea Wiki</h1></div><div><h2>How to brew</h2>" + text + "</div>", "How to brew"},
		{"http://teawiki.example/a", "<title>How to brew - Tea Wiki</title><h1>Tea Wiki</h1><div>" + text + "</div>", "How to brew"},
		{"http://x.example/~tea/staff.html", "<title>Our staff - Institute of Tea</title><h1><a href=./>Institute of Tea</a></h1><div>" + text + "</div>", "Our staff"},
		{"", "<title>如何泡茶 - 茶友论坛</title><div class=hd><h1 class=logo><a href=/>茶友论坛</a></h1></div><div><h2>如何泡茶</h2>" + zh + "</div>", "如何泡茶"},
		{"", "<title>茶友论坛_如何泡茶</title><div class=hd><h1 class=logo><a href=/>茶友论坛</a></h1></div><div>" + zh + "</div>", "如何泡茶"},
		{"", logo + "<div>" + text + "</div>", "Tea Post"}, // nothing else says what it is

		{"http://x.example/", "<title>Tea Post - all about tea</title>" + logo + article, "Tea Post"}, // the front page is called what the site is
		{"http://x.example/index.html", "<title>Tea Post - all about tea</title>" + logo + article, "Tea Post"},
		{"", "<title>Tea Post - Brewing tea</title><header><a href=/>Tea Post</a><h1>Brewing tea</h1></header><div>" + text + "</div>", "Brewing tea"},
		{"", "<title>Latest News - Brewing tea</title><h1>Brewing tea</h1><div>" + text + "</div><div class=side><h3>Latest News</h3><a href=/1>one</a></div>", "Brewing tea"},
		{"", "<title>About us - Tea Post</title><h1>About us</h1><h2>Tea Post</h2>" + text, "About us"},
		{"http://tea.x.example/a", "<title>Green tea - Tea</title><h1>Green tea</h1>" + text, "Green tea"},
		{"http://brewing.x.example/a", "<title>Brewing - Tea Post</title><h1>Brewing</h1>" + text, "Brewing"},
		{"", "<title>Brewing tea - Page 2</title><h1><a href=/b/>Brewing tea</a></h1>" + text, "Brewing tea"},
		{"http://x.example/b/2", "<title>Brewing tea - Page 2</title><h1><a href=/b/>Brewing tea</a></h1>" + text, "Brewing tea"},
		{"", "<title>如何泡茶_茶人_茶博客</title><h1 id=blogname><a href=http://blog.example/teaman><span>加载中...</span></a></h1><div>" + zh + "</div>", "如何泡茶"},
		{"", "<title>How the kettle boils | Tea blogs</title><h1><a href=/ann>Ann's leaves</a></h1><div>" + text + "</div>", "How the kettle boils"},
		{"", "<title>How the kettle boils</title><h1><a href=/ann>Kettles</a></h1><div>" + text + "</div>", "Kettles"},
		{"", "<title>CS 354 - Green tea - Spring 1996</title><h2>CS 354</h2><h1>Green tea</h1><h2>Spring 1996</h2>" + text, "Green tea"},
		{"", "<title>Tea</title><h1>Tea 101<br>Brewing</h1>" + text, "Tea 101 Brewing"},
		{"", "<title>Tea</title><h1>泡茶<br>入门</h1>" + zh, "泡茶 入门"},
		{"", "<title>Tea</title><h1>Tea 101<br>Brewing</h1>", "Tea 101 Brewing"},
		{"", "<title>Tea</title><h1>Brewing tea\n in ten steps</h1>" + text, "Brewing tea in ten steps"},
		{"", "<title>Tea Post</title><h1>Brewing tea in ten steps</h1>" + text, "Brewing tea in ten steps"},
		{"", "<title>Green tea: Brewing tea</title><h1><a href=/>Green tea</a></h1><h3>Brewing tea</h3>" + text, "Brewing tea"},
		{"", "<title>Bug 12: Brewing tea - Green tea - Tracker</title><h1>Green tea</h1><h2>Bug 12</h2><h3>Brewing tea</h3>" + text, "Bug 12: Brewing tea"},
		{"", "<title>Brewing tea - Tea Board</title><div role=banner><h1>Tea Board</h1></div><h2><a href=t>Brewing tea</a></h2>" + text, "Brewing tea"},
		{"", "<title>Tea Board • View topic - Brewing tea</title><h1>Tea Board</h1><h2><a href=t>Brewing tea</a></h2>" + text, "Brewing tea"},
		{"", "<title>Tea Board - Brewing tea</title><h2><a href=/>Tea Board</a></h2>" + text, "Tea Board - Brewing tea"},
		{"", "<title>Ann Lee - Work</title><h2>Ann Lee</h2><h2>Work</h2>" + text, "Ann Lee - Work"},
		{"", "<title>Brewing - Tea Post</title><h2>Brewing</h2>" + text, "Brewing"},
		{"", "<title>Reviews - Kettle K5 - Shop</title>" + text + "<h2>Reviews</h2>" + text, "Reviews - Kettle K5 - Shop"},
		{"", "<title>新闻 - 港口防波堤年内完工 - 茶报网</title><div class=side><h3>新闻</h3><a href=/1>一</a></div>" + zh, "新闻 - 港口防波堤年内完工 - 茶报网"},
		{"", "<title>[2401.01234] Brewing tea</title><h1>Brewing tea</h1>" + text, "Brewing tea"},
		{"", "<title>Brewing tea (#12) · Issues</title><h1>Brewing tea</h1>" + text, "Brewing tea"},

		// Marks in the heading beside what the title element begins with.
		{"", "<title>如何泡茶_茶友论坛</title><h1><span>原创</span> <span>如何泡茶</span></h1>" + zh, "如何泡茶"},
		{"", "<title>如何泡茶</title><h1>如何泡茶<br><span>2024-03-15 09:30:00 来源：茶报 评论：<a href=#c>0</a> 点击：<span>12</span></span></h1>" + zh, "如何泡茶"},
		{"", "<title>Brewing tea</title><h1>Thread: <span><a href=t>Brewing tea</a></span></h1>" + text, "Brewing tea"},
		{"", "<title>Brewing tea · Issue #12 · Tea</title><h1><bdi>Brewing tea</bdi> <span>#12</span></h1>" + text, "Brewing tea"},
		{"", "<title>tea - Rust</title><h1>Struct <span>Tea</span><button id=copy-path>Copy item path</button></h1>" + text, "Struct Tea"},
		{"", "<title>Brewing</title><h1><span>Tea 101</span> Brewing</h1>" + text, "Tea 101 Brewing"},
		{"", "<title>Tea - Brewing</title><h1><b>Green Tea</b> Brewing</h1>" + text, "Green Tea Brewing"},
		{"", "<title>Brewing - Tea</title><h1><a href=./>Tea</a> Brewing</h1>" + text, "Tea Brewing"},
		{"", "<title>如何泡茶</title><h1>如何泡茶<span>原创</span> <a href=e>[编辑]</a></h1>" + zh, "如何泡茶"},
		{"", "<title>Brewing tea</title><h1>Brewing tea <a href=e>[edit]</a></h1>" + text, "Brewing tea"},
		// What may be words of the title stays.
		{"", "<title>Kettle 15 | Shop</title><h1>Kettle 15<br><span>Pro Max</span></h1>" + text, "Kettle 15 Pro Max"},
		{"", "<title>Pot Max 90 | Shop</title><h1><span>Clay</span> <span>Pot Max 90</span></h1>" + text, "Clay Pot Max 90"},
		{"", "<title>Red kettles | Shop</title><h1>Red kettles <span>for women</span></h1>" + text, "Red kettles for women"},
		{"", "<title>Mercury | Shop</title><h1>Mercury <span>(planet)</span></h1>" + text, "Mercury (planet)"},
		{"", "<title>泡茶的学问 | 茶友论坛</title><h1>泡茶的学问<span>绿茶篇</span></h1>" + zh, "泡茶的学问绿茶篇"},

		// Of a heading that the title element has with more words, these belong to it; but not the site's or the channel's.
		{"", "<title>How to choose a kettle - Tea Post</title><h1>Kettle</h1>" + text, "How to choose a kettle"},
		{"", "<title>The party of tea - Tea Post</title><h1>Art</h1>" + text, "Art"},
		{"", "<title>Tea prices in 2024</title><h1>Tea</h1>" + text, "Tea prices in 2024"},
		{"", "<title>2024年茶叶行业报告 - 茶友论坛</title><h1>茶叶</h1>" + zh, "2024年茶叶行业报告"},
		{"", "<title>龙井（绿茶）_百科</title><h1>龙井</h1>" + zh, "龙井（绿茶）"},
		{"", "<title>Kettles: what to know | Kettles</title><h1>Kettles</h1>" + text, "Kettles"},
		{"", "<title>泡茶的人 -生活-茶友论坛</title><h1>泡茶的人</h1>" + zh, "泡茶的人"},
		{"", "<title>Tea Post: Kettles</title><h1>Kettles</h1>" + text, "Kettles"},
		{"", "<title>Kettles (Tea Post)</title><meta property='og:site_name' content='Tea Post'><h1>Kettles</h1>" + text, "Kettles"},
		{"", "<title>茶（茶）</title><h1>茶</h1>" + zh, "茶"},
		// The whole title element, where nobody knows which of its pieces is the site's.
		{"", "<title>Kettle – everything you need to know</title>" + text, "Kettle – everything you need to know"},
		{"", "<title>Paris - Travel guide at Wikivoyage</title>" + text, "Paris - Travel guide at Wikivoyage"},
		{"", "<title>Clay kettles - Materials</title>" + text, "Clay kettles - Materials"},
		{"", "<title>茶壶——泡茶的重要器具</title>" + zh, "茶壶——泡茶的重要器具"},
		{"", "<title>茶 - 百科全书_最大的中文百科全书</title>" + zh, "茶 - 百科全书_最大的中文百科全书"},
		{"http://teapost.example/a", "<title>Clay kettles - Tea Post</title>" + text, "Clay kettles"},
		{"", "<title>Clay kettles | Tea Post</title>" + text, "Clay kettles"},
		{"", "<title>如何挑选茶壶_生活_茶友论坛</title>" + zh, "如何挑选茶壶"},
		{"", "<title>如何挑选茶壶 - 茶友论坛</title>" + zh, "如何挑选茶壶"},
		// Names of the site and its channel behind it, also where the page is shared by it.
		{"", "<title>挑选茶壶-生活频道-茶报网</title>" + zh, "挑选茶壶"},
		{"", "<title>茶报网-生活频道</title>" + zh, "茶报网-生活频道"},
		{"", "<title>如何理解-互联网</title>" + zh, "如何理解-互联网"},
		{"", "<title>蜘蛛侠-天罗地网</title>" + zh, "蜘蛛侠-天罗地网"},
		{"", "<title>贸易-在线</title>" + zh, "贸易-在线"},
		{"http://x.example/en/", "<title>首页-茶报网</title>" + zh, "首页-茶报网"},
		{"http://www.teapost.example/a", "<title>Clay kettles_teapost</title>" + text, "Clay kettles"},
		{"http://www.teapost.example/a", "<title>clay_kettles</title>" + text, "clay_kettles"},
		{"", "<title>挑选茶壶-泡茶</title><a href=/>茶报</a>" + zh, "挑选茶壶-泡茶"},
		{"", "<title>挑选茶壶-茶报</title><a href=/>茶报</a>" + zh, "挑选茶壶"},
		{"http://x.example/", "<title>茶叶-茶报网</title>" + zh, "茶叶-茶报网"},
		{"http://www.tea-post.example/a", "<title>Clay kettles - TeaPost.example</title>" + text, "Clay kettles"},
		{"", "<title>Clay kettles › Tea</title><meta property='og:title' content='Clay kettles | Tea'><meta property='og:site_name' content=Tea>" + text, "Clay kettles"},
		{"", "<title>Global tea_pot_size</title>" + text, "Global tea_pot_size"},
		{"", "<title>Kettles: all of them</title><meta property='og:title' content='Kettles'><h1>Kettles</h1>" + text, "Kettles"},
		{"", "<title>Clay kettles - Tea Post</title><h1><a href=/n>News | </a><span>Clay kettles</span></h1>" + text, "Clay kettles"},
		// A heading that the title element has not and that stands above a list is that of the list.
		{"", "<title>茶叶 - 茶报</title><div>" + zh + "</div><div><h1>24小时热文</h1><ul>" + strings.Repeat("<li><a href=/1>港口防波堤年内完工</a>", 9) + "</ul></div>" + strings.Repeat("<div>"+zh+"</div>", 9), "茶叶 - 茶报"},
		{"", "<title>Tea</title><div><h1>Kettles</h1></div><div>" + text + "<ul>" + strings.Repeat("<li><a href=/1>A kettle of clay</a>", 9) + "</ul></div>" + text, "Kettles"},
	} {
		if got := Parse([]byte(c.page), cmp.Or(c.address, "http://x.example/b/c"), Options{}).Title; got != c.want {
			t.Errorf("%s: %q, want %q", c.page, got, c.want)
		}
	}
}

// Who wrote a page is found in what its byline says, and what else the byline says is nobody.
func TestAuthorsOfBylines(t *testing.T) {
	for line, want := range map[string]string{
		"<p class=byline>By Ann Lee":                                               "Ann Lee",
		"<p class=byline>Published 12/03/2024 by Ann Lee":                          "Ann Lee",
		"<p class=byline>Last updated: March 4, 2024 | Published: January 2, 2020": "",
		"<p class=byline>Published: 4 March 2024 | Author: Ann Lee":                "Ann Lee",
		"<p class=byline>March 4, 2024 by Ann Lee":                                 "Ann Lee",
		"<p class=byline>Monday, 4 March 2024 at 5:30pm by Ann Lee":                "Ann Lee",
		"<p class=byline>Ann Lee - March 4, 2024":                                  "Ann Lee",
		"<p class=byline>Ann Lee · 3 min read":                                     "Ann Lee",
		"<p class=byline>By Ann Lee, Bob Ray and Cy Twombly 3 min read":            "Ann Lee, Bob Ray and Cy Twombly",
		"<p class=byline>Updated 5 minutes ago":                                    "",
		"<p class=byline>Posted 3 days ago by Ann Lee":                             "Ann Lee",
		"<p class=byline>3 min read":                                               "",
		"<p class=byline>Monday 5 comments":                                        "",
		"<p class=byline>Reviewed by Dr. Tea":                                      "",
		"<p class=byline>Reporting by Ann Lee; Editing by Bob Ray":                 "Ann Lee",
		"<p class=author>Words by Ann Lee, photos by Bob":                          "Ann Lee",
		"<p class=author>Share":                                                    "",
		"<p class=author>Tea Post Staff | 5 comments":                              "Tea Post Staff",
		"<p class=author>5 comments | Tea":                                         "",
		"<p class=author>Step by Step Media":                                       "Step by Step Media",
		"<p class=author>Read Montague":                                            "Read Montague",
		"<p class=author>分享 分享给朋友":                                                 "",
		"<p class=author>责编：王乐":                                                    "",
		"<p class=author>责任编辑：张岩":                                                  "",
		"<p class=author>编辑部":                                                      "编辑部",
		"<p class=author>列夫·托尔斯泰":                                                  "列夫·托尔斯泰",
		"<p class=author>时评君 10-09 17:03":                                          "时评君",
		"<p>Posted on Monday, 4 March 2024 by Ann Lee":                             "Ann Lee",
		"<p>March 4, 2024 by Ann Lee":                                              "Ann Lee",
		"<p>In 2024 the tea was picked by Ann Lee":                                 "",
		"<p>Text: The Book of Tea, 1991, by John Craig. Second Edition.":           "",
		"<p>Monday, March 4, 2024, by Ann Lee":                                     "Ann Lee",
		"<div>来源：新民晚报 作者：黄丽春 选稿：袁颖</div>":                                          "黄丽春",
		"<div>来源：新民晚报 作者：王泳婷选稿:张新</div>":                                           "王泳婷",
		"<div class=info>Sorted by Name, powered by Tea":                           "",
		"<div class=info><span>2024年03月15日 09:30</span> <span>来源：新华网</span> <span>作者：王小明</span> <span>责任编辑：李四</span></div>":    "王小明",
		"<div class=info><span>来源：新华网</span> <span>作者：王小明</span></div>":                                                        "王小明",
		"<div>来源：新华网 作者：王小明 李四 2024-03-15</div>":                                                                               "王小明 李四",
		"<div class=info>2024-03-15 09:30:11　　来源：新华网　　作者：王小明</div>":                                                            "王小明",
		"<div class=info>作者： 来源：新华网 时间：2024-03-15</div>":                                                                       "",
		"<p class=source>来源：新华网 | 作者：王小明 | 2024/03/15":                                                                         "王小明",
		"<div>2024-03-15 09:30 本报记者 王小明</div>":                                                                                 "王小明",
		"<div>2024-03-15 09:30 来源：新华网</div>":                                                                                   "",
		"<div>作者：王小明 来源：新华网":                                                                                                   "王小明",
		"<div itemprop=author itemscope><a>Ann_Lee</a><span itemprop=name>Ann_Lee</span><p>Member":                             "Ann_Lee",
		"<div itemprop=author itemscope><b class=username>Ann Lee</b><i>Well-known member</i>" + strings.Repeat("<p>rank", 50): "Ann Lee",
		"<span hidden itemprop=author itemscope><meta itemprop=name content='Ann Lee'></span>":                                 "Ann Lee",
		"<div class=author><b class=name>Ann Lee</b> writes about tea":                                                         "Ann Lee",
		"<div class=author><b class=name>Ann Lee</b> and <b class=name>Bob Ray</b></div>":                                      "Ann Lee and Bob Ray",
		"<p class=author>by <a>Ann Lee</a> » Wed Mar 01, 2023 12:00 pm":                                                        "Ann Lee",
		"<p class=author>© 本文版权归作者 李海 所有":                                                                                      "李海",
		"<p class=author>經濟日報 記者王小明／台北報導":                                                                                      "王小明",
		"<p>By <a rel=author>Ann Lee</a>, <a rel=author>Bob Ray</a> and <a rel=author>Ann Lee</a>":                             "Ann Lee, Bob Ray",
		"<p>By <a rel=author>Ann Lee</a></p><h3>Another story of tea</h3><a rel=author>Bob Ray</a>":                            "Ann Lee",
		"<div class='post author-ann'><div itemprop=publisher itemscope><meta itemprop=name content='Tea Site'></div><p>Posted by Ann Lee on May 6, 2024</p>" + strings.Repeat("<p>text of tea", 30): "Ann Lee",
		"<b class=name>Green tea</b>":                                    "",
		"<ol><li id=fn:1>See the report of the harbour board.":           "",
		"<table class='infobox vcard'><caption class=fn>Tea and Company": "",
	} {
		if got := Parse([]byte("<h1>Tea</h1>"+line+"</p><p>text"), "http://x.example/y", Options{}).Facts.Author; got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// Where the head names the site as the author, as many do for all their pages, the byline says who it was.
func TestAuthorsAreNoHouses(t *testing.T) {
	const line, text = "<h1>Tea</h1><p class=byline>by Ann Lee</p>", "<p>Pour the water over the leaves, and wait."
	for page, want := range map[string]string{
		"<meta name=author content='Tea Post'><meta property=og:site_name content='Tea Post'>" + line + text:                                                    "Ann Lee",
		"<meta name=author content='Tea Post'><meta property=og:site_name content='Tea Post'><h1>Tea</h1>" + text:                                               "Tea Post",
		"<meta name=author content='tea-post.example'>" + line + text:                                                                                           "Ann Lee",
		"<meta name=author content='The Tea Post'><meta property=og:site_name content='Tea Post'>" + line + text:                                                "The Tea Post",
		"<meta name=author content='Tea Post'><h1>Tea</h1><p class=author>Brewed by Tea Post</p>" + text:                                                        "Tea Post",
		"<meta name=author content=TeaPost><h1>Tea</h1><p class=byline>by Tea</p>" + text:                                                                       "TeaPost",
		`<script type="application/ld+json">[{"headline":"Tea","author":{"@id":"/?a&amp;b"}},{"@id":"/?a&amp;b","name":"Ann Lee"}]</script><h1>Tea</h1>` + text: "Ann Lee",
		"<meta name=author content=admin>" + line + text:                                                                                                        "Ann Lee",
		"<meta name=author content=null><h1>Tea</h1>" + text:                                                                                                    "",
		"<meta name=author content=佚名><h1>Tea</h1>" + text:                                                                                                      "",
		`<script type="application/ld+json">{"headline":"Tea","author":{"name":"Ann O&#039;Neil"}}</script><h1>Tea</h1>` + text:                                 "Ann O'Neil",
	} {
		if got := Parse([]byte(page), "http://www.teapost.example/a", Options{}).Facts.Author; got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

// In Chinese the first words of a report say who reports.
func TestAuthorsOfReports(t *testing.T) {
	for begins, want := range map[string]string{"〔記者王小明／台北報導〕": "王小明", "本报讯（记者 王小明 李四）": "王小明 李四", "新华社联合国10月4日电（记者王小明）": "王小明",
		"茶报讯(通讯员 朱玲 记者 王小明 实习生 李四)": "王小明", "茶报记者获悉，": "", "他对记者说，": "", "（新华社记者 王小明 摄）": ""} {
		page := "<h1>泡茶</h1><div><p>" + begins + strings.Repeat("冲泡龙井茶时，水温以八十度左右为宜，可用玻璃杯冲泡。", 20) + "</p></div>"
		if got := Parse([]byte(page), "http://x.example/y", Options{}).Facts.Author; got != want {
			t.Errorf("%s: %q, want %q", begins, got, want)
		}
	}
}

// Of a line that says when a page was written and when it was changed the first counts, in whatever order.
func TestDatesOfBylines(t *testing.T) {
	for line, want := range map[string]string{
		"Last updated: March 4, 2024 | Published: January 2, 2020": "2020-01-02",
		"Published January 2, 2020, last updated March 4, 2024":    "2020-01-02",
		"Published by Ann, last updated March 4, 2024":             "",
		"2024-03-15 09:30 发布":                                      "2024-03-15T09:30",
		"Last updated: March 4, 2024":                              "",
		"发布时间：2024-03-15 09:30 更新时间：2024-03-16 10:00":              "2024-03-15T09:30",
		"更新时间：2024-03-15 09:30:00 来源：新华网":                          "",
		"时间：2024-03-15 09:30:00 来源：新华网":                            "2024-03-15T09:30:00",
		"2024年3月15日 星期五 09:30":                                     "2024-03-15T09:30",
		"2024年3月15日（周五）下午3:30":                                     "2024-03-15T15:30",
		"2024年3月15日 晚上11时30分05秒":                                   "2024-03-15T23:30:05",
		"2024/3/15 下午 12:30":                                       "2024-03-15T12:30",
		"2024年3月15日上午9点30分":                                        "2024-03-15T09:30",
		"2024-03-15 晚上12:30":                                       "2024-03-15",
		"2024-03-15 凌晨12:05":                                       "2024-03-15T00:05",
	} {
		if got := Parse([]byte("<h1>Tea</h1><p class=byline>"+line+"</p><p>text"), "http://x.example/y", Options{}).Facts.Date; got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	const heading = "<title>Tea</title><h1>Tea<br><span>2024-03-15 09:30:00 来源：茶报</span></h1><p>text"
	if got := Parse([]byte(heading), "http://x.example/y", Options{}).Facts.Date; got != "2024-03-15T09:30:00" {
		t.Errorf("%s: %q", heading, got)
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
<link rel=alternate type="text/xml" href="/xml/"><link rel=alternate type="application/feed+json" href="/feed/json/"><link rel=alternate type="application/json" title="JSON Feed" href="/feed.json">`
	for at, want := range map[string]string{
		"http://x.example/kiel/": "/feed/ /en/kiel/ /xml/ /feed/json/ /feed.json",
		"http://x.example/kiel":  "/feed/ /en/kiel/ /xml/ /feed/json/ /feed.json",
		"http://x.example/":      "/feed/ /kiel/feed/ /en/kiel/ /xml/ /feed/json/ /feed.json",
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
