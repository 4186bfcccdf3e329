package index

import "testing"

// TestLongWordsThatNoPageHas holds that a long word is looked for in its parts, and these by their characters, also where no
// page has any of them.
func TestLongWordsThatNoPageHas(t *testing.T) {
	c, _ := opened(t, small(t).dir)
	for query, want := range map[string]string{
		"中华人民共和国":    "",
		"中华人民共和国 素数": "3",
	} {
		if got := found(asked(t, c, query)); got != want {
			t.Errorf("%s: pages %q, want %q", query, got, want)
		}
	}
}
