package page

import (
	"strings"
	"time"
)

// lettersLines are the lines below a heading in which a letterhead stands.
const lettersLines = 3

// letterhead is who wrote a letter and when, as archives of letters have it right below the subject, with no element around it: a name
// before an address to write to, and the day on a line of its own. Without the time of day it is anybody's address.
func (r *reading) letterhead(c []candidate, head int32) (author, date string) {
	k := c[head].opens
	for ; k != nothing && int(k) < len(r.prose.runs) && r.inside(r.prose.runs[k].part, head); k++ {
	}
	if k == nothing || int(k) >= len(r.prose.runs) {
		return "", ""
	}
	first := &r.prose.runs[k]
	if first.part != r.parts[head].parent {
		return "", ""
	}
	lines := strings.SplitN(Cut(r.page.prose[first.from:], maxLine), "\n", lettersLines+1)
	for _, line := range lines[:min(len(lines), lettersLines)] {
		if beginsDate(line) && !endsSentence(line) {
			date = whenWritten(line)
			break
		}
	}
	if next := k + 1; len(date) > len(time.DateOnly) && int(next) < len(r.prose.runs) && first.link == nothing {
		if to := r.prose.runs[next].link; to != nothing && strings.HasPrefix(strings.ToLower(r.links[to].href), "mailto:") {
			author = name(r.page.prose[first.from:first.to])
		}
	}
	return author, date
}
