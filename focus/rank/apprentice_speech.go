package rank

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/page"
)

// speech is what is said of an address: by its own words, and by the words of the links to it. Each word is a hash and
// what it counts, packed into one number.
type speech struct {
	words []uint32
	mine  uint8 // how many of them are of the address itself
	count uint8 // by how many links the rest was said
}

func (s speech) own() []uint32   { return s.words[:s.mine] }
func (s speech) links() []uint32 { return s.words[s.mine:] }

// add takes in what one more link says; most is how many are heard.
func (s *speech) add(said speech, most int) {
	if int(s.count) >= most {
		return
	}
	if s.count == 0 {
		s.words, s.mine = append(make([]uint32, 0, len(said.words)), said.own()...), said.mine
	}
	s.words = append(s.words, said.links()...)
	s.count++
}

// A word is packed as its hash in the lower 20 bits, and what it counts, in 1023ths, in the upper 12.
const (
	hashBits = 20
	whole    = 1023
)

func unpack(word uint32) (at uint32, value float32) {
	return word & (1<<hashBits - 1), float32(word>>hashBits) / whole
}

// The kinds of words, mixed into their hashes so that a word of an anchor is another than one of an address.
const (
	inAddress = iota + 1
	inAnchor
	around
	inHeading
	tagPath
	tagPathOnHost
	blockOfPage
)

// speaker hashes words. Its buffers are used again for the next link.
type speaker struct {
	words []uint32 // packed
	raw   []uint64 // the hashes of one text
	bits  int
}

// speech is what the link says, and the address it leads to. It is worked out once.
func (e *Evidence) speech(a *Apprenticeship) speech {
	l := e.Link
	if said, ok := e.Ahead.speech(l); ok {
		return said
	}
	s := e.sheet()
	if l == nil {
		return speech{}
	}
	order := int(l.Order)
	if s.page == nil || order < 0 || order >= len(s.page.Links) || &s.page.Links[order] != l {
		from := len(s.speaker.words)
		said := s.speaker.speak(e, a)
		s.speaker.words = s.speaker.words[:from]
		return said
	}
	for len(s.speeches) < len(s.page.Links) {
		s.speeches = append(s.speeches, span{})
	}
	at := &s.speeches[order]
	if !at.ready {
		from := len(s.speaker.words)
		said := s.speaker.speak(e, a)
		*at = span{uint32(from), uint32(len(s.speaker.words)), said.mine, true}
	}
	return at.of(s.speaker.words)
}

// span is where the words of one link stand among those of its page.
type span struct {
	from, to uint32
	mine     uint8
	ready    bool
}

func (s span) of(words []uint32) speech {
	return speech{words: words[s.from:s.to:s.to], mine: s.mine, count: 1}
}

// speak hashes everything that is said of a link, the address first.
func (s *speaker) speak(e *Evidence, a *Apprenticeship) speech {
	s.bits = a.Bits
	from := len(s.words)
	l := e.Link
	_, path := split(l.URL)
	s.address(path)
	s.group(inAddress, a.Address, false)
	mine := len(s.words) - from
	s.text(l.Anchor)
	s.group(inAnchor, a.Anchor, false)
	s.around(l, a.Window)
	s.group(around, a.Around, false)
	s.text(l.Heading)
	s.group(inHeading, a.Heading, false)
	tags := hash(0, l.Path)
	s.one(tagPath, tags, a.Path, false)
	on, _ := split(e.address())
	s.one(tagPathOnHost, hash(tags, on), a.PathOnHost, true)
	s.one(blockOfPage, blend64(e.Parent, uint64(uint32(l.Block))), a.Block, true)
	return speech{words: s.words[from:len(s.words):len(s.words)], mine: uint8(mine), count: 1}
}

// one packs a group of one word.
func (s *speaker) one(kind uint64, h uint64, weight float64, local bool) {
	s.raw = append(s.raw[:0], h)
	s.group(kind, weight, local)
}

// maxGroup bounds the words of one group: a hostile anchor may have thousands.
const maxGroup = 64

// group packs the words that were hashed, each once, so that together they count weight: the root of the sum of the
// squares is that. Words that mean something on one host or page only have the upper half of the hashes to themselves.
func (s *speaker) group(kind uint64, weight float64, local bool) {
	if weight == 0 || len(s.raw) == 0 {
		return
	}
	half := uint64(1) << (s.bits - 1)
	slices.Sort(s.raw)
	raw := slices.Compact(s.raw)
	raw = raw[:min(len(raw), maxGroup)]
	value := min(uint32(weight/math.Sqrt(float64(len(raw)))*whole+.5), 1<<(32-hashBits)-1)
	for _, h := range raw {
		at := blend64(kind, h) >> 20 & (half - 1)
		if local {
			at |= half
		}
		s.words = append(s.words, uint32(at)|value<<hashBits)
	}
}

// text hashes the words of a text.
func (s *speaker) text(t string) {
	s.raw = s.raw[:0]
	s.hear(t, math.MaxInt)
}

