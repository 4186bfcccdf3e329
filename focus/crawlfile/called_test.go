package crawlfile

import (
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// TestWordsOfOtherProgramsAreShownOurs: whoever comes from another crawler writes its words, and is told which key of ours is
// meant by each.
func TestWordsOfOtherProgramsAreShownOurs(t *testing.T) {
	owner := map[string]string{}
	for _, f := range strict.Fields(&Config{}) {
		for _, word := range f.Called {
			if other := owner[word]; other != "" {
				t.Errorf("%s would be both %s and %s", word, other, f.Path)
			}
			owner[word] = f.Path
		}
	}
	if len(owner) < 50 {
		t.Fatalf("only %d words are known", len(owner))
	}
	for word, path := range owner {
		err := strict.Decode("x.yaml", []byte("seeds: [https://www.example.org/]\n"+word+": 5\n"), &Config{})
		key := path[strings.LastIndex(path, ".")+1:]
		if err == nil || !strings.Contains(err.Error(), "x.yaml:2:1: "+word+": unknown key here; did you mean "+path+"?") &&
			!strings.Contains(err.Error(), `unknown key; did you mean "`+key+`"?`) {
			t.Errorf("%s, meant as %s: %v", word, path, err)
		}
	}
}
