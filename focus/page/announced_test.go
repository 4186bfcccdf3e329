package page

import (
	"fmt"
	"strings"
	"testing"
)

// Paragraphs of a story, each of some sixty words.
var (
	quay  = "The quay was rebuilt in the spring after the old piles had rotted away, and the fishermen, who had waited two winters for it, moved their boats back within a week. Nobody had thought that it would hold the ice, but it did, and the harbour master says that it will hold for thirty years more, if it is painted every other summer."
	tides = "Tides here run higher than anywhere else on the coast, which is why the stairs go down so far. At low water a man stands four metres below the road and sees nothing of the town. The net sheds stand on legs for the same reason, and on the first of May, when the tide is highest, the water comes up to their floors."
	nets  = "Nets are dried on the poles behind the sheds, and mended there by those who no longer go out. They sit in the sun with wooden needles and talk of boats that have been gone for half a century. Whoever wants to learn how it is done may sit down beside them: they are glad of a pair of young eyes, and of someone who listens."
)

// story is a page of that text, with something in its middle.
func story(middle string) string {
	return fmt.Sprintf("<title>The quay</title><body><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><article><h1>The quay</h1><p>%s</p>%s</article><div><a href=/c>Contact</a></div>", quay, middle)
}

// TestHeadingsThatAnnounceLinks: of links to other stories in the middle of one the text below is no part, and a heading is that of a list of
// links only if it says no more, or links stand below it.
func TestHeadingsThatAnnounceLinks(t *testing.T) {
	links := "<ul><li><a href=/a>The lighthouse is for sale</a><li><a href=/b>A ferry for the islands</a></ul>"
	p := func(paragraphs ...string) string { return "<p>" + strings.Join(paragraphs, "</p><p>") + "</p>" }
	for _, c := range []struct {
		name, middle string
		want, not    []string
	}{
		{"links in the middle", "<h4>Related</h4>" + links + p(tides, nets), []string{"Tides here", "Nets are"}, []string{"lighthouse"}},
		{"links at the end", p(tides) + "<h4>Related</h4>" + links + "<p>Follow us.</p>", []string{"Tides here"}, []string{"lighthouse", "Follow us"}},
		{"other stories", p(tides) + "<h4>Related</h4><h5><a href=/a>The lighthouse is for sale</a></h5><p>It has stood empty since March.</p><h5><a href=/b>A ferry for the islands</a></h5>" + p(nets),
			[]string{"Tides here"}, []string{"It has stood"}},
		{"what unfolds", p(tides) + "<div id=more><div><a href=''>Read more</a></div><div>" + p(nets) + "</div></div>", []string{"Tides here", "Nets are"}, nil},
		{"related work", p(nets) + "<h3>Related work on tides</h3>" + p(tides), []string{"Related work", "Tides here"}, nil},
		{"related stories", p(nets) + "<h3>Related harbour stories</h3>" + p(tides), []string{"Nets are"}, []string{"Tides here"}},
		{"search", p(nets) + "<h3>Search and rescue</h3>" + p(tides), []string{"Search and rescue", "Tides here"}, nil},
		{"a list of categories", p(nets) + "<h3>Categories:</h3>" + p(tides), []string{"Nets are"}, []string{"Tides here"}},
	} {
		text := Parse([]byte(story(c.middle)), "http://coast.example/quay", Options{}).MainText()
		for _, s := range c.want {
			if !strings.Contains(text, s) {
				t.Errorf("%s: %q is lost of\n%s", c.name, s, text)
			}
		}
		for _, s := range c.not {
			if strings.Contains(text, s) {
				t.Errorf("%s: %q is in\n%s", c.name, s, text)
			}
		}
	}
}

