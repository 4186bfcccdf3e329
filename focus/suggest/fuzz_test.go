package suggest

import (
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/text"
)

// FuzzWords: whatever a page says, its words are pieces of it, and none stands on both sides of a mark as a phrase.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{"", "the heat-pump. Works at 5 °C", "热泵，the pump&co. 采暖", "a\xff b\n c.d e'f", strings.Repeat("x", 300)} {
		f.Add(seed)
	}
	cutter, err := text.NewCutter(text.Options{KeepStops: true, Pairs: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		rest := s
		for piece := range pieces(s) {
			at := strings.Index(rest, piece)
			if piece == "" || at < 0 {
				t.Fatalf("%q is no piece of %q", piece, rest)
			}
			rest = rest[at+len(piece):]
		}
		for i, m := range wordsOf(cutter, nil, s) {
			if m.key == "" || i == 0 && !m.breaks {
				t.Fatalf("%q: %+v", s, m)
			}
		}
	})
}

func TestPhrasesEndAtMarks(t *testing.T) {
	cutter, err := text.NewCutter(text.Options{KeepStops: true})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, m := range wordsOf(cutter, nil, "Heat-pump prices. Pumps of steel (copper) pipes 20 valves") {
		if m.breaks {
			said = append(said, "|")
		}
		said = append(said, m.written)
	}
	if have := strings.Join(said, " "); have != "| heat pump prices | pumps | steel | copper | pipes | valves" {
		t.Error(have)
	}
}
