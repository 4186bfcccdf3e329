package page

import (
	"strings"
	"testing"
)

const small = `<!doctype html><html lang="zh-CN"><head><title>标题 &amp; x</title><meta name=description content="desc">
<base href="/b/"><body class=home>
<div class="nav main"><a href="/">首页</a><a href="x.html?b=1&a=2#f">新闻</a></div>
<div class=article><h1>Hello <b>World</b></h1>
<p>First para with <a href="//e.com/a" rel="nofollow ugc">a link</a>, and more. The text goes on for a while.
<p>Second para<br>line two <b>bold</b> text.<ul><li>one<li>two <a href=two>zwei</a></ul>
<table><tr><td>a<td>b<tr><td>c<td>d</table></div>
<div><h3>相关链接</h3><ul><li><a href=/n/1.html>一二三四五六七八</a><li><a href=/n/2.html>一二三四五六七八九</a></ul></div>`

func TestParseReadsAPage(t *testing.T) {
	p := Parse([]byte(small), "http://x.com/", Options{})
	if p.Title != "标题 & x" || p.Language != "zh-cn" || p.Base != "http://x.com/b/" || p.Facts.Description != "desc" || p.Cut != "" {
		t.Errorf("title %q, language %q, base %q, description %q, cut %q", p.Title, p.Language, p.Base, p.Facts.Description, p.Cut)
	}
	var runs []string
	for _, u := range p.Runs[:8] {
		runs = append(runs, u.Text)
	}
	want := "标题 & x|desc|首页|新闻|Hello World|First para with|a link|, and more. The text goes on for a while.\nSecond para\nline two"
	if got := strings.Join(runs, "|"); got != want {
		t.Errorf("runs\n%s\nwant\n%s", got, want)
	}
	for i, pos := range []Position{Title, Meta, Anchor, Anchor, Top, Body, Anchor, Body} {
		if p.Runs[i].Position != pos {
			t.Errorf("run %q has position %d, want %d", p.Runs[i].Text, p.Runs[i].Position, pos)
		}
	}
}

func TestParseReadsLinks(t *testing.T) {
	p := Parse([]byte(small), "http://x.com/", Options{})
	if len(p.Links) != 5 {
		t.Fatalf("%d links, want 5: the page's own address is none", len(p.Links))
	}
	l := p.Links[1]
	want := Link{
		URL: "http://e.com/a", Identity: "http://e.com/a", Host: "e.com", Anchor: "a link",
		Before: "Hello World\nFirst para with", After: ", and more. The text goes on for a while.\nSecond para\nline two bold text.",
		Heading: "Hello World", Path: "body.home/div.article/p/a", Block: 2, Order: 1, Rel: NoFollow | UGC,
	}
	if l != want {
		t.Errorf("link\n%+v\nwant\n%+v", l, want)
	}
	if l := p.Links[0]; l.URL != "http://x.com/b/x.html?b=1&a=2" || l.Identity != "http://x.com/b/x.html?a=2&b=1" {
		t.Errorf("first link is fetched as %q, known as %q", l.URL, l.Identity)
	}
}

func TestParseReadsBlocks(t *testing.T) {
	p := Parse([]byte(small), "http://x.com/", Options{})
	var got []string
	for _, b := range p.Blocks {
		s := b.Kind.String() + " " + b.Path
		if b.Main {
			s += " main"
		}
		got = append(got, s+" "+b.Heading)
	}
	want := `text body.home Hello World
navigation body.home/div.nav.main 
text body.home/div.article main Hello World
text body.home/div.article/ul main Hello World
text body.home/div.article/table main Hello World
text body.home/div 相关链接
related body.home/div/ul 相关链接`
	if g := strings.Join(got, "\n"); g != want {
		t.Errorf("blocks\n%s\nwant\n%s", g, want)
	}
}