// TestReviewsOfCustomers: what customers say of what a shop sells is none of its text, nor is the form that asks them for it, whatever the page
// says of itself; what one writes of reviews is.
func TestReviewsOfCustomers(t *testing.T) {
	said := "<article class=review><h3><a href=/r/1>A fine net</a></h3><p>I bought it for my boat in May, and it has held since; the knots are even.</p><p><small>Reviewed by Ann on 3 May 2024</small></p></article>"
	for _, c := range []struct {
		name, below string
		has         bool
	}{
		{"reviews", "<div id=reviews class=sub-header><h2>Customer Reviews</h2></div><ol>" + strings.Repeat("<li>"+said, 3) + "</ol>", false},
		{"a form", "<form method=post><fieldset><legend>Leave a product review</legend><label>Title</label><input name=t><label>Body of it</label><textarea name=b></textarea><a href=/x>or cancel</a></fieldset></form>", false},
		{"评价", "<h2>商品评价</h2><ul><li><p>网眼均匀，很结实，已经用了三个月。</p><span>张**</span></ul>", false},
		{"a text", "<h2>Reviews in the press</h2><p>" + tides + "</p>", true},
	} {
		p := Parse([]byte("<title>A net</title><body><ul><li><a href=/>Home</a><li><a href=/n>Nets</a></ul><article class=product_page><div><h1>A net</h1><p>£12.00</p></div><h2>Product Description</h2><p>"+nets+"</p>"+c.below+"</article><div><a href=/c>Contact</a></div>"), "http://coast.example/net", Options{})
		text := p.MainText()
		if !strings.Contains(text, "Nets are") || c.has != (strings.HasSuffix(text, "floors.") && strings.Contains(text, "press")) || !c.has && !strings.HasSuffix(text, "someone who listens.") {
			t.Errorf("%s: %q", c.name, text)
		}
	}
}

