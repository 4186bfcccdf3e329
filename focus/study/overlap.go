package study

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// OverlapSizes are how many of the most telling words are compared.
var OverlapSizes = []int{50, 100, 200, 500, 1000, 2000}

// Overlap is the share of words that two sets of links have in common among those that tell most about how far a link is
// from a page that is looked for, by size: a forecast of how far what was learned on the one holds on the other.
type Overlap struct {
	Of     string    `json:"of"`     // anchors or addresses
	Within []float64 `json:"within"` // two halves of the first set, drawn by lot
	Across []float64 `json:"across"` // the first set and the second
}

// readLink is a link of a training set: its classes and its different words.
type readLink struct {
	classes []int
	words   [2][]string // of anchor and address
}

// Overlaps compares the words of two training sets.
func Overlaps(first, second []*LabelledWeb, o LayersTraining, seed uint64) ([]Overlap, error) {
	reader, err := rank.NewLayers(o.Classes, o.Membership, o.Smoothing, o.Lambda)
	if err != nil {
		return nil, err
	}
	read := func(webs []*LabelledWeb) (links []readLink) {
		for _, t := range webs {
			t.layered(o.Membership, o.Classes, func(_ int, l *page.Link, in []int) {
				address, anchor := reader.Read(l)
				links = append(links, readLink{in, [2][]string{different(anchor), different(address)}})
			})
		}
		return links
	}
	a, b := read(first), read(second)
	halves := [2][]readLink{}
	for i, at := range rand.New(rand.NewPCG(seed, 5)).Perm(len(a)) {
		halves[i%2] = append(halves[i%2], a[at])
	}
	var all []Overlap
	for kind, of := range []string{"anchors", "addresses"} {
		row := Overlap{Of: of}
		left, right := telling(halves[0], kind, o.Classes), telling(halves[1], kind, o.Classes)
		one, other := telling(a, kind, o.Classes), telling(b, kind, o.Classes)
		for _, size := range OverlapSizes {
			row.Within = append(row.Within, common(left, right, size))
			row.Across = append(row.Across, common(one, other, size))
		}
		all = append(all, row)
	}
	return all, nil
}

func different(words []string) []string {
	words = slices.Clone(words)
	slices.Sort(words)
	return slices.Compact(words)
}

// telling are the words of links, those first that tell most about the class of a link.
func telling(links []readLink, kind, classes int) []string {
	with := map[string][]float64{}
	all := make([]float64, classes)
	for _, l := range links {
		for _, c := range l.classes {
			all[c-1]++
			for _, w := range l.words[kind] {
				if with[w] == nil {
					with[w] = make([]float64, classes)
				}
				with[w][c-1]++
			}
		}
	}
	type gain struct {
		word string
		bits float64
	}
	gains := make([]gain, 0, len(with))
	for w, counts := range with {
		gains = append(gains, gain{w, learn.Gain(counts, all)})
	}
	slices.SortFunc(gains, func(a, b gain) int { return cmp.Or(cmp.Compare(b.bits, a.bits), cmp.Compare(a.word, b.word)) })
	words := make([]string, len(gains))
	for i, g := range gains {
		words[i] = g.word
	}
	return words
}

// common is the share of words that the first so many of two lists have in common, of as many as the shorter has.
func common(a, b []string, size int) float64 {
	size = min(size, len(a), len(b))
	if size == 0 {
		return 0
	}
	in := map[string]bool{}
	for _, w := range a[:size] {
		in[w] = true
	}
	n := 0
	for _, w := range b[:size] {
		if in[w] {
			n++
		}
	}
	return float64(n) / float64(size)
}
