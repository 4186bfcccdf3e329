package page

import (
	"bytes"
	"slices"
	"strings"
)

// What a part is called: what its markup, the names of its class and the heading above it say of it, and whether to believe them.

// called notes what each part is called that is no main text. A name on what holds most of the page says something else: an
// article beside which one can share it has "share" around it. But comments are comments, however many there are.
func (r *reading) called(c []candidate) {
	var wide int32
	for i := range r.regions {
		wide = max(wide, r.regions[i].width)
	}
	folded := false
	for i := range c {
		p, at := &r.parts[i], &c[i]
		h := p.hints & unwanted
		folded = folded || h&hintHidden != 0
		if g := &r.regions[p.region]; g.width > 0 && 3*g.width <= wide {
			h |= hintAside
		}
		if r.signed(c, int32(i)) && r.below(c, int32(i)) {
			h |= hintExtra
		}
		if h != 0 {
			h &^= r.sectioned(c, int32(i))
		}
		announced := r.announced(c, int32(i))
		h |= announced
		switch p.tag {
		case tagUl:
			if r.sender == 0 && r.headOfMail(c, int32(i)) || r.sender > 0 && at.linked > 0 && answered.MatchString(r.beginning(at)) {
				h |= hintExtra
			}
		case tagMenu: // a list like others, be it of papers
			if 2*at.linked < at.all {
				h &^= tagHints[tagMenu]
			}
		case tagHeader:
			if at.heads = at.bytes == 0 && 2*at.all <= c[0].all && r.headsText(int32(i)); at.heads {
				h &^= hintNavigation
			}
		}
		if i > 0 && c[p.parent].heads {
			at.heads = true
		}
		if p.hints&hintMain != 0 {
			h &^= hintAdvertisement | hintNavigation
		}
		if h&(hintExtra|hintNavigation) != 0 && r.belongs(c, int32(i)) {
			h &^= hintExtra | hintNavigation
		}
		if 2*at.all > c[0].all && 10*at.linked < 9*at.all {
			if h &= hintAside | hintComment; announced == hintRelated && r.besideTitled(c, int32(i)) {
				h |= hintRelated
			}
			if i == 0 {
				h = 0
			}
		}
		at.unlike |= h
	}
	for i := 0; folded && i < len(c); i++ {
		r.unfold(c, &c[i])
	}
}

// besideTitled says of a part, of links and a few words of each, that it stands beside what has the page's h1 in it and more than that: it
// is not what a short page is about, though it is most of that.
func (r *reading) besideTitled(c []candidate, i int32) bool {
	head := int32(slices.IndexFunc(r.parts, func(p part) bool { return p.tag == tagH1 }))
	if at := &c[i]; at.all > mostTeasers || 5*at.linked < at.all || head <= 0 || head > i || c[head].all == 0 || r.parts[head].hints&hintHidden != 0 {
		return false
	}
	around := r.parts[head].parent
	for around > 0 && c[around].all == c[head].all {
		around = r.parts[around].parent
	}
	return around > 0 && !r.inside(i, around)
}

// mostTeasers are the bytes of the longest list of other pages that may be most of a short page.
const mostTeasers = 3000

// underscores are a line of its own above what a writer puts below all that he writes, where no class says so.
const underscores = "__________"

// signed says of a part that it is called a signature, or looks like one, and none stands beside it: signs in a row, or chapters each
// below a line, are a text.
func (r *reading) signed(c []candidate, i int32) bool {
	if !r.likeSigned(c, i) {
		return false
	}
	up := r.parts[i].parent
	before := i - 1
	for before > up && r.parts[before].parent != up {
		before = r.parts[before].parent
	}
	next := c[i].next
	return !(before > up && r.likeSigned(c, before) || next != nothing && r.likeSigned(c, next))
}

// likeSigned says of a part that its class is that of a signature, or that it is short and begins with a line of underscores. A blank to
// be filled in is in a line.
func (r *reading) likeSigned(c []candidate, i int32) bool {
	if r.parts[i].hints&hintSigned != 0 {
		return true
	}
	if at := &c[i]; at.all <= bylineBytes && strings.HasPrefix(r.beginning(at), underscores) {
		below := strings.TrimLeft(r.page.prose[r.prose.runs[at.opens].from:], "_")
		return below == "" || below[0] == '\n'
	}
	return false
}

// headsText says of a header that it is that of a text, not of the page: one with a text in it.
func (r *reading) headsText(i int32) bool {
	for i = r.parts[i].parent; i > 0; i = r.parts[i].parent {
		if t := r.parts[i].tag; t == tagArticle || t == tagMain || t == tagSection {
			return true
		}
	}
	return false
}

