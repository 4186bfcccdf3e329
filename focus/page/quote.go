package page

import "strings"

// quotes are the stretches of Markdown that are quotations. Their signs are put before the lines once all lines are there, since any
// block may stand within: a list, a heading, one that is laid out.
type quotes struct {
	open    int // how many quotations are open
	least   int // how many of them were open all the time since the last text
	written int // in how many the last text stands
	bounds  []bound
}

// bound is where a line begins with which a number of quotations is around the text.
type bound struct{ at, depth int }

// maxQuotes bounds the signs before a line: nonsense may nest quotations by the hundred.
const maxQuotes = 9

func (q *quotes) enter() { q.open++ }

func (q *quotes) leave() {
	q.open--
	q.least = min(q.least, q.open)
}

// quoteEnds notes the quotations that have ended before the line breaks that are due.
func (q *quotes) quoteEnds(at int) {
	if q.least < q.written {
		q.bounds = append(q.bounds, bound{at, q.least})
		q.written = q.least
	}
}

// quoteBegins notes those that begin with the text behind them.
func (q *quotes) quoteBegins(at int) {
	if q.open > q.written {
		q.bounds = append(q.bounds, bound{at, q.open})
	}
	q.written, q.least = q.open, q.open
}

// quoted is the Markdown with the signs of its quotations.
func (w *markdown) quoted() string {
	whole := w.out.String()
	if len(w.bounds) == 0 {
		return whole
	}
	var b strings.Builder
	b.Grow(len(whole) * 9 / 8)
	at, next, depth := 0, 0, 0
	for line := range strings.Lines(whole) {
		for ; next < len(w.bounds) && w.bounds[next].at <= at; next++ {
			depth = w.bounds[next].depth
		}
		at += len(line)
		signs := strings.Repeat("> ", min(depth, maxQuotes))
		if line == "\n" {
			signs = strings.TrimSuffix(signs, " ")
		}
		b.WriteString(signs)
		b.WriteString(line)
	}
	return b.String()
}
