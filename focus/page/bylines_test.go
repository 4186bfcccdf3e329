package page

import (
	"regexp"
	"strings"
	"testing"
)

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
		"<p class=author>Added by <a>Ann Lee</a> <a>over 3 years</a> ago":          "Ann Lee",
		"<p>2019-11-20 08:12 UTC by Ann Lee":                                       "Ann Lee",
		"<p class=byline>Updated 5 minutes ago":                                    "",
		"<p class=byline>Posted 3 days ago by Ann Lee":                             "Ann Lee",
		"<p>Posted by: Ann Lee":                                                    "Ann Lee",
		"<p>Posted by Ann Lee at 9:12":                                             "Ann Lee",
		"<p class=author>Ann Lee (ann@tea.example)":                                "Ann Lee",
		"<p class=author>Ann Lee &lt;ann@tea.example&gt;":                          "Ann Lee",
		"<p class=author>ann@tea.example":                                          "",
		"<p class=byline>3 min read":                                               "",
		"<p class=byline>Monday 5 comments":                                        "",
		"<p class=byline>Reviewed by Dr. Tea":                                      "",
		"<p class=byline>Reporting by Ann Lee; Editing by Bob Ray":                 "Ann Lee",
		"<p class=author>Words by Ann Lee, photos by Bob":                          "Ann Lee",
		"<p class=author>Share":                                                    "",
		"<p class=author>Tea Post Staff | 5 comments":                              "Tea Post Staff",
		"<p class=author>Ann Lee (talk | contribs)":                                "Ann Lee",
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

