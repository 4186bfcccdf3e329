package page

import (
	"fmt"
	"strings"
)

// comments are what readers wrote below a page, with the form to write more.
func (p *poster) comments(n int) string {
	var b strings.Builder
	for i := range n {
		a := p.articles[(p.at+7+i)%len(p.articles)]
		said := strings.Join(a.comments, " ")
		if i%3 == 0 {
			said += " " + a.paragraphs[0]
		}
		switch p.skin {
		case "wordpress":
			fmt.Fprintf(&b, `<li id="comment-%d" class="comment even thread-even depth-1"><article class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><b class="fn">Ann %d</b> <span class="says">says:</span></div><div class="comment-metadata"><time datetime="2024-04-01T10:00:00">April 1, 2024</time></div></footer><div class="comment-content"><p>%s</p></div><div class="reply"><a href="#r">Reply</a></div></article></li>`, i, i, said)
		case "drupal":
			fmt.Fprintf(&b, `<div class="comment comment-by-anonymous"><div class="submitted">Submitted by Ann on Mon, 2024-04-01</div><div class="content"><div class="field field-name-comment-body"><p>%s</p></div></div></div>`, said)
		case "portal", "discuz":
			fmt.Fprintf(&b, `<div class="pl-item"><span class="uname">网友%d</span><span>2024-4-1</span><p>%s</p></div>`, i, said)
		default:
			fmt.Fprintf(&b, `<div class="comment-item"><span>Ann %d</span><p>%s</p></div>`, i, said)
		}
	}
	form := fmt.Sprintf(`<form action="/say" method="post"><p>%s</p><textarea name="c"></textarea><input type="submit"></form>`,
		p.say("Your email address will not be published. Required fields are marked. You may use these tags in what you write, and your comment is shown when the editor has read it.", "您的邮箱不会被公开。必填项已标注。评论经审核后才会显示，请文明发言，遵守相关法律法规。"))
	switch p.skin {
	case "wordpress":
		return `<div id="comments" class="comments-area"><h2 class="comments-title">` + p.say("Thoughts", "评论") + `</h2><ol class="comment-list">` + b.String() + `</ol><div id="respond" class="comment-respond">` + form + `</div></div>`
	case "drupal":
		return `<div id="comments" class="comment-wrapper"><h2 class="title">Comments</h2>` + b.String() + form + `</div>`
	case "portal", "discuz":
		return `<div id="pinglun" class="pinglun"><div class="hd">` + p.say("Comments", "网友评论") + `</div>` + b.String() + form + `</div>`
	case "soup":
		return `<section><h3>` + p.say("Comments", "评论") + `</h3>` + strings.ReplaceAll(b.String(), "comment-item", "x7f3") + form + `</section>`
	}
	return `<section class="comments"><h3>` + p.say("Comments", "评论") + `</h3>` + b.String() + form + `</section>`
}

// teasers lead to other pages, with the first words of each.
func (p *poster) teasers(head string, n int) string {
	var b strings.Builder
	for i := range n {
		a := p.articles[(p.at+31+i)%len(p.articles)]
		words := []rune(a.paragraphs[0])
		fmt.Fprintf(&b, `<li><a href="/a/%d">%s</a> <span>%s…</span></li>`, i, a.title, string(words[:min(len(words), 70)]))
	}
	return fmt.Sprintf(`<div class="related-posts"><h3>%s</h3><ul>%s</ul></div>`, head, b.String())
}

// boxes stand beside the text: the most read with their first words, and a note of the house.
func (p *poster) boxes(class string) string {
	var b strings.Builder
	for i := range 6 {
		a := p.articles[(p.at+53+i)%len(p.articles)]
		words := []rune(a.paragraphs[len(a.paragraphs)-1])
		fmt.Fprintf(&b, `<li><a href="/m/%d">%s</a><p>%s</p></li>`, i, a.title, string(words[:min(len(words), 90)]))
	}
	about := p.say("This house writes about the sea and the kitchen, about bees and stars, and has done so since the first winter. Subscribe to the letter that comes on Fridays, and unsubscribe whenever you like.",
		"本站写海、写厨房、写蜜蜂和星星，从第一个冬天写到现在。欢迎订阅每周五的信，随时可以退订，转载请注明出处。")
	return fmt.Sprintf(`<div class="%s"><h3>%s</h3><ul>%s</ul></div><div class="%s"><h3>%s</h3><p>%s</p></div>`, class, p.say("Most read", "热门文章"), b.String(), class, p.say("About us", "关于我们"), about)
}

