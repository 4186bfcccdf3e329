package page

import (
	"strings"
	"testing"
)

// A line of rights that ends a page whose foot is called nothing is none of the text, nor are the links beside it. What ends a text and
// speaks of rights is.
func TestTheFootOfAPageIsNotItsText(t *testing.T) {
	said := strings.Repeat("<p>The keel of the yacht was laid in the yard on a cold day, and the crew that built her came to see it.</p>", 3)
	page := func(foot string) string {
		return `<title>Of keels | Yard</title><body><div class=top><a href=/>Home</a> <a href=/about>About</a></div><div class=py-2><h1>Of keels</h1>` + said +
			`</div><div class=py-2><h2>Of masts</h2>` + said + `</div><div class="bg-1"><div class="mx">` + foot + `</div></div>`
	}
	want := Parse([]byte(page("")), "http://x.example/p", Options{}).MainText()
	for _, foot := range []string{
		"<p>Copyright 2024 Yard. All rights reserved.</p><a href=/i>Imprint</a> <a href=/p>Privacy policy</a>",
		"<a href=/i>Imprint</a><p>&copy; 2024 Yard</p>",
		"<p>Made by Yard. © 2019-2024</p><ul><li><a href=/i>Imprint</a></li><li><a href=/p>Privacy</a></li></ul>",
		"<p>船厂 版权所有</p><p>京ICP备12345678号-1</p>",
	} {
		if got := Parse([]byte(page(foot)), "http://x.example/p", Options{}).MainText(); got != want {
			t.Errorf("%s: ends with %q", foot, got[len(got)-min(len(got), 120):])
		}
	}
	for _, end := range []string{
		"<p>The copyright of the drawings went to the yard in 1924, and there it is until today.</p>",
		"<p>All of them say © in small letters.</p>",
		"<p>他说，版权所有者应当得到报酬。</p>",
		"<p>The plate of the boat has it so, and nobody knows why it was put there in that year or by whom it was done: © 1924 Yard.</p>",
	} {
		text := strings.TrimSuffix(strings.TrimPrefix(end, "<p>"), "</p>")
		if got := Parse([]byte(page(end)), "http://x.example/p", Options{}).MainText(); !strings.HasSuffix(got, text) {
			t.Errorf("%s is lost: %q", end, got[len(got)-min(len(got), 120):])
		}
	}
	if got := Parse([]byte("<title>A plate</title><p>© 1924 Yard"), "http://x.example/p", Options{}).MainText(); got != "© 1924 Yard" {
		t.Errorf("a page that says nothing else says %q", got)
	}
}

// What a builder of pages calls by the program it was written with has nobody's name in it, however short it is.
func TestWhatATextWasWrittenWithIsNoByline(t *testing.T) {
	said := strings.Repeat("The keel of the yacht was laid in the yard on a cold day, and the crew that built her came to see it. ", 3)
	box := func(kind, text string) string {
		return "<div class=col><div class=wrap><div class='kit-widget kit-widget-" + kind + "'><div class=kit-widget-container>" + text + "</div></div></div></div>"
	}
	html, want := "<title>Of keels</title>", []string{}
	for i, section := range []struct{ heading, first, second string }{{"Of keels", said, said}, {"Of masts", "Of pine.", "Twelve metres"}, {"Of sails", said, said}, {"Of paint", "Red", "Of lead."}} {
		rank := map[bool]string{true: "h1", false: "h2"}[i == 0]
		html += "<section>" + box("heading", "<"+rank+">"+section.heading+"</"+rank+">") + box("text-editor", "<p>"+section.first) + box("richTextEditor", "<p>"+section.second) + "</section>"
		want = append(want, section.heading, strings.TrimSpace(section.first), strings.TrimSpace(section.second))
	}
	p := Parse([]byte(html), "http://x.example/p", Options{})
	if got := p.MainText(); got != strings.Join(want, "\n") || p.Facts.Author != "" {
		t.Errorf("%q by %q", got, p.Facts.Author)
	}
}
