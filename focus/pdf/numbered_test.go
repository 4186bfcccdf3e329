package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/pdf/pdftest"
)

// TestSignsCalledByTheirCodes: fonts of dots, as TeX makes them, whose signs have their codes for names.
func TestSignsCalledByTheirCodes(t *testing.T) {
	for _, c := range []struct {
		name, called, shown, want string
		wide                      func(code int) int
	}{
		{"older", "a%d", "the \x0cne e\x0eciency\x22 {", "the fine efficiency” –", nil},
		{"newer", "a%d", "\x10of\x1cce\x11 \x16 caf\xe9", "“office” — café", nil},
		{"typewriter", "a%d", "if (a[i] < \"b\") {", "if (a[i] < \"b\") {", func(int) int { return 525 }},
		{"no small letters", "a%d", "ABC\x0f", "ABC", nil},
		{"signs", "a%d", "\x88", "•", nil},
		{"by sixteens", "g%02x", "solar", "solar", nil},
		{"otherwise", "b7%d", "solar", "", nil},
	} {
		names, widths := strings.Builder{}, strings.Builder{}
		for code := range 256 {
			if strings.IndexByte(c.shown, byte(code)) >= 0 {
				fmt.Fprintf(&names, "%d /"+c.called+" ", code, code)
			}
			wide := 400 + code
			if c.wide != nil {
				wide = c.wide(code)
			}
			fmt.Fprintf(&widths, "%d ", wide)
		}
		f := pdftest.New("", "BT /F1 12 Tf 72 700 Td "+pdftest.HexBytes([]byte(c.shown))+" Tj ET BT /F2 12 Tf 72 600 Td (end) Tj ET")
		f.Set(3, fmt.Sprintf("<</Font <</F1 <</Subtype /Type3 /FontMatrix [.001 0 0 .001 0 0] /FirstChar 0 /LastChar 255 /Widths [%s] /Encoding <</Differences [%s]>>>> /F2 <</Subtype /Type1>>>>>>", widths.String(), names.String()))
		if have, want := texts(t, f.Bytes()), strings.TrimPrefix(c.want+"\nend", "\n"); have != want {
			t.Errorf("%s: %q, want %q", c.name, have, want)
		}
	}
}
