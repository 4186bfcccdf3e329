package page

import (
	"slices"
	"strings"
	"testing"
)

func TestPlainText(t *testing.T) {
	for _, c := range []struct{ name, text, title, main string }{
		{"lines that were broken", "The barge match\n\nEvery summer the old barges race\ndown the river & back.\r\n\r\nA <b> in a text is a <b>.\n",
			"The barge match", "The barge match\nEvery summer the old barges race down the river & back.\nA <b> in a text is a <b>."},
		{"a paragraph a line", "　　帆船在春天下水，船员们把桅杆竖起来，再把缆绳一根一根地检查。\n　　港口的风从东南吹来，比赛在上午十点\n开始，第一条船十一点到达。\n",
			"", "帆船在春天下水，船员们把桅杆竖起来，再把缆绳一根一根地检查。\n港口的风从东南吹来，比赛在上午十点开始，第一条船十一点到达。"},
		{"a heading right above", "帆船比赛\n　　帆船在春天下水，船员们把桅杆竖起来，再把缆绳一根一根地检查。\n", "帆船比赛", "帆船比赛\n帆船在春天下水，船员们把桅杆竖起来，再把缆绳一根一根地检查。"},
		{"one long line", strings.Repeat("word ", 40) + "\n" + strings.Repeat("next ", 40), "", strings.TrimSpace(strings.Repeat("word ", 40)) + "\n" + strings.TrimSpace(strings.Repeat("next ", 40))},
		{"HTML after all", "<!DOCTYPE html><title>A page</title><p>It is one, whatever its header says of it.", "A page", "It is one, whatever its header says of it."},
		{"nothing", " \n\n", "", ""},
	} {
		p, err := Read(PlainType, []byte(c.text), "http://a.example/a.txt", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p.Title != c.title || strings.TrimSpace(p.MainText()) != c.main {
			t.Errorf("%s: title %q, text %q", c.name, p.Title, p.MainText())
		}
		if len(p.Links) > 0 {
			t.Errorf("%s: %d links", c.name, len(p.Links))
		}
	}
	if p, err := Read("text/html", []byte("<p>a <b>b</b>"), "http://a.example/", Options{}); err != nil || strings.Contains(p.MainText(), "<") {
		t.Errorf("HTML was read as text: %v %q", err, p.MainText())
	}
	if _, err := Read(PDFType, []byte("%PDF-"), "http://a.example/", Options{}); err == nil {
		t.Error("PDF is read, and nobody said how")
	}
}

// In XML an element may end where it begins, and what follows is the page's.
func TestXHTML(t *testing.T) {
	const head, text = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Kettles</title>`, `<p>A kettle of <a id="k"/>clay &amp; one of iron.</p><p><a href="/b">next</a></p>`
	for _, c := range []string{
		head + `<script type="text/javascript" src="x.js"/></head><body>` + text,
		head + `<style type='text/css' title="a/>b" /></head><body>` + text,
		head + `<!-- <script/> <p>no</p> --><script>if (a<b) { s = "<i/>"; }</script></head><body>` + text,
		head + `</head><body><iframe src="x"/><textarea/><noscript/><div/>` + text,
		head + `</head><body><p>A kettle of <![CDATA[clay & one]]> of iron.</p><p><a href="/b">next</a></p>`,
		head + `</head><body>` + strings.Replace(text, "<a id=\"k\"/>", "", 1),
		head + `</head><body>` + strings.Replace(text, `href="/b"`, "href=/b/", 1),
	} {
		p, err := Read(XHTMLType, []byte(c), "http://a.example/a", Options{})
		if err != nil || p.Title != "Kettles" || p.MainText() != "A kettle of clay & one of iron.\nnext" || len(p.Links) == 0 || p.Links[len(p.Links)-1].Anchor != "next" {
			t.Errorf("%s: %q %q %v %v", c, p.Title, p.MainText(), p.Links, err)
		}
	}
	for _, end := range []string{"<", "<a", "<![CDATA[x", "<script>", "<a b='/>", "</p", "<!--"} {
		if p, err := Read(XHTMLType, []byte("<p>text<br/>"+end), "http://a.example/a", Options{}); err != nil || !strings.HasPrefix(p.MainText(), "text") {
			t.Errorf("%s: %q %v", end, p.MainText(), err)
		}
	}
}

func TestIsPlain(t *testing.T) {
	for text, want := range map[string]bool{"a text\n": true, "": true, "\x1b[1mbold\x1b[0m text of a terminal": true, "PK\x03\x04\x00\x00": false, strings.Repeat("a\x01\x02", 50): false} {
		if IsPlain([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// FuzzPlain: whatever calls itself plain text is read, and no word of a text is lost or made up.
func FuzzPlain(f *testing.F) {
	f.Add("A heading\n\n a paragraph & <more>\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := Parse(Markup([]byte(text)), "http://a.example/a.txt", Options{})
		if len(p.Links) > 0 && !markup([]byte(text)) {
			t.Error("a text has links")
		}
		plain := func(r rune) bool { return 'a' <= r && r <= 'z' || r == ' ' || r == '\n' }
		if strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
			words, read := strings.Fields(text), strings.Fields(p.MainText())
			if !slices.Equal(words, read) {
				t.Errorf("%q was read as %q", words, read)
			}
		}
	})
}
