package watch

import (
	"cmp"
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
)

// View is what the page of a run shows.
type View struct {
	W      Words
	Name   string // in the address of the page
	S      *Story
	Steer  bool   // it may be told what to do
	Served bool   // by a server; else it is printed into a file
	Said   string // what was done at a button
	Picture
}

// pageList are pages on the page of a run.
type pageList struct {
	V    *View
	List []Find
}

// legend is a line of a chart and what it shows.
type legend struct{ Class, Name string }

// Picture is a drawing of curves, and which is which.
type Picture struct {
	Chart template.HTML
	Lines []legend
}

// Named is a curve and whose it is.
type Named struct {
	Name   string
	Points []Point
}

// ViewOf is the page of a run, of which a server knows by a name.
func ViewOf(w Words, name string, story *Story) *View {
	curves := []Named{{story.Run.Strategy, story.Curve.Points}}
	if story.Curve.With != "" {
		curves = append(curves, Named{story.Curve.With, story.Curve.Compared})
	}
	all := Named{w.T("everyrelevant"), []Point{{}, {Pages: story.Counts.Relevant, Relevant: story.Counts.Relevant}}}
	return &View{W: w, Name: name, S: story, Picture: Draw(w, curves, &all)}
}

// Draw makes a picture of some curves; beside them stands a yardstick, if there is one.
func Draw(w Words, curves []Named, yard *Named) Picture {
	c := &measure.Chart{X: w.T("pagesfetched"), Y: w.T("relevantpages"), XMax: 1, YMax: 1}
	add := func(n Named, faint bool) {
		l := measure.Line{Name: n.Name, Faint: faint}
		for _, p := range n.Points {
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
	p := Picture{Chart: c.SVG()}
	for _, l := range c.Lines {
		p.Lines = append(p.Lines, legend{l.Class(), l.Name})
	}
	return p
}

// Live tells of a run that a process works on.
func (v *View) Live() bool { return v.S.Run.State.Live() }

// Title is what the window is called that shows it.
func (v *View) Title() string {
	return v.S.Run.Name + " · " + v.W.State(v.S.Run.State) + " · thresher"
}

// Why says in a sentence why a page is here.
func (v *View) Why(f Find) string {
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
	if l := v.Look(); l != nil && l.From > 0 && l.From != v.S.Run.Threshold {
		said += fmt.Sprintf(v.W.T("looktakes"), l.From)
	}
	from := cmp.Or(f.ViaTitle, f.Via)
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

// commands writes what stands between backquotes as a line that is typed.
func commands(said string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(said, "`") {
		if part = template.HTMLEscapeString(part); i%2 == 1 {
			part = `<code class="line">` + part + "</code>"
		}
		b.WriteString(part)
	}
	return template.HTML(b.String())
}

// Look is the second look at a run that has ended; nil where there was none.
func (v *View) Look() *run.Look {
	if v.S.Figures == nil {
		return nil
	}
	return v.S.Figures.Look
}

// Told says what both looks made of a page.
func (v *View) Told(t run.Told) string {
	said := fmt.Sprintf(v.W.T("bothlooks"), t.Second, t.First)
	if t.Importance > 0 {
		said += fmt.Sprintf(v.W.T("important"), t.Importance)
	}
	return said
}

// Limit says what keeps the crawl from going faster.
func (v *View) Limit() string {
	p := &v.S.Pace
	said := v.W.T("limit-" + string(p.Limit))
	switch p.Limit {
	case LimitAnswers:
		return fmt.Sprintf(said, p.Parallel)
	case LimitHosts:
		return fmt.Sprintf(said, p.Hosts, v.W.Span(p.Delay))
	}
	return said
}

// MoreHosts says where those hosts are that are not shown.
func (v *View) MoreHosts() string {
	return fmt.Sprintf(v.W.T("morehosts"), len(v.S.Hosts), shell.Word(v.S.Run.Folder))
}

// Rests says how long a host is left alone now; empty where it is not.
func (v *View) Rests(h Host) string {
	until := h.Rests.UTC().Format(time.TimeOnly)
	switch {
	case h.Rests.IsZero():
		return ""
	case h.Pause == 0:
		return fmt.Sprintf(v.W.T("restsuntil"), until)
	}
	return fmt.Sprintf(v.W.T("restsfor"), v.W.Span(h.Pause), until)
}

// Reason is a refusal in words.
func (v *View) Reason(r admit.Refused) string {
	if v.W.Language == "zh" {
		return r.Chinese()
	}
	return r.Sentence()
}

// Band says between which scores the links of a band are.
func (v *View) Band(b Band) string {
	switch {
	case b.Start:
		return v.W.Chooser(StartPage)
	case b.From < 0:
		return "< 0"
	case b.From >= 1:
		return "≥ 1"
	}
	return fmt.Sprintf("%.1f – %.1f", b.From, b.To)
}

// MostInBand is how many links the fullest band has.
func (v *View) MostInBand() (most int) {
	for _, b := range v.S.Waiting.Bands {
		most = max(most, b.Links)
	}
	return most
}

// MostOfSite is how many links of the site wait that has most.
func (v *View) MostOfSite() int {
	if len(v.S.Waiting.Sites) == 0 {
		return 1
	}
	return v.S.Waiting.Sites[0].Links
}

// Done says what was done at a button, in words of ours alone.
func (v *View) Done() string {
	what, number, _ := strings.Cut(v.Said, ":")
	if _, known := said["done-"+what]; !known {
		return ""
	}
	text := v.W.T("done-" + what)
	if one, ok := said["done-"+what+"-one"]; ok && number == "1" {
		return v.W.pick(one[0], one[1])
	}
	if n, err := strconv.Atoi(number); err == nil && strings.Contains(text, "%d") {
		return fmt.Sprintf(text, n)
	}
	return strings.ReplaceAll(text, "%d ", "")
}

// shownMove is how much a word must be met more or less often of late for that to be shown.
const shownMove = 0.02

// Moves is an arrow for a word that is met more or less often of late.
func (v *View) Moves(w Word) string {
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
