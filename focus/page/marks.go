package page

import (
	"bytes"
	"strconv"
)

// mark is a place in the page's text at which its form changes. Marks keep what Markdown needs of a page, which is
// little, once the elements are gone.
type mark struct {
	at   int32 // length of the text before it
	arg  int32 // level of a heading, depth of a list and of an item, number of the next item, reach of a cell, number of a link, of a language
	kind form
}

// form is what begins or ends at a mark.
type form uint8

const (
	markParagraph form = iota
	markLine
	markHeading
	markHeadingEnd
	markList
	markOrdered
	markNumber
	markItem
	markItemEnd
	markTable
	markTableEnd
	markRows // a group of rows, out of which no cell reaches
	markRow
	markCell
	markQuote
	markQuoteEnd
	markPre
	markPreEnd
	markCode
	markCodeEnd
	markLink
	markLinkEnd
	markStrong
	markStrongEnd
)

// counts says whether each of several such marks at one place is one of its own.
func (f form) counts() bool {
	switch f {
	case markQuote, markQuoteEnd, markItem, markItemEnd, markCell:
		return true
	}
	return false
}

// maxMarks bounds the marks of a page, as maxRuns does its runs: Markdown is plain text from there on.
const maxMarks = 200_000

// mark notes a change of form; the same one twice at one place is one, but for those that are counted.
func (p *prose) mark(kind form, arg int32) {
	if len(p.marks) >= maxMarks {
		return
	}
	m := mark{at: int32(len(p.buf)), kind: kind, arg: arg}
	if n := len(p.marks); n > 0 && p.marks[n-1] == m && !kind.counts() {
		return
	}
	p.marks = append(p.marks, m)
}

// markOpen notes the beginning of an element that stands on lines of its own.
func (r *reading) markOpen(t tag) {
	e := r.top()
	switch {
	case facts[t]&isHeading != 0:
		r.prose.mark(markHeading, int32(e.level))
	case t == tagOl:
		r.prose.mark(markOrdered, int32(e.lists))
		r.markNumber("start")
	case t == tagUl, t == tagDl:
		r.prose.mark(markList, int32(e.lists))
	case t == tagLi:
		r.markNumber("value")
		r.prose.mark(markItem, int32(max(e.lists, 1)))
	case t == tagTable:
		r.prose.mark(markTable, 0)
	case t == tagTr:
		r.newRow()
		r.regions[e.region].rows++
		r.prose.mark(markRow, 0)
	case t == tagTd, t == tagTh:
		r.prose.mark(markCell, r.reach())
	case t == tagBlockquote:
		r.prose.mark(markQuote, 0)
	case t == tagPre, t == tagListing:
		r.prose.mark(markPre, r.language(t))
	case t == tagTbody, t == tagThead, t == tagTfoot:
		if t != tagTbody {
			r.prose.mark(markParagraph, 0)
		}
		r.prose.mark(markRows, 0)
	default:
		r.prose.mark(markParagraph, 0)
	}
}

// markNumber notes the number of the next item where an attribute says one that Markdown can say, too.
func (r *reading) markNumber(name string) {
	v, ok := r.attribute(name)
	if !ok {
		return
	}
	if n, err := strconv.ParseUint(string(bytes.TrimSpace(v)), 10, 32); err == nil && n < 1e9 {
		r.prose.mark(markNumber, int32(n))
	}
}

// markClose notes its end.
func (r *reading) markClose(e *element) {
	switch t := e.tag; {
	case facts[t]&isHeading != 0:
		r.prose.mark(markHeadingEnd, 0)
	case t == tagTable:
		r.prose.mark(markTableEnd, 0)
	case t == tagBlockquote:
		r.prose.mark(markQuoteEnd, 0)
	case t == tagPre, t == tagListing:
		r.prose.mark(markPreEnd, 0)
	case t == tagLi:
		r.prose.mark(markItemEnd, 0)
	case t == tagTd, t == tagTh, t == tagTr, t == tagTbody:
	default:
		r.prose.mark(markParagraph, 0)
	}
}
