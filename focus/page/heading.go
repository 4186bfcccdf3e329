package page

import "strings"

const (
	longestMark = 12 // columns of a mark that a site sets beside a title: 原创, Thread:, [edit]
	maxMarked   = 8  // runs of a heading in which marks are looked for
)

// heading is what an h1 says without the marks that the site sets beside the title, in elements or on lines of their own, where the
// title element begins with the rest.
func (t *titling) heading(h int32) string {
	var runs []string
	for run, apart := range t.sayings(t.c, h) {
		if apart {
			run = " " + run
		}
		if runs = append(runs, run); len(runs) > maxMarked {
			return t.saying(t.c, h)
		}
	}
	join := func(from, to int) string { return tidy(strings.Join(runs[from:to], "")) }
	whole := join(0, len(runs))
	if t.piece(whole) >= 0 {
		return whole
	}
	for n := len(runs) - 1; n > 0; n-- {
		for from := 0; from+n <= len(runs); from++ {
			says := join(from, from+n)
			if t.piece(says) == 0 && t.isMark(join(0, from), says) && t.isMark(join(from+n, len(runs)), says) {
				t.said.beside = join(from+n, len(runs))
				return says
			}
		}
	}
	return whole
}

// isMark says whether what stands beside a title in its heading is none of it: nothing, a line of the house, the number of an issue,
// or a word or two that the title element does not say. A number may be that of a course or a chapter.
func (t *titling) isMark(rest, title string) bool {
	switch {
	case rest == "", serial.MatchString(rest), beginsDate(rest), t.lists.houseLine(rest):
		return true
	}
	return columns(rest) <= min(longestMark, columns(title)) && !strings.ContainsAny(rest, "0123456789") &&
		!strings.Contains(t.low, strings.ToLower(rest))
}
