package watch

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/run"
)

// TestWhatChoseIsSaidInBothLanguages: what a crawl.log says of how a link was let go is told in the language of the page, and the
// parts of a strategy are called what its file calls them.
func TestWhatChoseIsSaidInBothLanguages(t *testing.T) {
	for english, chinese := range map[string]string{
		StartPage:                              "起始页",
		"taken in the order of the hedge":      "按备用排序选出",
		"generation 3":                         "第 3 代",
		"round 12":                             "第 12 轮",
		"group 2 (www.example.org/news)":       "第 2 组（www.example.org/news）",
		"its address is like those of targets": "网址与目标网页相似",
		"keywords":                             "keywords",
	} {
		if got := (Words{"zh"}).Chooser(english); got != chinese {
			t.Errorf("%s: %q, want %q", english, got, chinese)
		}
		if got := (Words{"en"}).Chooser(english); got != english {
			t.Errorf("%q, want %q", got, english)
		}
	}
}

// TestACommandIsNotBroken: what is typed is one piece in a sentence, and what a page says is no HTML of ours there either.
func TestACommandIsNotBroken(t *testing.T) {
	const want = `Then <code class="line">thresher crawl --compare breadth</code> &lt;b&gt;`
	if got := commands("Then `thresher crawl --compare breadth` <b>"); string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestOneIsNotMany: what was done at a button is said of one as of one.
func TestOneIsNotMany(t *testing.T) {
	for said, want := range map[string]string{
		"inject:1": "1 address will be visited before everything else.",
		"inject:2": "2 addresses will be visited before everything else.",
		"winnow:1": "The second look was taken: 1 page is kept.",
	} {
		if got := (&View{W: Words{"en"}, Said: said}).Done(); got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
}

// TestAFindNamesTheCutThatWasMade: beside the threshold that its relevance was held to stands that of a second look which was cut otherwise.
func TestAFindNamesTheCutThatWasMade(t *testing.T) {
	for from, want := range map[float64]string{
		.2: "it has none of the topic's words: relevance 0.46, where it takes 0.20; it is a start page.",
		.4: "it has none of the topic's words: relevance 0.46, where it takes 0.20 (the second look takes 0.40); it is a start page.",
	} {
		v := &View{W: Words{"en"}, S: &Story{Run: Run{Threshold: .2}, Figures: &run.Figures{Look: &run.Look{From: from}}}}
		if got := v.Why(Find{Relevance: .46}); got != want {
			t.Errorf("%v: %q, want %q", from, got, want)
		}
	}
}
