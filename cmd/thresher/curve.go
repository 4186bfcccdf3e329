package main

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/thresher-crawler/thresher/focus/ledger"
)

// series is one harvest curve with its mark.
type series struct {
	name   string
	mark   rune
	points []ledger.Point
}

// drawCurve draws how many relevant pages were found against how many were fetched.
func drawCurve(w io.Writer, width, height int, all ...series) {
	pages, relevant := 1, 1
	for _, s := range all {
		for _, p := range s.points {
			pages, relevant = max(pages, p.Pages), max(relevant, p.Relevant)
		}
	}
	grid := make([][]rune, height)
	for y := range grid {
		grid[y] = []rune(strings.Repeat(" ", width))
	}
	for i := len(all) - 1; i >= 0; i-- { // the first one lies on top
		for x := range width {
			at := (x + 1) * pages / width
			if n, ok := all[i].at(at); ok {
				y := height - 1 - n*(height-1)/relevant
				grid[y][x] = all[i].mark
			}
		}
	}
	for y, row := range grid {
		label := ""
		if y == 0 {
			label = fmt.Sprint(relevant)
		} else if y == height-1 {
			label = "0"
		}
		fmt.Fprintf(w, "%8s │%s\n", label, strings.TrimRight(string(row), " "))
	}
	fmt.Fprintf(w, "%8s └%s\n", "", strings.Repeat("─", width))
	fmt.Fprintf(w, "%8s  0%*s pages\n", "", width-1, fmt.Sprint(pages))
}

// at is how many relevant pages there were after so many were fetched; false beyond the end of the curve.
func (s series) at(pages int) (int, bool) {
	i := sort.Search(len(s.points), func(i int) bool { return s.points[i].Pages >= pages })
	if i == len(s.points) {
		return 0, false
	}
	if s.points[i].Pages > pages && i > 0 {
		i--
	}
	return s.points[i].Relevant, true
}