func TestMarkdown(t *testing.T) {
	p := Parse([]byte(small), "http://x.com/", Options{})
	want := `# Hello World

First para with [a link](http://e.com/a), and more. The text goes on for a while.

Second para
line two **bold** text.

- one
- two [zwei](http://x.com/b/two)

| a | b |
| --- | --- |
| c | d |`
	if got := p.Markdown(); got != want {
		t.Errorf("Markdown\n%s\nwant\n%s", got, want)
	}
	long := strings.Repeat("茶", smallCell+1)
	for html, want := range map[string]string{
		"<p># no heading<br>1. no list<br>- nor this":                           "\\# no heading\n1\\. no list\n\\- nor this",
		"<ol><li># y<li>1. x<li>2) w<li>&gt; q</ol>":                            "1. \\# y\n2. 1\\. x\n3. 2\\) w\n4. \\> q",
		"<p>===<p>---<p>~~~<p>___<p>+ a":                                        "\\===\n\n\\---\n\n\\~~~\n\n\\___\n\n\\+ a",
		"<p>#tag, 3.14 of it<br>-5 -- 2026 (1) +x <b>-</b> a":                   "#tag, 3.14 of it\n-5 -- 2026 (1) +x **-** a",
		"<p>Call <code>__init__</code>, _a_ (_b), a_b_c, 中_文_, ____ <b>_c</b>_": "Call `__init__`, \\_a_ (\\_b), a_b_c, 中_文_, ____ **\\_c**\\_",
		"<p>Of <math alttext='a^{2} &lt; b'><mi>a</mi></math> and <img class='mwe-math-fallback-image-inline' alt='{\\displaystyle E=mc^{2}}'>.":                                                                                         "Of $a^{2} < b$ and $E=mc^{2}$.",
		"<p>x <span class=katex><span class=katex-mathml><math><mi>y</mi><annotation encoding=\"application/x-tex\">y&amp;1</annotation></math></span><span class='katex-html' aria-hidden=true><i>y</i>&1</span></span> <span>z</span>": "x $y&1$ z",
		"<p>x <script type='math/tex; mode=display'>a&lt;b</script>, <img class='photo text' alt=y><svg><text>no</text></svg><math><mi>z</mi></math>":                                                                                    "x $a\\&lt;b$, $z$",
		"<p>$\\frac{a}{b} \\sum_{i=1}^n x_i \\\\ \\, y$ 5 < 6 <b>x<</b>b &lt;/p a\\":                                                                                                                                                     "$\\frac{a}{b} \\sum_{i=1}^n x_i \\\\\\ \\\\, y$ 5 < 6 **x**\\<b \\</p a\\\\",
		"<h2># 5</h2><p>- <a href=/c>c</a>":                                              "## # 5\n\n\\- [c](http://x.com/c)",
		"<pre>a\n```\n# b</pre><p>after":                                                 "````\na\n```\n# b\n````\n\nafter",
		"<h1>Tea 101<br>Brewing</h1>a<h2>x<br><br>y</h2>":                                "# Tea 101 Brewing\n\na\n\n## x y",
		"<p>x<pre><code>def f(a):\n    if a:\n        b\n\n    return  a\n</code></pre>": "x\n\n```\ndef f(a):\n    if a:\n        b\n\n    return  a\n```",
		"<p>x<pre>\r\n\tall:\r\n\t\tgo  \r\nend</pre>y  z":                               "x\n\n```\n\tall:\n\t\tgo\nend\n```\n\ny z",
		"<p>x<pre><b>def</b> <i>f</i>:\n    <b>pass</b>\n    <a href=/c>c</a></pre>":     "x\n\n```\ndef f:\n    pass\n    c\n```",
		"<p>x<pre>a<br>  b<br>\n\n    c</pre>":                                           "x\n\n```\na\n  b\n\n\n    c\n```",
		"<p>x<pre><div>  a</div>\n<div>    b</div></pre>":                                "x\n\n```\n  a\n    b\n```",
		"<p>x<pre>一尺、二尺。\n　　其巴山峡川\n&nbsp; 两人&#9;合抱\u00a0者</pre>":                         "x\n\n```\n一尺、二尺。\n　　其巴山峡川\n  两人\t合抱 者\n```",
		"<p>x<pre>a\n b":                             "x\n\n```\na\n b\n```",
		"<p>x <a href=/c><b>y":                       "x **[y](http://x.com/c)**",
		"<p>x<pre> </pre>y":                          "x\n\ny",
		"<pre><ol><li>  a\n<li>    b</ol></pre>":     "```\na\n    b\n```",
		"<pre>a `b` c</pre>":                         "```\na `b` c\n```",
		"<table><tr><td>a<td># b<tr><td>- c":         "a | # b\n\\- c",
		"<p>x<blockquote>a<br>- b<p>c</blockquote>y": "x\n\n> a\n> \\- b\n>\n> c\n\ny",
		"<blockquote>a<blockquote>b</blockquote>c</blockquote><blockquote>d":                                             "> a\n>\n> > b\n>\n> c\n\n> d",
		"<blockquote><h2>x</h2><ul><li>a<li>b</ul><pre>c\n\n# d</pre></blockquote>":                                      "> ## x\n>\n> - a\n> - b\n>\n> ```\n> c\n>\n> # d\n> ```",
		"<pre>a<blockquote>b</blockquote>c</pre><blockquote><pre>d</blockquote></pre>e":                                  "```\na\nb\nc\n```\n\n> ```\n> d\n> ```\n\ne",
		"<ul><li>a<blockquote>b</blockquote><li>c</ul><blockquote></blockquote>d":                                        "- a\n\n  > b\n\n- c\n\nd",
		"<ol start=5><li>a<li>b</ol><ol><li>c</ol>":                                                                      "5. a\n6. b\n\n1. c",
		"<ol start=' 0 '><li>a<ul><li>b</ul><li value=1998>c<li value=-1>d<li value=x>e</ol>":                            "0. a\n   - b\n\n1998. c\n1999. d\n2000. e",
		"<ol start=-3><li>a</ol><ol start=1234567890><li>b</ol><ol start=7></ol><ol><li>c</ol>":                          "1. a\n\n1. b\n\n1. c",
		"<table><tr><th>茶|名<th>产地<th><tr><td><p>a<br>b<p>c<td><td><b>- d</b><tr><td><td><a href='/e|f'>e</a></table>":    "| 茶\\|名 | 产地 |  |\n| --- | --- | --- |\n| a b c |  | **- d** |\n|  | [e](http://x.com/e%7Cf) |",
		"<table><caption>t</caption><thead><tr><th colspan=2>a</thead><tr><td>b<td>c<tr><td> <td><tr><td>d<td>e":         "t\n\n| a |  |\n| --- | --- |\n| b | c |\n| d | e |",
		"<table><tr><th>y<th>n<th>p<tr><td rowspan=3>1<td>a<td rowspan=2>5<tr><td>b<tr><td>c<td>6</table>":               "| y | n | p |\n| --- | --- | --- |\n| 1 | a | 5 |\n|  | b |\n|  | c | 6 |",
		"<table><tr><th colspan=2>a<th>b<tr><td>c<td>d<td>e<tr><td colspan=' 2 '>f<td>g<tr></table>":                     "| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n| f |  | g |",
		"<table><tr><td colspan=0 rowspan=-1>a<td rowspan=2><td>b<tr><td>c<td colspan=99>d<td>e</table>":                 "| a |  | b |  |\n| --- | --- | --- | --- |\n| c |  | d | e |",
		"<table><thead><tr><th rowspan=2>n<th>s</thead><tbody><tr><td>a<td>1<tr><td>b<td>2</table>":                      "| n | s |\n| --- | --- |\n| a | 1 |\n| b | 2 |",
		"<table><tr><td rowspan=2><img src=a><td>b<tr><td>c</table>":                                                     "b\nc",
		"<blockquote>x<table><tr><td>a<td>b<tr><td>c<td>d</table></blockquote>":                                          "> x\n>\n> | a | b |\n> | --- | --- |\n> | c | d |",
		"<pre>x<table><tr><td>a<td>b<tr><td>c<td>d</table></pre>":                                                        "```\nx\na | b\nc | d\n```",
		"<table><tr><td>a<td><ul><li>b</ul><tr><td>c<td>d|e</table>":                                                     "a\n\n- b\n\nc | d|e",
		"<table><tr><td>" + long + "<td>" + long + "<tr><td>" + long + "<td>" + long:                                     long + " | " + long + "\n" + long + " | " + long,
		"<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>d<td>e<tr><td>f<td>g</table><tr><td>h<td>i</table>":            "a | b\nc\n\n| d | e |\n| --- | --- |\n| f | g |\n\nh | i",
		"<p>x<ul><li><p>a<p>b</li><li><p>c</ul><p>y":                                                                     "x\n\n- a\n\n  b\n\n- c\n\ny",
		"<ul><li><h3>a</h3><p>b<br>c<li><blockquote>d</blockquote><li><pre>e\n\nf</pre></ul>":                            "- ### a\n\n  b\n  c\n\n- > d\n\n- ```\n  e\n\n  f\n  ```",
		"<ol start=9><li>a<li>b<ul><li>c<ol><li><p>d</ol></ul><li>e</ol>":                                                "9. a\n10. b\n    - c\n\n      1. d\n\n11. e",
		"<blockquote><ul><li><p>a<p>b<li></li><li><ul><li># c</ul></ul></blockquote>":                                    "> - a\n>\n>   b\n>\n> - - \\# c",
		"<ul><li><table><tr><td>a<td>b<tr><td>c<td>d</table>e</ul>":                                                      "- | a | b |\n  | --- | --- |\n  | c | d |\n\n  e",
		"<pre>a<ul><li>b</ul>c</pre><ul><li>d<p>e<pre>f<blockquote>g":                                                    "```\na\nb\nc\n```\n\n- d\n\n  e\n\n  ```\n  f\n  g\n  ```",
		"<p>甲<b>“乙。”</b>丙<b>丁，</b>戊<b>。</b>己<b>a, </b>b<b>c</b>":                                                         "甲“**乙**。”丙**丁**，戊。己**a,** b**c**",
		"<p>a <b>b</b><b>!</b> c<b><a href=/c>d</a></b>":                                                                 "a **b!** c[**d**](http://x.com/c)",
		"<p>x <a href=/c>a <b>b</a>c</b> <b>d <a href=/c>e</a></b> f":                                                    "x [a **b**](http://x.com/c)**c d [e](http://x.com/c)** f",
		"<p><b>\u2003\u2003a</b><p><b>1\\*</b>b":                                                                         "**a**\n\n**1**\\\\\\*b",
		"<p><b>a\u2028\u2028</b><br>b <b>c\u200a</b>— d":                                                                 "**a**\u2028\u2028\nb **c**\u200a— d",
		"<blockquote>a<p><a href=/c><b>b":                                                                                "> a\n>\n> **[b](http://x.com/c)**",
		"<p>x &amp;nbsp; &amp;#34; R&amp;D; &amp;#x3c; a &amp; b; &amp;copy":                                             "x \\&nbsp; \\&#34; R\\&D; \\&#x3c; a & b; &copy",
		"<p><a href='/c?a=1&amp;amp;b=2&b=`\\(x'>a</a>":                                                                  "[a](http://x.com/c?a=1&amp;amp;b=2&b=%60%5C%28x)",
		"<p>1~2级，/~foo, ~x~~ a ~ b, 啊~<br>~~~ c":                                                                         "1\\~2级，/~foo, ~x\\~\\~ a ~ b, 啊\\~\n\\~~~ c",
		"<p>a!<a href=/c>b</a> !<b><a href=/c>d</a></b><br>!<br><a href=/c>e":                                            "a\\![b](http://x.com/c) !**[d](http://x.com/c)**\n!\n[e](http://x.com/c)",
		"<h2>Visitor #</h2><h3>a ##</h3><h3>C#</h3><h3>#</h3>x #<h3>a <a href=/c>#":                                      "## Visitor \\#\n\n### a #\\#\n\n### C#\n\n### \\#\n\nx #\n\n### a [#](http://x.com/c)",
		"<h3><ul><p>0. a<p># b</ul></h3>":                                                                                "0\\. a\n\n\\# b",
		"<p><u>1</u><i>.</i> a<p><b>1</b>. b<p><i>2</i>) <a href=/c>c</a><p><i>3</i>.5":                                  "1\\. a\n\n**1**. b\n\n2\\) [c](http://x.com/c)\n\n3.5",
		"<p>甲<b>「 乙」</b>，a<b>, 1994.</b> b<b>(c:</b>d":                                                                   "甲「 **乙」**，a, **1994.** b(**c**:d",
		"<blockquote><p><b>>a</b><p>x <b>a\n<a href=/c>b</a></b>c<p><b>></b>d<p><u>1</u>. g<p><b>e\n(</b>f</blockquote>": "> **>a**\n>\n> x a [b](http://x.com/c)c\n>\n> \\>d\n>\n> 1\\. g\n>\n> **e** (f",
		"<p>a<br>--<br>-- b<br>--- c<br>:--|--<br>--|--:<br>-:<br>:-)<h3>a #":                                            "a\n\\--\n-- b\n\\--- c\n\\:--|--\n\\--|--:\n\\-:\n\\:-)\n\n### a \\#",
		"<p><b>a: (</b>5) <b>｜</b>甲 <b>*</b>乙 <b>[丙]</b>丁 <b>\\</b>戊":                                                    "**a**: (5) ｜甲 \\*乙 **\\[丙**\\]丁 \\\\戊",
		"<p><b><a href=/c>甲</a></b>乙 <b>a <a href=/c>丙</a></b>丁":                                                         "[甲](http://x.com/c)乙 a [丙](http://x.com/c)丁",
		"<p><a href=/c> <b> x</a>.</b> y <b>$z$</b>a":                                                                    "**[x](http://x.com/c).** y $z$a",
	} {
		if got := Parse([]byte(html), "http://x.com/", Options{}).Markdown(); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", html, got, want)
		}
	}
	laid := Parse([]byte("<p>x<pre>  one\n   two   three\n\n\tfour</pre> <p>five   six"), "http://x.com/", Options{})
	if got, want := laid.MainText(), "x\n  one\n   two   three\n\n\tfour\nfive six"; got != want || laid.prose != "x\none\ntwo three\nfour\nfive six" {
		t.Errorf("MainText is %q, want %q; it is judged by %q", got, want, laid.prose)
	}
	if got := p.MainText(); !strings.HasPrefix(got, "Hello World\nFirst para with a link, and more.") {
		t.Errorf("MainText is %q", got)
	}
}
