package page

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// article is a text of our own, as the drawn webs have it: a title, paragraphs, and what readers wrote under it.
type article struct {
	title                string
	paragraphs, comments []string
}

// readArticles reads all articles of a language.
func readArticles(t testing.TB, language string) (all []article) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "replay", "drawn", "articles", language, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no articles: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if title, ok := strings.CutPrefix(line, "# "); ok {
				all = append(all, article{title: title})
				continue
			}
			if line == "" {
				continue
			}
			last := &all[len(all)-1]
			if said, ok := strings.CutPrefix(line, "> "); ok {
				last.comments = append(last.comments, said)
			} else {
				last.paragraphs = append(last.paragraphs, line)
			}
		}
	}
	return all
}

// poster is a page of a known layout in a known markup, and what a reader ought to find on it.
type poster struct {
	layout, skin string
	zh           bool
	articles     []article
	at           int // the next article

	own []string // the page's text
	any []string // what may belong to it or not: its title, references, the times of entries

	title, author, date string // as they are to be found
	html                string
}

// say is one of two wordings.
func (p *poster) say(en, zh string) string {
	if p.zh {
		return zh
	}
	return en
}

// text is a text that belongs to the page.
func (p *poster) text(s string) string {
	p.own = append(p.own, s)
	return html.EscapeString(s)
}

// either is a text that may belong to it.
func (p *poster) either(s string) string {
	p.any = append(p.any, s)
	return html.EscapeString(s)
}

// next is an article that was not told before.
func (p *poster) next() article {
	p.at++
	return p.articles[p.at%len(p.articles)]
}

// paragraphs writes paragraphs in one of the ways that authors have.
func (p *poster) paragraphs(list []string, how int) string {
	var b strings.Builder
	for i, s := range list {
		s = p.text(s)
		switch how % 4 {
		case 0:
			fmt.Fprintf(&b, "<p>%s</p>\n", s)
		case 1:
			fmt.Fprintf(&b, "<div>%s</div>\n", s)
		case 2:
			if i > 0 {
				b.WriteString("<br><br>\n")
			}
			b.WriteString(p.say("", "　　") + s)
		case 3:
			fmt.Fprintf(&b, "<p><span style=\"font-size: 16px;\">%s</span></p>\n", s)
		}
	}
	return b.String()
}

// section is a heading with paragraphs, in an element of its own or not.
func (p *poster) section(a article, how int) string {
	inner := "<h2>" + p.text(a.title) + "</h2>\n" + p.paragraphs(a.paragraphs, how)
	switch how / 4 % 3 {
	case 0:
		return inner
	case 1:
		return "<div>" + inner + "</div>\n"
	}
	return "<section class=\"section\">" + inner + "</section>\n"
}

// content is what a layout puts into the article's element, and what stands below it.
type content struct{ main, below string }

