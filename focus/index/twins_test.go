package index

import (
	"math/rand/v2"
	"testing"
)

// TestTwins holds that the first near duplicate is found that comparing with all would find, over drawn pages, and how few of
// those that are none are looked at for it.
func TestTwins(t *testing.T) {
	for _, bits := range []int{0, 3, 7, 63, 64} {
		r := rand.New(rand.NewPCG(1, uint64(bits)))
		cards := make([]card, 1500)
		for i := range cards {
			cards[i] = card{Words: fewWords + 5, Print: r.Uint64()}
			if i > 0 && r.IntN(3) == 0 { // near one of those before
				cards[i].Print = cards[r.IntN(i)].Print
				for range r.IntN(10) {
					cards[i].Print ^= 1 << r.IntN(64)
				}
			}
			if r.IntN(5) == 0 {
				cards[i].Digest = uint64(r.IntN(40))
			}
			if r.IntN(5) == 0 {
				cards[i].Words = fewWords - 1
			}
		}
		tw := newTwins(bits)
		var shown []*card
		met := 0
		for i := range cards {
			c := &cards[i]
			want := -1
			for n, other := range shown {
				if duplicates(other, c, bits) {
					want = n
					break
				}
			}
			if got := tw.of(c); got != want {
				t.Fatalf("%d bits: page %d is found to be as %d, want %d", bits, i, got, want)
			}
			if want >= 0 {
				met++
				continue
			}
			tw.add(len(shown), c)
			shown = append(shown, c)
		}
		if met == 0 || met == len(cards) {
			t.Errorf("%d bits: %d of %d pages have a twin", bits, met, len(cards))
		}
		most := 0
		for _, in := range tw.bands {
			most = max(most, len(in))
		}
		if bits <= 3 && most > 20 {
			t.Errorf("%d bits: %d pages share a band", bits, most)
		}
	}
}
