package page

import (
	"strings"
	"testing"
)

// What one may do with each section of a lexicon or each post of a thread stands again and again in parts of one class, and is no text;
// what such parts say otherwise is, and so are words in a line, items, cells and a refrain.
func TestWhatIsSaidAgainAndAgain(t *testing.T) {
	section := func(name, edit, text string) string {
		return "<div class=para-title><h2>" + name + "</h2>" + edit + "</div><div class=para>" + text + "</div>"
	}
	sections := func(edit, rest string) string {
		return section("材料", edit, bambooA) + section("砍竹", edit, bambooB) + section("起底", rest, bambooC)
	}
	const want = "材料\n" + bambooA + "\n砍竹\n" + bambooB + "\n起底\n" + bambooC
	for page, again := range map[string]string{
		sections("<div class=editLemma>编辑本节</div>", "<div class=editLemma>编辑本节</div>"):                                           "",
		sections("<div class=op><span>隐藏</span> <a href=#>感谢</a></div>", "<div class=op><span>隐藏</span> <a href=#>感谢</a></div>"): "",
		sections("<div class=kind>竹工</div>", "<div class=kind>木工</div>"):                                                         "竹工",
		sections("<div class=kind>竹工</div>", ""):                                                                                 "竹工", // not often enough
		sections("<div>竹工</div>", "<div>竹工</div>"):                                                                               "竹工",
		sections("<p class=kind>竹工</p>", "<p class=kind>竹工</p>"):                                                                 "竹工",
		sections("<ul><li class=kind>竹工</ul>", "<ul><li class=kind>竹工</ul>"):                                                     "竹工",
		sections("<div class=kind>这是竹工。</div>", "<div class=kind>这是竹工。</div>"):                                                   "这是竹工。",
	} {
		p := Parse([]byte("<title>竹编</title><body><h1>竹编</h1>"+page), "http://x.example/a", Options{})
		got := strings.TrimPrefix(p.MainText(), "竹编\n")
		if again == "" && got != want || again != "" && !strings.Contains(got, "\n"+again+"\n"+bambooA) {
			t.Errorf("%.90s: %q", page, got)
		}
	}
	inline := "<p>" + bambooA + "<span class=term>慈竹</span>韧。<p>" + bambooB + "<span class=term>慈竹</span>也好。<p>" + bambooC + "<span class=term>慈竹</span>最多。"
	if got := Parse([]byte("<h1>竹编</h1>"+inline), "http://x.example/a", Options{}).MainText(); strings.Count(got, "慈竹") != 3 {
		t.Errorf("words of sentences are left out: %q", got)
	}
}
