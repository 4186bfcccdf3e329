package winnow

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// material is what is looked at, once: what links say is let go of then. Of tens of thousands of pages neither the texts are held, which
// are read again, nor the links as they are written down: there may be a hundred of each page.
type material struct {
	pages    []Page
	links    [][]link          // of each page, that lead to where a page is
	keys     map[uint64]uint32 // numbers of the addresses that links lead to
	wordings lexicon           // of links

	texts func(take func(i int, text string) error) error // goes through the texts of all pages; none comes twice
}

// link is a link: the number of the address that it leads to, the block in which it stands, and what it says.
type link struct {
	to    uint32
	block int32
	said  uint32
}

// held is the material of pages that are held with all that they have.
func held(pages []Page) *material {
	m := &material{pages: pages, links: make([][]link, len(pages)), keys: map[uint64]uint32{}}
	for i := range pages {
		for _, k := range pages[i].Keys {
			m.know(k)
		}
	}
	for i := range pages {
		m.links[i] = m.among(pages[i].Links)
	}
	m.texts = func(take func(int, string) error) error {
		for i := range pages {
			if err := take(i, pages[i].Text); err != nil {
				return err
			}
		}
		return nil
	}
	return m
}

// know gives an address a number, if it has none.
func (m *material) know(key uint64) {
	if _, known := m.keys[key]; !known {
		m.keys[key] = uint32(len(m.keys))
	}
}

// among are the links that lead to an address with a number: nothing else of them is ever asked.
func (m *material) among(all []sink.Pointer) (some []link) {
	n := 0
	for _, p := range all {
		if _, known := m.keys[p.To]; known {
			n++
		}
	}
	some = make([]link, 0, n)
	for _, p := range all {
		if to, known := m.keys[p.To]; known {
			some = append(some, link{to, p.Block, m.wordings.number(0, p.Anchor)})
		}
	}
	return some
}

// nowhere is where an address leads at which no page is.
const nowhere = ^uint32(0)

// places are the pages at each of the addresses, by its number: the first of those pages that has it, or nowhere. nil is no page.
func (m *material) places(n int, page func(i int) *Page) []uint32 {
	at := make([]uint32, len(m.keys))
	for k := range at {
		at[k] = nowhere
	}
	for i := range n {
		p := page(i)
		if p == nil {
			continue
		}
		for _, key := range p.Keys {
			if k, known := m.keys[key]; known && at[k] == nowhere {
				at[k] = uint32(i)
			}
		}
	}
	return at
}

// lexicon numbers what is said, each once, from 0. It holds pieces of text and no strings: there are millions of them.
type lexicon struct {
	of     map[uint64]uint32 // numbers by hash
	seed   maphash.Seed
	pieces [][]byte
	starts []uint64 // by number: the piece, and where it begins there
}

// number is the number of what is said of a kind.
func (x *lexicon) number(kind byte, said string) uint32 {
	if x.of == nil {
		x.of, x.seed = map[uint64]uint32{}, maphash.MakeSeed()
	}
	for hash := maphash.String(x.seed, said) + uint64(kind); ; hash++ {
		n, taken := x.of[hash]
		if !taken {
			n = x.add(kind, said)
			x.of[hash] = n
			return n
		}
		if k, there := x.at(n); k == kind && string(there) == said {
			return n
		}
	}
}

func (x *lexicon) add(kind byte, said string) uint32 {
	room := len(said) + 1 + binary.MaxVarintLen64
	last := len(x.pieces) - 1
	if last < 0 || cap(x.pieces[last])-len(x.pieces[last]) < room {
		x.pieces, last = append(x.pieces, make([]byte, 0, max(1<<20, room))), last+1
	}
	piece := &x.pieces[last]
	x.starts = append(x.starts, uint64(last)<<32|uint64(len(*piece)))
	*piece = append(append(binary.AppendUvarint(*piece, uint64(len(said))), kind), said...)
	return uint32(len(x.starts) - 1)
}

// fresh is a number of nothing that is said.
func (x *lexicon) fresh() uint32 {
	x.starts = append(x.starts, 0)
	return uint32(len(x.starts) - 1)
}

// at is what has a number.
func (x *lexicon) at(n uint32) (kind byte, said []byte) {
	piece := x.pieces[x.starts[n]>>32][uint32(x.starts[n]):]
	length, from := binary.Uvarint(piece)
	return piece[from], piece[from+1:][:length]
}

// atOnce is how many pages are worked on side by side: their texts are held so long, and what is made of them.
const atOnce = 512

// someAtOnce does work on the texts of all pages, some side by side, and lets take what came of it, in their order. k is the place of a
// page among those that are worked on with it. One whose text is gone has none.
func (m *material) someAtOnce(work func(k, i int, text string), take func(k, i int)) error {
	var pages []int
	var texts []string
	done := func() {
		learn.Each(len(pages), func(k int) { work(k, pages[k], texts[k]) })
		for k, i := range pages {
			take(k, i)
		}
		pages, texts = pages[:0], texts[:0]
	}
	there := make([]bool, len(m.pages))
	read := func(i int, text string) error {
		there[i], pages, texts = true, append(pages, i), append(texts, text)
		if len(pages) == atOnce {
			done()
		}
		return nil
	}
	if err := m.texts(read); err != nil {
		return err
	}
	for i := range there {
		if !there[i] {
			read(i, "")
		}
	}
	done()
	return nil
}
