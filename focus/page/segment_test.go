package page

import (
	"fmt"
	"strings"
	"testing"
)

// outline is one line per block below the page itself: kind, tag path below the body, number of characters, parent.
func outline(p *Page) string {
	var lines []string
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if i == 0 && b.Chars+b.LinkCount == 0 {
			continue
		}
		mark := ""
		if b.Main {
			mark = "*"
		}
		lines = append(lines, fmt.Sprintf("%d<%d %s%s %s %d", i, b.Parent, b.Kind, mark, strings.TrimPrefix(b.Path, "body/"), b.Chars))
	}
	return strings.Join(lines, "\n")
}

func TestSegments(t *testing.T) {
	text := strings.Repeat("some words of text ", 10) // 150 characters
	list := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<li><a href=/n/%d.html>an article about number %d</a></li>", i, i)
		}
		return "<ul>" + b.String() + "</ul>"
	}
	for name, c := range map[string]struct{ page, want string }{
		"what stands in the body is the page's own":   {text, "0<-1 text* body 150"},
		"a block around a single one is that one":     {"<div class=a><div><div>" + text + "</div></div></div>", "1<0 text* div.a 150"},
		"a block in a block speaks of something else": {"<div class=a>" + text + "<div>inner</div></div>", "1<0 text* div.a 150\n2<1 text* div.a/div 5"},
		"neighbours of one style are one block":       {"<div>" + text + "</div><div>" + text + "</div>", "1<0 text* div 300"},
		"another class is another style":              {"<div class=a>" + text + "</div><div class=b>note</div>", "1<0 text* div.a 150\n2<0 text div.b 4"},
		"numbers at the end of a class are no style":  {"<div class=p1>" + text + "</div><div class='p2 last'>" + text + "</div>", "1<0 text* div.p1 300"},
		"a background is a style":                     {"<p>" + text + "<p style='background:#eee'>boxed<p>more", "0<-1 text* body 154\n1<0 text* p 5"},
		"so is a colour of the old kind":              {"<table><tr><td bgcolor=red>" + text + "<td bgcolor=blue>" + text + text + "</table>", "1<0 text table/td 150\n2<0 text* table/td 300"},
		"links and text are two blocks in one style":  {"<div>" + text + "</div><div>" + list(3)[4:] + "</div>", "1<0 text* div 150\n2<0 links div 63"},
		"a table of data is one block":                {"<table><tr><th>a<th>b<tr><td width=5>c<td>d<tr><td>e<td><div>f</div></table>", "1<0 text* table 6"},
		"items that repeat are one block":             {"<div class=i><div class=h>one</div><p>x</div><div class=i><div class=h>two</div><p>y</div>", "1<0 text* div.i 8"},
		"a list is a block":                           {text + list(3), "0<-1 text* body 150\n1<0 links* ul 63"},
		"a list in an item of a list is part of it":   {"<ul><li>one<ul><li>two</ul><li>three</ul>", "1<0 text* ul 11"},
		"a heading begins a block":                    {"<h2>One</h2>" + text + "<h2>Two</h2>" + text + text, "0<-1 text* body 153\n1<0 text* body 303"},
		"headings one below the other begin one":      {"<h1>One</h1><h2>Two</h2>" + text, "0<-1 text* body 156"},
		"headings that are links are items":           {text + "<h3><a href=1>one</a></h3>x<h3><a href=2>two</a></h3>y", "0<-1 text* body 150\n1<0 links* body 8"},
		"a rule begins a block":                       {text + "<hr>below", "0<-1 text* body 150\n1<0 text* body 5"},
		"a frame is a block":                          {text + "<iframe src=f></iframe>", "0<-1 text* body 150\n1<0 links iframe 0"},
		"sections of HTML5":                           {"<header>head</header><main><article>" + text + "</article></main><aside>beside</aside><footer>foot</footer>", "1<0 navigation header 4\n2<0 text* main 150\n3<0 navigation aside 6\n4<0 navigation footer 4"},
		"a role says what an element says":            {"<div role=navigation>menu</div><div role=main>" + text + "</div>", "1<0 navigation div 4\n2<0 text* div 150"},
		"text right in a table stands before it":      {"<div>" + text + "<table>lost<tr><td>cell</table></div>", "1<0 text* div 154\n2<1 text* div/table 4"},
	} {
		if got := outline(Parse([]byte(c.page), "http://x.example/", Options{})); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// TestHubRatio holds the vectors of the hub test.
func TestHubRatio(t *testing.T) {
	for _, c := range []struct {
		anchors, others int
		ratio           float64
		options         Options
		kind            Kind
	}{
		{61, 39, .61, Options{}, Hub},
		{60, 40, .60, Options{}, Text}, // more than, not as much as
		{51, 49, .51, Options{HubRatio: .5}, Hub},
		{0, 10, 0, Options{}, Text},
	} {
		page := "<title>not counted</title><a href=1>" + strings.Repeat("中", c.anchors) + "</a>" + strings.Repeat("x ", c.others)
		p := Parse([]byte(page), "http://x.example/", c.options)
		if p.Kind != c.kind || p.HubRatio != c.ratio {
			t.Errorf("%d of %d: %s page, ratio %v", c.anchors, c.anchors+c.others, p.Kind, p.HubRatio)
		}
	}
}

func TestSegmentTopicPagesOnly(t *testing.T) {
	const hub = `<ul><li><a href=1>one</a><li><a href=2>two</a></ul><div>x</div>`
	p := Parse([]byte(hub), "http://x.example/", Options{Segment: TopicPages})
	if got := outline(p); got != "0<-1 links body 7" {
		t.Errorf("a hub is cut: %s", got)
	}
	const topic = `<ul><li><a href=1>one</a><li><a href=2>two</a></ul><div>much more text than links</div>`
	if p := Parse([]byte(topic), "http://x.example/", Options{Segment: TopicPages}); len(p.Blocks) != 3 {
		t.Errorf("a text page is not cut: %s", outline(p))
	}
}

func TestWidths(t *testing.T) {
	long := strings.Repeat("y", smallCell+1)
	for page, want := range map[string]int32{
		`<div width=300>x</div>`:                                                             300,
		`<div style="max-width:9px;width: 300px">x</div>`:                                    300,
		`<div style="color:red;WIDTH:1px;width:50%">x</div>`:                                 500,
		`<div style="width:600px"><p>y</p><div class=a>x</div></div>`:                        600,
		`<table width=800><tr><td width="25%">x<td>y`:                                        200,
		`<table width=800><col width=150><col width=650><tr><td>x<td class=b>` + long:        150,
		`<table width=800><tr><td>x<td class=b>` + long:                                      0,
		`<table><colgroup width=120 span=2><tr><td class=a>` + long + `<td class=b>x` + long: 120,
		`<div width=99999>x</div>`:                                                           0,
		`<div width=2em>x</div>`:                                                             0,
		`<div>x</div>`:                                                                       0,
	} {
		p := Parse([]byte(page), "http://x.example/", Options{})
		b := &p.Blocks[0]
		for i := range p.Runs {
			if strings.HasPrefix(p.Runs[i].Text, "x") {
				b = &p.Blocks[p.Runs[i].Block]
			}
		}
		if b.Width != want {
			t.Errorf("%s is %d wide, want %d", page, b.Width, want)
		}
	}
}

// TestMainIsWide: the main block has the most text of those wider than a third of the page or of unknown width.
func TestMainIsWide(t *testing.T) {
	narrow, wide := strings.Repeat("beside ", 60), strings.Repeat("content ", 30)
	page := `<table width=900><tr><td width=290>` + narrow + `<td width=610>` + wide + `</table>`
	p := Parse([]byte(page), "http://x.example/", Options{})
	if got := p.MainText(); got != strings.TrimSpace(wide) {
		t.Errorf("main text %q", got)
	}
	page = strings.Replace(page, "width=290", "", 1)
	if got := Parse([]byte(page), "http://x.example/", Options{}).MainText(); got != strings.TrimSpace(narrow) {
		t.Errorf("an unknown width does not pass: %q", got)
	}
}

// Siblings of one inline style are blocks of their own where their classes differ, and a colour or a font inside a block
// parts groups of links in it.
func TestWhatLooksDifferentIsAnotherBlock(t *testing.T) {
	pair := func(host, words string) string {
		return fmt.Sprintf("<a href=http://%s/1.html>%s in a row</a> <a href=http://%s/2.html>%s in another row</a>", host, words, host, words)
	}
	three := []string{pair("own.example", "sails and masts"), pair("doubleclick.net", "cheap things to buy"), pair("other.example", "all about something else")}
	for name, c := range map[string]struct {
		page string
		want string // the block of each link
	}{
		"classes":             {"<div style='float:left' class='box related'>%s</div><div style='float:left' class='box a'>%s</div><div style='float:left' class='box b'>%s</div>", "1 1 2 2 3 3"},
		"numbered boxes":      {"<div class=box1>%s</div><div class=box2>%s</div><div class=box3>%s</div>", "1 1 2 2 3 3"},
		"one class":           {"<div class=box>%s</div><div class='box odd'>%s</div><div class='last box'>%s</div>", "1 1 1 1 1 1"},
		"the words of a blog": {"<div class='post type-post status-publish post-11 in-one'>%s</div><div class='post-12 post type-post status-publish'>%s</div><div>%s</div>", "1 1 2 2 3 3"},
		"colours of div":      {"<div style='color:red'>%s</div><div style='COLOR: Red; margin:1px'>%s</div><div style='color:blue'>%s</div>", "1 1 1 1 2 2"},
		"fonts in a div":      {"<div>words before<font color=red>%s</font> words between <span style='color:red'>%s</span> %s</div>", "2 2 3 3 1 1"},
	} {
		p := Parse(fmt.Appendf(nil, "<body>"+c.page, three[0], three[1], three[2]), "http://own.example/", Options{})
		var got []string
		for _, l := range p.Links {
			got = append(got, fmt.Sprint(l.Block))
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: links in blocks %s, want %s\n%s", name, got, c.want, outline(p))
		}
	}
	p := Parse([]byte("<p>words with <font color=red>one</font> in red and <span style='color:red'><a href=1>a link</a></span></p>"), "http://own.example/", Options{})
	if len(p.Blocks) != 1 {
		t.Errorf("a word in another colour is a block: %s", outline(p))
	}
}
