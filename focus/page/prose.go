package page

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// prose is the text of a page as it is written: white space collapsed, one line break between lines, in one buffer of
// which every run, anchor and context is a slice.
type prose struct {
	buf   []byte
	gap   gap
	runs  []run
	marks []mark

	laid   []laid
	layout int    // bytes of white space in them
	lead   []byte // the white space of laid out text since the last word
	broken bool   // before that an element broke the line
	begun  bool   // since the last word an element began there that breaks the line
	empty  int    // elements that are lines of their own, and have had nothing but a line break in them since

	region int32
	part   int32
	link   int32
	where  Position
	apart  bool // the next word begins a run of its own
}

// run is a Run before blocks are known.
type run struct {
	from, to int32
	region   int32
	part     int32
	link     int32
	where    Position
	off      bool // it is none of the main text, whatever the part is
}

// gap is what separates the next word from the last.
type gap uint8

const (
	closed gap = iota
	spaced
	wrapped // a line break of the source: nothing between two Chinese characters, a blank elsewhere
	lined
)

// maxAnchor is the length in bytes beyond which an anchor is an element somebody forgot to close.
const maxAnchor = 2048

// class sorts bytes for the writer.
var class = func() (c [256]uint8) {
	for b := range ' ' {
		c[b] = 2 // nobody sees what steers a terminal
	}
	for _, b := range " \t\r\n\f" {
		c[b] = 1
	}
	c['&'] = 2
	c[0xC2], c[0xE3] = 3, 3 // may begin U+00A0 and U+3000
	return c
}()

// voice sets where the text that follows stands.
func (p *prose) voice(region, part int32, where Position, link int32) {
	if link != p.link && link != nothing && p.link != nothing && p.gap == closed {
		p.gap = spaced
	}
	p.region, p.part, p.where, p.link = region, part, where, link
}

func (p *prose) line() {
	p.gap = lined
	p.lead, p.broken = p.lead[:0], false
}

// space notes white space, of text that is laid out or not.
func (p *prose) space(b []byte, pre bool) {
	if pre {
		p.lay(b)
		return
	}
	g := spaced
	if bytes.IndexByte(b, '\n') >= 0 {
		g = wrapped
	}
	p.gap = max(p.gap, g)
}

// write adds text and answers how many characters it has, white space not counted.
func (p *prose) write(b []byte, pre, references bool) (chars int32) {
	for i := 0; i < len(b); {
		switch class[b[i]] {
		case 1:
			if pre {
				n := blanks(b[i:])
				p.lay(b[i : i+n])
				i += n
				continue
			}
			g := spaced
			if b[i] == '\n' {
				g = wrapped
				if n := blankLine(b[i:]); n > 0 && chars > 0 && i+n < len(b) && len(b) >= fewChars {
					g = lined // as a style shows it, which is the only reason to write it so
				}
			}
			p.gap = max(p.gap, g)
			i++
		case 2:
			n := 1
			if b[i] == '&' {
				var c int32
				c, n = p.reference(b[i:], pre, references)
				chars += c
			}
			i += n
		case 3:
			if n := wideSpace(b[i:]); n > 0 {
				p.wide(b[i:i+n], pre)
				i += n
				continue
			}
			fallthrough
		default:
			j, n := stretch(b, i)
			p.word(b[i:j])
			chars += n
			i = j
		}
	}
	return chars
}

// blankLine is the length of a blank line, and the ends of those around it, before one that is not set in, as markup mostly is.
func blankLine(b []byte) int {
	if n := blanks(b); bytes.Count(b[:n], newline) > 1 && b[n-1] == '\n' {
		return n
	}
	return 0
}

var newline = []byte{'\n'}

// blanks is the length of the white space that b begins with.
func blanks(b []byte) (n int) {
	for n < len(b) && class[b[n]] == 1 {
		n++
	}
	return n
}

// stretch is the end of the text from i on that can be written as it is, words with single blanks between them, and
// its number of characters. It looks at eight bytes at a time where that many are left.
func stretch(b []byte, i int) (end int, chars int32) {
	j, high := i+1, uint64(b[i])
	for j+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[j:])
		if stops(w) != 0 || b[j] == ' ' && b[j-1] == ' ' {
			break // it may end here: the loop below sees where
		}
		high |= w
		j += 8
	}
	if j > i+1 && b[j-1] == ' ' {
		j-- // what follows it is not known yet
	}
	for ; j < len(b); j++ {
		if c := b[j]; c != ' ' && class[c] != 0 || c == ' ' && (j+1 == len(b) || class[b[j+1]] != 0) {
			break
		}
		high |= uint64(b[j])
	}
	chars = int32(j - i - bytes.Count(b[i:j], oneBlank))
	if high&highs != 0 {
		chars -= laterBytes(b[i:j])
	}
	return j, chars
}

