package focus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// TestManualHasTheKeysBesideTheStrategy: the manual of strategies lists every key of the crawl file that changes what a
// strategy is told, as it is documented in Go; `go test ./focus -run TestManual -update` writes the table anew.
func TestManualHasTheKeysBesideTheStrategy(t *testing.T) {
	inManual(t, "keys", keyTable())
}

// TestManualHasTheJudges: the manual lists the judges of the table, with what each has of parameters.
func TestManualHasTheJudges(t *testing.T) { inManual(t, "judges", judgeTable()) }

// ofTests are the names of what a test has registered, among others.
var ofTests = regexp.MustCompile(`of-tests-\w+ ?\| ?`)

// inManual holds a table of the manual to what it should be.
func inManual(t *testing.T, name, want string) {
	t.Helper()
	begin, end := "<!-- "+name+": written by go test ./focus -run TestManual -update -->\n", "<!-- end of "+name+" -->"
	manual := filepath.Join("..", "configs", "README.md")
	data, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	table, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table of %s", manual, name)
	}
	if table == want {
		return
	}
	if !*update {
		t.Fatalf("the table of %s in %s is out of date; run go test ./focus -run TestManual -update", name, manual)
	}
	if err := os.WriteFile(manual, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// besideTheStrategy begin the keys that change what a strategy is told.
var besideTheStrategy = []string{"topic.judge", "topic.with", "topic.content", "topic.calibrate", "topic.find", "topic.threshold", "topic.positions.", "topic.speech.",
	"topic.tf", "topic.centre.", "topic.relative", "sites[].", "learn.", "reading.", "context", "related", "random_seed"}

func judgeTable() string {
	var b strings.Builder
	b.WriteString("| judge | what it does | parameter (`topic.with`) | allowed | default | meaning |\n|---|---|---|---|---|---|\n")
	for _, judge := range topic.Judges() {
		if ofTests.MatchString(judge + "|") {
			continue
		}
		doc, params := topic.JudgeDoc(judge)
		if len(params) == 0 {
			fmt.Fprintf(&b, "| `%s` | %s | | | | |\n", judge, doc)
		}
		for i, p := range params {
			if i > 0 {
				judge, doc = "", ""
			} else {
				judge = "`" + judge + "`"
			}
			fmt.Fprintf(&b, "| %s | %s | `%s` | %s | %s | %s |\n", judge, doc, p.Path, p.Allowed, p.Default, p.Doc)
		}
	}
	return b.String()
}

func keyTable() string {
	var b strings.Builder
	b.WriteString("| key | allowed | default | meaning |\n|---|---|---|---|\n")
	for _, k := range crawlfile.Keys() {
		for _, prefix := range besideTheStrategy {
			if k.Group || !strings.HasPrefix(k.Path, prefix) {
				continue
			}
			allowed, usual := strings.ReplaceAll(ofTests.ReplaceAllString(k.Allowed, ""), "|", "\\|"), k.Default
			if allowed == "" {
				allowed = k.Type
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Path, allowed, usual, k.Doc)
		}
	}
	return b.String()
}
