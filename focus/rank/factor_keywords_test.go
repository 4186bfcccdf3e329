package rank

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// TestKeywordsAreCounted: each word of the topic counts once, wherever it stands in the link's words and its path; the host and
// what speaks against the topic count nothing.
func TestKeywordsAreCounted(t *testing.T) {
	tea, err := topic.New(topic.Spec{Language: "en", Terms: []topic.Term{{Term: "tea", Weight: 1}, {Term: "oolong", Weight: .5}, {Term: "coffee", Weight: -1}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		anchor, address string
		want            float64
	}{
		{"", "http://tea.example/", 0},
		{"read more", "http://a.example/about", 0},
		{"Tea, tea and more tea", "http://a.example/about", 1. / 2},
		{"Tea", "http://a.example/tea.html", 1. / 2},
		{"Tea", "http://a.example/oolong.html", 2. / 3},
		{"Teas", "http://a.example/%6Folong", 2. / 3},
		{"coffee", "http://a.example/oolong", 1. / 2},
	} {
		got := keywords(&Evidence{Topic: tea, Link: &page.Link{Anchor: c.anchor, URL: c.address}})
		if got != c.want {
			t.Errorf("%q to %s: %v, want %v", c.anchor, c.address, got, c.want)
		}
	}
	if got := keywords(&Evidence{Topic: tea}); got == got {
		t.Errorf("without a link it is %v, want no evidence", got)
	}
}
