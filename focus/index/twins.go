package index

import "github.com/thresher-crawler/thresher/focus/junk"

// fewWords is of how many words a fingerprint tells nothing.
const fewWords = 20

// duplicates tells whether two pages are nearly the same, whose fingerprints may differ in so many bits.
func duplicates(a, b *card, bits int) bool {
	if a.Digest != 0 && a.Digest == b.Digest {
		return true
	}
	return a.Words >= fewWords && b.Words >= fewWords && junk.Distance(a.Print, b.Print) <= bits
}

// twins finds near duplicates among pages without comparing each with all. Of two fingerprints that differ in n bits, cut into
// n+1 bands, one band at least is the same.
type twins struct {
	bits    int
	cards   []*card
	digests map[uint64]int
	bands   map[band][]int
}

// band is a piece of a fingerprint, and which.
type band struct {
	number int
	piece  uint64
}

func newTwins(bits int) *twins {
	return &twins{bits: min(bits, 63), digests: map[uint64]int{}, bands: map[band][]int{}}
}

// add adds a page, which is the n-th.
func (t *twins) add(n int, c *card) {
	t.cards = append(t.cards, c)
	if _, there := t.digests[c.Digest]; !there && c.Digest != 0 {
		t.digests[c.Digest] = n
	}
	if c.Words >= fewWords {
		for i := range t.bits + 1 {
			b := t.band(i, c.Print)
			t.bands[b] = append(t.bands[b], n)
		}
	}
}

// of is the first page that was added of which this one is a near duplicate; -1 where there is none.
func (t *twins) of(c *card) int {
	first := -1
	if n, there := t.digests[c.Digest]; there {
		first = n
	}
	if c.Words < fewWords {
		return first
	}
	for i := range t.bits + 1 {
		for _, n := range t.bands[t.band(i, c.Print)] {
			if first >= 0 && n >= first {
				break // they are in order
			}
			if duplicates(t.cards[n], c, t.bits) {
				first = n
				break
			}
		}
	}
	return first
}

// band is a piece of a fingerprint.
func (t *twins) band(i int, print uint64) band {
	from, to := 64*i/(t.bits+1), 64*(i+1)/(t.bits+1)
	return band{i, print >> from & (1<<(to-from) - 1)}
}
