package page

import (
	"math"
	"slices"
	"strings"
)

// features are what a block's links say about the block.
type features struct {
	links    int
	wide     int // links wider than those of a menu
	stopped  int // links with a word that related links never have
	plain    int // links that are narrow, or have such a word
	own      int // links to the page itself, which count here alone
	mentions []mention
	adverts  int
	advert   bool      // the last link leads to an advertiser
	shapes   [8]uint64 // the shapes of the first addresses of different shape
	counts   [8]int    // how many addresses have each
	distinct int
}

// mention is what the rules for related blocks ask of one link.
type mention struct {
	similar float32 // how like the page's title its anchor is
	width   uint8   // of its anchor in columns, 255 where it is wider
	marks   feature
}

// feature is what a link has or has not.
type feature uint8

const (
	saysStop    feature = 1 << iota // its anchor has a word that related links never have; the bit of Lists.said
	saysSpecial                     // its anchor has one that announces them; likewise
	toAdvertiser
	toOwnSite
)

// add counts one link; advert says that it leads to an advertiser.
func (f *features) add(to *address, advert bool) {
	f.links++
	if f.advert = advert; advert {
		f.adverts++
	}
	shape := shapeOf(to)
	for i := range f.shapes {
		if i == f.distinct {
			f.shapes[i] = shape
			f.distinct++
		}
		if f.shapes[i] == shape {
			f.counts[i]++
			break
		}
	}
}

// addWords counts the words of the link added last, and whether it stays on the page's own site. Only blocks of links are
// asked for them. The slice is scratch space.
func (f *features) addWords(l *Lists, title []uint32, anchor string, own bool, scratch []uint32) []uint32 {
	width := columns(anchor)
	if width > menuWidth {
		f.wide++
	}
	m := mention{width: uint8(min(width, math.MaxUint8))}
	m.marks |= feature(l.said.in(anchor))
	if m.marks&saysStop != 0 {
		f.stopped++
	}
	if f.advert {
		m.marks |= toAdvertiser
	}
	if own {
		m.marks |= toOwnSite
	}
	if width < l.words.Rules.Width || m.marks&saysStop != 0 {
		f.plain++
	}
	if m.marks&(saysStop|toAdvertiser) == 0 {
		scratch = shingles(scratch[:0], anchor)
		m.similar = float32(similarity(title, scratch))
	}
	f.mentions = append(f.mentions, m)
	return scratch
}

// tidy is the share of a block's links that have its commonest shape of address.
func (f *features) tidy() float64 {
	most := 0
	for _, n := range f.counts {
		most = max(most, n)
	}
	if f.links == 0 {
		return 0
	}
	return float64(most) / float64(f.links)
}

// related says whether a block of links leads to pages on the subject of its own page: enough of its links are good, enough
// of them have one shape, and enough stay on the site. headed says that a special word stands on its heading: then a link
// need not be like the title, nor hold such a word itself.
func (f *features) related(r *Rules, headed bool) bool {
	ok, own := 0, 0
	for _, m := range f.mentions {
		if m.marks&toOwnSite != 0 {
			own++
		}
		if int(m.width) < r.Width || m.marks&(saysStop|toAdvertiser) != 0 {
			continue
		}
		if headed || m.marks&saysSpecial != 0 || float64(m.similar) > r.Similarity {
			ok++
		}
	}
	links := float64(f.links)
	return f.links >= 2 && float64(ok) >= r.Share*links && f.tidy() >= r.Tidy && float64(own) >= r.InSite*links
}

// shapeOf is the same for addresses that differ only in numbers and in the last name of their path.
func shapeOf(a *address) uint64 {
	h := uint64(1469598103934665603)
	step := func(c byte) { h = (h ^ uint64(c)) * 1099511628211 }
	for i := range len(a.host) {
		step(a.host[i])
	}
	end := strings.LastIndexByte(a.path, '/')
	digit := false
	for i := 0; i <= end; i++ {
		c := a.path[i]
		if '0' <= c && c <= '9' {
			if !digit {
				step('0')
			}
			digit = true
			continue
		}
		digit = false
		step(c)
	}
	if i := strings.LastIndexByte(a.path, '.'); i > end {
		for ; i < len(a.path); i++ {
			step(a.path[i])
		}
	}
	return h
}

// columns is the number of columns s takes: two for a Chinese, Japanese or Korean character, one for any other.
func columns(s string) (n int) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c&0xC0 == 0x80:
		case c >= 0xE3 && c <= 0xED, c == 0xEF, c >= 0xF0:
			n += 2
		default:
			n++
		}
	}
	return n
}

// shingles are the pairs of neighbouring Chinese characters and the whole words of s, hashed and appended to out.
func shingles(out []uint32, s string) []uint32 {
	before, word := rune(0), uint32(0)
	flush := func() {
		if word != 0 {
			out = append(out, word)
		}
		word = 0
	}
	for _, c := range s {
		switch {
		case c >= 0x2E80:
			flush()
			if before != 0 {
				out = append(out, uint32(before)*31+uint32(c))
			}
			before = c
			continue
		case c < 0x80 && !isWord(byte(c)):
			flush()
		default:
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			word = (word + uint32(c)) * 16777619
		}
		before = 0
	}
	flush()
	return out
}

// similarity is the cosine of two lists of shingles taken as sets.
func similarity(a, b []uint32) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0
	for _, x := range b {
		if slices.Contains(a, x) {
			both++
		}
	}
	return float64(both) / math.Sqrt(float64(len(a))*float64(len(b)))
}
