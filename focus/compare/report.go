package compare

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// shownLines is how many strategies a chart shows, the best on the mean first; the tables have them all.
const shownLines = 8

// HTML writes the result as a report for people: a curve for each topic with the lines of chance and of the oracle, and
// the tables. Over Chinese webs it is in Chinese.
func (r *Result) HTML(w io.Writer) error {
	report := measure.Report{Title: r.say("Strategies compared"), Facts: []measure.Fact{
		{Name: r.say("strategies"), Value: fmt.Sprint(len(r.Means))},
		{Name: r.say("topics"), Value: fmt.Sprint(len(r.topics()))},
		{Name: r.say("baseline"), Value: r.Baseline},
	}}
	if r.chinese {
		report.Language = "zh"
	}
	if r.Judge != "" {
		report.Sections = append(report.Sections, measure.Section{Title: r.say("Judged by"), Text: r.Judge})
	}
	if r.Tuned != nil {
		report.Sections = append(report.Sections, r.tunedSection())
	}
	report.Sections = append(report.Sections, r.meansSection(), r.keptSection())
	if s := r.claimsSection(); len(s.Table.Rows) > 0 {
		report.Sections = append(report.Sections, s)
	}
	if s := r.leftOutSection(); len(s.Table.Rows) > 0 {
		report.Sections = append(report.Sections, s)
	}
	for _, t := range r.topics() {
		report.Sections = append(report.Sections, r.topicSection(t))
	}
	if len(r.Notes) > 0 {
		t := &measure.Table{Head: r.sayAll("strategy", "what")}
		for _, n := range r.Notes {
			t.Rows = append(t.Rows, []string{n.Strategy, r.say(n.Says)})
		}
		report.Sections = append(report.Sections, measure.Section{Title: r.say("Of the strategies"), Table: t})
	}
	if len(r.Skipped) > 0 {
		t := &measure.Table{Head: r.sayAll("what", "why")}
		for _, s := range r.Skipped {
			t.Rows = append(t.Rows, []string{s.What, s.Reason})
		}
		report.Sections = append(report.Sections, measure.Section{Title: r.say("Not measured"), Table: t})
	}
	return report.HTML(w)
}

func (r *Result) tunedSection() measure.Section {
	t := &measure.Table{Head: r.sayAll("strategy", "focus")}
	for _, tried := range r.Tuned.Tried {
		t.Rows = append(t.Rows, []string{tried.Strategy, three(tried.Focus)})
	}
	return measure.Section{Title: r.say("Tuned on") + " " + strings.Join(r.Tuned.Webs, ", "), Table: t, Text: r.say(tunedText)}
}

// topics are the topics that were measured, in order: web and name.
func (r *Result) topics() [][2]string {
	var all [][2]string
	for _, c := range r.Cells {
		if t := [2]string{c.Web, c.Topic}; !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

func (r *Result) meansSection() measure.Section {
	head, rows := r.meansRows(r.say)
	return measure.Section{Title: r.say("Over all topics"), Table: &measure.Table{Head: r.sayAll(head...), Rows: rows}, Text: r.say(meansText)}
}

// claimsSection tells what the sources of strategies report, beside what was measured.
func (r *Result) claimsSection() measure.Section {
	t := &measure.Table{Head: r.sayAll("strategy", "focus here", "it reports")}
	for _, m := range r.Means {
		if m.Claim != "" {
			t.Rows = append(t.Rows, []string{m.Strategy, three(m.Focus), m.Claim})
		}
	}
	return measure.Section{Title: r.say("Sources"), Table: t, Text: r.say(claimsNote)}
}

// keptSection tells what was kept, over all topics.
func (r *Result) keptSection() measure.Section {
	t := &measure.Table{Head: append(r.sayAll("strategy"), r.sayAll(slices.Clone(keptHead)...)...)}
	for i := range r.Means {
		m := &r.Means[i]
		t.Rows = append(t.Rows, append([]string{m.Strategy}, m.Kept.row()...))
		if m.Second != nil {
			t.Rows = append(t.Rows, append([]string{m.Strategy + ", " + r.say("second look")}, m.Second.row(r.say)...))
			if m.Second.Labelled != nil {
				t.Rows = append(t.Rows, append([]string{m.Strategy + ", " + r.say("with labels")}, m.Second.labelledRow()...))
			}
		}
	}
	return measure.Section{Title: r.say("What was kept"), Table: t, Text: r.say(keptNote)}
}

func (r *Result) topicHead() []string {
	return r.sayAll("strategy", "focus", "area", "recall at 10 %", "20 %", "50 %", "harvest at 10 %", "100 pages", "hosts at 20 %", "pages to 50 %", "to 90 %")
}

func (r *Result) topicSection(topic [2]string) measure.Section {
	chart := &measure.Chart{X: r.say("pages fetched, % of those that can be reached"), Y: r.say("share of the relevant pages found"), XMax: 100, YMax: 1}
	t := &measure.Table{Head: r.topicHead()}
	var yard *Cell
	for _, m := range r.Means {
		for i := range r.Cells {
			c := &r.Cells[i]
			if c.Strategy != m.Strategy || c.Web != topic[0] || c.Topic != topic[1] {
				continue
			}
			yard = c
			if len(chart.Lines) < shownLines {
				chart.Lines = append(chart.Lines, line(c.Strategy, c.Curve, false))
			}
			t.Rows = append(t.Rows, []string{c.Strategy, three(c.Focus), three(c.AUC), threeAt(c.Recall, 10), threeAt(c.Recall, 20), threeAt(c.Recall, 50),
				threeAt(c.Harvest, 10), three(c.First), c.Pay.hosts(r.say), r.say(orNever(c.PagesTo50)), r.say(orNever(c.PagesTo90))})
		}
	}
	chart.Lines = append(chart.Lines, line(r.say("oracle, two links ahead"), yard.Optimum, true), line(r.say("random"), yard.Chance, true))
	return measure.Section{Title: topic[0] + ": " + topic[1], Chart: chart, Table: t,
		Text: fmt.Sprintf(r.say("%d pages can be reached, %d of them relevant."), yard.Reachable, yard.Relevant)}
}

func line(name string, curve []float64, faint bool) measure.Line {
	l := measure.Line{Name: name, Y: curve, Faint: faint}
	for i := range curve {
		l.X = append(l.X, float64(i)*100/float64(len(curve)-1))
	}
	return l
}

func three(x float64) string { return fmt.Sprintf("%.3f", x) }

// none stands where there is nothing to tell.
const none = "–"

// threeAt is what is told of a share of the reach, if anything is.
func threeAt(told map[string]float64, share int) string {
	if x, ok := told[strconv.Itoa(share)]; ok {
		return three(x)
	}
	return none
}
