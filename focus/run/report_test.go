package run

import (
	"os"
	"regexp"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
)

// TestEveryRefusalHasAChineseName: those that have a name in refused.go, and those that carry what somebody said.
func TestEveryRefusalHasAChineseName(t *testing.T) {
	found := 0
	for file, pattern := range map[string]string{"../admit/refused.go": `Refused = "([^"]+)"`, "../found.go": `(?i)refuse\("([^"]+)"`, "../journey.go": `(?i)refuse\("([^"]+)"`, "../unfit.go": `(?i)refuse\("([^"]+)"`} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(source, -1) {
			found++
			if _, ok := refusedChinese[admit.Refused(m[1])]; !ok {
				t.Errorf("%s: %q has no name in Chinese", file, m[1])
			}
		}
	}
	if found < 25 {
		t.Errorf("%d refusals were found in the source", found)
	}
	if have := chinese(admit.Refuse("status", "404 Not Found")); have != "HTTP 状态（status: 404 Not Found）" {
		t.Error(have)
	}
	if have := chinese(admit.Refused("a hook's own")); have != "a hook's own" {
		t.Error(have)
	}
}
