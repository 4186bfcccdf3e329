package page

import (
	"regexp"
	"strings"
)

// What a heading says of what stands below it, and how far that goes.

// announced is what the heading a part begins with says of it; where the part has begun before the heading, what follows it
// up to the next heading is meant.
func (r *reading) announced(c []candidate, i int32) hint {
	at := &c[i]
	if at.opens == nothing || i == 0 {
		return 0
	}
	u := &r.prose.runs[at.opens]
	if at.bytes > headingBytes && u.part == i || u.to-u.from > headingBytes {
		return 0
	}
	heading := r.page.prose[u.from:u.to]
	h := r.lists.announces(heading)
	if h == 0 {
		return 0
	}
	if u.part != i || facts[r.parts[i].tag]&isHeading == 0 || c[r.parts[i].parent].opens == at.opens {
		if h == hintRelated && (r.textBelowLinks(c, at.first, nothing) != nothing || r.lists.mayHead(heading) && isText(at.all-(u.to-u.from), at.linked)) {
			return 0
		}
		return h
	}
	end := r.belowHeading(c, i)
	if h == hintRelated {
		if end = r.textBelowLinks(c, at.next, end); r.lists.mayHead(heading) && r.textBelow(c, at.next, end) {
			return 0
		}
	}
	for k := at.next; k != end; k = c[k].next {
		if 2*c[k].all <= c[0].all {
			c[k].unlike |= h
		}
	}
	return h
}

// belowHeading is the part beside a heading where what stands below it has ended: at the next heading of its rank.
func (r *reading) belowHeading(c []candidate, i int32) int32 {
	k := c[i].next
	for ; k != nothing; k = c[k].next {
		if t := r.parts[k].tag; facts[t]&isHeading != 0 && t <= r.parts[i].tag {
			break
		}
	}
	return k
}

// isText says whether of so much text so little is linked that it is no list of links.
func isText(all, linked int32) bool { return all >= 4*shortText && 10*linked <= 3*all }

// textBelow says whether what stands between two parts beside each other is text: a paper has related work, and a doctor recommends a dose.
func (r *reading) textBelow(c []candidate, from, end int32) bool {
	var all, linked int32
	said := false
	for k := from; k != end; k = c[k].next {
		all, linked, said = all+c[k].all, linked+c[k].linked, said || says(c, k)
	}
	return said && isText(all, linked)
}

// says says whether there are sentences in a part.
func says(c []candidate, i int32) bool {
	said := c[i].said
	for k := c[i].first; k != nothing && !said; k = c[k].next {
		said = says(c, k)
	}
	return said
}

// textBelowLinks is where between two parts the text goes on below a list of links that was put into it, under a heading of its own; end
// where it does not: where most of it are not sentences behind all links.
func (r *reading) textBelowLinks(c []candidate, from, end int32) int32 {
	links, text := int32(nothing), end
	var all, behind int32
	for k := from; k != end; k = c[k].next {
		all += c[k].all
		switch {
		case c[k].all > 0 && 10*c[k].linked >= 8*c[k].all:
			links, text, behind = k, end, 0
			continue
		case links != nothing && text == end && says(c, k) && c[k].linked == 0:
			text = k
		}
		if text != end {
			behind += c[k].all
		}
	}
	if text == end || 2*behind < all || !r.textBelow(c, text, end) {
		return end
	}
	return text
}

// mayHead says whether a heading that begins with words that announce links may be that of a text all the same: it says more than these.
func (l *Lists) mayHead(heading string) bool {
	heading = strings.Trim(heading, " \n:：")
	return l.special.begins(heading) && l.special.is(heading) == 0 && !ofLinks.MatchString(heading)
}

// ofLinks is how a heading begins that stands above links to more of the same, not above related work or a recommended dose.
var ofLinks = regexp.MustCompile(`(?i)^(related|recommended|similar|more|further)\W+(\w+\W+)?(article|book|content|coverage|document|for you|item|link|news|page|post|product|publication|question|read|resource|search|site|stor|topic|video)`)

// oneOfComments is how a comment is called that has a number, as the parts of a report have.
var oneOfComments = regexp.MustCompile(`^[Cc]omment #?\d`)

// announces is what a heading says of what follows it: that readers speak, or that it leads elsewhere.
func (l *Lists) announces(heading string) hint {
	heading = strings.TrimLeft(heading, " \n0123456789")
	whole := strings.Trim(heading, " \n:：")
	switch {
	case oneOfComments.MatchString(heading):
		return 0
	case l.readers.begins(heading), l.readers.is(whole) != 0:
		return hintComment
	case l.elsewhere.begins(heading), l.elsewhere.is(whole) != 0, l.special.begins(heading):
		return hintRelated
	}
	return 0
}
