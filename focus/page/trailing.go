package page

import (
	"regexp"
	"strings"
)

// What is at the end of a main text and leads on from it.

// endText leaves out at the end of the main text what is left of the way on: a heading below which nothing is kept, as what it announced
// is no text, and a paragraph that is a link, as back to where the reader came from. A link that shows its address is a source.
func (r *reading) endText(c []candidate) {
	last, left := -1, int32(0)
	for k := range r.prose.runs {
		u := &r.prose.runs[k]
		if c[u.part].keep && !r.isOnward(c, r.lineOf(u.part)) {
			last, left = k, left+u.to-u.from
		}
	}
	if left < fewBytes {
		return
	}
	for k := last + 1; k < len(r.prose.runs); k++ {
		r.leaveOut(c, r.prose.runs[k].part)
	}
	r.bareHeadings(c)
}

// bareHeadings leaves out a heading below which stood nothing but links that were left out, up to the next one of its rank.
func (r *reading) bareHeadings(c []candidate) {
	head, out, linked := int32(nothing), int32(0), int32(0)
	for k := range r.prose.runs {
		u := &r.prose.runs[k]
		if !c[u.part].keep {
			if out += u.to - u.from; u.link != nothing {
				linked += u.to - u.from
			}
			continue
		}
		line := r.lineOf(u.part)
		if line == head {
			continue
		}
		rank := r.parts[line].tag
		if head != nothing && facts[rank]&isHeading != 0 && rank <= r.parts[head].tag && out > 0 && 10*linked >= 8*out {
			for i := head; int(i) < len(c) && (i == head || r.parts[i].parent >= head); i++ {
				c[i].keep = false
			}
		}
		if head, out, linked = nothing, 0, 0; facts[rank]&isHeading != 0 {
			head = line
		}
	}
}

// leaveOut leaves out a part and the rest of its line.
func (r *reading) leaveOut(c []candidate, i int32) {
	for line := r.lineOf(i); c[i].keep; i = r.parts[i].parent {
		if c[i].keep = false; i == line {
			return
		}
	}
}

// lineOf is the part that stands on lines of its own and has a part in it.
func (r *reading) lineOf(i int32) int32 {
	for i > 0 && facts[r.parts[i].tag]&breaksLine == 0 {
		i = r.parts[i].parent
	}
	return i
}

// isOnward says whether a line is a heading, or a paragraph of a link alone.
func (r *reading) isOnward(c []candidate, i int32) bool {
	at := &c[i]
	if at.all == 0 || at.all > headingBytes {
		return false
	}
	switch t := r.parts[i].tag; {
	case facts[t]&isHeading != 0:
		return !r.sentence(at)
	case t == tagLi, t == tagTd, t == tagTh, t == tagDd, t == tagDt:
		return false
	}
	return at.linked == at.all && !strings.Contains(r.beginning(at), "://")
}

// countsReaders says of a short line that it says how many have read a text, like it, or have said something of it, or which of those it
// is, and no more.
// An item or a cell that does counts something of the text, and "No reply" is what somebody tells.
func (r *reading) countsReaders(c []candidate, i int32) bool {
	at := &c[i]
	return at.all <= countBytes && strings.IndexByte("#([0123456789nN\xef", r.beginning(at)[0]) >= 0 && readerCounts.MatchString(r.saying(c, i)) && !r.isItem(c, i)
}

const countBytes = 32 // of the longest such line

var readerCounts = regexp.MustCompile(`(?i)^[(（\[]?\s*(?:no\s+comments|\d+\s+(?:comments?|replies|reply|responses?|views?|reads?|likes?|reactions?))\s*[)）\]]?$|^#\d{1,6}$` +
	`|^[(（\[]?\s*\d+\s?(?:[条篇则个]评论|条回复|次阅读|次浏览|[人个]点?赞)\s*[)）\]]?$`)
