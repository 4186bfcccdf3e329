package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// What is kept of the part of a page that won the votes, and of what stands beside it.

// keep marks what is inside of the winner, without what is called something else there, and answers how many bytes of text that is. Links
// that stand right in it, with hardly a word between them, lead on.
func (r *reading) keep(c []candidate, best int32) (n int32) {
	captions := int32(0)
	for i := best + 1; int(i) < len(c); i++ {
		if r.parts[i].hints&hintCaption != 0 {
			captions += c[i].all
		}
	}
	captioned := 3*float32(captions) >= c[best].whole
	c[best].keep = true
	n = c[best].bytes
	for i := best + 1; int(i) < len(c); i++ {
		at := &c[i]
		up := r.parts[i].parent
		at.keep = up >= best && c[up].keep && at.unlike == 0 && !r.besides(c, i, best) && (captioned || r.parts[i].hints&hintCaption == 0)
		if at.keep {
			n += at.bytes
		}
	}
	if own := &c[best]; own.first != nothing && 4*own.bytes < n && 2*own.links > own.bytes && !own.said {
		own.keep, n = false, n-own.bytes
	}
	return n
}

// besides says whether a part inside of the main text is a byline, a line of the house, or leads elsewhere.
func (r *reading) besides(c []candidate, i, best int32) bool {
	p, at := &r.parts[i], &c[i]
	if at.all == 0 || facts[p.tag]&isHeading != 0 {
		return at.all > 0 && r.headsByline(c, i)
	}
	small := 4*at.all < c[best].all
	if p.hints&hintByline != 0 && at.all <= bylineBytes && small && !r.sentence(at) && !r.isCode(c, i) && !r.numbersHeading(c, i) {
		return true
	}
	if at.heads && at.bytes > 0 && !r.saidAbove(c, i) {
		return true
	}
	if facts[p.tag]&breaksLine == 0 {
		return p.tag == tagButton && r.standsAlone(c, i)
	}
	if above, _ := r.beside(c, i); above != nothing && c[above].next == i && r.namedBelow(c, above) != "" {
		return true
	}
	if at.all <= bylineBytes && small && (r.lists.houseLine(r.beginning(at)) && !r.goesOn(c, i) && !r.amidText(c, i) || (r.isByline(c, i) || r.isDateline(c, i)) && r.atEdge(c, i) || r.countsReaders(c, i)) {
		return true
	}
	return small && (p.linking(at) && !r.headsPost(c, i) || at.all <= bylineBytes && 10*at.linked >= 3*at.all && waysOn.MatchString(r.beginning(at)))
}

// headsPost says of a box that it holds a heading, and hardly more than by whom and when, and that there are sentences right below it:
// those of a post that the heading leads to.
func (r *reading) headsPost(c []candidate, i int32) bool {
	if c[i].opens == nothing || r.headAt(c, i) == nothing {
		return false
	}
	_, below := r.beside(c, i)
	return below != nothing && c[below].unlike == 0 && 2*c[below].linked < c[below].all && says(c, below)
}

// headAt is the heading that a part is or begins with, where it has no more beside that than a byline.
func (r *reading) headAt(c []candidate, i int32) int32 {
	for k := r.prose.runs[c[i].opens].part; k >= i; k = r.parts[k].parent {
		if facts[r.parts[k].tag]&isHeading != 0 && c[k].opens == c[i].opens && c[i].all-c[k].all <= bylineBytes {
			return k
		}
	}
	return nothing
}

// waysOn is how a line of links to what stands before and behind begins.
var waysOn = regexp.MustCompile(`(?i)^\W*(?:next|prev(?:ious)?|up|top|上一[页章节篇]|下一[页章节篇])\s*[:：]`)

// goesOn says whether behind what a part begins with sentences stand in parts of their own: a short answer below the line that says when
// it was given.
func (r *reading) goesOn(c []candidate, i int32) bool {
	for k := c[i].first; k != nothing; k = c[k].next {
		if begins := c[k].opens == c[i].opens; begins && r.goesOn(c, k) || !begins && c[k].opens != nothing && r.sentence(&c[k]) {
			return true
		}
	}
	return false
}

// amidText says whether a line that begins as those of the house may is one of the text all the same: a sentence with sentences right above
// and below it, as in an interview each question may have "记者：" before it; or the time of what a line beside it tells the place of.
func (r *reading) amidText(c []candidate, i int32) bool {
	above, below := r.beside(c, i)
	tells := func(k int32) bool { return k != nothing && ofEvent.MatchString(r.beginning(&c[k])) }
	if says := r.beginning(&c[i]); (strings.HasPrefix(says, "时间") || strings.HasPrefix(says, "日期")) && (tells(above) || tells(below)) {
		return true
	}
	isText := func(k int32) bool { return k != nothing && (r.sentence(&c[k]) || r.mayBeText(&c[k])) }
	return r.mayBeText(&c[i]) && isText(above) && isText(below)
}

// ofEvent is how a line begins that stands beside the time of an event.
var ofEvent = regexp.MustCompile(`^(地点|地址|会场|主题|内容|主讲|主办|嘉宾|对象|方式|形式|费用|人数)[：:]`)