// sheets are the layouts.
var sheets = []struct {
	name string
	draw func(p *poster, how int) content
}{
	{"blog", func(p *poster, how int) content {
		a := p.next()
		body := p.paragraphs(a.paragraphs, how) + p.list(p.next().comments, how)
		b := p.next()
		body += fmt.Sprintf("<blockquote><p>%s</p></blockquote>\n", p.text(b.paragraphs[0])) + p.paragraphs(b.paragraphs[1:], how)
		return content{body, p.comments(9)}
	}},
	{"forum", (*poster).forum},
	{"faq", (*poster).faq},
	{"product", func(p *poster, how int) content {
		a, b := p.next(), p.next()
		var rows strings.Builder
		for i, s := range b.comments {
			fmt.Fprintf(&rows, "<tr><th>%s %d</th><td>%s</td></tr>", p.text(p.say("Feature", "规格")), i, p.text(s))
		}
		return content{p.paragraphs(a.paragraphs, how) + p.list(a.comments, how) + "<table class=\"specs\">" + rows.String() + "</table>",
			p.teasers(p.say("Customers also bought", "看了又看"), 4)}
	}},
	{"news", func(p *poster, how int) content {
		a, b := p.next(), p.next()
		body := fmt.Sprintf("<figure><img src=\"/i/1.jpg\" alt=\"\"><figcaption>%s</figcaption></figure>\n", p.say("The harbour in the evening. Photo: Agency", "傍晚的港口。图：通讯社"))
		body += p.paragraphs(a.paragraphs, how)
		body += fmt.Sprintf("<div class=\"related-inline\"><strong>%s</strong> <a href=\"/r/1\">%s</a></div>\n", p.say("Read more:", "相关阅读："), p.next().title)
		return content{body + p.paragraphs(b.paragraphs, how), p.teasers(p.say("More from this section", "相关新闻"), 5)}
	}},
	{"encyclopedia", (*poster).encyclopedia},
	{"wiki", func(p *poster, how int) content {
		var b strings.Builder
		b.WriteString(p.contents(4))
		for range 4 {
			b.WriteString(p.section(p.next(), how))
		}
		return content{b.String() + p.table(), "<div class=\"docInfo\">page.txt · " + p.say("Last modified: 2024/03/09 10:11 by editor", "最后更改: 2024/03/09 10:11 由 editor") + "</div>"}
	}},
	{"docs", func(p *poster, how int) content {
		var b strings.Builder
		b.WriteString(p.paragraphs(p.next().paragraphs[:1], how))
		for i := range 3 {
			b.WriteString(p.section(p.next(), how))
			fmt.Fprintf(&b, "<div class=\"highlight\"><pre>%s</pre></div>\n", p.text(fmt.Sprintf("$ sails --reef %d --quiet\nall reefed, %d sails", i, i+1)))
		}
		return content{b.String(), fmt.Sprintf("<div class=\"prev-next\"><a href=\"/p\">%s</a> <a href=\"/n\">%s</a></div>", p.say("Previous: Setting up", "上一页：安装"), p.say("Next: Tuning", "下一页：调整"))}
	}},
	{"list", (*poster).directory},
	{"gallery", (*poster).gallery},
	{"ticker", (*poster).ticker},
	{"recipe", func(p *poster, how int) content {
		a, b, c := p.next(), p.next(), p.next()
		var steps strings.Builder
		for _, s := range slices.Concat(b.paragraphs, c.paragraphs) {
			fmt.Fprintf(&steps, "<li>%s</li>\n", p.text(s))
		}
		return content{p.paragraphs(a.paragraphs, how) + "<h2>" + p.text(p.say("Ingredients", "材料")) + "</h2>" + p.list(a.comments, how) +
			"<h2>" + p.text(p.say("Method", "做法")) + "</h2><ol class=\"steps\">" + steps.String() + "</ol>", p.comments(5)}
	}},
}

// list is a list of short things.
func (p *poster) list(items []string, how int) string {
	var b strings.Builder
	for _, s := range items {
		b.WriteString("<li>" + p.text(s) + "</li>\n")
	}
	if how%2 == 0 {
		return "<ul>" + b.String() + "</ul>\n"
	}
	return "<ul class=\"list\">" + b.String() + "</ul>\n"
}

// table is one of data.
func (p *poster) table() string {
	var b strings.Builder
	for i := range 5 {
		fmt.Fprintf(&b, "<tr><td>%s</td><td>%d</td><td>%d</td></tr>\n", p.text(p.next().title), i, 100+i)
	}
	return "<table>" + b.String() + "</table>\n"
}

// contents is a table of contents.
func (p *poster) contents(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<li><a href=\"#s%d\">%s</a></li>", i, p.articles[(p.at+i+1)%len(p.articles)].title)
	}
	return "<div id=\"toc\" class=\"toc\"><h2>" + p.say("Contents", "目录") + "</h2><ul>" + b.String() + "</ul></div>\n"
}

