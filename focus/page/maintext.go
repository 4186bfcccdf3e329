package page

import (
	"bytes"
	"slices"
	"strings"
)

// The search for the main text. Every text votes for the elements around it, the nearest most, with as many votes as it has
// bytes of sentences; what the markup calls navigation, comments, related and the like has a tenth of its votes. From the
// element with the most votes the search climbs as long as what stands around it is worth it. What is inside of the winner and
// is not called anything else is the main text.

// candidate is what the search knows of one part.
type candidate struct {
	first, next int32 // its first inner part, and the next one beside it

	bytes, links int32   // of text right inside, and of that in links
	all, linked  int32   // of text, inner parts included
	gain         float32 // what is right inside is worth so many bytes of sentences
	whole        float32 // inner parts included
	votes        float32

	opens  int32 // the run it begins with, or nothing
	unlike hint  // what it is called that is not main text, beside what it stands in
	said   bool  // there are sentences right inside, outside of links
	keep   bool
	sure   bool // it is something else, not by its names alone, or stands in that
	heads  bool // it is the header of a text, or stands in one
}

const (
	unwantedShare = 0.1  // of the votes of what is called something else
	climbing      = 0.25 // what has to be around an element, in parts of what is inside, to climb
	shortText     = 60   // bytes below which a text is more often a label than a sentence
	shortSentence = 40   // bytes below which what ends in a full stop is more often a name
	bylineBytes   = 240  // of the longest byline
	headingBytes  = 120  // of the longest heading that announces something else
)

const unwanted = hintNavigation | hintAdvertisement | hintFooter | hintRelated | hintAside | hintHidden | hintComment | hintExtra

// findMain answers which parts are main text, or nil if the page has none: a hub has only if it has sentences in it. Where links stand
// among these, such as the other stories of a paper below a short one, it must be a text without them.
func (r *reading) findMain(c []candidate) []candidate {
	best, misled := r.elect(c)
	if misled && r.renamed(c) {
		best, _ = r.elect(c)
	}
	if r.readersAlone(c) {
		best, _ = r.elect(c)
	}
	r.article = r.page.Kind != Hub
	if best == nothing || !r.article && c[best].whole < fewChars {
		return nil
	}
	among := !r.article && 10*c[best].linked > 3*c[best].all
	if best = r.climb(c, best); r.article {
		best = r.outOfPosts(c, r.outOfSections(c, best))
	}
	if best = r.outOfList(c, best); c[best].all < fewBytes && 4*c[best].all < r.wanted(c) {
		return nil
	}
	kept := r.keep(c, best)
	if kept < fewBytes && r.spare(c, best, max(4*kept, fewBytes)) && r.keep(c, best) < fewBytes {
		return r.dropped(c)
	}
	if kept < fewBytes && 2*kept < c[best].linked && !saysKept(c) {
		return r.dropped(c)
	}
	r.join(c, best)
	r.leaveFoot(c, best)
	if !r.article {
		if r.article = r.speaks(c, best, among); among && !r.article {
			return r.dropped(c)
		}
	}
	return c
}

// saysKept says whether there are sentences in what is kept: names and days between links are no text.
func saysKept(c []candidate) bool {
	return slices.ContainsFunc(c, func(at candidate) bool { return at.keep && at.said })
}

// fewBytes are too few to be the main text of a page that says four times as much.
const fewBytes = 250

// wanted is how many bytes of text stand in what is not called something else.
func (r *reading) wanted(c []candidate) (n int32) {
	for i := range c {
		if n += c[i].bytes; i > 0 && c[i].unlike != 0 {
			n -= c[i].all
		}
	}
	return n
}

// soon is where a text that has sentences in it has shown one.
const soon = 160

// sentences says whether a text has a sign that parts or ends sentences; a Chinese one is told by its first two bytes.
func sentences(text string) bool {
	text = text[:min(len(text), soon)]
	for _, sign := range []byte(".,;:!?") {
		if strings.IndexByte(text, sign) >= 0 {
			return true
		}
	}
	return strings.Contains(text, "\uff0c"[:2]) || strings.Contains(text, "\u3002"[:2])
}