// belongs says that a part is no button and no bar of them: it is all that a heading says, which may unfold what stands below it, or most
// of it is code.
func (r *reading) belongs(c []candidate, i int32) bool {
	up := r.parts[i].parent
	return i > 0 && facts[r.parts[up].tag]&isHeading != 0 && c[i].all == c[up].all && c[i].linked == 0 || r.isCode(c, i)
}

// isCode says whether a part is laid out, or made of one that is for the most part.
func (r *reading) isCode(c []candidate, i int32) bool {
	for i != nothing && r.parts[i].tag != tagPre {
		most := 8 * c[i].all
		for i = c[i].first; i != nothing && 10*c[i].all < most; {
			i = c[i].next
		}
	}
	return i != nothing && c[i].all > 0
}

// below says whether a part stands below a text: behind one, or at the end of what it stands in.
func (r *reading) below(c []candidate, i int32) bool {
	up := r.parts[i].parent
	for k := i - 1; k > up; k = r.parts[k].parent {
		if r.parts[k].parent == up && c[k].all > 0 {
			return facts[r.parts[k].tag]&isHeading == 0
		}
	}
	for k := c[i].next; k != nothing; k = c[k].next {
		if c[k].all > 0 {
			return false
		}
	}
	return true
}

// unfold takes for shown what is shown as soon as one asks for it: answers that stand hidden behind their questions or headings, each
// behind its own.
func (r *reading) unfold(c []candidate, around *candidate) {
	answers := func(do func(*candidate)) {
		first, asked := int32(nothing), false
		look := func(k int32) {
			at, p := &c[k], &r.parts[k]
			if at.unlike&hintHidden == 0 {
				asked = r.asks(p, at)
				return
			}
			if first == nothing {
				first = k
			}
			if q := &r.parts[first]; asked && at.unlike == hintHidden && p.tag == q.tag && bytes.Equal(p.class, q.class) && 10*at.linked < 3*at.all {
				do(at)
			}
			asked = false
		}
		before := int32(nothing)
		for k := around.first; k != nothing; before, k = k, c[k].next {
			look(k)
			if c[k].unlike&hintHidden != 0 || !(before != nothing && r.akin(before, k) || c[k].next != nothing && r.akin(c[k].next, k)) {
				continue
			}
			asked = asked || r.asksItself(&c[k])
			for in := c[k].first; in != nothing; in = c[in].next { // a question and its answer may stand in a box of their own
				look(in)
			}
		}
	}
	var many, said int32
	answers(func(at *candidate) { many, said = many+1, said+at.all })
	if many > 1 && said >= many*shortText {
		answers(func(at *candidate) { at.unlike = 0 })
	}
}

// asks says whether a part is a heading or a question.
func (r *reading) asks(p *part, at *candidate) bool {
	if at.all == 0 || at.all > headingBytes {
		return false
	}
	says := r.page.prose[r.prose.runs[at.opens].from:][:at.all]
	return facts[p.tag]&isHeading != 0 || p.tag == tagDt || isQuestion(says)
}

// asksItself says whether the text right in a part, of which it begins with some, is a question.
func (r *reading) asksItself(at *candidate) bool {
	if at.bytes == 0 || at.bytes > headingBytes {
		return false
	}
	u := &r.prose.runs[at.opens]
	return &r.weighed[u.part] == at && isQuestion(r.page.prose[u.from:u.to])
}

func isQuestion(says string) bool {
	return strings.HasSuffix(says, "?") || strings.HasSuffix(says, "？")
}

// sectioned is what the id of a part says that has it from the words of the heading the part begins with, as the sections of manuals do,
// or is that heading, or stands in it. An id of one word that says of a part that it is the readers', the foot or an advertisement is
// believed.
func (r *reading) sectioned(c []candidate, i int32) hint {
	at, p := &c[i], &r.parts[i]
	if i == 0 || at.opens == nothing || p.hints&hintAsking != 0 {
		return 0
	}
	k := r.prose.runs[at.opens].part
	heads := func(k int32) bool { return facts[r.parts[k].tag]&isHeading != 0 }
	own := k == i && (heads(i) || heads(p.parent))
	if section := heads(k) && r.parts[k].parent == i && at.all >= 4*shortText; !own && !section {
		return 0
	}
	h := r.lists.wordHints([]byte(r.beginning(at))) &^ (r.lists.wordHints(p.class) | tagHints[p.tag])
	if p.hints&hintSlug == 0 {
		h &= hintExtra | hintNavigation
	}
	return h
}
