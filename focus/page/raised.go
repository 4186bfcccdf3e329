package page

import (
	"html"
	"strings"
	"unicode/utf8"
)

// What stands higher than its line is another number without that: 10⁶ is no 106. So numbers, and what counts with them, are written in
// the letters that Unicode has for them. Words stay as they are (1st), and so do signs alone (Na+) and what has brackets around it.
// What stands lower stays (H2O), but for a number right beside another.
var (
	raisedSigns = map[rune]rune{
		'0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹',
		'+': '⁺', '-': '⁻', minus: '⁻', '=': '⁼', '(': '⁽', ')': '⁾', '.': '·', '/': '⁄', ',': ',', '–': '–',
		'n': 'ⁿ', 'i': 'ⁱ', 'x': 'ˣ', 'k': 'ᵏ', 'm': 'ᵐ', 'j': 'ʲ', 't': 'ᵗ', 'y': 'ʸ',
	}
	loweredSigns = map[rune]rune{
		'0': '₀', '1': '₁', '2': '₂', '3': '₃', '4': '₄', '5': '₅', '6': '₆', '7': '₇', '8': '₈', '9': '₉', '+': '₊', '-': '₋', minus: '₋',
	}
)

const (
	minus     = '\u2212'
	fractured = '⁄' // what parts the two numbers of a fraction

	maxRaised = 256 // bytes of markup that are looked through for the end of what stands higher or lower
)

// raised are the letters for the text of the element whose start tag was read, where it stands higher or lower and is another number
// in the line; nil elsewhere.
func (r *reading) raised(t tag) map[rune]rune {
	if t != tagSup && t != tagSub || r.counted > len(r.src) {
		return nil
	}
	text, next := r.inTheLine(t)
	switch {
	case t == tagSup && spells(text, raisedSigns) && counts(text):
		return raisedSigns
	case t == tagSub && spells(text, loweredSigns) && counts(text) && (isDigit(next) || r.behindNumber()):
		return loweredSigns
	}
	return nil
}

// inTheLine is the text of the element whose start tag was read, and the byte behind it; nothing if more than a line stands in it.
func (r *reading) inTheLine(t tag) (text string, next byte) {
	inside := r.src[r.pos:min(len(r.src), r.pos+maxRaised)]
	ahead := scanner{src: inside}
	defer func() { r.counted += ahead.pos }()
	for {
		switch ahead.next() {
		case eofToken:
			return "", 0
		case textToken:
			text += string(ahead.text)
		case startToken:
			if ahead.tag == t || facts[ahead.tag]&breaksLine != 0 {
				return "", 0
			}
		case endToken:
			if ahead.tag != t {
				continue
			}
			if ahead.pos < len(inside) {
				next = inside[ahead.pos]
			}
			return strings.TrimSpace(html.UnescapeString(text)), next
		}
	}
}

// spells tells whether there are letters for all of a text.
func spells(text string, letters map[rune]rune) bool {
	for _, c := range text {
		if letters[c] == 0 {
			return false
		}
	}
	return text != ""
}

// counts tells of such a text that it is a number, or stands for one: n, or n-1.
func counts(text string) bool {
	letters := strings.Trim(text, "0123456789+-=().,/–\u2212")
	return strings.ContainsAny(text, "0123456789") || len(letters) == 1 && strings.Contains("nixkmj", letters)
}

// behindNumber tells whether what follows stands right behind a number.
func (r *reading) behindNumber() bool {
	if r.prose.gap != closed {
		return false
	}
	last, _ := utf8.DecodeLastRune(r.prose.buf)
	return '0' <= last && last <= '9' || last == fractured || strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹", last)
}

// spelt is a text in such letters.
func spelt(text []byte, letters map[rune]rune) []byte {
	return []byte(strings.Map(func(c rune) rune {
		if to := letters[c]; to != 0 {
			return to
		}
		return c
	}, html.UnescapeString(string(text))))
}
