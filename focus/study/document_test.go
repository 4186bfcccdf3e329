package study

import (
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// TestAPageIsInTheLanguageOfItsText, and not in that of the menus around it, nor of the programs that it lists.
func TestAPageIsInTheLanguageOfItsText(t *testing.T) {
	english := "<p>" + strings.Repeat("The mooring line is made fast to a bollard on the quay before the wind is on the other side. ", 4)
	chinese := "<p>" + strings.Repeat("缆绳要在风向改变之前系在码头的缆桩上，船员们在甲板上等着下一次涨潮。", 4)
	listing := "<pre>" + strings.Repeat("for (const line of lines) { await moor(line, { bollard: quay.first }); }\n", 30) + "</pre>"
	menu := func(item string) string {
		return "<nav><ul>" + strings.Repeat("<li><a href=/>"+item+"</a>", 90) + "</ul></nav>"
	}
	for _, c := range []struct{ name, html, want string }{
		{"a Chinese text under an English menu", "<html lang=en>" + menu("Pull requests of this repository") + "<article>" + chinese, "zh"},
		{"an English text under a Chinese menu", "<html lang=en>" + menu("港口大学国际交流处主页") + "<article>" + english, "en"},
		{"a Chinese text with a listing", "<html lang=zh-CN><article>" + listing + chinese + listing, "zh"},
		{"a listing alone", "<html lang=en>" + listing, "en"},
		{"a menu alone", menu("港口大学国际交流处主页"), "zh"},
	} {
		if got := Document(page.Parse([]byte(c.html), "http://harbour.example/", page.Options{})).Language; got != c.want {
			t.Errorf("%s is in %s, want %s", c.name, got, c.want)
		}
	}
}