// around hashes the words around a link, so many on each side.
func (s *speaker) around(l *page.Link, window int) {
	s.raw = s.raw[:0]
	s.hear(l.Before, math.MaxInt)
	if before := len(s.raw); before > window {
		s.raw = append(s.raw[:0], s.raw[before-window:]...)
	}
	kept := len(s.raw)
	s.hear(l.After, kept+window)
	s.raw = s.raw[:min(len(s.raw), kept+window)]
}

// hear hashes words in running text: Latin ones in lower case and without the s of the plural, of Chinese and its like
// every two neighbouring characters, which say about as much as words and need no dictionary. It ends where there are most of them,
// or a few more.
func (s *speaker) hear(t string, most int) {
	t = narrow(t)
	for i := 0; i < len(t) && len(s.raw) < most; {
		if c := t[i]; c < utf8.RuneSelf {
			if sounds[c] == 0 {
				i++
				continue
			}
			end := i + 1
			for end < len(t) && sounds[t[end]] != 0 {
				end++
			}
			s.latin(t[i:end])
			i = end
			continue
		}
		i = s.dense(t, i)
	}
}

// narrow is a text whose letters and digits of full width, as Chinese text has them, are those of ASCII: ＢＢＣ is BBC.
func narrow(t string) string {
	for i := 0; i < len(t); i++ {
		next := strings.IndexByte(t[i:], 0xEF) // with which U+F000 to U+FFFF begin
		if next < 0 {
			return t
		}
		i += next
		if r, _ := utf8.DecodeRuneInString(t[i:]); isWide(r) {
			return strings.Map(func(r rune) rune {
				if isWide(r) {
					return r - 0xFF01 + '!'
				}
				return r
			}, t)
		}
	}
	return t
}

func isWide(r rune) bool { return 0xFF01 <= r && r <= 0xFF5E && alnum(byte(r-0xFF01+'!')) }

func alnum(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// sounds are what the letters and digits of ASCII are hashed as: letters as small ones, digits all alike. What is neither has none.
var sounds = func() (s [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		switch {
		case '0' <= c && c <= '9':
			s[c] = '0'
		case alnum(c):
			s[c] = c | 0x20
		}
	}
	return s
}()

// latin hashes a word: its figures are all alike, figures alone and single letters are left out.
func (s *speaker) latin(w string) {
	if len(w) > 3 && w[len(w)-1]|0x20 == 's' && w[len(w)-2]|0x20 != 's' {
		w = w[:len(w)-1]
	}
	if len(w) < 2 {
		return
	}
	letters := false
	h := uint64(len(w))
	for i := 0; i < len(w); i++ {
		c := sounds[w[i]]
		letters = letters || c != '0'
		h = (h ^ uint64(c)) * 0x100000001B3
	}
	if letters {
		s.raw = append(s.raw, h)
	}
}

// dense hashes a run of characters that are not Latin by pairs, and answers where it ends. One alone is a word.
func (s *speaker) dense(t string, i int) int {
	before, n := rune(-1), 0
	for i < len(t) && t[i] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(t[i:])
		i += size
		if isMark(r) {
			break
		}
		if n++; before >= 0 {
			s.raw = append(s.raw, uint64(before)<<32|uint64(r))
		}
		before = r
	}
	if n == 1 {
		s.raw = append(s.raw, uint64(before))
	}
	return i
}

// isMark tells of a character that is not ASCII whether it stands between words: punctuation, symbols and white space. 々
// and 〇 stand among those of Chinese and Japanese, and are characters of words.
func isMark(r rune) bool {
	switch {
	case r < 0x2E80:
		return r >= 0x2000 || r < 0xC0 || r == '×' || r == '÷'
	case r < 0xFF00:
		return 0x3000 <= r && r <= 0x303F && r != '々' && r != '〇' || r == '・' || 0xFE30 <= r && r <= 0xFE6F
	}
	return r <= '／' || '：' <= r && r <= '＠' || '［' <= r && r <= '｀' || '｛' <= r && r <= '･' || '￠' <= r && r <= '￮'
}

// noise are words that nearly all addresses have.
var noise = func() map[uint64]bool {
	var s speaker
	s.text("http https www com cn org edu html htm shtml php jsp asp aspx index")
	known := map[uint64]bool{}
	for _, h := range s.raw {
		known[h] = true
	}
	return known
}()

// address hashes the words of an address's path.
func (s *speaker) address(path string) {
	if strings.IndexByte(path, '%') >= 0 {
		path = unescaped(path)
	}
	s.text(path)
	s.raw = slices.DeleteFunc(s.raw, func(h uint64) bool { return noise[h] })
}

// unescaped is a path with its %xx undone; what cannot be undone stays.
func unescaped(path string) string {
	b := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		if path[i] == '%' && i+2 < len(path) {
			if high, low := nibble(path[i+1]), nibble(path[i+2]); high < 16 && low < 16 {
				b = append(b, high<<4|low)
				i += 2
				continue
			}
		}
		b = append(b, path[i])
	}
	return string(b)
}

func nibble(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 16
}
