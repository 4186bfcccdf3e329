package focus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// TestManualHasTheKeysBesideTheStrategy: the manual of strategies lists every key of the crawl file that changes what a
// strategy is told, as it is documented in Go; `go test ./focus -run TestManual -update` writes the table anew.
func TestManualHasTheKeysBesideTheStrategy(t *testing.T) {
	const begin, end = "<!-- keys: written by go test ./focus -run TestManual -update -->\n", "<!-- end of keys -->"
	manual := filepath.Join("..", "configs", "README.md")
	data, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	table, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table of keys", manual)
	}
	want := keyTable()
	if table == want {
		return
	}
	if !*update {
		t.Fatalf("the table of keys in %s is out of date; run go test ./focus -run TestManual -update", manual)
	}
	if err := os.WriteFile(manual, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// besideTheStrategy begin the keys that change what a strategy is told.
var besideTheStrategy = []string{"topic.judge", "topic.content", "topic.calibrate", "topic.threshold", "topic.positions.", "topic.speech.",
	"topic.tf", "topic.centre.", "topic.relative", "sites[].", "learn.", "reading.", "context", "related", "random_seed"}

func keyTable() string {
	var b strings.Builder
	b.WriteString("| key | allowed | default | meaning |\n|---|---|---|---|\n")
	for _, k := range crawlfile.Keys() {
		for _, prefix := range besideTheStrategy {
			if k.Group || !strings.HasPrefix(k.Path, prefix) {
				continue
			}
			allowed, usual := strings.ReplaceAll(k.Allowed, "|", "\\|"), k.Default
			if allowed == "" {
				allowed = k.Type
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Path, allowed, usual, k.Doc)
		}
	}
	return b.String()
}
