package index

import (
	"cmp"
	"hash/fnv"
	"io"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/rank"
)

// mostAnchors is how many different words of links a page is found by. The front page of a portal has thousands.
const mostAnchors = 48

// anchors are the words of the links that lead to a page, each once, with how many pages say them.
type anchors map[string]int

// web is the harvest as its links see it.
type web struct {
	to    [][]uint32 // by page: the pages it links to
	in    []int32
	words []anchors
}

// webOf reads the links between the pages of a harvest. without tells links that are left out; nil leaves out none.
func webOf(generation string, parts int, cards []card, k known, without func(from, to *card, anchor string) bool) (*web, error) {
	w := &web{make([][]uint32, len(cards)), make([]int32, len(cards)), make([]anchors, len(cards))}
	err := eachSheet(generation, parts, cards, k, func(from int, s *sheet) error {
		w.page(from, s, cards, k, without)
		return nil
	})
	return w, err
}

// page takes in the links of a page: each target once, and the words of each link. Of a target that everybody links to, as many words are
// kept as its most frequent can be told from.
func (w *web) page(from int, s *sheet, cards []card, k known, without func(from, to *card, anchor string) bool) {
	for _, l := range s.Links {
		to, ok := k.byName[l.To]
		if !ok || to == from || without != nil && without(&cards[from], &cards[to], l.Anchor) {
			continue
		}
		if n := uint32(to); !slices.Contains(w.to[from], n) {
			w.to[from] = append(w.to[from], n)
			w.in[to]++
		}
		if l.Anchor == "" {
			continue
		}
		if w.words[to] == nil {
			w.words[to] = anchors{}
		}
		if _, there := w.words[to][l.Anchor]; there || len(w.words[to]) < 4*mostAnchors {
			w.words[to][l.Anchor]++
		}
	}
}

// linked is the words of the links that lead to a page: those that most pages say first.
func (w *web) linked(page int) string {
	var all []string
	for words := range w.words[page] {
		all = append(all, words)
	}
	said := w.words[page]
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(said[b], said[a]), cmp.Compare(a, b)) })
	var text []byte
	for _, words := range all[:min(len(all), mostAnchors)] {
		text = append(append(text, words...), '\n')
	}
	return string(text)
}

// linkedHash is known again as long as linked answers the same.
func linkedHash(linked string) uint64 {
	if linked == "" {
		return 0
	}
	h := fnv.New64a()
	io.WriteString(h, linked)
	return h.Sum64()
}

// weigh works out how important each page is, by the surfer who prefers what is relevant. What a second look has said of it
// counts: there is one importance.
func (w *web) weigh(cards []card, again Kept) {
	relevance := make([]float32, len(cards))
	for i := range cards {
		if relevance[i] = cards[i].Relevance; math.IsNaN(float64(relevance[i])) {
			relevance[i] = 1 // nobody judged: all are alike
		}
	}
	for i, v := range rank.ImportanceAmong(relevance, func(page int) []uint32 { return w.to[page] }) {
		if again != nil {
			if said, _ := again(cards[i].ID); said > 0 {
				v = said
			}
		}
		cards[i].Importance, cards[i].Inlinks = float32(v), w.in[i]
	}
}
