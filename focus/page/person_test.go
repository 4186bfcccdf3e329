package page

import (
	"strings"
	"testing"
)

// When a page was published stands in what it says to search engines, below its title, and in a variable that a script shows later.
func TestDaysOfChinesePages(t *testing.T) {
	const text = "<p>" + bambooA + "<p>" + bambooB + "<p>" + bambooC
	for page, want := range map[string]string{
		`<script type="application/ld+json">{"@context":"https://search.example/context.jsonld","title":"竹编","pubDate":"2026-11-03T10:21:33"}</script><h1>竹编</h1>` + text:                     "2026-11-03T10:21:33",
		"<h1>竹编</h1><div class=bar><span class=time>最新推荐文章于 2026-11-20 09:00:00 发布</span> <span class=time>于 2026-11-03 10:21:33 发布</span></div>" + text:                                      "2026-11-03T10:21:33",
		"<title>竹编</title><div><a href=/>首页</a></div><div><b>竹编</b><br>2026-11-03 10:21 来源:手艺网</div>" + text:                                                                                  "2026-11-03T10:21",
		"<h1>竹编</h1><div class=s>2026-11-03 10:21:33　来源：竹乡日报</div>" + text:                                                                                                                    "2026-11-03T10:21:33",
		"<h1>竹编</h1><div class=s>2026.11.03 10:21　　作者：青禾　　编辑：王山　　人气：123　　评论：<a href=#c>2</a></div>" + text:                                                                                    "2026-11-03T10:21",
		"<h1>竹编</h1><p>2026-11-03 来源：老篾匠说，这一天他把最后一只箩筐交给了徒弟，从此不再动刀，也不再提起那年的事。</p>" + text:                                                                                                      "",
		"<h1>竹编</h1>" + text + "<p>老篾匠出生在哪一天，县志里写得很清楚的是<br>1951年3月4日</p>":                                                                                                                     "",
		"<h1>竹编</h1>" + text + "<script>var biz = 'x'; var createTime = '2026-11-03 10:21';</script>":                                                                                         "2026-11-03T10:21",
		`<h1>竹编</h1>` + text + `<script>var nickname = "x", ct;` + "\nvar ct = \"1793672493\";</script>":                                                                                      "2026-11-03T02:21:33Z",
		`<h1>竹编</h1>` + text + `<script>var first = {createTime: '2026-11-03'}; comment.createTime = "2026-11-04"; var now = "2026-11-05"; var ct = "17936724930000"; var ct = "2";</script>`: "",
		"<h1>竹编</h1><p>发布时间：2026-11-02</p>" + text + "<script>var createTime = '2026-11-03 10:21';</script>":                                                                                  "2026-11-02",
	} {
		if got := Parse([]byte(page), "http://x.example/a", Options{}).Facts.Date; got != want {
			t.Errorf("%.150s: %q, want %q", page, got, want)
		}
	}
}