// beside are the parts with text right above a part and below it, in what it stands in.
func (r *reading) beside(c []candidate, i int32) (above, below int32) {
	up := r.parts[i].parent
	for above = i; above != nothing && (above == i || c[above].all == 0); {
		if above--; above <= up {
			above = nothing
			break
		}
		for r.parts[above].parent != up {
			above = r.parts[above].parent
		}
	}
	for below = c[i].next; below != nothing && c[below].all == 0; {
		below = c[below].next
	}
	return above, below
}

// mayBeText says whether a part ends as a sentence does, and begins as one may.
func (r *reading) mayBeText(at *candidate) bool {
	return 2*at.linked <= at.all && r.lists.ambiguous.begins(r.beginning(at)) && r.ends(at)
}

// saidAbove says of what stands in the header of a text that it is a sentence above it, or in one or in a heading. The rest says who wrote it.
func (r *reading) saidAbove(c []candidate, i int32) bool {
	up := r.parts[i].parent
	return facts[r.parts[up].tag]&isHeading != 0 || c[up].heads && c[up].bytes > 0 || r.sentence(&c[i])
}

// sentence says whether a line is one of the text, whatever it is called: it ends as a sentence does, and begins as no byline.
func (r *reading) sentence(at *candidate) bool {
	if 2*at.linked > at.all || at.all < shortSentence {
		return false
	}
	begins := r.beginning(at)
	return r.ends(at) && !r.lists.houseLine(begins) && !beginsDate(begins)
}

// ends says whether what stands in a part ends as a sentence does.
func (r *reading) ends(at *candidate) bool {
	last := at.opens
	for left := at.all; ; last++ {
		u := &r.prose.runs[last]
		if left -= u.to - u.from; left <= 0 {
			return endsSentence(r.page.prose[u.from:u.to])
		}
	}
}

// endsSentence says whether a text ends as a sentence does, be it in quotation marks or brackets.
func endsSentence(text string) bool {
	text = strings.TrimRight(text, " \n\"')）”’」』»")
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!?…。！？", last)
}

// linking says whether a part is made of links. One that stands on a line of its own in a text may be one of its links.
func (p *part) linking(at *candidate) bool {
	f := facts[p.tag]
	if f&breaksLine == 0 || f&isHeading != 0 {
		return false
	}
	switch p.tag {
	case tagP, tagLi, tagTd, tagTh, tagDd, tagDt:
		return false
	}
	return 10*at.linked > 8*at.all
}

// dropped keeps nothing.
func (r *reading) dropped(c []candidate) []candidate {
	for i := range c {
		c[i].keep = false
	}
	return nil
}

// spare calls nothing else what stands several times beside one another in what is kept and was left out for the name of its class
// alone, if that much is said there. Then it is the text, and the name has another meaning.
func (r *reading) spare(c []candidate, best, least int32) (spared bool) {
	for i := best; int(i) < len(c); i++ {
		if c[i].keep {
			spared = r.spareIn(c, i, float32(least)) || spared
		}
	}
	return spared
}

// spareIn does so for what stands right in a part, if there is as much of it as is asked for.
func (r *reading) spareIn(c []candidate, i int32, least float32) bool {
	const names = hintExtra | hintFooter | hintNavigation
	like := int32(nothing)
	alike := func(k int32) bool {
		p, at := &r.parts[k], &c[k]
		if at.keep || at.unlike&^names != 0 || tagHints[p.tag]&unwanted != 0 || 2*at.linked > at.all {
			return false
		}
		if like == nothing {
			like = k
		}
		return p.tag == r.parts[like].tag && bytes.Equal(p.class, r.parts[like].class)
	}
	many, said := 0, float32(0)
	for k := c[i].first; k != nothing; k = c[k].next {
		if alike(k) {
			many++
			said += c[k].whole
		}
		if alike(k) && c[k].unlike != 0 {
			said += c[k].whole * (1/unwantedShare - 1)
		}
	}
	if many < 2 || said < least {
		return false
	}
	for k := c[i].first; k != nothing; k = c[k].next {
		if alike(k) {
			c[k].unlike = 0
			r.parts[k].hints &^= hintByline
		}
	}
	return true
}

// beginning is the text a part begins with.
func (r *reading) beginning(c *candidate) string {
	if c.opens == nothing {
		return ""
	}
	u := &r.prose.runs[c.opens]
	return r.page.prose[u.from:u.to]
}

