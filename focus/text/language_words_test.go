package text

import (
	"strings"
	"testing"
)

// TestCommonWordsAreFound holds that each common word is found in whichever way it is written and wherever it stands, and no other is.
func TestCommonWordsAreFound(t *testing.T) {
	for w, languages := range commonWords.of {
		for _, written := range []string{w, strings.ToUpper(w), strings.ToUpper(w[:1]) + w[1:]} {
			if Fold(written) != w {
				continue // half of a character, or ß
			}
			for _, s := range []string{written, "… " + written, "… " + written + " stands here"} {
				i := strings.Index(s, written)
				if got := commonWords.find(s, i, i+len(written)); string(got) != string(languages) {
					t.Errorf("%q in %q is common in %v, want %v", written, s, got, languages)
				}
			}
		}
	}
	for _, w := range []string{"x", "9", "the1", "thethethe", "thé", "t'e", "zzzzzzzz", "ｔｈｅｍｓ", "quetzalcoatlus"} {
		if got := commonWords.find(w, 0, len(w)); got != nil {
			t.Errorf("%q is common in %v", w, got)
		}
	}
}
