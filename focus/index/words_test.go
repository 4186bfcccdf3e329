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

// TestWordsOfAddresses holds what of an address is searched.
func TestWordsOfAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"http://www.cs.example.edu/StudentProjects/cs101.html": "cs example StudentProjects Student Projects cs101 cs 101 html",
		"http://tea.example.com/a-b?page=2":                    "tea example a b page 2",
		"http://a.example.cn/%E4%B8%96%E7%95%8C2024/HTML":      "a example 世界2024 世界 2024 HTML",
		"http://[": "",
	} {
		if got := addressWords(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
