package text

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzScanWord holds that a word ends where it does when it is looked at character by character.
func FuzzScanWord(f *testing.F) {
	for _, s := range []string{"don't", "l'énergie", "3.14, 1,000.", "Ph.D. of the U.S. AT&T & co.", "F-16 C++ C# C+ a#b", "Ünder’s ＡＢ．", "internationalization.", "ab.\xff", "e\u0301a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for i := range s {
			if got, want := scanWord(s, i), endOfWord(s, i); got != want {
				t.Fatalf("the word at %d of %q ends at %d, want %d", i, s, got, want)
			}
		}
	})
}

// endOfWord is scanWord without any short way.
func endOfWord(s string, i int) int {
	for start := i; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		f := fold(r)
		switch {
		case classOf(r) == word, unicode.Is(unicode.M, r) && i > start, joins(s, start, i, f, n):
		case i > start && (f == '+' || f == '#'):
			return scanMark(s, start, i, f)
		default:
			return i
		}
		i += n
	}
	return i
}