// forum is a thread: all posts belong to it, who wrote them does not.
func (p *poster) forum(how int) content {
	var b strings.Builder
	for i := range 6 {
		a := p.next()
		said := slices.Concat(a.paragraphs[:1], a.comments)
		user := fmt.Sprintf("%s%d", p.say("sailor", "水手"), 70+i)
		profile := fmt.Sprintf("<b>%s</b><br>%s<br>%s", user, p.say("Senior member", "高级会员"), p.say("Posts: 112 Joined: Mar 2011", "帖子 112 积分 340 注册时间 2011-3-2"))
		bar := fmt.Sprintf("<a href=\"/q/%d\">%s</a> <a href=\"/r/%d\">%s</a>", i, p.say("Quote", "回复"), i, p.say("Report", "举报"))
		switch {
		case p.skin == "discuz":
			fmt.Fprintf(&b, `<div id="post_%d"><table id="pid%d" class="plhin"><tr><td class="pls" rowspan="2"><div class="pi">%s</div></td><td class="plc"><div class="pi"><em>%s 2024-3-5 12:3%d</em></div><div class="pct"><div class="pcb"><div class="t_fsz"><table><tr><td class="t_f" id="postmessage_%d">%s</td></tr></table></div></div></div></td></tr><tr><td class="plc plm"><div class="po">%s</div></td></tr></table></div>`,
				i, i, profile, p.say("Posted at", "发表于"), i, i, p.paragraphs(said, 2), bar)
		case how%2 == 0:
			fmt.Fprintf(&b, `<div class="post" id="p%d"><div class="postprofile">%s</div><div class="postbody"><p class="author">%s 2024-03-05 12:3%d</p><div class="content">%s</div><div class="signature">%s</div><div class="post-buttons">%s</div></div></div>`,
				i, profile, user, i, p.paragraphs(said, how), p.say("Fair winds and following seas", "一帆风顺"), bar)
		default:
			fmt.Fprintf(&b, `<li class="message"><div class="message-user"><div class="userinfo">%s</div></div><div class="message-main"><header class="message-attribution"><time>2024-03-05</time></header><div class="message-body">%s</div><footer class="message-footer">%s</footer></div></li>`,
				profile, p.paragraphs(said, how), bar)
		}
	}
	return content{b.String(), fmt.Sprintf("<div class=\"pagination\">%s</div>", p.numbers())}
}

func (p *poster) numbers() string {
	var b strings.Builder
	for i := range 9 {
		fmt.Fprintf(&b, "<a href=\"?page=%d\">%d</a> ", i+1, i+1)
	}
	return b.String() + "<a href=\"?page=2\">" + p.say("Next", "下一页") + "</a>"
}

// faq are questions with answers.
func (p *poster) faq(how int) content {
	var b strings.Builder
	for i := range 7 {
		a := p.next()
		q, say := p.text(a.title), p.text(a.paragraphs[0])
		switch how % 4 {
		case 0:
			fmt.Fprintf(&b, "<h3>%s</h3><p>%s</p>\n", q, say)
		case 1:
			fmt.Fprintf(&b, "<dt>%s</dt><dd>%s</dd>\n", q, say)
		case 2:
			fmt.Fprintf(&b, "<details><summary>%s</summary><div>%s</div></details>\n", q, say)
		case 3:
			fmt.Fprintf(&b, "<div class=\"faq-item\"><div class=\"faq-question\"><button>%s</button></div><div class=\"faq-answer\" id=\"a%d\"><p>%s</p></div></div>\n", q, i, say)
		}
	}
	if how%4 == 1 {
		return content{"<dl>" + b.String() + "</dl>", ""}
	}
	return content{b.String(), ""}
}

