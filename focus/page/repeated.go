package page

import (
	"bytes"
	"strings"
)

// repeated is what the parts of one class say again and again.
type repeated struct {
	like  int32 // the first of them
	says  string
	many  int
	other bool // some of them say something else
}

const (
	repeatedBytes = 36 // of the longest text that is repeated
	fewRepeated   = 3  // so many say the same
	mostRepeated  = 32 // classes that are looked at
)

// leaveRepeated leaves out of the main text what stands in it again and again in parts of a class that say nothing else: what one may do
// with each post of a thread, and each section of a lexicon.
func (r *reading) leaveRepeated(c []candidate) {
	var seen []repeated
	for i := range c {
		if !c[i].keep || len(r.parts[i].class) == 0 || c[i].all == 0 {
			continue
		}
		says, s := r.repeats(c, int32(i)), r.repeatedAt(seen, int32(i))
		switch {
		case s != nil:
			s.many++
			s.other = s.other || s.says != says
		case says != "" && len(seen) < mostRepeated:
			seen = append(seen, repeated{like: int32(i), says: says, many: 1})
		}
	}
	for i := range c {
		if s := r.repeatedAt(seen, int32(i)); s != nil && s.many >= fewRepeated && !s.other {
			c[i].keep = false
		}
	}
}

// repeatedAt is what was seen of the parts that are written as one is.
func (r *reading) repeatedAt(seen []repeated, i int32) *repeated {
	for k := range seen {
		if p, q := &r.parts[i], &r.parts[seen[k].like]; p.tag == q.tag && bytes.Equal(p.class, q.class) {
			return &seen[k]
		}
	}
	return nil
}

// repeats is what a part says that may be repeated: a few words on a line of their own, in no item, cell, heading or paragraph,
// and no sentence.
func (r *reading) repeats(c []candidate, i int32) string {
	at := &c[i]
	switch t := r.parts[i].tag; {
	case at.all > repeatedBytes, facts[t]&isHeading != 0, t == tagP, t == tagPre, t == tagLi, t == tagTd, t == tagTh, t == tagDt, t == tagDd, r.ends(at):
		return ""
	}
	prose, from := r.page.prose, int(r.prose.runs[at.opens].from)
	to := min(from+int(at.all), len(prose))
	if end := strings.IndexByte(prose[to:], '\n'); end >= 0 && end <= shortSentence/4 { // what stands between its runs counts, too
		to += end
	}
	if from > 0 && prose[from-1] != '\n' || to < len(prose) && prose[to] != '\n' {
		return "" // it stands in a line
	}
	return prose[from:to]
}
