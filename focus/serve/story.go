package serve

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// storyView is what the page of a run shows.
type storyView struct {
	W     words
	Name  string
	S     *watch.Story
	Steer bool   // it may be told what to do
	Said  string // what was done at a button
	Chart template.HTML
	Lines []legend
}

// pageList are pages on the page of a run.
type pageList struct {
	V    *storyView
	List []watch.Find
}

// legend is a line of a chart and what it shows.
type legend struct{ Class, Name string }

// named is a curve and whose it is.
type named struct {
	name   string
	points []watch.Point
}

func (s *Server) storyView(w words, name string, story *watch.Story) *storyView {
	v := &storyView{W: w, Name: name, S: story, Steer: !s.o.ReadOnly}
	curves := []named{{story.Run.Strategy, story.Curve.Points}}
	if story.Curve.With != "" {
		curves = append(curves, named{story.Curve.With, story.Curve.Compared})
	}
	all := named{w.T("everyrelevant"), []watch.Point{{}, {Pages: story.Counts.Relevant, Relevant: story.Counts.Relevant}}}
	v.Chart, v.Lines = drawn(w, curves, &all)
	return v
}

// drawn is the picture of some curves; beside them stands a yardstick.
func drawn(w words, curves []named, yard *named) (template.HTML, []legend) {
	c := &measure.Chart{X: w.T("pagesfetched"), Y: w.T("relevantpages"), XMax: 1, YMax: 1}
	add := func(n named, faint bool) {
		l := measure.Line{Name: n.name, Faint: faint}
		for _, p := range n.points {
			l.X, l.Y = append(l.X, float64(p.Pages)), append(l.Y, float64(p.Relevant))
			c.XMax, c.YMax = max(c.XMax, float64(p.Pages)), max(c.YMax, float64(p.Relevant))
		}
		c.Lines = append(c.Lines, l)
	}
	for _, n := range curves {
		add(n, false)
	}
	if yard != nil {
		add(*yard, true)
	}
	picture := c.SVG()
	var lines []legend
	for _, l := range c.Lines {
		lines = append(lines, legend{l.Class(), l.Name})
	}
	return picture, lines
}

// Live tells of a run that a process works on.
func (v *storyView) Live() bool { return v.S.Run.State.Live() }

// Why says in a sentence why a page is here.
func (v *storyView) Why(f watch.Find) string {
	zh := v.W.Language == "zh"
	var words string
	const most = 4
	switch n := len(f.Words); {
	case n == 0:
		words = v.W.T("noword")
	case n > most:
		words = fmt.Sprintf(v.W.T("speaksmore"), strings.Join(f.Words[:most], v.W.T("comma")), n-most)
	default:
		words = fmt.Sprintf(v.W.T("speaks"), strings.Join(f.Words, v.W.T("comma")))
	}
	said := fmt.Sprintf(v.W.T("itsays"), words, f.Relevance)
	if v.S.Run.Threshold > 0 {
		said += fmt.Sprintf(v.W.T("ittakes"), v.S.Run.Threshold)
	}
	from := f.ViaTitle
	if from == "" {
		from = f.Via
	}
	switch {
	case f.Steps == 0:
		said += v.W.T("isstart")
	case f.Anchor != "" && from != "":
		said += fmt.Sprintf(v.W.T("byanchor"), f.Anchor, from)
	case from != "":
		said += fmt.Sprintf(v.W.T("bypage"), from)
	case f.Anchor != "":
		said += fmt.Sprintf(v.W.T("byanchoralone"), f.Anchor, f.Steps)
	default:
		said += fmt.Sprintf(v.W.T("bysteps"), f.Steps)
	}
	if zh {
		return said + "。"
	}
	return said + "."
}

// Limit says what keeps the crawl from going faster.
func (v *storyView) Limit() string {
	p := &v.S.Pace
	said := v.W.T("limit-" + string(p.Limit))
	switch p.Limit {
	case watch.LimitAnswers:
		return fmt.Sprintf(said, p.Parallel)
	case watch.LimitHosts:
		return fmt.Sprintf(said, p.Hosts, v.W.Span(p.Delay))
	}
	return said
}

// Reason is a refusal in words.
func (v *storyView) Reason(r admit.Refused) string {
	if v.W.Language == "zh" {
		return r.Chinese()
	}
	return r.Sentence()
}

// Band says between which scores the links of a band are.
func (v *storyView) Band(b watch.Band) string {
	switch {
	case b.Start:
		return v.W.T("seed")
	case b.From < 0:
		return "< 0"
	case b.From >= 1:
		return "≥ 1"
	}
	return fmt.Sprintf("%.1f – %.1f", b.From, b.To)
}

// MostInBand is how many links the fullest band has.
func (v *storyView) MostInBand() (most int) {
	for _, b := range v.S.Waiting.Bands {
		most = max(most, b.Links)
	}
	return most
}

// MostOfSite is how many links of the site wait that has most.
func (v *storyView) MostOfSite() int {
	if len(v.S.Waiting.Sites) == 0 {
		return 1
	}
	return v.S.Waiting.Sites[0].Links
}

// Done says what was done at a button, in words of ours alone.
func (v *storyView) Done() string {
	what, number, _ := strings.Cut(v.Said, ":")
	if _, known := saidOfRuns["done-"+what]; !known {
		return ""
	}
	said := v.W.T("done-" + what)
	if n, err := strconv.Atoi(number); err == nil && strings.Contains(said, "%d") {
		return fmt.Sprintf(said, n)
	}
	return strings.ReplaceAll(said, "%d ", "")
}

// shownMove is how much a word must be met more or less often of late for that to be shown.
const shownMove = 0.02

// Moves is an arrow for a word that is met more or less often of late.
func (v *storyView) Moves(w watch.Word) string {
	switch rises := w.Rises(); {
	case v.S.Counts.Pages < 100:
		return ""
	case rises > shownMove:
		return "↑"
	case rises < -shownMove:
		return "↓"
	}
	return ""
}

// Span is a time as people say it.
func (w words) Span(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return fmt.Sprintf(w.T("seconds"), math.Round(10*d.Seconds())/10)
	case d < time.Hour:
		return fmt.Sprintf(w.T("minutes"), int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf(w.T("hours"), int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf(w.T("days"), int(d.Hours()/24))
}

// Size is a number of bytes as people say it.
func (w words) Size(n int64) string {
	for _, unit := range []struct {
		name string
		of   int64
	}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= unit.of {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(unit.of), unit.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}

// Rate is how many pages a second there are.
func (w words) Rate(x float64) string { return strconv.FormatFloat(x, 'g', 2, 64) }

// State is how a run is called that is so.
func (w words) State(s watch.State) string { return w.T("state-" + string(s)) }
