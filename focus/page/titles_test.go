package page

import (
	"cmp"
	"strings"
	"testing"
)

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
		{"http://x.example/", "<title>Tea Post | Notes on what we drink in the evenings.</title><meta property='og:title' content='Tea Post'><meta property='og:site_name' content='Tea Post'><div>" + text + "</div>", "Tea Post"},
		{"http://x.example/?p=2", "<title>Tea Post | Notes on what we drink in the evenings.</title><meta property='og:title' content='Tea Post'><meta property='og:site_name' content='Tea Post'><div>" + text + "</div>", "Notes on what we drink in the evenings."},
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
		{"", "<title>Brewing tea - Green tea - Tracker</title><div id=header><form><label><a href=/s>Search</a>:</label></form><div><span>Green tea</span><a href=/p>All kinds of tea</a></div><h1>Green tea</h1></div><h2>Brewing tea</h2>" + text, "Brewing tea"},
		{"", "<title>Brewing tea - Tea Board</title><div role=banner><h1>Tea Board</h1></div><h2><a href=t>Brewing tea</a></h2>" + text, "Brewing tea"},
		{"", "<title>Brewing tea - Page 2 - Tea Board</title><div role=banner><h1>Tea Board</h1></div><h2><a href=t>Brewing tea</a></h2>" + text, "Brewing tea"},
		{"http://x.example/doku.php?id=tea:brewing", "<title>tea:brewing [Tea Wiki]</title><header><h1><a href='doku.php?id=start'><img src=l><span>Tea Wiki</span></a></h1></header><main><h1>Brewing tea</h1>" + text + "<h2>Leaves</h2>" + text + "</main>", "Brewing tea"},
		{"http://x.example/doku.php?id=tea:brewing", "<title>tea:brewing [Tea Wiki]</title><header><h1><a href='doku.php?id=start'>Tea Wiki</a></h1></header><main>" + text + "</main>", "tea:brewing [Tea Wiki]"},
		{"", "<title>Tea Board • View topic - Brewing tea</title><h1>Tea Board</h1><h2><a href=t>Brewing tea</a></h2>" + text, "Brewing tea"},
		{"", "<title>Tea Board - Brewing tea</title><h2><a href=/>Tea Board</a></h2>" + text, "Tea Board - Brewing tea"},
		{"", "<title>Ann Lee - Work</title><h2>Ann Lee</h2><h2>Work</h2>" + text, "Ann Lee - Work"},
		{"", "<title>Brewing - Tea Post</title><h2>Brewing</h2>" + text, "Brewing"},
		{"", "<title>\nBrewing - green-tea@lists.example - Tea lists\n</title><h3>Brewing</h3>" + text, "Brewing"},
		{"", "<title>Tea - Brewing it in spring - Tea Post</title><h3>Tea</h3>" + text, "Tea - Brewing it in spring - Tea Post"},
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
		// What else in the head says what the page is called; a number that a site files it under, or that of a page of several.
		{"", "<meta name=ArticleTitle content='如何泡茶'><title>光明县政府 政务动态 如何泡茶</title>" + zh, "如何泡茶"},
		{"", `<meta name=ArticleTitle content="论"茶"之道"><title>论"茶"之道_茶友论坛</title>` + zh, `论"茶"之道`},
		{"", "<meta name=ArticleTitle content=''><title>光明县政府 政务动态 如何泡茶</title>" + zh, "光明县政府 政务动态 如何泡茶"},
		{"", `<title>Clay kettles - Tea Post</title><script type="application/ld+json">{"headline":"Clay kettles"}</script>` + text, "Clay kettles"},
		{"", `<title>Clay kettles - Materials</title><script type="application/ld+json">{"headline":"Iron kettles"}</script>` + text, "Clay kettles - Materials"},
		{"", "<title>#812 (Brewing tea) – Tracker</title><h1><a href=12>#812</a><a href=/n>new</a></h1><h1>Brewing tea</h1>" + text, "Brewing tea"},
		{"", "<title>Brewing tea (2/3) - Tea Post</title><h1>Brewing tea</h1>" + text, "Brewing tea"},
		{"", "<title>如何泡茶(2)_茶友论坛</title><h1>如何泡茶</h1>" + zh, "如何泡茶"},
		{"", "<title>Brewing tea from Ann Lee on 2024-03-07 (tea@x.example from March 2024)</title><h1>Brewing tea</h1>" + text, "Brewing tea"},
		{"", "<title>Tea (2/3) - Tea Post</title><h1>Tea</h1>" + text, "Tea"},
		{"", "<title>茶(组图)_茶友论坛</title><h1>茶</h1>" + zh, "茶(组图)"},
		{"", `<title>Shares of "Tea" rise - Post</title><meta property="og:title" content="Shares of "Tea" rise">` + text, `Shares of "Tea" rise - Post`},
		{"", `<title>News: "Tea is king"</title><meta property="og:title" content="Tea is king">` + text, "Tea is king"},
		{"", `<title>茶叶局</title><meta name=ArticleTitle content="关于春茶的&lt;br/&gt;通知（修订）">` + zh, "关于春茶的通知（修订）"},
		{"", "<title>Brewing tea from China - Tea Post</title><h1>Brewing tea</h1>" + text, "Brewing tea from China"},
		{"", "<title>Brewing tea (2nd part) - Tea Post</title><h1>Brewing tea</h1>" + text, "Brewing tea (2nd part)"},
		{"", "<title>Brewing tea (2024) - Tea Post</title><h1>Brewing tea</h1>" + text, "Brewing tea (2024)"},
		// A heading that the title element has not and that stands above a list is that of the list.
		{"", "<title>茶叶 - 茶报</title><div>" + zh + "</div><div><h1>24小时热文</h1><ul>" + strings.Repeat("<li><a href=/1>港口防波堤年内完工</a>", 9) + "</ul></div>" + strings.Repeat("<div>"+zh+"</div>", 9), "茶叶 - 茶报"},
		{"", "<title>Tea</title><div><h1>Kettles</h1></div><div>" + text + "<ul>" + strings.Repeat("<li><a href=/1>A kettle of clay</a>", 9) + "</ul></div>" + text, "Kettles"},
		// The pages of many authorities have the name of the site for a title, and their own above the line that says whence and when.
		{"", "<title>清溪县茶叶局门户网站</title><table><tr><td><a href=/>首页</a><td><a href=/n>通知公告</a></table><table><tr><td align=center><font size=5>关于举办春茶节的通知</font><tr><td>信息来源：办公室　发布时间：2019-03-07　浏览次数：12<tr><td>" + zh + "</table>", "关于举办春茶节的通知"},
		{"", "<title>欢迎访问清溪县茶叶局</title>当前位置：<a href=/>首页</a> &gt; 正文<h2>春茶上市了吗？</h2><div>作者：王小明</div><div>发布时间：2019-03-07</div>" + zh, "春茶上市了吗？"},
		{"", "<title>清溪茶叶网</title><p align=center><b>春茶<br>品鉴会</b><p align=center>2019年3月7日　来源：本网" + zh, "清溪茶叶网"}, // which line is it?
		{"", "<title>清溪茶叶网</title><div>春茶上市</div><div>发布日期：2019-03-07</div><div>更新时间：2019-03-09</div>" + zh, "春茶上市"},
		{"", "<title>织密茶叶安全网</title><div>织密茶叶安全网</div><div>——春茶抽检记</div><div>发布时间：2019-03-07</div>" + zh, "织密茶叶安全网"},
		{"", "<title>清溪茶叶网</title><div><a href=/1>春茶上市</a></div><div>发布时间：2019-03-07</div>" + zh, "清溪茶叶网"},
		{"", "<title>清溪茶叶网</title><div>春茶上市</div><div>发布时间：2019-03-07</div>" + zh + "<div>秋茶上市</div><div>发布时间：2019-09-07</div>" + zh, "清溪茶叶网"},
		{"", "<title>清溪茶叶网</title><div>茶是一种饮料。</div><div>发布时间：2019-03-07</div>" + zh, "清溪茶叶网"},
		{"", "<title>清溪茶叶网</title>当前位置：首页 &gt; 正文<div>发布时间：2019-03-07</div>" + zh, "清溪茶叶网"},
		{"", "<title>春茶怎样喝</title><div>茶叶天地</div><div>发布时间：2019-03-07</div>" + zh, "春茶怎样喝"},
		{"http://x.example/", "<title>清溪茶叶网</title><div>春茶上市</div><div>发布时间：2019-03-07</div>" + zh, "清溪茶叶网"},
	} {
		if got := Parse([]byte(c.page), cmp.Or(c.address, "http://x.example/b/c"), Options{}).Title; got != c.want {
			t.Errorf("%s: %q, want %q", c.page, got, c.want)
		}
	}
}