// menu are the site's rooms.
func (p *poster) menu() string {
	var b strings.Builder
	for i, s := range strings.Fields(p.say("Home News Sailing Baking Bees Stars Town Archive Contact", "首页 新闻 徒步 陶艺 茶 围棋 城里 归档 联系我们")) {
		fmt.Fprintf(&b, `<li><a href="/%d">%s</a></li>`, i, s)
	}
	return "<ul>" + b.String() + "</ul>"
}

// byline says who wrote the page and when.
func (p *poster) byline(how int) string {
	day := strings.Split(p.date, "-")
	month := []string{"", "January", "February", "March"}[day[1][1]-'0']
	zh := fmt.Sprintf("%s年%c月%s日", day[0], day[1][1], strings.TrimLeft(day[2], "0"))
	en := fmt.Sprintf("%s %s, %s", month, strings.TrimLeft(day[2], "0"), day[0])
	switch how % 4 {
	case 0:
		return fmt.Sprintf(`<div class="entry-meta"><span class="posted-on"><time class="entry-date published" datetime="%sT08:00:00+00:00">%s</time></span> <span class="byline">%s<span class="author vcard"><a class="url fn n" href="/author/a" rel="author">%s</a></span></span></div>`, p.date, p.say(en, zh), p.say("by ", "作者："), p.author)
	case 1:
		return fmt.Sprintf(`<div class="info"><span>%s</span> <span>%s</span> <span>%s</span></div>`, p.say("By "+p.author, "作者："+p.author), p.say("Published: "+en, "发布时间："+zh+" 12:30"), p.say("Views: 1,204", "浏览：1204次"))
	case 2:
		return fmt.Sprintf(`<p class="submitted"><span itemprop="author">%s</span> <span class="date" itemprop="datePublished" content="%s">%s</span></p>`, p.author, p.date, p.say(en, zh))
	}
	return fmt.Sprintf(`<p class="post-info">%s</p>`, p.say("Written by "+p.author+" on "+en, "文/"+p.author+" 日期："+p.date+" 12:30"))
}

func (p *poster) share() string {
	return fmt.Sprintf(`<div class="share-bar"><span>%s</span> <a href="/s/1">Facebook</a> <a href="/s/2">Twitter</a> <a href="/s/3">%s</a></div>`, p.say("Share this article:", "分享到："), p.say("Email", "微信"))
}

func (p *poster) authorBox() string {
	return fmt.Sprintf(`<div class="author-box"><div class="author-bio">%s %s</div></div>`, p.author,
		p.say("has sailed for thirty years, lives in the old town with two cats, and writes a column on Sundays about what went wrong in the week.", "住在老城，养两只猫，写了三十年的海，每个星期天的专栏讲一周里出了什么差错，欢迎来信交流。"))
}

func (p *poster) cookies() string {
	return fmt.Sprintf(`<div id="cookie-banner" class="cookie-consent"><p>%s</p><button>OK</button></div>`,
		p.say("We use cookies to make this site work and to learn how it is used. By going on you agree that we and our partners keep them on your device, as our policy says in more words.", "我们使用Cookie来保证网站正常运行并了解使用情况。继续浏览即表示您同意我们和合作伙伴在您的设备上保存Cookie。"))
}

func (p *poster) rights() string {
	return p.say("Copyright 2024 The House. All rights reserved. No part of these pages may be copied without a word to the editor.", "版权所有 © 2024 本站 未经许可不得转载 京ICP备00000000号 联系电话：000-0000")
}

// tags are the head of a page; the title of most has the site's name behind it.
func (p *poster) tags(how int) string {
	site := p.say("The House of Winds", "风之屋")
	switch how % 4 {
	case 0:
		return fmt.Sprintf(`<title>%s - %s</title><meta property="og:site_name" content="%s">`, p.title, site, site)
	case 1:
		return fmt.Sprintf(`<title>%s_%s</title>`, p.title, site)
	case 2:
		return fmt.Sprintf("<title>%s | %s</title><script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@graph\":[{\"@type\":\"WebSite\",\"name\":\"%s\"},{\"@type\":\"Article\",\"headline\":\"%s\",\n\"description\":\"a\tline\nand another\",\"author\":{\"@type\":\"Person\",\"name\":\"%s\"},\"datePublished\":\"%s\",\"dateModified\":\"2025-01-01\",},],}</script>", p.title, site, site, p.title, p.author, p.date)
	}
	return fmt.Sprintf(`<title>%s</title><meta property="og:title" content="%s"><meta name="author" content="%s"><meta property="article:published_time" content="%sT08:00:00Z"><meta property="article:modified_time" content="2025-01-01">`, site+": "+p.title, p.title, p.author, p.date)
}

