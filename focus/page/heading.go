package page

import (
	"regexp"
	"strings"
	"unicode"
)

const (
	longestMark = 12 // columns of a mark that a site sets before a title: 原创, Thread:
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
			if t.piece(says) == 0 && t.marksBefore(join(0, from), says) && t.marksBehind(join(from+n, len(runs))) {
				t.said.beside = join(from+n, len(runs))
				return says
			}
		}
	}
	return whole
}

// marksBefore says whether what stands before a title in its heading is none of it: what may stand behind one, or a word or two of
// Chinese, or before a colon, that the title element does not say. A number may be that of a course or a chapter, and a word in other
// letters that of a maker.
func (t *titling) marksBefore(rest, title string) bool {
	if t.marksBehind(rest) {
		return true
	}
	han := strings.ContainsFunc(rest, func(c rune) bool { return unicode.Is(unicode.Han, c) })
	return (han || strings.HasSuffix(rest, ":")) && columns(rest) <= min(longestMark, columns(title)) &&
		!strings.ContainsAny(rest, "0123456789") && !strings.Contains(t.low, strings.ToLower(rest))
}

// marksBehind says whether what stands behind a title in its heading is none of it: nothing, a line of the house, the number of an
// issue, or marks that are known. Other words are as often the rest of the title, which its element leaves out.
func (t *titling) marksBehind(rest string) bool {
	return rest == "" || serial.MatchString(rest) || beginsDate(rest) || t.lists.houseLine(rest) || knownMarks.MatchString(rest)
}

// knownMarks are those that say by themselves that they are none of a title.
var knownMarks = regexp.MustCompile(`^(?:\s*(?:\[[^\]]*\]|【[^】]*】|原创|转载|置顶))+$`)