// Where the page begins with the name of its site alone, and says alone, too, what the title element has behind it and a colon, the page is called
// that. A name that leads to another page than the front is no site's, and what the page does not say alone may be half of a title.
func TestTitleBehindTheSite(t *testing.T) {
	const text = `<h1>Ropes</h1><p>The boats left the harbour at noon and came back late in the evening with fish, said the skipper.`
	for page, want := range map[string]string{
		`<div id=project>Harbour Book<span>&#160;1.2-rc1</span></div><div>Search</div><div class=header><div class=title>Sails in fog </div></div>` + text:   "Sails in fog",
		`<div class=title><h1>Harbour Book</h1>Sails in fog</div><div class=menu><a href=/home>Home</a></div>` + text:                                        "Sails in fog",
		`<div class=title><h1><a href=/>Harbour Book</a></h1>Sails in fog</div><h1>Sails in fog</h1><p>The boats left the harbour at noon.`:                  "Sails in fog",
		`<div><a href=/book/>Harbour Book</a> <a href=/book/sails>Sails in fog</a></div><p>The boats left the harbour at noon and came back late with fish.`: "Harbour Book: Sails in fog",
		`<div>Welcome</div><div>Harbour Book</div><div>Sails in fog</div><p>The boats left the harbour at noon and came back late with fish.`:                "Harbour Book: Sails in fog",
		`<div>Harbour Book</div><p>Sails in fog are hard to see, said the skipper, and came back late in the evening with fish.`:                             "Harbour Book: Sails in fog",
	} {
		if p := Parse([]byte("<title>Harbour Book: Sails in fog</title>"+page), "http://x.example/wiki/12.html", Options{}); p.Title != want {
			t.Errorf("%s is called %q, want %q", page, p.Title, want)
		}
	}
}
