package rank

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// TestHeadsExplainEveryParameter: whatever parameter a strategy's file sets, of a factor, the selection, the tunnel or the
// hedge, the head of the file says what it means, or names the file whose head does.
func TestHeadsExplainEveryParameter(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(strategies, "*.yaml"))
	heads := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		heads[strings.TrimSuffix(filepath.Base(file), ".yaml")], _, _ = strings.Cut(string(text), "\nversion:")
	}
	said := func(head, parameter string) bool {
		return regexp.MustCompile(`(?m)(^|[^\w-])` + regexp.QuoteMeta(parameter) + `($|[^\w-])`).MatchString(head)
	}
	for _, file := range files {
		text, _ := os.ReadFile(file)
		n, err := strict.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		head := heads[name]
		for other, its := range heads {
			if regexp.MustCompile(`(?i)\b(see|as|as in|those of|same as) ` + regexp.QuoteMeta(other) + `(\W|$)`).MatchString(head) {
				head += its
			}
		}
		for _, p := range parametersOf(n, false) {
			if !said(head, p) {
				t.Errorf("%s sets %s, and its head does not say what that is", name, p)
			}
		}
	}
}

// parametersOf are the parameters that a file sets.
func parametersOf(n strict.Node, inside bool) (all []string) {
	for _, key := range n.Keys() {
		below, _ := n.Get(key)
		if inside {
			all = append(all, key)
		}
		all = append(all, parametersOf(below, key == "with" || key == "tunnel")...)
	}
	for _, item := range n.Items() {
		all = append(all, parametersOf(item, false)...)
	}
	return all
}
