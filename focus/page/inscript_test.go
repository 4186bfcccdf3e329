package page

import (
	"net/url"
	"strings"
	"testing"
)

// The text of a page that stands in the data of a script alone is read from there, in whatever way the page keeps it.
func TestTextsInScripts(t *testing.T) {
	const marked = `<p>` + bambooA + `<\/p><p style=\"color:red\">` + bambooB + `<\/p><p>` + bambooC + `<\/p><p>“我剖了五十年，从来没想过它好听。”<\/p>`
	const want = bambooA + "\n" + bambooB + "\n" + bambooC + "\n“我剖了五十年，从来没想过它好听。”"
	state := `{"id":1,"pubTime":"2026-11-03 10:21:33","title":"一只竹篮的工序","content":"` + marked + `","hot":[{"title":"木匠"}],"css":"` + strings.Repeat(".a{color:red}", 60) + `"}`
	short := `"<p>` + bambooA + `<\/p>"`
	const head, app = "<title>一只竹篮的工序_手艺新闻</title>", "<body><div id=app></div>"
	for page, is := range map[string]bool{
		head + app + `<script>window.DATA = ` + state + `;</script>`:                                                                        true,
		head + app + `<script id=__NEXT_DATA__ type="application/json">{"props":` + state + `}</script>`:                                    true,
		head + app + `<script type="application/json">` + url.PathEscape(state) + `</script>`:                                               true,
		head + app + `<script>var a = ` + strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(state) + `</script>`:                    true,
		head + app + `<script>var a = {"list":[` + strings.Repeat(short+",", 3) + `""], "article":` + state + `}</script>`:                  true,
		head + "<body><ul><li><a href=/>首页</a><li><a href=/n>新闻</a></ul><div id=app>加载中...</div><script>a=" + state + `</script>`:           true,
		head + app + `<script>a=` + state + `;b={"content":"` + strings.ReplaceAll(marked, "竹", "木") + `"};c=` + state + `</script>`:        false, // a list
		head + "<body><p>" + strings.Repeat("这一页自己有一段话，说的是别的事情，脚本里的数据不是它的正文。", 5) + "</p><script>a=" + state + `</script>`:                  false,
		head + app + `<script>a={"tpl":"<div><p>` + strings.Repeat(`<b class=\"x\">{{a}}</b><br>`, 60) + `"}</script>`:                      false,
		head + app + `<script>a={"note":"<p>We use cookies. ` + strings.Repeat("We and our partners store them. ", 20) + `<\/p>"}</script>`: false,
		head + app + `<script>a={"content":"` + strings.ReplaceAll(marked, `<\/p>`, "") + `</script>`:                                       false, // has no end
		head + `<frameset><frame src=a></frameset><script>a=` + state + `</script>`:                                                         false,
	} {
		p := Parse([]byte(page), "http://x.example/p/1", Options{})
		if got := p.MainText(); (got == want) != is || !is && strings.Contains(got, "从来没想过") {
			t.Errorf("%.120s: %q", page, got)
		}
		if is && p.Facts.Date != "2026-11-03T10:21:33" {
			t.Errorf("%.120s: of %q", page, p.Facts.Date)
		}
		if p.Title != "一只竹篮的工序" {
			t.Errorf("%.120s: called %q", page, p.Title)
		}
	}
}
