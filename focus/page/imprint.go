package page

import (
	"regexp"
	"slices"
	"strings"
)

// ofRights is in a line that says whose the page is: it ends pages whose foot is called nothing.
var ofRights = regexp.MustCompile(`(?i)(?:©|\(c\)|\bcopyright\b)[^\pL\d]*(?:by )?(?:19|20)\d\d|©[^.。]{0,60}\b(?:19|20)\d\d\b|\b(?:19|20)\d\d\s*©|\ball rights reserved\b|(?:版权所有|版權所有)(?:[^者人]|$)|ICP备\s?\d`)

// rightsSigns tell at a glance of a text that it may be such a line.
var rightsSigns = []string{"©", "(c)", "(C)", "opyright", "opyRight", "OPYRIGHT", "ights", "IGHTS", "版", "ICP"}

// footBytes are of the longest foot.
const footBytes = 400

// leaveFoot leaves out the box at the end of the main text in which a line of rights stands, and beside that no sentence.
func (r *reading) leaveFoot(c []candidate, best int32) {
	last := r.lastKept(c, int32(len(c)))
	for n := 0; last != nothing && n < 4 && !r.isRights(c, last); n++ { // links may stand below it
		if r.sentence(&c[last]) || 2*c[last].linked < c[last].all {
			return
		}
		last = r.lastKept(c, last)
	}
	if last == nothing || !r.isRights(c, last) || 4*c[last].all >= c[best].all {
		return
	}
	foot, end := last, r.endOf(last, last+1)
	for up := r.parts[foot].parent; up > 0 && c[up].all <= footBytes && 4*c[up].all < c[best].all; up = r.parts[up].parent {
		next := r.endOf(up, end)
		if !r.leadOn(c, up, foot) || !r.leadOn(c, end, next) {
			break
		}
		foot, end = up, next
	}
	for i := foot; int(i) < len(c); i++ {
		c[i].keep = false
	}
}

// lastKept is the last part before another in which text is kept.
func (r *reading) lastKept(c []candidate, before int32) int32 {
	for i := before - 1; i > 0; i-- {
		if c[i].keep && c[i].bytes > 0 {
			return i
		}
	}
	return nothing
}

// isRights says whether a part is a line of rights, with no more before these than a name.
func (r *reading) isRights(c []candidate, i int32) bool {
	if c[i].all > bylineBytes || facts[r.parts[i].tag]&isHeading != 0 {
		return false
	}
	says := r.saying(c, i)
	if !slices.ContainsFunc(rightsSigns, func(sign string) bool { return strings.Contains(says, sign) }) {
		return false
	}
	at := ofRights.FindStringIndex(says)
	return at != nil && at[0] <= shortText
}

// endOf is where a part ends, at a place in it or right behind it at the soonest.
func (r *reading) endOf(i, from int32) int32 {
	for int(from) < len(r.parts) && r.parts[from].parent >= i {
		from++
	}
	return from
}

// leadOn says whether what stands right in some parts is links, or lines of rights.
func (r *reading) leadOn(c []candidate, from, to int32) bool {
	for k := from; k < to; k++ {
		if c[k].bytes > 0 && (facts[r.parts[k].tag]&isHeading != 0 || 2*c[k].links < c[k].bytes && !r.isRights(c, k)) {
			return false
		}
	}
	return true
}
