package measure

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// marks are what lines of a chart are drawn with in text.
const marks = "●○◆◇▲△■□"

// faintMark is what a yardstick is drawn with.
const faintMark = '·'

// Text draws the chart in characters, so many wide and high without the axes. The first line lies on top.
func (c *Chart) Text(w io.Writer, width, height int) error {
	grid := make([][]rune, height)
	for y := range grid {
		grid[y] = []rune(strings.Repeat(" ", width))
	}
	mark := c.marks()
	for i := len(c.Lines) - 1; i >= 0; i-- {
		for column := range width {
			if y, ok := c.Lines[i].at(c.XMax * (float64(column) + .5) / float64(width)); ok && c.YMax > 0 {
				row := height - 1 - int(min(max(y/c.YMax, 0), 1)*float64(height-1)+.5)
				grid[row][column] = mark[i]
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%8s  %s\n", "", c.Y)
	for y, row := range grid {
		at := ""
		if y == 0 || y == height-1 {
			at = label(c.YMax * float64(height-1-y) / float64(max(height-1, 1)))
		}
		fmt.Fprintf(&b, "%8s │%s\n", at, strings.TrimRight(string(row), " "))
	}
	fmt.Fprintf(&b, "%8s └%s\n", "", strings.Repeat("─", width))
	most := label(c.XMax)
	fmt.Fprintf(&b, "%8s  0%s%s %s\n", "", strings.Repeat(" ", max(width-1-len(most), 1)), most, c.X)
	for i, l := range c.Lines {
		if l.Name != "" {
			fmt.Fprintf(&b, "%8s  %c %s\n", "", mark[i], l.Name)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// marks gives each line its mark.
func (c *Chart) marks() []rune {
	drawn := make([]rune, len(c.Lines))
	n := 0
	for i, l := range c.Lines {
		if drawn[i] = faintMark; !l.Faint {
			drawn[i] = []rune(marks)[n%utf8.RuneCountInString(marks)]
			n++
		}
	}
	return drawn
}

// at is the height of a line at x, on the straight way between two of its points; false before the first and behind
// the last.
func (l *Line) at(x float64) (float64, bool) {
	for i := range l.X {
		switch {
		case l.X[i] == x:
			return l.Y[i], true
		case i > 0 && l.X[i-1] < x && x < l.X[i]:
			share := (x - l.X[i-1]) / (l.X[i] - l.X[i-1])
			return l.Y[i-1] + share*(l.Y[i]-l.Y[i-1]), true
		}
	}
	return 0, false
}