// The footer of an article is its own, and may say who wrote it; that of the site, of a comment and of an article in a list may not.
func TestAuthorsInTheFooterOfTheirArticle(t *testing.T) {
	const text, foot = "<p>Pour the water over the leaves, and wait until it is green.", "<footer class=entry-footer><p><time datetime=2024-05-06>May 6</time> <span class=byline>By <a rel=author>Ann Lee</a></span></footer>"
	for page, want := range map[string]string{
		"<main><article><header><h1>Tea</h1></header>" + text + foot + "</article></main>":                                             "Ann Lee",
		"<main><article><h1>Tea</h1>" + text + "</article></main>" + foot:                                                              "",
		"<main><article><h1>Tea</h1>" + text + "</article><div class=comments><article><h2>No</h2>" + text + foot + "</article></div>": "",
		"<main><h1>Tag: tea</h1><article><h2>Tea</h2>" + text + foot + "</article><article><h2>Cup</h2>" + text + foot + "</article>":  "",
		"<main><article><h1>Tea</h1>" + text + "<ol class=comments><li>" + foot + "<p>Well said</ol></article>":                        "",
		"<main><article><h1>Tea</h1>" + text + "<div class=related-posts><h3>Cup</h3>" + foot + "</div></article>":                     "",
		"<main><article><h1>Tea</h1>" + text + "<aside>" + foot + "</aside></article>":                                                 "",
		"<main><article><h1>Tea</h1>" + text + "<footer class=comments>By <a rel=author>Ann Lee</a></footer></article>":                "",
	} {
		if got := Parse([]byte(page), "http://x.example/y", Options{}).Facts.Author; got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

// So it may say in a class, and when: Pelican has such a footer above the text.
func TestBylinesInTheFooterOfTheirArticle(t *testing.T) {
	const text = "<p>Pour the water over the leaves, and wait until it is green."
	foot := func(name, day string) string {
		return "<footer class=post-info><abbr class=published title=2024-05-06T10:00:00+08:00>Published: " + day + "</abbr><address class='vcard author'>By <a class='url fn' href=/ann>" + name + "</a></address></footer>"
	}
	for page, want := range map[string]string{
		"<article><header><h1>Tea</h1></header><div class=entry-content>" + foot("Ann Lee", "6 May 2024") + text + "</div></article>":                                             "Ann Lee 2024-05-06",
		"<article><header><h1>Tea</h1></header>" + text + foot("Ann Lee", "2024年05月06日") + "</article>":                                                                           "Ann Lee 2024-05-06",
		"<title>Teapot - Tea</title><header><h1><a href=/>Teapot</a></h1></header><article><h1>Tea</h1>" + foot("Ann Lee", "6 May 2024") + text + "</article>":                    "Ann Lee 2024-05-06",
		"<article><h1>Tea</h1>" + text + "</article>" + foot("Ann Lee", "6 May 2024"):                                                                                             " ",
		"<article><h1>Tea</h1>" + text + "<article class=comment>" + text + foot("Bob Ray", "7 May 2024") + "</article></article>":                                                " ",
		"<h1>Tag: tea</h1><article><h2>Tea</h2>" + text + foot("Ann Lee", "6 May 2024") + "</article><article><h2>Cup</h2>" + text + foot("Bob Ray", "7 May 2024") + "</article>": " ",
	} {
		facts := Parse([]byte(page), "http://x.example/y", Options{}).Facts
		if got := facts.Author + " " + facts.Date; got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
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

// Who reviews what a shop sells has not written its page; but who writes of it, elsewhere, has.
func TestReviewersHaveNotWrittenThePageOfAShop(t *testing.T) {
	const product = `<script type="application/ld+json">{"@type":"Product","name":"Kettle"}</script>`
	const kettle, text = "<h1>Kettle</h1>", "<p>This kettle of brushed steel boils a litre of water in less than three minutes, and switches itself off.</p>"
	const review = "<div class='review by-ann'><p class=review-author>Ann Lee</p><time datetime=2024-03-15>15 March</time>" + text + "</div>"
	for page, want := range map[string][2]string{
		product + kettle + text + "<section class=reviews>" + review + review + "</section>":                                             {},
		"<meta property=og:type content=product>" + kettle + text + review:                                                               {},
		"<meta property=og:type content=og:product>" + kettle + "<p class=byline>by Bo Ray</p>" + text + review:                          {"Bo Ray"},
		"<meta property=og:type content=article>" + product + kettle + review:                                                            {"Ann Lee", "2024-03-15"},
		product + "<h1><a href=/>Teas</a></h1><div class=category-reviews>" + kettle + "<p class=byline>by Bo Ray</p>" + text + "</div>": {"Bo Ray"},
		`<script type="application/ld+json">{"@type":"Article","headline":"Kettle"}</script>` + product + kettle + review:                {"Ann Lee", "2024-03-15"},
		kettle + review: {"Ann Lee", "2024-03-15"},
		product + "<div class=with-reviews>" + kettle + "<p class=byline>by Bo Ray</p>" + text + review + "</div>": {"Bo Ray"},
	} {
		f := Parse([]byte(page), "http://x.example/y", Options{}).Facts
		if got := [2]string{f.Author, f.Date}; got != want {
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

// A line that says no more than by whom and on which day is a byline, whatever stands in it; one that goes on is text.
func TestBylinesThatNoClassNames(t *testing.T) {
	text := strings.Repeat("<p>Pour the water over the leaves, and wait until it is green.</p>", 12)
	for line, want := range map[string][2]string{
		"<p><small><i></i>&nbsp;By: <a href=/u/2>Ann_Lee</a> on April 28, 2024, 7:07 p.m.</small></p>": {"Ann_Lee", "2024-04-28T19:07"},
		"<p>By Ann Lee on April 28, 2024, 3 p.m.</p>":                                                  {"Ann Lee", "2024-04-28"},
		"<p>Posted by Ann Lee on 28 April 2024</p>":                                                    {"Ann Lee", "2024-04-28"},
		"<p>By June 3, 2024, the tea of the old harvest had been drunk by then.</p>":                   {},
		"<p>By the lake they pick it from May on, as they did on May 3, 2024.</p>":                     {},
	} {
		if text := Parse([]byte("<h1>Tea</h1><div>"+line+"<div>"+text+"</div></div>"), "http://x.example/y", Options{}).MainText(); want != [2]string{} && strings.Contains(text, "2024") {
			t.Errorf("%s beside a text is in it: %q", line, text)
		}
		p := Parse([]byte("<h1>Tea</h1><div>"+line+text+"</div>"), "http://x.example/y", Options{})
		if got := [2]string{p.Facts.Author, p.Facts.Date}; got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
		if isText := want == [2]string{}; strings.Contains(p.MainText(), "2024") != isText {
			t.Errorf("%s: that it is text should be %v", line, isText)
		}
	}
}

// A heading that is called a byline is one, and how many have read a text, or said something of it, is none of it. A heading that begins as
// bylines do, and is called nothing, is one of the text, as is a line that counts other things.
func TestBylinesAndCountsAboveATextAreNotInIt(t *testing.T) {
	text := strings.Repeat("<p>Pour the water over the leaves, and wait until it is green.</p>", 12)
	for head, want := range map[string][2]string{
		"<h6 class=post-meta>Posted by: <a href=/u/3>Ann Lee</a> 3 years, 1 month ago</h6><p>(<a href=#c>3 comments</a>)</p>": {"Ann Lee", ""},
		"<div class=x><p>No comments</p><p>12 views</p><p>3 Likes</p><p>12 人点赞</p></div>":                                     {"", ""},
		"<div><p>（12 条评论）</p></div>":                           {"", ""},
		"<h2>By Lake Biwa</h2><p>The lake is wide.</p>":        {"", "By Lake Biwa"},
		"<p>3 leaves</p><p>3 comments made the tea famous</p>": {"", "3 leaves"},
	} {
		p := Parse([]byte("<h1>Tea</h1><div>"+head+text+"</div>"), "http://x.example/y", Options{})
		above, _, _ := strings.Cut(p.MainText(), "Pour the water")
		if above = strings.TrimSpace(above); p.Facts.Author != want[0] || !strings.HasPrefix(above, want[1]) || want[1] == "" && above != "" {
			t.Errorf("%s: by %q, and %q stands above the text, want %q", head, p.Facts.Author, above, want)
		}
	}
}

// A heading may say no more than that the names of the authors come, in a list or a line. Below one that only begins so stands a text.
func TestAuthorsBelowAHeading(t *testing.T) {
	text := strings.Repeat("<p>Pour the water over the leaves, and wait until it is green.</p>", 12)
	for head, want := range map[string]string{
		"<h3>Posted by:</h3><ul><li><img src=a.jpg>Ann Lee</li><li>Bob Ray</li></ul>":          "Ann Lee, Bob Ray",
		"<h4>作者</h4><p>王小明</p>":                                                                "王小明",
		"<h3>Author</h3><p>Ann Lee has picked tea for as long as there were leaves on it.</p>": "",
		"<h3>By the lake</h3><p>Lake Biwa</p>":                                                 "",
	} {
		p := Parse([]byte("<h1>Tea</h1><div>"+head+text+"</div>"), "http://x.example/y", Options{})
		if got := p.Facts.Author; got != want {
			t.Errorf("%s: %q, want %q", head, got, want)
		}
		if says := p.MainText(); want != "" && (strings.Contains(says, "Posted") || strings.Contains(says, "作者") || strings.Contains(says, strings.Split(want, ",")[0])) || want == "" && !strings.Contains(says, "Lee") && !strings.Contains(says, "Biwa") {
			t.Errorf("%s: the main text is %q", head, says[:60])
		}
	}
}

// A short line of what stands side by side may say the day in one of its pieces, in elements that no class names.
func TestDatesSideBySide(t *testing.T) {
	text := strings.Repeat("<p>Pour the water over the leaves, and wait until it is green.</p>", 12)
	for line, want := range map[string]string{
		"<div class='flex gap-2'><span>Annabel Whitcombe</span><span>·</span><span>November 12, 2019</span><span>·</span><span>8 min read</span></div>": "2019-11-12",
		"<div>Annabel Whitcombe of the tea house • 12 November 2019 • 3 comments</div>":                                                                 "2019-11-12",
		"<div>Annabel Whitcombe of the tea house, who was there | until November 12, 2019</div>":                                                        "",
		"<div>Annabel Whitcombe of the tea house | Updated November 12, 2019</div>":                                                                     "",
	} {
		if got := Parse([]byte("<h1>Tea</h1>"+line+text), "http://x.example/y", Options{}).Facts.Date; got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
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
		"03-15-2024, 09:30 PM":                                     "2024-03-15T21:30",
		"Mar 15, 2024, 9:30\u202fPM":                               "2024-03-15T21:30",
		"Opened <a href=/t title='See timeline at Mar 15, 2024, 12:00:00\u202fAM'>4 months ago</a>": "2024-03-15T00:00:00",
		"03-05-2024, 09:30 PM":                                           "",
		"Fri Mar 15 09:30:05 UTC 2024":                                   "2024-03-15T09:30:05",
		"Von Ann, 15. März 2024 um 9:30 Uhr":                             "2024-03-15T09:30",
		"Veröffentlicht am 15. Okt. 2024, aktualisiert am 16. Okt. 2024": "2024-10-15",
		"Aktualisiert am 15. März 2024":                                  "",
		"Mis à jour le 15 mars 2024":                                     "",
		"Publié le 1er août 2024 à 14h30":                                "2024-08-01T14:30",
		"15 de diciembre de 2024":                                        "2024-12-15",
		"le 12 avril 2024 (mis à jour le 4 mars 2025)":                   "2024-04-12",
		"Fri, 15 Mar 24 09:30:05 GMT":                                    "2024-03-15T09:30:05Z",
		"Mon, 15 Mar 24 09:30:05 GMT":                                    "",
		"15 Mar '24":                                                     "2024-03-15",
		"Mar 15th, ’24 by Ann":                                           "2024-03-15",
		"15 Mar '45":                                                     "",
		"05-03-24":                                                       "",
		"Fri Mar  5 09:30:05 2024":                                       "2024-03-05T09:30:05",
		"编辑于 2024-03-15 09:30":                                           "",
		"二〇二四年三月十五日":                                                     "2024-03-15",
		"发布时间：二○二四年十二月廿一日 09:30":                                         "2024-12-21T09:30",
		"發布日期：中華民國113年3月15日（五）":                                          "2024-03-15",
		"民國一百一十三年三月十五日":                                                  "2024-03-15",
		"二〇二四年三月四十日":                                                     "",
		"民国年间一月一日":                                                       "",
		// How long ago it is, where the day stands in a title; a title of anything else is none.
		"发表于 <span title='2024-3-15 09:30:05'>3&nbsp;天前</span>":                                                          "2024-03-15T09:30:05",
		"Opened <a href=/t title='See timeline at Mar 15, 2024, 9:30:05 AM'>4 months ago</a>":                            "2024-03-15T09:30:05",
		"Added by Ann <a title='03/15/2024 09:30 AM' href=/a>over 3 years</a> ago":                                       "2024-03-15T09:30",
		"<a href=/b title='Tea of March 15, 2024'>Tea</a>":                                                               "",
		"<a href=/b title='Tea of March 15, 2024'>A long time ago</a>":                                                   "",
		"Last modified <a href=/t title='Mar 15, 2024, 9:30:05 AM'>4 months ago</a>":                                     "",
		"Last visit: <span title='2024-3-15 09:30:05'>3 days ago</span>":                                                 "",
		"最后登录 <em title='2024-3-15 09:30:05'>3 天前</em>":                                                                  "",
		"Kept for <a href=/b title='Tea of March 15, 2024'>a year</a>":                                                   "",
		"Edited <time datetime=2024-03-16>Mar 16</time> by Bob":                                                          "2024-03-16", // nothing else says more
		"Created <time datetime=2024-03-15>Mar 15</time> by Ann<p>Edited <time datetime=2024-03-16>Mar 16</time> by Bob": "2024-03-15",
		"Updated on <time datetime=2024-03-16>Mar 16</time><p>Posted on <time datetime=2024-03-15>Mar 15</time>":         "2024-03-15",
	} {
		if got := Parse([]byte("<h1>Tea</h1><p class=byline>"+line+"</p><p>text"), "http://x.example/y", Options{}).Facts.Date; got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	const source = "<p>茶叶采于清明之前，当天在锅中炒制。</p><div>信息来源：县茶叶局　　发布时间：2024年3月15日　　点击数：12　　【字体：<a href=/a>大</a>】</div><p>茶友们都说好。</p><p>2024年3月14日</p>"
	if got := Parse([]byte(source), "http://x.example/y", Options{}).Facts.Date; got != "2024-03-15" {
		t.Errorf("%s: %q", source, got)
	}
	text := "<p>" + strings.Repeat("She bred tea, and wrote of it, for years. ", 20) + "</p>"
	table := "<title>Tea</title>" + strings.Repeat("<div><a href=/a>Another of them</a></div>", 50) + text + "<table><tr><td>Oolong<td>2019-10-08<td>33</table>" + text
	if got := Parse([]byte(table), "http://x.example/y", Options{}).Facts.Date; got != "" {
		t.Errorf("of a table below a text without a heading: %q", got)
	}
	// A manual says at its end when it was changed, and nothing else; but not that of the site.
	manual := "<title>Tea</title><article><h1>Tea</h1>" + strings.Repeat(text+"<h2>More of it</h2><ul><li>one<li>two</ul>", 20)
	const updated = "<p>Last updated on <b><time datetime=2024-03-16>Mar 16</time></b></p>"
	for end, want := range map[string]string{
		updated: "2024-03-16", "<footer>" + updated + "</footer>": "2024-03-16", "</article><footer>" + updated + "</footer>": "",
		"<p class=date>March 15, 2024</p><footer>" + updated + "</footer>": "2024-03-15",
	} {
		if got := Parse([]byte(manual+end), "http://x.example/y", Options{}).Facts.Date; got != want {
			t.Errorf("%s: %q, want %q", end, got, want)
		}
	}
	const heading = "<title>Tea</title><h1>Tea<br><span>2024-03-15 09:30:00 来源：茶报</span></h1><p>text"
	if got := Parse([]byte(heading), "http://x.example/y", Options{}).Facts.Date; got != "2024-03-15T09:30:00" {
		t.Errorf("%s: %q", heading, got)
	}
}

// What begins as bylines and counts of readers do is text where it stands amid it, where a cell or an item says it, and where somebody speaks.
func TestTextThatOnlyBeginsAsBylinesIsKept(t *testing.T) {
	text := strings.Repeat("<p>Pour the water over the leaves, and wait until it is green.</p>", 12)
	for _, says := range []string{
		"<p>By Easter, 4 April 2021</p>",
		"<p>By Royal Proclamation of 12 June 1914</p>",
		"<h2>The law</h2><p>By Act of Parliament, 12 June 1914</p>",
		"<ul><li>By Claude Monet, 12 May 1872</li><li>By Edgar Degas, 13 May 1873</li></ul>",
		"<table><tr><td>Motion<td>Submitted by Ann Lee, 3 May 2019<tr><td>Reply<td>Submitted by Bob Ray, 9 May 2019</table>",
		"<h2>Talk</h2><p>By Bob Ray: When did you come?</p><p>By Ann Lee: On 3 May 1990</p>",
		"<h2 class=info>By Boat and Rail</h2>",
		"<h2>AUTHOR</h2><p>Ann Lee</p>",
		"<h3>Author</h3><p>Ann Lee, born 1900 in Oslo, lived by the sea</p>",
		"<h3>Author:</h3><ul><li>May write</li><li>May read</li></ul>",
		"<h2>作者</h2><p>李白，字太白，唐代诗人</p>",
		"<h3>记者：</h3><p>你为什么来到这里</p>",
		"<p>BO: Is anybody there?</p><p>(No reply)</p><p>[No response]</p><p>No comment</p>",
		"<table><tr><td>Scan<td>120 reads<tr><td>Index<td>3 reads<tr><td>No response<td>7</table>",
		"<dl><dt>Scan<dd>120 reads<dt>Index<dd>12次浏览</dl><ul><li>3 views</li></ul>",
	} {
		p := Parse([]byte("<h1>Tea</h1><div>"+text+says+text+"</div>"), "http://x.example/y", Options{})
		for _, line := range strings.FieldsFunc(regexp.MustCompile("<[^>]*>").ReplaceAllString(says, "\n"), func(r rune) bool { return r == '\n' }) {
			if !strings.Contains(p.MainText(), line) {
				t.Errorf("of %s %q is lost", says, line)
			}
		}
		if strings.Contains(says, "<h") && p.Facts.Author != "" && !strings.Contains(says, "<p>By ") {
			t.Errorf("%s: the author is %q", says, p.Facts.Author)
		}
	}
	const head = "<ul><li>To: tea@x.example<li>Subject: Tea<li>From: Bo &lt;bo@x.example&gt;<li>Date: Thu, 7 Mar 2024 14:05:33 +0100</ul>"
	letter := "<h1>Tea</h1>" + head + "<div>" + text + "<ul><li>Follow-ups<li>Ask the cook, who knows of the well.</ul>" + text + "</div>"
	if says := Parse([]byte(letter), "http://x.example/y", Options{}).MainText(); !strings.Contains(says, "Ask the cook") {
		t.Errorf("what a letter lists is lost: %q", says)
	}
}
