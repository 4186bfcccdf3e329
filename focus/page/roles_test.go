package page

import (
	"fmt"
	"strings"
	"testing"
)

// kinds are the kinds of a page's blocks that are not empty, in the order of the page.
func kinds(p *Page) string {
	var k []string
	for i := range p.Blocks {
		if b := &p.Blocks[i]; b.Chars+b.LinkCount > 0 {
			k = append(k, b.Kind.String())
		}
	}
	return strings.Join(k, " ")
}

// A block's role follows from what its links and words are, whatever share of the page it takes.
func TestWhatABlockIsFor(t *testing.T) {
	links := func(n int, words string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<li><a href=/d%d/n.html>%s</a></li>", i, words)
		}
		return "<ul>" + b.String() + "</ul>"
	}
	article := "<div class=words>" + strings.Repeat("a sentence of the article in plain words. ", 12) + "</div>"
	const below = "<div class=end><p>one line below all of it</p></div>"
	for name, c := range map[string]struct{ page, want string }{
		"a menu that is most of the page": {"<div class=nav>" + links(12, "a section's name") + "</div>" + below, "navigation text"},
		"a menu of two storeys":           {"<div class=nav>" + links(5, "a section's name") + "<div class=sub>" + links(9, "a part of it") + links(3, "a part whose name is much longer than those of others") + "</div></div>" + below, "navigation navigation text"},
		"a wrapper called after the menu in it": {"<div class=nav-page><div class=x>" + links(3, "a section's name") + "</div>" +
			"<div class=y><p>what was written</p>" + strings.ReplaceAll(links(12, "the title of one of the articles"), "</a>", "</a> 10-09 18:32") + "</div></div>" + below, "links text links text"},
		"a header of four links, two of them to the page itself": {
			"<div class=top><a href=/>Page</a> <a href=#news>Latest</a> <a href=/b/>Cases</a> <a href=/c/>How to join us</a></div>" + article, "navigation text"},
		"a header of wide and narrow links, the wide ones with words of a menu": {
			"<div class=top><a href=/h/>东方旅游首页</a> <a href=/m/>联系我们</a> <a href=/c/>客户端</a> <a href=/i/>东方输入法大全</a></div>" + article, "navigation text"},
		"a table of contents": {"<div class=parts>" + strings.Repeat("<a href=#a>the title of a part of this page</a><br>", 4) + "</div>" + article, "navigation text"},
		"three links, one of them narrow": {
			"<div class=top><a href=/a/>one long title of something</a> <a href=/b/>another title of it</a> <a href=/c/>more</a></div>" + article, "links text"},
		"licences below a page": {article + "<div class=last><a href=http://a.example/1>京公网安备 11000002000001号</a> <a href=http://b.example/2>沪ICP备05000001号-2</a></div>", "text navigation"},
		"a notice beside an article": {
			article + "<div class=note>特别声明：以上内容只代表作者自己，不代表本站的立场。</div>", "text navigation"},
		"a notice in English":               {article + "<div class=note>Disclaimer: the views of the author are his own.</div>", "text navigation"},
		"a line of rights":                  {article + "<div class=note>© 2019 The Company of Examples</div>", "text navigation"},
		"words that a notice begins with":   {article + "<div class=note>The disclaimer was read out before the match began.</div>", "text text"},
		"a notice that is all of a page":    {"Copyright 1996 by the author of this page, who teaches here.", "text"},
		"an article on rights":              {"<div class=words>Copyright law protects what an author has written from being copied.</div>" + below, "text text"},
		"a word that a notice begins":       {article + "<div class=note>Copyrighted works may be quoted by everybody.</div>", "text text"},
		"a heading that a notice begins":    {article + "<div class=note><h2>版权声明制度的历史</h2><p>版权的历史很短。</p></div>", "text text"},
		"news that begins as a notice":      {"<div class=words>国足声明：今天的比赛照常进行，球迷可以凭票入场观看。</div>" + below, "text text"},
		"an article that begins as one":     {"<div class=words>声明：" + strings.Repeat("文章的内容很长很长", 40) + "</div>" + below, "text text"},
		"a notice of rights above its menu": {article + "<div class=note>版权所有 <a href=/x/>某某大学的信息办公室</a></div>", "text navigation"},
	} {
		p := Parse([]byte("<title>t</title><body>"+c.page), "http://x.example/", Options{})
		if got := kinds(p); got != c.want {
			t.Errorf("%s: %s, want %s\n%s", name, got, c.want, outline(p))
		}
		for i := range p.Blocks {
			if b := &p.Blocks[i]; b.Main && b.Kind == Navigation {
				t.Errorf("%s: a part around the page is its main text\n%s", name, outline(p))
			}
		}
	}
}

// What stands in the items of a list, in elements of their own, is the list's and not the page's.
func TestItemsOfManyPartsAreOneBlock(t *testing.T) {
	var items strings.Builder
	for i := range 5 {
		fmt.Fprintf(&items, "<li><div class=item><div class=pic><a href=/%d.html><img src=%d.png></a></div><div class=says><h4><a href=/%d.html>a title</a></h4><p>and a line about it</p></div></div></li>", i, i, i)
	}
	for name, list := range map[string]string{
		"a list":              "<ul class=cards>" + items.String() + "</ul>",
		"a list in wrappers":  "<div class=a><div class=b><ul class=cards>" + items.String() + "</ul></div></div>",
		"a list of one large": "<ul class=cards>" + items.String() + "<li><div class=large>" + strings.Repeat("a word or two of it ", 50) + "</div></li></ul>",
	} {
		page := "<body><div class=before><p>above</p></div>" + list + "<div class=after><p>below</p></div>"
		p := Parse([]byte(page), "http://x.example/", Options{})
		if b := &p.Blocks[0]; b.Chars+b.LinkCount > 0 {
			t.Errorf("%s: %d characters and %d links stand in no block\n%s", name, b.Chars, b.LinkCount, outline(p))
		}
		at := p.Links[0].Block
		for _, l := range p.Links {
			if l.Block != at {
				t.Errorf("%s: %s stands in block %d, want one block for the list\n%s", name, l.URL, l.Block, outline(p))
				break
			}
		}
		if b := &p.Blocks[at]; b.LinkCount != 10 {
			t.Errorf("%s: %d links in the list's block, want 10\n%s", name, b.LinkCount, outline(p))
		}
	}
}
