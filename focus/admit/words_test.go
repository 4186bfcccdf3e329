package admit

import (
	"os"
	"regexp"
	"testing"
)

// TestEveryReasonHasWords: those that have a name in refused.go, and those that carry what somebody said.
func TestEveryReasonHasWords(t *testing.T) {
	found := 0
	for file, pattern := range map[string]string{"refused.go": `Refused = "([^"]+)"`, "../found.go": `(?i)refuse\("([^"]+)"`, "../manners.go": `(?i)refuse\("([^"]+)"`,
		"../journey.go": `(?i)refuse\("([^"]+)"`, "../unfit.go": `(?i)refuse\("([^"]+)"`} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(source, -1) {
			found++
			if said := words[Refused(m[1])]; said[0] == "" || said[1] == "" {
				t.Errorf("%s: %q has the words %q", file, m[1], said)
			}
		}
	}
	if found < 30 {
		t.Errorf("%d refusals were found in the source", found)
	}
	for reason, want := range map[Refused][2]string{
		Refuse("status", "404 Not Found"):        {"its host answered with an error (404 Not Found)", "HTTP 状态（404 Not Found）"},
		Refuse("robots", "line 4: Disallow: /x"): {"robots.txt forbids it (line 4: Disallow: /x)", "robots.txt 不允许（line 4: Disallow: /x）"},
		RefusedWeak:                              {"it says too little of the topic", "不相关"},
		"a hook's own":                           {"a hook's own", "a hook's own"},
	} {
		if reason.Sentence() != want[0] || reason.Chinese() != want[1] {
			t.Errorf("%q is %q and %q", reason, reason.Sentence(), reason.Chinese())
		}
	}
}
