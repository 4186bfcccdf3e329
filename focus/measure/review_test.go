package measure_test

import (
	"math"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// opinions reads a word: + relevant, - not, ? unknown.
func opinions(word string) []measure.Opinion {
	var all []measure.Opinion
	for _, r := range word {
		all = append(all, map[rune]measure.Opinion{'+': measure.Relevant, '-': measure.Irrelevant, '?': measure.Unknown}[r])
	}
	return all
}

func TestReview(t *testing.T) {
	r := measure.Review{Own: opinions("++-+-+--"), Other: opinions("+--?-++-")}
	own, other := r.Figures(r.Own, 4), r.Figures(r.Other, 4)
	near(t, "own harvest", own.Harvest, 4./8)
	near(t, "own harvest of the last four", own.Recent, 1./4)
	near(t, "own slope of drift", own.Slope, 3./4-1./4)
	near(t, "other harvest, of seven", other.Harvest, 3./7)
	near(t, "other drift", other.Drift, 4./7)
	near(t, "other slope of drift, from one of three to two of four", other.Slope, 1./3-2./4)
	a := r.Agreement()
	if a.Both != 2 || a.OwnOnly != 1 || a.OtherOnly != 1 || a.Neither != 3 {
		t.Errorf("the agreement is %+v", a)
	}
	near(t, "precision", a.Precision, 2./3)
	near(t, "kappa", a.Kappa, (5./7-25./49)/(1-25./49))
	w := r.Windows(4, 2)
	if len(w) != 2 || w[0].Page != 4 || w[1].Page != 8 {
		t.Fatalf("the windows are %+v", w)
	}
	near(t, "own harvest of the first window", w[0].Own, 3./4)
	near(t, "other harvest of the first window", w[0].Other, 1./3)
}

func TestReviewOfNothing(t *testing.T) {
	var r measure.Review
	if f := r.Figures(nil, 100); f != (measure.Figures{}) {
		t.Errorf("figures of nothing are %+v", f)
	}
	if a := r.Agreement(); a != (measure.Agreement{}) || len(r.Windows(100, 10)) != 0 {
		t.Errorf("agreement on nothing is %+v", a)
	}
	blind := measure.Review{Own: opinions("+-"), Other: opinions("??")}
	if f := blind.Figures(blind.Other, 1); f != (measure.Figures{}) {
		t.Errorf("figures of a judge without opinions are %+v", f)
	}
	if w := blind.Windows(1, 2); !math.IsNaN(w[0].Other) || w[0].Own != 1 {
		t.Errorf("the windows are %+v", w)
	}
	harvest, drift := blind.Charts(1, 2, "own", "other")
	if len(harvest.Lines[0].X) != 0 || len(drift.Lines[1].X) != 2 || drift.Lines[1].Y[1] != 1 {
		t.Errorf("the charts are %+v and %+v", harvest, drift)
	}
}

func TestChartAsText(t *testing.T) {
	c := measure.Chart{X: "pages", Y: "recall", XMax: 10, YMax: 1, Lines: []measure.Line{
		{Name: "rising", X: []float64{0, 10}, Y: []float64{0, 1}}, {Name: "half", X: []float64{0, 5}, Y: []float64{.5, .5}, Faint: true}}}
	var out strings.Builder
	if err := c.Text(&out, 10, 3); err != nil {
		t.Fatal(err)
	}
	want := `          recall
       1 │       ●●●
         │··●●●●●
       0 │●●
         └──────────
          0       10 pages
          ● rising
          · half
`
	if out.String() != want {
		t.Errorf("the chart is\n%s\nwant\n%s", out.String(), want)
	}
	empty := measure.Chart{}
	if err := empty.Text(&out, 5, 2); err != nil {
		t.Error(err)
	}
}

func TestMeter(t *testing.T) {
	var out strings.Builder
	m, err := measure.NewMeter(&out)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []measure.Reading{{Page: 1, Relevant: 1, Kept: 1, Waiting: 9, Harvest: 1, Recent: 1, Relevance: .75, Host: "a.example"},
		{Page: 2, Relevant: 1, Kept: 1, Waiting: 8, Harvest: .5, Recent: .5, Relevance: math.NaN(), Host: "b,c"}} {
		if err := m.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "page,relevant,kept,waiting,harvest,recent,relevance,host\n1,1,1,9,1.0000,1.0000,0.7500,a.example\n2,1,1,8,0.5000,0.5000,,\"b,c\"\n"
	if out.String() != want {
		t.Errorf("the meter is\n%s\nwant\n%s", out.String(), want)
	}
}

func TestReportIsOneFile(t *testing.T) {
	r := measure.Report{Title: "<茶> & more", Language: "zh", Facts: []measure.Fact{{Name: "pages", Value: "7"}}, Sections: []measure.Section{
		{Title: "curve", Text: "a < b", Chart: &measure.Chart{X: "x", Y: "y", XMax: 10, YMax: 1, Lines: []measure.Line{{Name: "<one>", X: []float64{0, 10}, Y: []float64{0, 1}}}}},
		{Title: "table", Table: &measure.Table{Head: []string{"name", "figure"}, Rows: [][]string{{"甲", "-0.5"}, {"乙", "12 %"}}}}}}
	var out strings.Builder
	if err := r.HTML(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<html lang="zh">`, "&lt;茶&gt; &amp; more", "a &lt; b", "&lt;one&gt;", `<td class="number">-0.5</td>`, `<td class="number">12 %</td>`, `<td class="word">甲</td>`, "prefers-color-scheme: dark", "@media print"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report has no %q", want)
		}
	}
	for _, far := range []string{"src=", "href=", "url(", "@import", "<one>"} {
		if strings.Contains(out.String(), far) {
			t.Errorf("the report has %q", far)
		}
	}
}
