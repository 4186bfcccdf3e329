package page

import (
	"iter"
	"slices"
)

// Names that mislead. A class is a guess: what a page builder calls a widget may be each paragraph of an article, and a section that
// has advertisements may be the story. A word in the names of what holds most of a page's sentences says nothing on that page.

// guessed are the hints that the name of a class alone may give and that may be wrong. What readers say and what is related is taken for
// that, however much of it there is.
const guessed = hintExtra | hintNavigation | hintAdvertisement

// guess is what a part is called by its names alone.
func (r *reading) guess(c []candidate, i int32) hint {
	p := &r.parts[i]
	if h := p.hints & (unwanted | hintAsking); h&^guessed != 0 || tagHints[p.tag]&unwanted != 0 {
		return 0
	}
	return c[i].unlike & p.hints & guessed
}

// renamed takes their hints from the parts that bear a word which misleads, and says whether there are any.
func (r *reading) renamed(c []candidate) (found bool) {
	heard := make([]float32, len(c)) // what stands in each part is worth so much
	for i := int32(len(c)) - 1; i >= 0; i-- {
		if c[i].sure {
			continue
		}
		if heard[i] += c[i].worth(r.parts[i].tag); i > 0 {
			heard[r.parts[i].parent] += heard[i]
		}
	}
	type sum struct {
		said float32
		last int32 // the part that was counted last
	}
	said := map[string]sum{}
	for i := int32(1); int(i) < len(c); i++ {
		for word := range r.guesses(c, i) {
			if s := said[word]; s.last == 0 || !r.inside(i, s.last) {
				said[word] = sum{s.said + heard[i], i}
			}
		}
	}
	for i := int32(1); int(i) < len(c); i++ {
		h := hint(0)
		for word, says := range r.guesses(c, i) {
			if 2*said[word].said <= heard[0] {
				h |= says
			}
		}
		if g := r.guess(c, i); g&^h != 0 {
			c[i].unlike &^= g &^ h
			found = true
		}
	}
	return found
}

// guesses are the words by which a part is called what it is, and what they say. Those of an id stand in no other, and in their place the
// class stands for all that are like it.
func (r *reading) guesses(c []candidate, i int32) iter.Seq2[string, hint] {
	return func(yield func(string, hint) bool) {
		h, class := r.guess(c, i), r.parts[i].class
		if h == 0 {
			return
		}
		left, more := h, true
		n := naming{lists: r.lists, tell: func(word string, says hint) {
			if says &= h; more && says != 0 {
				left &^= says
				more = yield(word, says)
			}
		}}
		if n.read(class); more && left != 0 {
			yield("#"+string(class), left)
		}
	}
}

// readersAlone takes their hints from the parts that are called comments by their names, and says so, where hardly anything else is said on
// the page: the report of a fault and the answers to it are all comments to the program that shows them. Below a heading that calls them
// so they are the readers', as they are below a sentence; and a line on a picture is the text.
func (r *reading) readersAlone(c []candidate) bool {
	const may = hintComment
	if !slices.ContainsFunc(c, func(at candidate) bool { return at.unlike&may != 0 }) {
		return false
	}
	var own, readers float32
	theirs := make([]bool, len(c))
	for i := range c {
		p, at := &r.parts[i], &c[i]
		if at.unlike&may != 0 && (p.hints&may == 0 || r.announced(c, int32(i))&may != 0) {
			return false
		}
		theirs[i] = at.unlike&may != 0 || i > 0 && theirs[p.parent]
		if says := at.worth(p.tag); theirs[i] {
			readers += says
		} else if at.said {
			own += says
			if readers == 0 && at.first == nothing && at.linked == 0 && r.sentence(at) {
				return false
			}
		}
	}
	if readers < fewBytes || 4*own >= min(readers, 4*fewBytes) {
		return false
	}
	for i := range c {
		c[i].unlike &^= may
	}
	return true
}