// weigh counts what stands in each part.
func (r *reading) weigh() []candidate {
	c := slices.Grow(r.weighed[:0], len(r.parts))
	for range r.parts {
		c = append(c, candidate{first: nothing, next: nothing, opens: nothing})
	}
	r.weighed = c
	for i := int32(len(c)) - 1; i > 0; i-- {
		p := r.parts[i].parent
		c[i].next, c[p].first = c[p].first, i
	}
	for k := range r.prose.runs {
		u := &r.prose.runs[k]
		at := &c[u.part]
		n := u.to - u.from
		at.bytes += n
		if u.link != nothing {
			at.links += n
		} else if !at.said {
			at.said = sentences(r.page.prose[u.from:u.to])
		}
		for i := u.part; i != nothing && c[i].opens == nothing; i = r.parts[i].parent {
			c[i].opens = int32(k)
		}
	}
	for i := int32(len(c)) - 1; i >= 0; i-- {
		c[i].all += c[i].bytes
		c[i].linked += c[i].links
		if i > 0 {
			p := &c[r.parts[i].parent]
			p.all += c[i].all
			p.linked += c[i].linked
		}
	}
	return c
}

// elect lets the texts vote and answers the part with the most votes, and whether most of what has a voice stands in what is called
// something else by its names alone.
func (r *reading) elect(c []candidate) (best int32, misled bool) {
	var heard, guessed float32
	for i := range c {
		at := &c[i]
		at.votes, at.whole, at.keep, at.sure = 0, 0, at.unlike != 0, false // for now kept is what is called something else, or stands in that
		if i > 0 {
			up := &c[r.parts[i].parent]
			at.keep, at.sure = at.keep || up.keep, up.sure
		}
		at.sure = at.sure || at.unlike != 0 && at.unlike != r.guess(c, int32(i))
		at.gain = at.worth(r.parts[i].tag)
		switch {
		case at.sure:
		case at.keep:
			guessed += at.gain
			fallthrough
		default:
			heard += at.gain
		}
		if at.keep {
			at.gain *= unwantedShare
		}
		if at.gain > 0 {
			r.vote(c, int32(i))
		}
	}
	best = nothing
	most := float32(0)
	for i := int32(len(c)) - 1; i >= 0; i-- {
		at := &c[i]
		at.keep = false
		at.whole += at.gain
		if i > 0 {
			c[r.parts[i].parent].whole += at.whole
		}
		if at.votes <= 0 {
			continue
		}
		score := at.votes * (1 - float32(at.linked)/float32(at.all))
		if r.parts[i].hints&hintMain != 0 && 10*at.all < 9*c[0].all {
			score *= 1.3
		}
		if score >= most {
			best, most = i, score
		}
	}
	return best, heard >= enough && 2*guessed > heard
}

// worth is how many bytes of sentences stand right in a part.
func (c *candidate) worth(t tag) float32 {
	text := float32(c.bytes - c.links)
	if text <= 0 {
		return 0
	}
	text *= text / float32(c.bytes)
	switch {
	case t == tagPre:
	case facts[t]&isHeading != 0:
		text *= 0.3
	case !c.said:
		text *= 0.25
	case c.bytes < shortText:
		text *= 0.5
	}
	return text
}

// vote gives the votes of what stands right in a part to the elements around it.
func (r *reading) vote(c []candidate, i int32) {
	votes := c[i].gain
	switch t := r.parts[i].tag; {
	case t == tagDiv, t == tagTd, t == tagSection, t == tagArticle, t == tagMain, t == tagBody:
	case i > 0:
		i = r.parts[i].parent
	}
	for ; i != nothing && votes > 0.01; i = r.parts[i].parent {
		c[i].votes += votes
		votes /= 2
	}
}

// climb goes from a part to those around it as long as enough of worth stands beside it: the other sections of an article, the
// other posts of a thread.
func (r *reading) climb(c []candidate, best int32) int32 {
	for in, i := best, r.parts[best].parent; i != nothing; in, i = i, r.parts[i].parent {
		more := c[i].gain
		for k := c[i].first; k != nothing; k = c[k].next {
			switch {
			case k == in, r.aside(c, in, k):
			case r.parts[k].tag == tagTd: // another column
				more += c[k].whole / 4
			case c[k].first == nothing, r.akin(in, k):
				more += c[k].whole
			default:
				more += c[k].whole / 2
			}
		}
		if more >= climbing*c[best].whole {
			best = i
		}
	}
	return best
}

// outOfSections goes from a section to what it stands in, if others like it stand beside it: of the page of a manual the longest
// section is not all, however short the others are.
func (r *reading) outOfSections(c []candidate, best int32) int32 {
	for in, up := best, r.parts[best].parent; up != nothing; in, up = up, r.parts[up].parent {
		if c[up].unlike == 0 && 10*c[up].linked <= 3*c[up].all && r.isSection(c, in) {
			best = up
		}
	}
	return best
}

