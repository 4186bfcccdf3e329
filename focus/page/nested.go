package page

import "strings"

// nested are the quotations and the items of lists that text of Markdown stands in. Any block may stand within: a list, a heading, a
// table, text that is laid out; so that each line begins with the signs of all that it stands in, and so does what is put into lines.
type nested struct {
	open   []container // the outermost first
	begun  int         // of those, how many have text
	first  []byte      // what stands before the next line
	margin []byte      // before each line after it
	fresh  bool        // the line has no text yet
}

// container is a quotation or an item: what stands before its first line, and before the others.
type container struct {
	begins, goesOn string
	quote          bool
}

const (
	quoteSign = "> "
	itemSign  = "- "
)

// maxNested bounds the signs before a line: nonsense may nest quotations by the hundred.
const maxNested = 9

// enterQuote opens a quotation.
func (w *markdown) enterQuote() { w.enter(container{quoteSign, quoteSign, true}) }

// enterItem opens an item of a list. What is more than its first line stands below its text, not below its sign.
func (w *markdown) enterItem(sign string) {
	w.enter(container{begins: sign, goesOn: asWide[:len(sign)]})
}

// asWide is as wide as the widest sign of an item, "999999999. ".
const asWide = "           "

// enter opens a container. In a block that is laid out, and beyond what is bounded, none has a sign.
func (w *markdown) enter(c container) {
	if w.pre || len(w.open) >= maxNested {
		c.begins, c.goesOn = "", ""
	}
	w.open = append(w.open, c)
}

// leave closes the innermost quotation or item, and what has been left open in it. One that has no text is not seen.
func (w *markdown) leave(quote bool) {
	for i := len(w.open) - 1; i >= 0; i-- {
		if w.open[i].quote == quote {
			w.open = w.open[:i]
			w.begun = min(w.begun, i)
			return
		}
	}
}

// between is what stands before the empty lines that are due: the signs of what goes on behind them.
func (n *nested) between() { n.margin = n.goOn(n.margin[:0], n.begun) }

// begin makes what stands before the next lines.
func (n *nested) begin() {
	n.first = n.goOn(n.first[:0], n.begun)
	for _, c := range n.open[n.begun:] {
		n.first = append(n.first, c.begins...)
	}
	n.begun = len(n.open)
	n.margin = n.goOn(n.margin[:0], n.begun)
	n.fresh = true
}

func (n *nested) goOn(to []byte, depth int) []byte {
	for _, c := range n.open[:depth] {
		to = append(to, c.goesOn...)
	}
	return to
}

// put writes text that may have lines, each of them with what stands before it.
func (w *markdown) put(s string) {
	for s != "" {
		if w.fresh {
			w.beginLine(s[0] == '\n')
		}
		i := strings.IndexByte(s, '\n') + 1
		if i == 0 {
			w.out.WriteString(s)
			return
		}
		w.out.WriteString(s[:i])
		w.fresh = true
		s = s[i:]
	}
}

// putByte writes a byte likewise.
func (w *markdown) putByte(c byte) {
	if w.fresh {
		w.beginLine(c == '\n')
	}
	w.out.WriteByte(c)
	w.fresh = c == '\n'
}

// beginLine writes what stands before a line. Before an empty one no blanks are left.
func (w *markdown) beginLine(empty bool) {
	signs := w.margin
	if len(w.first) > 0 {
		signs, w.first = w.first, w.first[:0]
	}
	if empty {
		for len(signs) > 0 && signs[len(signs)-1] == ' ' {
			signs = signs[:len(signs)-1]
		}
	}
	w.out.Write(signs)
	w.fresh = false
}
