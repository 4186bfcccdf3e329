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
	if h == 0 || r.ofText(c, heading, h, i) || facts[r.parts[u.part].tag]&isHeading == 0 && r.holdsH1(c, i) {
		return 0
	}
	if u.part != i || facts[r.parts[i].tag]&isHeading == 0 || c[r.parts[i].parent].opens == at.opens {
		if h == hintRelated && (r.textBelowLinks(c, at.first, nothing) != nothing || r.lists.mayHead(heading) && isText(at.all-(u.to-u.from), at.linked)) {
			return 0
		}
		if rank := r.parts[u.part].tag; h == hintComment && at.all == u.to-u.from && facts[rank]&isHeading != 0 && c[r.parts[i].parent].opens != at.opens {
			r.saidBelow(c, i, r.belowBox(c, i, rank), h)
		}
		return h
	}
	end := r.belowHeading(c, i)
	if h == hintRelated {
		if end = r.textBelowLinks(c, at.next, end); r.lists.mayHead(heading) && r.textBelow(c, at.next, end) {
			return 0
		}
	}
	r.saidBelow(c, i, end, h)
	return h
}

// holdsH1 says whether a part has in it what the page is called by: a word above that, as of a field to search in, announces nothing.
func (r *reading) holdsH1(c []candidate, i int32) bool {
	for k := i + 1; int(k) < len(c) && r.parts[k].parent >= i; k++ {
		if r.heeded++; r.heeded > maxHeeded || r.parts[k].tag == tagH1 && c[k].all > 0 {
			return true
		}
	}
	return false
}

// saidBelow notes what a heading says of what stands below it.
func (r *reading) saidBelow(c []candidate, i, end int32, h hint) {
	for k := c[i].next; k != end; k = c[k].next {
		if 2*c[k].all <= c[0].all || h == hintRelated && r.besideTitled(c, k) {
			c[k].unlike |= h
		}
	}
}

// belowBox is where what stands below a heading has ended that has a box of its own: at the next that begins with one of its rank.
func (r *reading) belowBox(c []candidate, i int32, rank tag) int32 {
	k := c[i].next
	for ; k != nothing; k = c[k].next {
		if c[k].opens == nothing {
			continue
		}
		if t := r.parts[r.prose.runs[c[k].opens].part].tag; facts[t]&isHeading != 0 && t <= rank {
			break
		}
	}
	return k
}

// ofText says of a heading by which readers speak below it, or the site of other things, that it is the text's own all the same: texts
// discuss what they found and tell of the responses to it, where sentences stand below such a heading, and nobody else's.
func (r *reading) ofText(c []candidate, heading string, h hint, i int32) bool {
	ofPage := h == hintRelated && r.parts[r.prose.runs[c[i].opens].part].tag == tagH1
	if !r.lists.doubtful(heading, h, ofPage) {
		return false
	}
	for up := r.parts[i].parent; up != nothing && c[up].opens == c[i].opens; up = r.parts[i].parent {
		i = up
	}
	from, end := c[i].first, int32(nothing)
	if facts[r.parts[i].tag]&isHeading != 0 {
		from, end = c[i].next, r.belowHeading(c, i)
	}
	return r.textBelow(c, from, end) && (h != hintComment || !r.readersSpeak(c, from, end, hintComment|hintByline|hintDate))
}

// readersSpeak says whether there is a sign between two parts beside each other that somebody else speaks there than the author: a name or
// a day for each thing said. Where too much was looked through they speak. Signs are what a part
// is called that has one.
func (r *reading) readersSpeak(c []candidate, from, end int32, signs hint) bool {
	up := r.parts[from].parent
	for i := from; i != end && int(i) < len(c) && r.parts[i].parent >= up; i++ {
		if r.heeded++; r.heeded > maxHeeded || r.parts[i].hints&signs != 0 {
			return true
		}
		if c[i].all == 0 || c[i].all > bylineBytes {
			continue
		}
		if says := r.saying(c, i); r.lists.houseLine(says) || beginsDate(says) || r.isByline(c, i) || spoken.MatchString(says) {
			return true
		}
	}
	return false
}

// maxHeeded bounds the parts of a page that are looked through for who speaks in them: below one heading stand others.
const maxHeeded = 50_000

// spoken is how a line ends that says who speaks.
var spoken = regexp.MustCompile(`(?i)\b(says|said|writes|wrote|replied)\b[^.!?]{0,40}[:：]?$|(说|写道|回复)[：:]$`)

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

// doubtful says whether a heading that readers speak below, or that leads elsewhere, may be one of a text, as that of a whole page is sooner
// than others: it does not count what readers have said nor quote of what they speak, and says more than where else it leads.
func (l *Lists) doubtful(heading string, h hint, ofPage bool) bool {
	heading = strings.Trim(heading, " \n:：")
	if h == hintComment {
		heading = ofNumber.ReplaceAllString(heading, "$1")
		return l.ambiguous.begins(heading) && !strings.ContainsAny(heading, "0123456789“”\"「」《》")
	}
	return (ofPage || l.ambiguous.begins(heading)) && l.elsewhere.is(heading) == 0 && !l.special.begins(heading)
}

// ofNumber is how a heading begins that has a number and counts nothing.
var ofNumber = regexp.MustCompile(`(?i)^\d+ +(discussion|thoughts)\b`)

// announces is what a heading says of what follows it: that readers speak, or that it leads elsewhere.
func (l *Lists) announces(heading string) hint {
	heading = strings.TrimLeft(heading, " \n0123456789")
	whole := strings.Trim(heading, " \n:：")
	switch {
	case l.readers.begins(heading), l.readers.is(whole) != 0:
		if oneOfComments.MatchString(heading) {
			return 0
		}
		return hintComment
	case l.elsewhere.begins(heading), l.elsewhere.is(whole) != 0, l.special.begins(heading):
		return hintRelated
	}
	return 0
}
