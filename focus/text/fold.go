package text

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// simplifiedTable pairs each traditional character with the simplified one it is compared as. The file names its
// source and licence.
//
//go:embed dict/simplified.txt
var simplifiedTable string

// The table covers the Han characters of three bytes in UTF-8, and maps to such ones: folding a run of Chinese
// therefore moves no byte.
const (
	firstHan = 0x3400
	lastHan  = 0x9FFF
)

// simplified answers, by character less firstHan, with the simplified character, or 0 where the character is its
// own.
var simplified = readSimplified(simplifiedTable)

func readSimplified(table string) *[lastHan - firstHan + 1]uint16 {
	var t [lastHan - firstHan + 1]uint16
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for pair := range strings.FieldsSeq(line) {
			from, n := utf8.DecodeRuneInString(pair)
			to, _ := utf8.DecodeRuneInString(pair[n:])
			t[from-firstHan] = uint16(to)
		}
	}
	return &t
}

// fold is the form in which a character is compared: lower case, half width, simplified.
func fold(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	case firstHan <= r && r <= lastHan:
		if s := simplified[r-firstHan]; s != 0 {
			return rune(s)
		}
		return r
	case 0xFF01 <= r && r <= 0xFF5E: // full-width forms of ASCII
		return fold(r - 0xFF01 + '!')
	case r == '’' || r == '‘' || r == 'ʼ':
		return '\''
	}
	return unicode.ToLower(r)
}

// Fold gives text in the form in which it is compared: lower case, half width, simplified characters. Bytes that are
// not UTF-8 become U+FFFD. Text that is in that form already is given back as it is.
func Fold(s string) string {
	for i, r := range s {
		if fold(r) != r || r == utf8.RuneError {
			return s[:i] + strings.Map(fold, s[i:])
		}
	}
	return s
}

// spelt are letters with strokes, and those that are two, as plain letters.
var spelt = map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i"}

// unaccented is a folded word without the accents of its Latin and Greek letters, as who has no such keys types it: zurich. Of Cyrillic ё is е;
// elsewhere marks are more than accents.
func unaccented(w string) string {
	if isASCII(w) {
		return w
	}
	var b strings.Builder
	letter := rune(0)
	for _, r := range norm.NFD.String(w) {
		if unicode.Is(unicode.Mn, r) && (unicode.In(letter, unicode.Latin, unicode.Greek) || letter == 'е' && r == '\u0308') {
			continue
		}
		if letter = r; spelt[r] != "" {
			b.WriteString(spelt[r])
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// plainly is a folded word as it is compared with others where accents make no difference. One that would be a stop word then keeps them:
// thé is not the.
func plainly(w string) string {
	if p := unaccented(w); !stopWords[p] {
		return p
	}
	return w
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// composed folds a word, and joins its letters with the marks that stand behind them: é is é, whether it was written as one character
// or as two.
func composed(w string) string { return Fold(norm.NFC.String(w)) }

// unseen are signs that nobody sees, which a text brings along that was copied from a page or a document, and that pages are read without.
var unseen = strings.NewReplacer("\u200b", "", "\u2060", "", "\ufeff", "", "\u00ad", "")

// Seen is what a person wrote without signs that nobody sees. In scripts in which such a sign parts words it stays.
func Seen(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) }) {
		return s
	}
	return unseen.Replace(s)
}
