package measure

import (
	"bytes"
	"strings"
	"testing"
)

func TestAReportInAnotherLanguage(t *testing.T) {
	r := Report{Title: "Harvest", Facts: []Fact{{"pages", "7"}, {"judge", "never"}}, Sections: []Section{{
		Title: "Harvest", Text: "unknown 5 words", Chart: &Chart{X: "pages", Y: "harvest of the last 100 pages, 3 times", XMax: 1, YMax: 1,
			Lines: []Line{{Name: "never", X: []float64{0, 1}, Y: []float64{0, 1}}}},
		Table: &Table{Head: []string{"pages", "host"}, Rows: [][]string{{"7", "pages.example"}, {"never", "never"}}}}}}
	r.In("zh", map[string]string{"Harvest": "收获", "pages": "网页", "never": "从未", "harvest of the last # pages, # times": "最近 # 页，# 次"})
	var out bytes.Buffer
	if err := r.HTML(&out); err != nil {
		t.Fatal(err)
	}
	html := out.String()
	for _, want := range []string{`<html lang="zh">`, "<h1>收获</h1>", "<dt>网页</dt><dd>7</dd>", "<dd>从未</dd>", "unknown 5 words", "最近 100 页，3 次", ">网页</button>", ">host</button>", "pages.example", ">从未</td>"} {
		if !strings.Contains(html, want) {
			t.Errorf("not in the report: %s", want)
		}
	}
	for _, not := range []string{"Harvest", "never", ">pages<"} {
		if strings.Contains(html, not) {
			t.Errorf("still in the report: %s", not)
		}
	}
}

// Whatever names the axes, the lines and the rows of a report: none of it is markup, not in the chart either, which is drawn
// without the template.
func TestNamesInAReportAreNoMarkup(t *testing.T) {
	const name = `<script>x()</script>"onload="y`
	r := Report{Title: name, Facts: []Fact{{name, name}}, Sections: []Section{{Title: name, Text: name,
		Chart: &Chart{X: name, Y: name, XMax: 1, YMax: 1, Lines: []Line{{Name: name, X: []float64{0, 1}, Y: []float64{0, 1}}, {Name: name, X: []float64{0, 1}, Y: []float64{1, 0}, Faint: true}}},
		Table: &Table{Head: []string{name}, Rows: [][]string{{name}}}}}}
	var out bytes.Buffer
	if err := r.HTML(&out); err != nil {
		t.Fatal(err)
	}
	html := out.String()
	if strings.Contains(html, "<script>x") || strings.Contains(html, `"onload="`) || strings.Contains(html, `href="javascript:x`) {
		t.Error("a name became markup")
	}
	if n := strings.Count(html, "&lt;script&gt;x()"); n < 12 {
		t.Errorf("the name stands %d times in the report", n)
	}
}