// Who wrote a page may be said by no more than a link to somebody's own page beside the day, or by a line at the end of the text.
func TestAuthorsOfChinesePages(t *testing.T) {
	const text, day = "<p>" + bambooA + "<p>" + bambooB + "<p>" + bambooC, "<time>2026-11-03 10:21</time>"
	for page, want := range map[string]string{
		"<h1>竹编</h1><div><a href=/u/81ab>竹下听雨</a> <button>关注</button><div>" + day + " <span>字数 1,234</span></div></div>" + text:                                                                                                     "竹下听雨",
		"<h1>竹编</h1><small><a href=/member/zhubian>zhubian</a> · <span>17 天前</span> · 1234 次点击</small>" + text:                                                                                                                      "zhubian",
		"<h1>竹编</h1><p>2026-11-3 10:21|发布者: <a href=home.php?mod=space&uid=1>青禾</a>|查看: 321</p>" + text:                                                                                                                             "青禾",
		"<h1>竹编</h1><p>2026-11-3 10:21 发布者: 网站 作者：青禾</p>" + text:                                                                                                                                                                    "青禾",
		"<h1>竹编</h1><div>风之屋记者 周青</div><div>2026-11-03 10:21</div>" + text:                                                                                                                                                          "周青",
		"<h1>竹编</h1><div>每日手艺记者 李星 张北 实习编辑 裴健</div><div>2026-11-03</div>" + text:                                                                                                                                                    "李星 张北",
		"<h1>竹编</h1>" + text + "<h6 class=post-footer>作者:青禾 | 分类:<a href=/c>手艺</a> | 浏览:1234</h6>":                                                                                                                                  "青禾",
		"<h1>竹编</h1>" + text + "<ul class=copyright><li><b>本文作者： </b>青禾<li>本文链接：<a href=/x>/x</a></ul>":                                                                                                                             "青禾",
		"<h1>竹编</h1><div>作者：文/林小竹 图/王山 时间：2026-11-03</div>" + text:                                                                                                                                                                  "林小竹",
		"<h1>竹编</h1>" + text + "<div>作者最新文章</div><ul><li><a href=/1>木匠</a></ul>":                                                                                                                                                    "",
		"<h1>竹编</h1><p><a href=/u/81ab>竹下听雨</a>说：" + bambooA + "</p>" + text:                                                                                                                                                        "",
		"<h1>竹编</h1><div><a href=/user/login>登录</a> " + day + "</div>" + text:                                                                                                                                                       "",
		"<h1>竹编</h1><div><a href=http://other.example/u/1>微博</a> " + day + "</div>" + text:                                                                                                                                          "",
		"<h1>竹编</h1>" + text + "<div class=comments><p><a href=/u/2>学徒</a> " + day + "<p>写得真好。</div>":                                                                                                                               "",
		"<h1>竹编</h1><div class='author x--related' itemprop=author itemscope><meta itemprop=name content=青禾></div>" + text + strings.Repeat("<p>又一段。", 30) + "<div itemprop=author itemscope><meta itemprop=name content=阿竹></div>": "青禾",
		`<meta name=author content=手艺网><meta property=og:site_name content=手艺网><script type="application/ld+json">{"headline":"竹编","author":{"name":"林美竹"}}</script><h1>竹编</h1><p class=author>手藝報／ 記者林美竹／南投即時報導</p>` + text: "林美竹",
	} {
		if got := Parse([]byte(page), "http://x.example/p/1", Options{}).Facts.Author; got != want {
			t.Errorf("%.160s: %q, want %q", page, got, want)
		}
	}
	if got := Parse([]byte("<h1>竹编</h1><div><a href=/u/lee/cv>简历</a> "+day+"</div>"+text), "http://x.example/u/lee/", Options{}).Facts.Author; got != "" {
		t.Errorf("%q wrote the page of somebody", got)
	}
}

// A title that a page is shared by is no better than its title element where it has the name of the site, too.
func TestSharedTitlesWithTheSite(t *testing.T) {
	const text = "<div id=title>竹编</div><p>" + bambooA + "<p>" + bambooB
	for title, want := range map[string]string{
		"一只竹篮的工序 - 手艺书":                   "一只竹篮的工序",
		"一只竹篮的工序 - 竹影台 - 节目":              "一只竹篮的工序",
		"竹影诗声 | 一只竹篮 - 竹影台 - 节目":          "竹影诗声 | 一只竹篮 - 竹影台 - 节目",
		"The Steps of a Basket - A Guide": "The Steps of a Basket - A Guide",
	} {
		page := "<title>" + title + "</title><meta property='og:title' content='" + title + "'>" + text
		if got := Parse([]byte(page), "http://x.example/a", Options{}).Title; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Behind a hyphen in Chinese stands the site where a line of the page says alone what stands before it.
func TestTitlesThatALineOfThePageSays(t *testing.T) {
	const text = "<p>" + bambooA + "<p>" + bambooB
	for page, want := range map[string]string{
		"<title>一只竹篮的工序-竹乡县人民政府</title><div class=bt>一只竹篮的工序</div>" + text:            "一只竹篮的工序",
		"<title>一只竹篮的工序-竹乡县人民政府</title><div class=bt>一只竹篮的工序-竹乡县人民政府</div>" + text:    "一只竹篮的工序-竹乡县人民政府",
		"<title>剖篾-起底</title><div>先说剖篾的办法</div>" + text:                               "剖篾-起底",
		"<title>一只竹篮的工序-竹乡县人民政府</title><div>关于一只竹篮的工序</div><div>一只竹篮的工序</div>" + text: "一只竹篮的工序",
	} {
		if got := Parse([]byte(page), "http://x.example/a", Options{}).Title; got != want {
			t.Errorf("%.90s: %q, want %q", page, got, want)
		}
	}
}
