package page

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// TestStretchIsWhatALookAtEachByteFinds holds the search of eight bytes at a time to the rule it follows, on texts in which
// stops, blanks and characters of every length stand at every place of the eight.
func TestStretchIsWhatALookAtEachByteFinds(t *testing.T) {
	parts := []string{"a", "word", "another", " ", " ", "  ", "\n", "\t", "&", "\x00", "\x0b", "\x1f", "é", "\u00a0", "汉", "字", "。", "\u3000", "\u0101", "😀", "\x7f"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b []byte
		common := r.IntN(4) // the more, the longer the stretches
		for len(b) < 1+r.IntN(120) {
			if r.IntN(1+common*4) > 0 {
				b = append(b, "word"[r.IntN(4):][:1]...)
				continue
			}
			b = append(b, parts[r.IntN(len(parts))]...)
		}
		if b = []byte(string(b)); class[b[0]] == 1 || class[b[0]] == 2 {
			continue // where a stretch begins there is something to write
		}
		end, chars := stretch(b, 0)
		wantEnd, wantChars := 1, int32(1)
		for wantEnd < len(b) && !utf8.RuneStart(b[wantEnd]) {
			wantEnd++
		}
		for wantEnd < len(b) {
			c, n := utf8.DecodeRune(b[wantEnd:])
			if c == ' ' {
				if wantEnd+1 == len(b) || class[b[wantEnd+1]] != 0 {
					break
				}
			} else if class[b[wantEnd]] != 0 {
				break
			} else {
				wantChars++
			}
			wantEnd += n
		}
		if end != wantEnd || chars != wantChars {
			t.Fatalf("%q: %d bytes, %d characters; want %d, %d", b, end, chars, wantEnd, wantChars)
		}
	}
}