// laterBytes are the bytes of characters after their first.
func laterBytes(b []byte) (n int32) {
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		n += int32(bits.OnesCount64(w &^ (w << 1) & highs))
		b = b[8:]
	}
	for _, c := range b {
		if c&0xC0 == 0x80 {
			n++
		}
	}
	return n
}

var oneBlank = []byte{' '}

// lows and highs are the lowest and the highest bit of each of eight bytes.
const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// stops is 0 where none of the bytes of w, single blanks aside, ends a stretch; it may be something else where none does.
func stops(w uint64) uint64 {
	s := (w - lows*' ') &^ w & highs // less than a blank
	s |= zeros(w ^ lows*'&')
	if s |= doubled(w); w&highs != 0 {
		s |= zeros(w^lows*0xC2) | zeros(w^lows*0xE3)
	}
	return s
}

// doubled is not 0 where two blanks stand beside each other.
func doubled(w uint64) uint64 {
	z := zeros(w ^ lows*' ')
	return z & (z >> 8)
}

// zeros has the highest bit of each byte of w set that is 0; those of bytes above one may be set as well.
func zeros(w uint64) uint64 { return (w - lows) &^ w & highs }

// characters is utf8.RuneCount, which makes a copy of all that is not ASCII.
func characters(b []byte) (n int) {
	for i := 0; i < len(b); n++ {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, size := utf8.DecodeRune(b[i:])
		i += size
	}
	return n
}

// wideSpace is the length of the no-break or ideographic space b begins with, or of one of a width of its own, 0 if it begins with none.
func wideSpace(b []byte) int {
	switch {
	case len(b) >= 2 && b[0] == 0xC2 && b[1] == 0xA0:
		return 2
	case len(b) >= 3 && b[0] == 0xE3 && b[1] == 0x80 && b[2] == 0x80:
		return 3
	case len(b) >= 3 && b[0] == 0xE2 && b[1] == 0x80 && (0x80 <= b[2] && b[2] <= 0x8A || b[2] == 0xAF):
		return 3
	}
	return 0
}

// reference adds what a character reference stands for.
func (p *prose) reference(b []byte, pre, decode bool) (chars int32, n int) {
	if !decode {
		p.word(b[:1])
		return 1, 1
	}
	var scratch [16]byte
	out, n := appendReference(scratch[:0], b)
	switch {
	case len(out) > 0 && (isSpace(out[0]) || wideSpace(out) == len(out)):
		p.wide(out, pre)
		return 0, n
	case len(out) == 0, out[0] < ' ', p.hides(out):
		return 0, n
	}
	p.word(out)
	return int32(characters(out)), n
}

// hides says whether what a reference stands for is a sign that nobody sees, behind the text so far.
func (p *prose) hides(out []byte) bool {
	if unseen(out, 0) != len(out) {
		return false
	}
	n := len(p.buf)
	return string(out) != zeroWidthSpace || n < 3 || !unparted(p.buf[n-3])
}

// wide notes white space that is none of the source's, and never a line break where text is not laid out.
func (p *prose) wide(space []byte, pre bool) {
	if pre {
		p.lay(space)
		return
	}
	p.gap = max(p.gap, spaced)
}

// word adds bytes that are no white space, after the gap before them.
func (p *prose) word(b []byte) {
	n := len(p.buf)
	if p.gap != closed && n > 0 {
		switch {
		case p.gap == lined:
			p.buf = append(p.buf, '\n')
		case p.gap == spaced || !unspaced(p.buf, b):
			p.buf = append(p.buf, ' ')
		}
	}
	if len(p.lead) > 0 || p.empty > 0 {
		p.laidOut(n)
	}
	p.gap, p.begun = closed, false
	from := int32(len(p.buf))
	p.buf = append(p.buf, b...)
	to := int32(len(p.buf))
	if n := len(p.runs); n > 0 && !p.apart {
		if last := &p.runs[n-1]; last.part == p.part && last.region == p.region && last.where == p.where && last.link == p.link {
			last.to = to
			return
		}
	}
	p.apart = false
	p.runs = append(p.runs, run{from, to, p.region, p.part, p.link, p.where, false})
}

// han says whether b begins a character of a script written without blanks: Han, Kana, full-width signs.
func han(b byte) bool { return hanLow <= b && b <= 0xE9 || b == 0xEF }

const hanLow = 0xE3

// toValid is b with what is not UTF-8 replaced.
func toValid(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	return bytes.ToValidUTF8(b, []byte("\uFFFD"))
}
