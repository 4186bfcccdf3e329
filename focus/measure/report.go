package measure

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Report is a page for people: curves and tables in one HTML file that needs no network. It is read in light and in dark,
// on a telephone and on paper; its tables can be sorted.
type Report struct {
	Title    string
	Language string // of the page, en where it is empty
	Facts    []Fact // what stands below the title
	Sections []Section
}

// Fact is one figure with its name.
type Fact struct{ Name, Value string }

// Section is a part of a report: text, a chart, a table, or several of them.
type Section struct {
	Title string
	Text  string
	Chart *Chart
	Table *Table
}

// Table is a table with a head. Cells that are numbers are set to the right and sorted as numbers.
type Table struct {
	Head []string
	Rows [][]string
}

// Text writes the table for a terminal, its columns set to the right.
func (t *Table) Text(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		fmt.Fprintln(out, strings.Join(row, "\t")+"\t")
	}
	return out.Flush()
}

// Chart is lines over a common x.
type Chart struct {
	X, Y  string // what the axes are
	XMax  float64
	YMax  float64
	Lines []Line
}

// Line is one curve of a chart. A faint line is a yardstick, drawn dashed, and the next one dotted.
type Line struct {
	Name   string
	X, Y   []float64
	Faint  bool
	colour int
}

//go:embed report.html
var reportHTML string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"svg":   func(c *Chart) template.HTML { return template.HTML(c.svg()) },
	"kind":  kind,
	"class": Line.Class,
}).Parse(reportHTML))

// HTML writes the report.
func (r *Report) HTML(w io.Writer) error {
	r.Language = cmp.Or(r.Language, "en")
	for _, s := range r.Sections {
		if s.Chart != nil {
			s.Chart.paint()
		}
	}
	if err := reportTemplate.Execute(w, r); err != nil {
		return fmt.Errorf("report %q: %w", r.Title, err)
	}
	return nil
}

// palette is how many colours the style sheet has.
const palette = 8

// paint gives the lines their colours.
func (c *Chart) paint() {
	bold, faint := 0, 0
	for i := range c.Lines {
		n := &bold
		if c.Lines[i].Faint {
			n = &faint
		}
		c.Lines[i].colour = *n % palette
		*n++
	}
}

// kind is how a cell is set: a number, a word or two, or prose that may be broken.
func kind(cell string) string {
	switch {
	case isNumber(cell):
		return "number"
	case len(cell) > 28:
		return "prose"
	}
	return "word"
}

// isNumber tells cells that are numbers, with a sign or a percent perhaps, from words.
func isNumber(cell string) bool {
	cell = strings.TrimLeft(strings.TrimSpace(cell), "+-−")
	return cell != "" && cell[0] >= '0' && cell[0] <= '9' && strings.Trim(cell, "0123456789.,%… eE+-") == ""
}

// The drawing area, in the units of the picture.
const (
	chartWidth, chartHeight = 720, 340
	chartLeft, chartRight   = 56, 12
	chartTop, chartBottom   = 36, 56
)

// svg draws the chart. Colours come from the style sheet, so that they follow light and dark.
func (c *Chart) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s over %s">`, chartWidth, chartHeight,
		template.HTMLEscapeString(c.Y), template.HTMLEscapeString(c.X))
	xStep, yStep := step(c.XMax), step(c.YMax)
	for x := 0.0; x <= c.XMax*1.0001; x += xStep {
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" x2="%.1f" y1="%d" y2="%d"/>`, c.x(x), c.x(x), chartTop, chartHeight-chartBottom)
		anchor := "middle"
		if c.x(x) > chartWidth-3*chartRight { // the last one would be cut off
			anchor = "end"
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="%s">%s</text>`, c.x(x), chartHeight-chartBottom+21, anchor, label(x))
	}
	for y := 0.0; y <= c.YMax*1.0001; y += yStep {
		fmt.Fprintf(&b, `<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>`, chartLeft, chartWidth-chartRight, c.y(y), c.y(y))
		fmt.Fprintf(&b, `<text x="%d" y="%.1f" text-anchor="end">%s</text>`, chartLeft-6, c.y(y)+4, label(y))
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`, (chartLeft+chartWidth-chartRight)/2, chartHeight-8, template.HTMLEscapeString(c.X))
	fmt.Fprintf(&b, `<text x="%d" y="16">%s</text>`, chartLeft/4, template.HTMLEscapeString(c.Y))
	for _, faint := range []bool{true, false} {
		for _, l := range c.Lines {
			if l.Faint == faint {
				c.line(&b, l)
			}
		}
	}
	b.WriteString(`</svg>`)
	return b.String()
}

// Class is what a style sheet calls the line.
func (l Line) Class() string {
	switch {
	case !l.Faint:
		return fmt.Sprintf("c%d", l.colour)
	case l.colour%2 == 1:
		return "faint dotted"
	}
	return "faint"
}

func (c *Chart) line(b *strings.Builder, l Line) {
	fmt.Fprintf(b, `<polyline class="line %s" points="`, l.Class())
	var point []byte
	for i := range l.X {
		point = append(strconv.AppendFloat(point[:0], c.x(l.X[i]), 'f', 1, 64), ',')
		b.Write(append(strconv.AppendFloat(point, c.y(l.Y[i]), 'f', 1, 64), ' '))
	}
	fmt.Fprintf(b, `"><title>%s</title></polyline>`, template.HTMLEscapeString(l.Name))
}

func (c *Chart) x(v float64) float64 {
	return chartLeft + v/math.Max(c.XMax, 1e-9)*(chartWidth-chartLeft-chartRight)
}

func (c *Chart) y(v float64) float64 {
	return chartHeight - chartBottom - v/math.Max(c.YMax, 1e-9)*(chartHeight-chartTop-chartBottom)
}

// step is a round distance between some five lines up to most.
func step(most float64) float64 {
	if !(most > 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(most/5)))
	for _, times := range []float64{1, 2, 5, 10} {
		if most/(unit*times) <= 6 {
			return unit * times
		}
	}
	return unit * 10
}

func label(v float64) string { return fmt.Sprintf("%.4g", v) }