// TestNamesOfLayouts: what is laid out with a sidebar is none, and what no browser shows is no text.
func TestNamesOfLayouts(t *testing.T) {
	beside := "<div class=slider><h4>Suggested</h4><p>" + strings.Repeat("Security researchers worry about ferries. ", 4) + "</p></div>"
	for name, body := range map[string]string{
		"layout": "<div class=row><div class='fixed-sidebar-layout--left'><h1>The quay</h1><p>" + quay + "</p><p>" + tides + "</p></div>" + beside + "</div><div class=comments><p>" + strings.Repeat("I have never seen such a quay, says the reader. ", 30) + "</p></div>",
		"hidden": "<div style='-webkit-backface-visibility: hidden'><h1>The quay</h1><p>" + quay + "</p><p style='backface-visibility:hidden;color:red'>" + tides + "</p></div><div style='color:red; visibility:hidden'><p>" + strings.Repeat(nets+" ", 2) + "</p></div>",
	} {
		text := Parse([]byte("<title>The quay</title><body>"+body), "http://coast.example/quay", Options{}).MainText()
		if !strings.Contains(text, "Tides here") || strings.Contains(text, "Nets are") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// TestWaysOnAreNoText: a heading below which nothing is left is none of the text, nor a link at its end.
func TestWaysOnAreNoText(t *testing.T) {
	for in, want := range map[string]string{
		"<h3>You may like</h3>":                                                                             "",
		"<p><a href=/harbours>Back to all harbours</a>":                                                     "",
		"<p><a href=http://tides.example/>http://tides.example/</a>":                                        "http://tides.example/",
		"<ul><li>The tables of <a href=/t>tides</a></ul>":                                                   "The tables of tides",
		"<h3>More</h3><div><a href=/a>The lighthouse is for sale</a></div><h3>Nets</h3><p>" + nets + "</p>": "Nets\n" + nets,
		"<h3>In pictures</h3><h4>Nets</h4><p>" + nets + "</p>":                                              "In pictures\nNets\n" + nets,
		"<h3>The nets that were lost in the storm have been found.</h3>":                                    "The nets that were lost in the storm have been found.",
	} {
		text := Parse([]byte(story(in)), "http://coast.example/quay", Options{}).MainText()
		_, got, _ := strings.Cut(text, quay)
		if strings.TrimSpace(got) != want {
			t.Errorf("%s: the text ends with %q, want %q", in, got, want)
		}
	}
}

// TestHeadingsThatATextMayHave: a paper has a discussion, and a captain thoughts on navigation; readers speak where names, days or numbers
// say that they do.
func TestHeadingsThatATextMayHave(t *testing.T) {
	p := func(paragraphs ...string) string { return "<p>" + strings.Join(paragraphs, "</p><p>") + "</p>" }
	said := func(by string) string { return "<div><p>" + by + "</p>" + p(tides) + "</div>" }
	for _, c := range []struct {
		name, body string
		kept       bool
	}{
		{"the discussion of a paper", "<h2>Discussion</h2>" + p(tides) + "<h2>Methods</h2>" + p(nets), true},
		{"one in a section", "<section><header><h2>4 Discussion and conclusions</h2></header><div>" + p(tides) + "</div></section>", true},
		{"responses", "<h2>Responses of the town to the tides</h2>" + p(tides), true},
		{"thoughts", "<h2>Thoughts on tides</h2>" + p(tides), true},
		{"navigation", "<h2>Navigation at night</h2>" + p(tides), true},
		{"评论界", "<h2>评论界的反应</h2>" + p(tides), true},
		{"thoughts that were counted", "<h2>3 thoughts on “The quay”</h2>" + p(tides), false},
		{"comments that were counted", "<h2>Comments (2)</h2>" + p(tides), false},
		{"responses that were counted", "<h2>2 Responses</h2>" + p(tides), false},
		{"who says it", "<h2>Comments</h2>" + said("Ann says:") + said("Bob said on Monday:"), false},
		{"when it was said", "<h2>Discussion</h2>" + said("12 May 2024 at 7 pm") + said("13 May 2024 at 8 am"), false},
		{"the time of it", "<h2>Discussion</h2>" + said("Ann <time>yesterday</time>"), false},
		{"a form", "<h2>Leave a reply</h2>" + p(tides), false},
		{"a menu", "<h2>Navigation</h2>" + p(tides), false},
		{"links", "<h2>Navigation of this site</h2><ul><li><a href=/t>Tides here</a> run <li><a href=/n>Nets</a></ul>", false},
		{"the next story", "<h3>下一篇：潮汐</h3>" + p(tides), false},
		{"a newsletter", "<h2>Newsletter by mail</h2><p>Tides here, twice a week.</p>", false},
	} {
		text := Parse([]byte(story(c.body)), "http://coast.example/quay", Options{}).MainText()
		if strings.Contains(text, "Tides here") != c.kept {
			t.Errorf("%s: kept is %v, want %v:\n%s", c.name, !c.kept, c.kept, text)
		}
	}
	for _, title := range []string{"Thoughts on the quay", "Navigation past the quay", "Top stories of the quay", "评论员文章"} {
		flat := "<title>" + title + "</title><a href=/>Home</a> <h1>" + title + "</h1>" + p(quay, tides, nets)
		if text := Parse([]byte(flat), "http://coast.example/quay", Options{}).MainText(); !strings.Contains(text, "Tides here") {
			t.Errorf("%s: the text is lost:\n%s", title, text)
		}
	}
}

// TestLinesThatATextMayHave: what begins as the lines of the house do is text where it is a sentence among others, and the time of an event is
// beside its place.
func TestLinesThatATextMayHave(t *testing.T) {
	p := func(paragraphs ...string) string { return "<p>" + strings.Join(paragraphs, "</p><p>") + "</p>" }
	for _, c := range []struct {
		name, middle, line string
		kept               bool
	}{
		{"a book", p("Published by a small press in Oban, the book on the quay was soon forgotten.", tides), "Published by", true},
		{"a guard", p("Posted on the stairs, two guards watched the water all night.", tides), "Posted on", true},
		{"an interview", p("记者：您是什么时候开始修船的？", "我十六岁就跟着父亲修船了，那时候码头还没有重建，船都停在沙滩上。", "记者：今年有什么打算？", "今年打算把旧船坞重新修好，再收两个徒弟，让手艺传下去。"), "记者：今年", true},
		{"collectors", p("收藏家们认为这艘船模出自明代，非常珍贵。", tides), "收藏家", true},
		{"an event", p(tides, "主题：海洋与帆船", "时间：5月3日上午九点", "地点：图书馆报告厅"), "时间：", true},
		{"who wrote it", p("Posted by Ann", tides), "Posted by", false},
		{"who wrote it, below", p(tides, "Published by the harbour office of Oban and its friends."), "Published by", false},
		{"when it was written", p("时间：2024年5月3日", "来源：海洋报", tides), "时间：", false},
		{"buttons", p("打印 收藏 关闭", tides), "打印", false},
		{"a request", p("Subscribe to our letter, which tells of the quay each month.", tides), "Subscribe", false},
	} {
		text := Parse([]byte(story(c.middle)), "http://coast.example/quay", Options{}).MainText()
		if strings.Contains(text, c.line) != c.kept || !strings.Contains(text, "The quay was") {
			t.Errorf("%s: kept is %v, want %v:\n%s", c.name, !c.kept, c.kept, text)
		}
	}
}

// TestWaysToOtherPagesOfAManual: the line of links above a page of an old manual is none of its text; one that says what comes next is.
func TestWaysToOtherPagesOfAManual(t *testing.T) {
	for line, kept := range map[string]bool{
		"Next:&nbsp;<a rel=next href=d.html>Dirs</a>,\nPrevious:&nbsp;<a rel=previous href=i.html>Intro</a>, Up:&nbsp;<a rel=up href=.>Top</a>": false,
		"上一章：<a href=1.html>第一章 码头</a> 下一章：<a href=3.html>第三章 渔网</a>":                                                                           false,
		"Next: wash the <a href=/nets>nets</a> in fresh water, and dry them on the poles.":                                                      true,
	} {
		body := "<title>Files - The Manual</title><div class=node><p>" + line + "</p><hr></div><h2>3 Files</h2><p>" + quay + "</p><p>" + tides + "</p>"
		text := Parse([]byte(body), "http://coast.example/files.html", Options{}).MainText()
		if has := strings.Contains(text, "Next") || strings.Contains(text, "下一章"); has != kept || !strings.Contains(text, "Tides here") {
			t.Errorf("%s: kept is %v, want %v:\n%s", line, has, kept, text)
		}
	}
}

// What an id or a class writes by its bytes is no word: %AD, which is a part of 武, is no advertisement, and %20 parts words as a blank does.
func TestBytesInNamesAreNoWords(t *testing.T) {
	const said = "<p>武夷山的岩茶在谷雨之后采摘，摊青之后要走水，再经过杀青、揉捻与焙火，才算成了毛茶。老茶农说，火候到了，水才会甜。</p>"
	body := "<title>岩茶</title><body><div id=post><h1>岩茶</h1>" + said + said +
		"<h2 id=%E8%B0%88%E8%B0%88%E6%AD%A6%E5%A4%B7-1>谈谈武夷</h2>" + said + "<div class='%e6%ad%a6-%e6%b0%b4'>" + said + "走水</div>" +
		"<div class=side%20ad>" + strings.Repeat("茶叶今日特价，", 20) + "</div></div>"
	got := Parse([]byte(body), "http://a.example/tea", Options{}).Markdown()
	if !strings.Contains(got, "## 谈谈武夷\n") || !strings.Contains(got, "走水\n") && !strings.HasSuffix(got, "走水") || strings.Contains(got, "特价") {
		t.Errorf("the text is\n%s", got)
	}
}

// The id of a heading is made of its words, and says no more about it than these: a story about crumbs is no trail of crumbs.
func TestIDsOfHeadingsAreTheirWords(t *testing.T) {
	const said = "<p>The loaf is cut when it is cold, and what falls off is swept up with a brush, as the bakers of the harbour have it.</p>"
	edit := "<span class=editsection>[<a href='/edit?section=1'>edit</a>]</span>"
	body := "<title>Bread</title><main><h1>Bread</h1>" + strings.Repeat(said, 4) +
		"<h2><span class=headline id=When_the_crumb_browns>When the crumb browns</span>" + edit + "</h2>" + said +
		"<h2 id=social-life-of-bakers>Social life of bakers</h2>" + said +
		"<h2><a id=breadcrumbs>Breadcrumbs</a> " + edit + "</h2>" + said +
		"<h2><span id=x class=share-buttons>Share it</span>" + edit + "</h2>" + said + "</main>"
	got := Parse([]byte(body), "http://a.example/bread", Options{}).Markdown()
	for _, heading := range []string{"## When the crumb browns", "## Social life of bakers", "## Breadcrumbs"} {
		if !strings.Contains(got, heading) {
			t.Errorf("no %q in %s", heading, got)
		}
	}
	if strings.Contains(got, "Share it") {
		t.Errorf("buttons in %s", got)
	}
}
