package admit

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryReasonHasWords holds that all that have a name in refused.go have words, and that no other room refuses for a reason
// that has none there.
func TestEveryReasonHasWords(t *testing.T) {
	source, err := os.ReadFile("refused.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`Refused = "([^"]+)"`).FindAllSubmatch(source, -1)
	for _, m := range named {
		if said := words[Refused(m[1])]; said[0] == "" || said[1] == "" {
			t.Errorf("%q has the words %q", m[1], said)
		}
	}
	if len(named) < 30 || len(named) != len(words) {
		t.Errorf("%d reasons were found in the source, and %d have words", len(named), len(words))
	}
	for _, rooms := range []string{"../*.go", "../*/*.go", "../../extensions/*.go", "../../cmd/thresher/*.go"} {
		files, err := filepath.Glob(rooms)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files (%v)", rooms, len(files), err)
		}
		for _, file := range files {
			if source, err = os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
			if m := regexp.MustCompile(`admit\.Refuse\("[^"]+"`).Find(source); m != nil && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s: %s has no name in refused.go", file, m)
			}
		}
	}
	for reason, want := range map[Refused][2]string{
		Refuse(RefusedStatus, "404 Not Found"):        {"its host answered with an error (404 Not Found)", "HTTP 状态（404 Not Found）"},
		Refuse(RefusedRobots, "line 4: Disallow: /x"): {"robots.txt forbids it (line 4: Disallow: /x)", "robots.txt 不允许（line 4: Disallow: /x）"},
		RefusedWeak:    {"it says too little of the topic", "不相关"},
		"a hook's own": {"a hook's own", "a hook's own"},
	} {
		if reason.Sentence() != want[0] || reason.Chinese() != want[1] {
			t.Errorf("%q is %q and %q", reason, reason.Sentence(), reason.Chinese())
		}
	}
}