// isSection says whether a part is one of at least three that are written alike and begin with headings of one rank, and not the
// first of them: other stories stand below a text, and their headings lead to them.
func (r *reading) isSection(c []candidate, i int32) bool {
	rank := r.headedBy(c, i)
	if rank == tagH1 || facts[rank]&isHeading == 0 {
		return false
	}
	before, beside := 0, 0
	for k := c[r.parts[i].parent].first; k != nothing; k = c[k].next {
		if k == i || c[k].unlike != 0 || 2*c[k].linked >= c[k].all || !r.akin(i, k) || r.headedBy(c, k) != rank {
			continue
		}
		if beside++; k < i {
			before++
		}
	}
	return before >= 1 && beside >= 2
}

// outOfPosts goes from a post to what it stands in, if others stand beside it, or answers to it: of a thread that begins with a long question
// the rest is the text, too, however short that is.
func (r *reading) outOfPosts(c []candidate, best int32) int32 {
	for in, up := best, r.parts[best].parent; up != nothing; in, up = up, r.parts[up].parent {
		if c[up].unlike == 0 && 10*c[up].linked <= 3*c[up].all && r.isPost(c, in) {
			best = up
		}
	}
	return best
}

// isPost says whether beside a part that somebody has signed others are, each by its own, that are written alike or called answers.
func (r *reading) isPost(c []candidate, i int32) bool {
	signed := func(k int32) bool { return r.readersSpeak(c, k, c[k].next, hintAuthor|hintDate) }
	p := &r.parts[i]
	for k := c[p.parent].first; k != nothing; k = c[k].next {
		if k == i || c[k].unlike != 0 || c[k].all == 0 || 2*c[k].linked >= c[k].all {
			continue
		}
		alike := (len(p.class) > 0 || p.tag == tagArticle) && r.akin(i, k)
		if (alike || r.parts[k].hints&hintAnswer != 0) && !r.headedElsewhere(c, k) && signed(i) && signed(k) {
			return true
		}
	}
	return false
}

// headedElsewhere says whether a heading in a part leads to another page as a whole, as that of another story does. One that leads to a place,
// as to a post of the thread, does not.
func (r *reading) headedElsewhere(c []candidate, i int32) bool {
	for k := i + 1; int(k) < len(c) && r.parts[k].parent >= i; k++ {
		if facts[r.parts[k].tag]&isHeading == 0 || c[k].all == 0 || c[k].linked < c[k].all {
			continue
		}
		if link := r.prose.runs[c[k].opens].link; link != nothing && !strings.Contains(r.links[link].href, "#") {
			return true
		}
	}
	return false
}

// headedBy is the element of the heading without links that a part begins with, or another element.
func (r *reading) headedBy(c []candidate, i int32) (t tag) {
	if c[i].opens == nothing {
		return t
	}
	for k := r.prose.runs[c[i].opens].part; k > i; k = r.parts[k].parent {
		if facts[r.parts[k].tag]&isHeading != 0 && c[k].linked == 0 {
			return r.parts[k].tag
		}
	}
	return t
}

// outOfList goes from a list or a table to what it stands in, if the heading of the whole stands there, too, and what is taken in
// leads nowhere: of a recipe the steps are not all, and a table has a name.
func (r *reading) outOfList(c []candidate, best int32) int32 {
	i := best
	for i != nothing && isListing(r.parts[i].tag) {
		i = r.parts[i].parent
	}
	if i == best || i == nothing || c[i].unlike != 0 {
		return best
	}
	text, links := c[i].all-c[best].all, c[i].linked-c[best].linked
	for k := i + 1; k < best; k++ {
		if facts[r.parts[k].tag]&isHeading != 0 && c[k].unlike == 0 && 10*links <= 3*text {
			return i
		}
	}
	return best
}

// isListing says whether an element is one of those that lists and tables are made of, but for the cells: pages are laid out in those.
func isListing(t tag) bool {
	return isList(t) || t == tagLi || t == tagDd || t == tagTable || t == tagTbody || t == tagTr
}

// akin says whether two parts are written alike.
func (r *reading) akin(a, b int32) bool {
	p, q := &r.parts[a], &r.parts[b]
	return p.tag == q.tag && (bytes.Equal(p.class, q.class) || len(p.class) > 0 && (&region{class: p.class}).kindred(&region{class: q.class}))
}

// houseLine says whether a line is one of the house, not of the text: who wrote it, when, where to share it.
func (l *Lists) houseLine(text string) bool {
	return l.lines.begins(strings.TrimLeft(text, " \n([（【"))
}
