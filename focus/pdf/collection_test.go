package pdf

import (
	"fmt"
	"testing"

	"github.com/thresher-crawler/thresher/focus/pdf/pdftest"
)

// TestCollections: a font has the numbers of a collection, and no map to letters.
func TestCollections(t *testing.T) {
	for _, c := range []struct {
		ordering string
		numbers  []int
		want     string
	}{
		{"GB1", []int{940, 4694, 4695, 7702, 96 + 2, 49, 51, 1, 814 + 32, 7800}, "啊座亍齄。PR A"},
		{"CNS1", []int{595, 657 + 1, 2007, 2430, 2431, 2432, 5996, 13641, 13648 + 33}, "一丑耐耆耄耘乂爩A"},
		{"Japan1", []int{1125, 4089, 4090, 843, 926, 231 + 33, 34}, "亜腕弌あアAA"},
		{"Korea1", []int{1086, 3435, 34}, "가힝A"},
		{"Identity", []int{940}, ""},
	} {
		shown := []byte{}
		for _, n := range c.numbers {
			shown = append(shown, byte(n>>8), byte(n))
		}
		f := pdftest.New("", "BT /F1 12 Tf 72 700 Td "+pdftest.HexBytes(shown)+" Tj ET BT /F2 12 Tf 72 600 Td (end) Tj ET")
		f.Set(3, fmt.Sprintf("<</Font <</F1 <</Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<</DW 1000 /CIDSystemInfo <</Registry (Adobe) /Ordering (%s)>>>>]>> /F2 <</Subtype /Type1 /Encoding /WinAnsiEncoding>>>>>>", c.ordering))
		want := c.want + "\nend"
		if c.want == "" {
			want = "end"
		}
		if have := texts(t, f.Bytes()); have != want {
			t.Errorf("%s: %q, want %q", c.ordering, have, want)
		}
	}
}