// join adds what stands beside the winner and has sentences in it: an opening paragraph, or text right in the element around. Where
// the winner is all that is in the element around, an opening paragraph may stand beside that. A notice has its attachments below it.
// What is called a note is one of the text where it stands in it; above all of it, or aside, it is the site's. A section below the winner
// brings the heading right above it along, and so does the only post of a list, if its title is a link and not that of the page.
func (r *reading) join(c []candidate, best int32) {
	up, wrapped := r.parts[best].parent, false
	for up != nothing && c[up].all == c[best].all {
		best, up, wrapped = up, r.parts[up].parent, true
	}
	if up == nothing {
		return
	}
	if above, _ := r.beside(c, best); above != nothing && c[above].all > 0 {
		if h := r.headAt(c, above); h != nothing && 10*c[h].linked > 8*c[h].all && !strings.EqualFold(r.saying(c, h), r.page.Title) {
			r.add(c, h, func(int32) bool { return false })
		}
	}
	c[up].keep = c[up].gain >= 2*shortText && !wrapped
	for k := c[up].first; k != nothing; k = c[k].next {
		at := &c[k]
		switch {
		case k == best || at.unlike != 0:
		case r.parts[k].hints&hintNote != 0 && (k < best || r.parts[k].tag == tagAside):
		case k > best && at.all <= c[best].all && r.lists.attached.begins(r.beginning(at)):
			r.add(c, k, func(int32) bool { return false })
		case k > best && wrapped, at.whole < 2*shortText, 2*at.whole < float32(at.all), r.besides(c, k, best):
		default:
			r.add(c, k, func(i int32) bool { return r.besides(c, i, best) })
			if above, _ := r.beside(c, k); above > best && c[above].unlike == 0 && facts[r.parts[above].tag]&isHeading != 0 {
				r.add(c, above, func(int32) bool { return false })
			}
		}
	}
}

// lead keeps the sentences that stand between the heading of the page and its main text, wherever they do: with these a text begins.
func (r *reading) lead(c []candidate, heads []int32) {
	if len(heads) == 0 {
		return
	}
	title := strings.ToLower(r.said.whole())
	main := int32(slices.IndexFunc(c, func(at candidate) bool { return at.keep && at.bytes > 0 }))
	head := r.headOf(c, heads[0], main)
	for i := head + 1; head != nothing && i < main; i++ {
		at := &c[i]
		if at.keep || at.bytes == 0 || at.all > leadBytes || r.inside(i, head) || !r.sentence(at) || r.isByline(c, i) || r.parts[i].linking(at) {
			continue
		}
		if r.mayLead(c, i, main) && !strings.Contains(title, strings.ToLower(r.beginning(at))) {
			r.add(c, i, func(int32) bool { return false })
		}
	}
}

// headOf is the last heading above the main text that says the title, else the first, if what it says is part of the title or has it in
// it: below the name of the site stand other things than the lead.
func (r *reading) headOf(c []candidate, first, main int32) int32 {
	title := strings.ToLower(r.page.Title)
	head, near := int32(nothing), int32(nothing)
	for i := first; i < main; i++ {
		if facts[r.parts[i].tag]&isHeading == 0 || i != first && int(c[i].all) > 2*len(title) {
			continue
		}
		says := strings.ToLower(r.saying(c, i))
		if says == title {
			head = i
		}
		if i == first && (strings.Contains(title, says) || strings.Contains(says, title)) {
			near = i
		}
	}
	if head == nothing {
		return near
	}
	return head
}

// mayLead says of a part before the main text that it stands in nothing that is called something else, up to what both stand in.
func (r *reading) mayLead(c []candidate, i, main int32) bool {
	around := r.around(i, main)
	for ; i != around; i = r.parts[i].parent {
		if c[i].unlike != 0 || r.parts[i].hints&(hintCaption|hintNote) != 0 {
			return false
		}
	}
	return c[around].unlike == 0
}

// around is the innermost part that two stand in, or that one of them is.
func (r *reading) around(a, b int32) int32 {
	for a != b {
		if a < b {
			a, b = b, a
		}
		a = r.parts[a].parent
	}
	return a
}

// leadBytes are the bytes of the longest paragraph of a lead.
const leadBytes = 1000

// add keeps a part, and what is inside but for what is called something else or stands besides.
func (r *reading) add(c []candidate, k int32, besides func(int32) bool) {
	c[k].keep = true
	for i := k + 1; int(i) < len(c) && r.parts[i].parent >= k; i++ {
		if c[r.parts[i].parent].keep && c[i].unlike == 0 && !besides(i) {
			c[i].keep = true
		}
	}
}

// enough are the bytes of sentences that make a text of what stands among links.
const enough = 450

// speaks says whether what is kept of a hub is a text: one with a heading of its own, for the most part of paragraphs. Where it stands among
// links, what leads elsewhere is left out first, whatever its size; elsewhere the heading may stand apart from it, if most links stand
// outside of what both are in.
func (r *reading) speaks(c []candidate, best int32, among bool) bool {
	up := r.parts[best].parent
	var text, said float32
	for i := range c {
		at, p := &c[i], &r.parts[i]
		if among && at.keep && int32(i) != up && p.parent != up {
			at.keep = c[p.parent].keep && !p.linking(at)
		}
		if at.keep {
			text += float32(at.bytes)
			if at.bytes >= 2*shortText {
				said += at.gain
			}
		}
	}
	near := func(h1 int32) bool {
		around := h1
		if !among {
			around = r.around(h1, best)
		}
		return c[h1].keep || around != h1 && 2*c[around].linked < c[0].linked
	}
	return said >= enough && 4*said >= 3*text && slices.ContainsFunc(r.mainHeadings(c), near)
}
