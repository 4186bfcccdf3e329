package page

import (
	"regexp"
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

// headsOfMail are what the lines of a letter's head begin with.
var headsOfMail = regexp.MustCompile(`(?i)^\s*(from|sender|to|cc|reply-to|subject|date|message-id|in-reply-to|references|newsgroups|organi[sz]ation|user-agent|list-id)\s*[:：]`)

// timeOfLetter is in the line that says when a letter was sent.
var timeOfLetter = regexp.MustCompile(`\d[:.]\d\d`)

// answered is how the list of the answers to a letter begins, which leads to them.
var answered = regexp.MustCompile(`(?i)^\s*follow-?ups\s*[:：]?$`)

// maxHeadsOfMail bounds the lines of a letter's head.
const maxHeadsOfMail = 20

// headOfMail says of a list that it is the head of a letter, and notes who sent that: each entry is a line of one, that of the sender
// among them, and one with the time of day, as programs write it, and what no journey has: an address to write to, a subject, the number
// of a message. Behind sentences it is one that a text shows, and one that tells what each line is has no time.
func (r *reading) headOfMail(c []candidate, list int32) bool {
	n, surely, timed, sender := 0, false, false, int32(nothing)
	for i := c[list].first; i != nothing; i = c[i].next {
		if c[i].all == 0 {
			continue
		}
		line := Cut(r.page.prose[r.prose.runs[c[i].opens].from:], min(int(c[i].all), maxLine))
		is := headsOfMail.FindStringSubmatch(line)
		if n++; is == nil || n > maxHeadsOfMail {
			return false
		}
		switch strings.ToLower(is[1]) {
		case "from":
			sender, surely = i, surely || strings.Contains(line, "@")
		case "subject", "message-id":
			surely = true
		case "date":
			timed = timed || timeOfLetter.MatchString(line)
		}
	}
	if !timed || !surely || sender == nothing {
		return false
	}
	r.sender = sender
	for i := int32(1); i < list; i++ {
		if c[i].said && r.sentence(&c[i]) && !r.inside(list, i) {
			r.sender = nothing
		}
	}
	return r.sender != nothing
}

// writer is who wrote a letter, by its head.
func (r *reading) writer(c []candidate) string {
	if r.sender <= 0 {
		return ""
	}
	_, who, _ := strings.Cut(r.saying(c, r.sender), ":")
	return name(who)
}
