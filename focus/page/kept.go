package page

import "slices"

// What is kept of the part of a page that won the votes, and of what stands beside it.

// keep marks what is inside of the winner, without what is called something else there.
func (r *reading) keep(c []candidate, best int32) {
	captions := int32(0)
	for i := best + 1; int(i) < len(c); i++ {
		if r.parts[i].hints&hintCaption != 0 {
			captions += c[i].all
		}
	}
	captioned := 3*float32(captions) >= c[best].whole
	c[best].keep = true
	for i := best + 1; int(i) < len(c); i++ {
		at := &c[i]
		up := r.parts[i].parent
		at.keep = up >= best && c[up].keep && at.unlike == 0 && !r.besides(c, i, best) && (captioned || r.parts[i].hints&hintCaption == 0)
	}
}

// besides says whether a part inside of the main text is a byline, a line of the house, or leads elsewhere.
func (r *reading) besides(c []candidate, i, best int32) bool {
	p, at := &r.parts[i], &c[i]
	if at.all == 0 || facts[p.tag]&isHeading != 0 {
		return false
	}
	small := 4*at.all < c[best].all
	if p.hints&hintByline != 0 && at.all <= bylineBytes && small {
		return true
	}
	if facts[p.tag]&breaksLine == 0 {
		return false
	}
	if at.all <= bylineBytes && small && r.lists.houseLine(r.beginning(at)) {
		return true
	}
	return small && p.linking(at)
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

// beginning is the text a part begins with.
func (r *reading) beginning(c *candidate) string {
	if c.opens == nothing {
		return ""
	}
	u := &r.prose.runs[c.opens]
	return r.page.prose[u.from:u.to]
}

// join adds what stands beside the winner and has sentences in it: an opening paragraph, or text right in the element around.
func (r *reading) join(c []candidate, best int32) {
	up := r.parts[best].parent
	if up == nothing {
		return
	}
	c[up].keep = c[up].gain >= 2*shortText
	for k := c[up].first; k != nothing; k = c[k].next {
		at := &c[k]
		if k == best || at.unlike != 0 || r.besides(c, k, best) || at.whole < 2*shortText || 2*at.whole < float32(at.all) {
			continue
		}
		at.keep = true
		for i := k + 1; int(i) < len(c); i++ {
			if p := r.parts[i].parent; p >= k && c[p].keep && c[i].unlike == 0 && !r.besides(c, i, best) {
				c[i].keep = true
			}
		}
	}
}

// enough are the bytes of sentences that make a text of what stands among links.
const enough = 450

// speaks leaves out of what is kept what leads elsewhere, whatever its size, and says whether the rest is a text: one with a heading of its
// own, for the most part of paragraphs. If it is none, nothing is kept.
func (r *reading) speaks(c []candidate, best int32) bool {
	up := r.parts[best].parent
	var text, said float32
	for i := range c {
		at, p := &c[i], &r.parts[i]
		if at.keep && int32(i) != up && p.parent != up {
			at.keep = c[p.parent].keep && !p.linking(at)
		}
		if at.keep {
			text += float32(at.bytes)
			if at.bytes >= 2*shortText {
				said += at.gain
			}
		}
	}
	kept := func(h1 int32) bool { return c[h1].keep }
	if said >= enough && 4*said >= 3*text && slices.ContainsFunc(r.mainHeadings(c), kept) {
		return true
	}
	for i := range c {
		c[i].keep = false
	}
	return false
}