// skins are the markups. Each frames a title, an article and what stands below it.
var skins = []struct {
	name string
	held bool // looked at as a number only while the rules were made
	page func(p *poster, c content, how int) string
}{
	{"semantic", false, func(p *poster, c content, how int) string {
		return `<header><a href="/">` + p.say("The House", "风之屋") + `</a><nav>` + p.menu() + `</nav></header><main><article><header><h1>` + p.title + `</h1>` + p.byline(how) + `</header>` +
			c.main + `<footer>` + p.share() + `</footer></article>` + c.below + `</main><aside>` + p.boxes("") + `</aside><footer><p>` + p.rights() + `</p></footer>` + p.cookies()
	}},
	{"wordpress", false, func(p *poster, c content, how int) string {
		return p.cookies() + `<div id="page" class="hfeed site"><header id="masthead" class="site-header"><nav id="site-navigation" class="main-navigation">` + p.menu() +
			`</nav></header><div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main"><article id="post-12" class="post-12 post type-post status-publish hentry category-sea"><header class="entry-header"><h1 class="entry-title">` +
			p.title + `</h1>` + p.byline(how) + `</header><div class="entry-content">` + c.main + `<div class="sharedaddy sd-sharing-enabled">` + p.share() + `</div></div><footer class="entry-footer"><span class="cat-links"><a href="/c">` + p.say("Sea", "海") + `</a></span></footer></article>` + p.authorBox() + c.below +
			`</main></div><aside id="secondary" class="widget-area">` + p.boxes("widget widget_text") + `</aside></div><footer id="colophon" class="site-footer">` + p.rights() + `</footer></div>`
	}},
	{"drupal", true, func(p *poster, c content, how int) string {
		return `<div id="page-wrapper"><div id="page"><div id="header"><div class="section">` + p.menu() + `</div></div><div id="main-wrapper"><div id="main"><div id="content" class="column"><div class="section"><div class="breadcrumb"><a href="/">Home</a> » </div><h1 class="title" id="page-title">` +
			p.title + `</h1><div class="region region-content"><div id="block-system-main" class="block block-system"><div class="content"><div id="node-7" class="node node-article node-promoted">` + p.byline(how) + `<div class="content"><div class="field field-name-body field-type-text-with-summary"><div class="field-items"><div class="field-item even" property="content:encoded">` +
			c.main + `</div></div></div></div><div class="link-wrapper"><ul class="links inline"><li><a href="/l">` + p.say("Log in to post comments", "登录后发表评论") + `</a></li></ul></div>` + c.below + `</div></div></div></div></div></div><div id="sidebar-first" class="column sidebar"><div class="section">` + p.boxes("block block-views") + `</div></div></div></div><div id="footer-wrapper"><div class="section">` + p.rights() + `</div></div></div></div>`
	}},
	{"mediawiki", false, func(p *poster, c content, how int) string {
		return `<div id="mw-page-base"></div><div id="content" class="mw-body" role="main"><a id="top"></a><div id="siteNotice">` + p.say("Help us to keep this place going with a gift.", "请帮助我们维持本站。") + `</div><h1 id="firstHeading" class="firstHeading">` + p.title + `</h1><div id="bodyContent" class="mw-body-content"><div id="siteSub">` + p.say("From The House, the free collection", "来自风之屋，自由的文集") +
			`</div><div id="mw-content-text" class="mw-content-ltr"><div class="mw-parser-output">` + c.main + `<div class="navbox">` + p.menu() + `</div></div></div>` + c.below + `</div></div><div id="mw-navigation"><h2>` + p.say("Navigation menu", "导航菜单") + `</h2><div id="mw-panel"><div class="portal">` + p.menu() + `</div></div></div><div id="footer" class="mw-footer"><ul id="footer-info"><li>` +
			p.say("This page was last edited on 3 January 2025, at 10:00.", "本页面最后修订于2025年1月3日 10:00。") + `</li><li>` + p.rights() + `</li></ul></div>`
	}},
	{"discuz", false, func(p *poster, c content, how int) string {
		return `<div id="toptb" class="cl"><div class="wp">` + p.menu() + `</div></div><div id="hd"><div class="wp"><div id="nv">` + p.menu() + `</div></div></div><div id="wp" class="wp"><div id="pt" class="bm cl"><div class="z"><a href="/">` + p.say("Forum", "论坛") + `</a> › </div></div><div id="ct" class="wp cl"><div id="postlist" class="pl bm"><h1 class="ts"><span id="thread_subject">` + p.title +
			`</span></h1>` + p.byline(how) + `<div class="pct">` + c.main + `</div></div>` + c.below + `<div class="bm">` + p.boxes("bm_c") + `</div></div></div><div id="ft" class="wp cl"><p>` + p.rights() + `</p></div><div style="display:none">` + p.articles[2].paragraphs[0] + `</div>`
	}},
	{"hexo", true, func(p *poster, c content, how int) string {
		return `<div class="container one-collumn sidebar-position-left page-post-detail"><header id="header" class="header"><div class="header-inner"><nav class="site-nav">` + p.menu() + `</nav></div></header><main id="main" class="main"><div class="main-inner"><div class="content-wrap"><div id="content" class="content"><div id="posts" class="posts-expand"><article class="post post-type-normal"><div class="post-block"><header class="post-header"><h1 class="post-title">` +
			p.title + `</h1><div class="post-meta">` + p.byline(how) + `</div></header><div class="post-body">` + c.main + `</div><footer class="post-footer"><div class="post-tags"><a href="/t"># ` + p.say("sea", "海") + `</a></div><div class="post-nav"><div class="post-nav-next"><a href="/o">` + p.articles[3].title + `</a></div></div></footer></div></article></div></div>` + c.below +
			`</div><aside id="sidebar" class="sidebar"><div class="sidebar-inner"><section class="site-overview">` + p.boxes("links-of-blogroll") + `</section></div></aside></div></main><footer id="footer" class="footer"><div class="footer-inner">` + p.rights() + `</div></footer></div>`
	}},
	{"sphinx", false, func(p *poster, c content, how int) string {
		return `<div class="related" role="navigation"><h3>Navigation</h3>` + p.menu() + `</div><div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main"><section id="s"><h1>` + p.title + `<a class="headerlink" href="#s">¶</a></h1>` + p.byline(how) + c.main + `</section>` + c.below +
			`<div class="clearer"></div></div></div></div><div class="sphinxsidebar" role="navigation"><div class="sphinxsidebarwrapper">` + p.boxes("") + p.menu() + `</div></div></div><div class="footer" role="contentinfo">© ` + p.rights() + `</div>`
	}},
	{"tables", true, func(p *poster, c content, how int) string {
		return `<table width="980" align="center"><tr><td colspan="2" bgcolor="#336699">` + strings.NewReplacer("<ul>", "", "</ul>", "", "<li>", "", "</li>", " | ").Replace(p.menu()) + `</td></tr><tr><td width="220" valign="top">` + p.boxes("") + `</td><td width="760" valign="top"><h1><font size="5">` + p.title + `</font></h1><table width="96%"><tr><td align="center">` + p.byline(1) +
			`</td></tr><tr><td>` + c.main + `</td></tr></table>` + c.below + `</td></tr><tr><td colspan="2" align="center">` + p.rights() + `</td></tr></table>`
	}},
	{"soup", false, func(p *poster, c content, how int) string {
		return `<div id="root"><div class="a1x"><div class="b2k">` + p.menu() + `</div><div class="c9d"><div class="d4q"><h1>` + p.title + `</h1>` + p.byline(how) + `<div class="e5w">` + c.main + `</div>` + p.share() + c.below + `</div><div class="f6p">` + p.boxes("g7r") + `</div></div><div class="h8s"><p>` + p.rights() + `</p></div></div>` + p.cookies() + `</div><noscript>` +
			p.say("Turn scripts on to see this page as it is meant.", "请打开脚本以正常显示本页。") + `</noscript>`
	}},
	{"portal", false, func(p *poster, c content, how int) string {
		return `<div class="wrapper main content"><div class="top">` + p.menu() + `</div><div class="path"><a href="/">` + p.say("Home", "首页") + `</a> &gt; ` + p.say("News", "正文") + `</div><div class="main clearfix"><div class="left fl"><h1>` + p.title + `</h1><div class="info">` + p.byline(how) + `</div><div class="article" id="artibody">` + c.main + `<p>` +
			p.say("(Editor: Wang)", "（责任编辑：王小明）") + `</p></div>` + p.share() + c.below + `</div><div class="right fr">` + p.boxes("box") + `</div></div><div class="copyright">` + p.rights() + `</div></div>`
	}},
}
