package rank

import (
	"math"
	"slices"
	"sync"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/page"
)

// Ahead is what can be known of the links of a page by the page and its trail alone, and so before anything else is: what the
// factors say that look at nothing else, and the words that an apprentice hears.
type Ahead struct {
	by       *Strategy
	page     *page.Page
	ready    []bool    // by the order of the links: that it was worked out
	numbers  []float32 // likewise, of each all leaves that do not read Memory
	speeches []span
	words    []uint32
}

// wordsOfLink is how many words an apprentice hears of a link, as a rule: for so many there is room at once.
const wordsOfLink = 56

// Ahead works it out, for those links of a page that are wanted. The evidence is that of the page; its link does not matter.
func (s *Strategy) Ahead(e Evidence, wanted func(link int) bool) *Ahead {
	n := len(e.Page.Links)
	a, ok := aheads.Get().(*Ahead)
	if !ok {
		a = &Ahead{}
	}
	a.by, a.page, a.ready, a.numbers = s, e.Page, zeroes(a.ready, n), zeroes(a.numbers, n*s.fixed)
	e.Memory, e.known = nil, known{}
	if s.learns {
		e.known.sheet = sheet{page: e.Page, speeches: zeroes(a.speeches, n), speaker: speaker{words: slices.Grow(a.words[:0], n*wordsOfLink)}}
	}
	for i := range n {
		if !wanted(i) {
			continue
		}
		e.Link, a.ready[i] = &e.Page.Links[i], true
		row := a.numbers[i*s.fixed:]
		for at := range s.nodes {
			if n := &s.nodes[at]; n.ofPage {
				row[n.fixed] = float32(n.factor.Score(&e))
			}
		}
		if s.learns {
			taught := s.nodes[s.apprentice].with.(Apprenticeship)
			e.speech(&taught)
		}
	}
	a.speeches, a.words = e.known.sheet.speeches, e.known.sheet.speaker.words
	return a
}

// aheads are those that nobody needs any more, for the next pages.
var aheads sync.Pool

// zeroes are n of them, in the room of a slice that nobody needs any more where there is enough.
func zeroes[T any](room []T, n int) []T {
	room = slices.Grow(room[:0], n)[:n]
	clear(room)
	return room
}

// mostAhead is how many links a page may have whose room is kept for the next: pages of more are rare.
const mostAhead = 2000

// Leave gives it up; nobody may ask it any more. It may be nil.
func (a *Ahead) Leave() {
	if a == nil {
		return
	}
	a.by, a.page, a.ready = nil, nil, a.ready[:0]
	if cap(a.ready) > mostAhead {
		return
	}
	if pack.Spoiling.Load() {
		spoil(a.numbers, float32(math.NaN()))
		spoil(a.words, 1<<32-1)
	}
	aheads.Put(a)
}

func spoil[T any](room []T, with T) {
	for i := range room {
		room[i] = with
	}
}

// at is the place of a link of which it was worked out; ok is false for any other.
func (a *Ahead) at(l *page.Link) (order int, ok bool) {
	if a == nil || l == nil || l.Order < 0 || int(l.Order) >= len(a.ready) || &a.page.Links[l.Order] != l {
		return 0, false
	}
	return int(l.Order), a.ready[l.Order]
}

// leaves are what the leaves of a strategy say of a link that do not read Memory; nil where it was not worked out.
func (a *Ahead) leaves(s *Strategy, l *page.Link) []float32 {
	order, ok := a.at(l)
	if !ok || a.by != s {
		return nil
	}
	return a.numbers[order*s.fixed : (order+1)*s.fixed]
}

// speech is what a link says.
func (a *Ahead) speech(l *page.Link) (said speech, ok bool) {
	order, ok := a.at(l)
	if !ok || order >= len(a.speeches) {
		return speech{}, false
	}
	return a.speeches[order].of(a.words), true
}