// encyclopedia is an article in sections, with a box, a table of contents, links to edit, and references.
func (p *poster) encyclopedia(how int) content {
	var b strings.Builder
	fmt.Fprintf(&b, "<table class=\"infobox\"><tr><th>%s</th><td>%s</td></tr></table>", p.either(p.say("Founded", "成立")), p.either(p.say("1904 in the old town", "1904年")))
	for _, s := range p.next().paragraphs {
		words := p.text(s)
		cut := strings.IndexAny(words, ",，")
		if cut < 0 {
			cut = 0
		}
		fmt.Fprintf(&b, "<p>%s<sup class=\"reference\"><a href=\"#c1\">%s</a></sup>%s</p>\n", words[:cut], p.either("[1]"), words[cut:])
	}
	b.WriteString(p.contents(3))
	for range 3 {
		a := p.next()
		fmt.Fprintf(&b, "<h2><span class=\"mw-headline\">%s</span><span class=\"mw-editsection\">[<a href=\"/edit\">%s</a>]</span></h2>\n", p.text(a.title), p.say("edit", "编辑"))
		b.WriteString(p.paragraphs(a.paragraphs, how&^1))
	}
	b.WriteString("<h2>" + p.either(p.say("References", "参考资料")) + "</h2><ol class=\"references\">")
	for i := range 6 {
		fmt.Fprintf(&b, "<li id=\"c%d\"><a href=\"#r\">^</a> <a href=\"http://books.example/%d\">%s</a>. %s</li>", i, i, p.either(p.next().title), p.either("1998, pp. 12."))
	}
	b.WriteString("</ol>")
	return content{b.String(), fmt.Sprintf("<div class=\"catlinks\" id=\"catlinks\">%s: <a href=\"/c/1\">%s</a> <a href=\"/c/2\">%s</a></div>", p.say("Categories", "分类"), p.say("Harbours", "港口"), p.say("Sailing", "帆船"))}
}

// directory lists things with what they are.
func (p *poster) directory(how int) content {
	var b strings.Builder
	for i := range 9 {
		a := p.next()
		name, about := p.text(a.title), p.text(a.paragraphs[0])
		switch how % 3 {
		case 0:
			fmt.Fprintf(&b, "<h3>%d. %s</h3><p>%s</p>\n", i+1, name, about)
		case 1:
			fmt.Fprintf(&b, "<li><a href=\"/e/%d\">%s</a><p>%s</p></li>\n", i, name, about)
		case 2:
			fmt.Fprintf(&b, "<div class=\"item\"><h3><a href=\"/e/%d\">%s</a></h3><div class=\"summary\">%s</div></div>\n", i, name, about)
		}
	}
	if how%3 == 1 {
		return content{"<ul>" + b.String() + "</ul>", "<div class=\"pager\">" + p.numbers() + "</div>"}
	}
	return content{b.String(), "<div class=\"pager\">" + p.numbers() + "</div>"}
}

// gallery is made of pictures, whose captions are all it says.
func (p *poster) gallery(how int) content {
	var b strings.Builder
	b.WriteString(p.paragraphs(p.next().paragraphs[:1], how))
	for i := range 10 {
		caption := p.text(p.next().paragraphs[0])
		switch how % 2 {
		case 0:
			fmt.Fprintf(&b, "<figure><a href=\"/big/%d\"><img src=\"/i/%d.jpg\" alt=\"\"></a><figcaption>%s</figcaption></figure>\n", i, i, caption)
		case 1:
			fmt.Fprintf(&b, "<div class=\"gallery-item\"><img src=\"/i/%d.jpg\" alt=\"\"><p class=\"wp-caption-text\">%s</p></div>\n", i, caption)
		}
	}
	return content{b.String(), p.comments(3)}
}

// ticker are entries, each with its time.
func (p *poster) ticker(how int) content {
	var b strings.Builder
	for i := range 12 {
		a := p.next()
		at := p.either(fmt.Sprintf("1%d:%02d", i/6, i*4))
		switch how % 3 {
		case 0:
			fmt.Fprintf(&b, "<div class=\"live-entry\"><time datetime=\"2024-03-05T1%d:10\">%s</time><h3>%s</h3>%s</div>\n", i/6, at, p.text(a.title), p.paragraphs(a.paragraphs[:1], how))
		case 1:
			fmt.Fprintf(&b, "<li><span class=\"time\">%s</span> <b>%s</b> %s</li>\n", at, p.text(a.title), p.text(a.paragraphs[0]))
		case 2:
			fmt.Fprintf(&b, "<article><p><strong>%s</strong></p>%s</article>\n", at, p.paragraphs(a.paragraphs[:1], how))
		}
	}
	if how%3 == 1 {
		return content{"<ul class=\"ticker\">" + b.String() + "</ul>", ""}
	}
	return content{b.String(), ""}
}
