package pdf

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Arabic and Hebrew are drawn as every other script, each letter to the right of the one before, and so a line of them comes
// in the order in which it is seen. It is read the other way round, except for numbers and what is in other letters. Some programs
// know nothing of this, and draw such a line from its end.

// turn puts the lines of a page into the order in which they are read.
func turn(lines []*line) {
	for _, l := range lines {
		if l.isLeftwards() {
			l.turn()
		}
	}
}

// leftwardsIn tells whether some of the lines may be read from the right.
func leftwardsIn(lines []*line) bool { return slices.ContainsFunc(lines, (*line).isLeftwards) }

func (at *line) isLeftwards() bool { return strings.ContainsFunc(at.text(), mayBeLeftwards) }

// atEnds are the letters that stand at the end of words alone.
const atEnds = "ةىךםןףץ"

// asRead tells whether lines are in the order in which they are read: their words end as words do, and do not begin so.
func asRead(lines []*line) bool {
	balance := 0
	for _, l := range lines {
		for word := range strings.FieldsFuncSeq(l.text(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) }) {
			first, n := utf8.DecodeRuneInString(word)
			if n == len(word) {
				continue
			}
			if strings.ContainsRune(atEnds, first) {
				balance--
			}
			if last, _ := utf8.DecodeLastRuneInString(word); strings.ContainsRune(atEnds, last) {
				balance++
			}
		}
	}
	return balance > 0
}

// direction is that in which a sign is read.
type direction uint8

const (
	neither direction = iota
	joining           // stands inside a number: 3.14
	unit              // stands beside one: 50%
	number
	rightwards
	leftwards
)

func directionOf(r rune) direction {
	if '0' <= r && r <= '9' {
		return number
	}
	p, _ := bidi.LookupRune(r)
	switch p.Class() {
	case bidi.L:
		return rightwards
	case bidi.R, bidi.AL:
		return leftwards
	case bidi.NSM:
		if mayBeLeftwards(r) {
			return leftwards
		}
		return rightwards
	case bidi.EN, bidi.AN:
		return number
	case bidi.CS, bidi.ES:
		return joining
	case bidi.ET:
		return unit
	}
	return neither
}

// mayBeLeftwards tells, at a glance, whether a sign is of the blocks of scripts that are read from the right.
func mayBeLeftwards(r rune) bool {
	return 0x590 <= r && r < 0x900 || 0xfb1d <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfeff || 0x10800 <= r && r < 0x11000 || 0x1e800 <= r && r < 0x1f000
}

// asDrawn are the signs that one letter of a font stands for, in the order in which they would be drawn one by one.
func asDrawn(text string) string {
	if first, size := utf8.DecodeRuneInString(text); size == len(text) || !mayBeLeftwards(first) {
		return text
	}
	signs := []rune(text)
	slices.Reverse(signs)
	return string(signs)
}

// drawn is a character of a line, and the address that it leads to.
type drawn struct {
	rune
	link string
}

// turn puts a line that was drawn into the order in which it is read. One that is read from the right begins there.
func (at *line) turn() {
	var signs []drawn
	left, right := 0, 0
	for _, p := range at.pieces {
		for _, r := range string(p.text) {
			signs = append(signs, drawn{r, p.link})
			switch directionOf(r) {
			case leftwards:
				left++
			case rightwards:
				right++
			}
		}
	}
	switch {
	case left >= right:
		turned(signs)
		at.from, at.end = -at.end, -at.from
	default:
		for i := 0; i < len(signs); i++ {
			if directionOf(signs[i].rune) == leftwards {
				end := reach(signs, i, leftwards)
				turned(signs[i:end])
				i = end - 1
			}
		}
	}
	at.pieces = at.pieces[:0]
	for _, s := range signs {
		at.pieces = join(at.pieces, string(s.rune), s.link)
	}
}

// turned turns signs round, and what is read to the right among them back again.
func turned(signs []drawn) {
	slices.Reverse(signs)
	for i, s := range signs {
		signs[i].rune = mirrored(s.rune)
	}
	for i := 0; i < len(signs); i++ {
		d := directionOf(signs[i].rune)
		if d != rightwards && d != number && !(d == unit && i+1 < len(signs) && directionOf(signs[i+1].rune) == number) {
			continue
		}
		end := reach(signs, i, d)
		slices.Reverse(signs[i:end])
		for k := i; k < end; k++ {
			signs[k].rune = mirrored(signs[k].rune)
		}
		i = end - 1
	}
}

// reach is where the signs end that are read together with the one at i: words with what stands between them, and the numbers among them,
// or one number.
func reach(signs []drawn, i int, as direction) int {
	if as == unit {
		as = number
	}
	end, gap := i+1, false
	for k := end; k < len(signs); k++ {
		d := directionOf(signs[k].rune)
		switch {
		case d == neither:
			gap = true
			continue
		case d == joining, d == unit && (as != number || end < k), d == number && as == leftwards:
			continue
		case d == number && as == number && gap, (d == leftwards) != (as == leftwards):
			return end
		case d == rightwards:
			as = d
		}
		end = k + 1
	}
	return end
}

// mirrored is the other bracket of a pair.
func mirrored(r rune) rune {
	p, _ := bidi.LookupRune(r)
	if !p.IsBracket() {
		return r
	}
	other, _ := utf8.DecodeRuneInString(bidi.ReverseString(string(r)))
	return other
}
