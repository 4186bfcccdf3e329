package page

import (
	"regexp"
	"strings"
	"time"
)

// nearHeading bounds the parts below the page's heading that are looked at for the box of who wrote the page.
const nearHeading = 12

// leaveBylineBox leaves out of the main text the box below the page's heading that says by whom it is and of which day, or how long it takes
// to read, with all else in it: where it was published, how many like it, what to press to follow them. Its names may say nothing.
func (r *reading) leaveBylineBox(c []candidate, head int32) {
	if head == 0 {
		return
	}
	k := r.beyond(c, head)
	for range nearHeading {
		switch {
		case k == nothing:
			return
		case facts[r.parts[k].tag]&isHeading != 0, c[k].all == 0:
			k = r.beyond(c, k)
		case c[k].first == nothing && r.sentence(&c[k]):
			return // the text has begun
		case c[k].all <= bylineBytes && r.tellsWhoAndWhen(c, k):
			r.leaveAll(c, k)
			return
		case !says(c, k):
			k = r.beyond(c, k)
		default:
			k = c[k].first
		}
	}
}

// leaveAll leaves out a part and all that stands in it.
func (r *reading) leaveAll(c []candidate, part int32) {
	for i := part; int(i) < len(c) && (i == part || r.parts[i].parent >= part); i++ {
		c[i].keep = false
	}
}

// beyond is the part that follows one and all that stands in it, up to the end of what the main text stands in.
func (r *reading) beyond(c []candidate, i int32) int32 {
	for ; i > 0; i = r.parts[i].parent {
		if next := c[i].next; next != nothing {
			return next
		}
	}
	return nothing
}

// tellsWhoAndWhen says of a part that it has in it the author and a day, or how long it takes to read, or else the day that the page's head
// has, and neither a sentence nor another heading than the author's name.
func (r *reading) tellsWhoAndWhen(c []candidate, part int32) bool {
	f, line := &r.page.Facts, r.saying(c, part)
	who := f.Author != "" && strings.Contains(line, f.Author)
	if endsSentence(line) || !who && (r.said.day == "" || c[part].all > bylineBytes/2 || !strings.Contains(line, r.said.day[:len("2006")])) {
		return false
	}
	day := Cut(findDate(line), len(time.DateOnly))
	if !(day != "" && (who || day == r.said.day) || who && takesToRead.MatchString(line)) {
		return false
	}
	for i := part + 1; int(i) < len(c) && r.parts[i].parent >= part; i++ {
		if facts[r.parts[i].tag]&isHeading != 0 && r.saying(c, i) != f.Author || c[i].all > 0 && r.ends(&c[i]) {
			return false
		}
	}
	return true
}

// takesToRead is how long a text takes to read.
var takesToRead = regexp.MustCompile(`(?i)\b\d+[\s-]?min(?:ute)?s?\.?(?: of)? read|\bread(?:ing)?(?: time)?:? \d+ min|(?:阅读|读完)[^。，]{0,8}\d+ ?分钟`)
