package rank

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/strict"
)

const manual = "../../configs/README.md"

var update = flag.Bool("update", false, "write the tables of the manual anew")

// allStrategies are the strategies that are shipped.
func allStrategies(t testing.TB) []*Strategy {
	files, _ := filepath.Glob(strategies + "/*.yaml")
	all := make([]*Strategy, len(files))
	for i, file := range files {
		all[i] = shipped(t, strings.TrimSuffix(filepath.Base(file), ".yaml"))
	}
	return all
}

// The strategies that are to be used, and those that others are compared with. All others are somebody's, and say whose.
var (
	toUse     = []string{"apprentice", "shark-site", "block-shark", "tunnel", "adaptive", "layers", "hard-focus"}
	toCompare = []string{"best-first", "keywords", "breadth", "depth-first", "random", "genetic-pairs", "block-shark-dynamic-weight", "block-shark-lb-cold",
		"block-shark-no-structure", "block-shark-product", "block-shark-strict"}
)

// strategyTable are the strategies of a group, in the order of their names but for those to use, of which the first is the
// first to try.
func strategyTable(t testing.TB, names []string) string {
	var b strings.Builder
	b.WriteString("| strategy | what it does | judge | content | select |\n|---|---|---|---|---|\n")
	for _, name := range names {
		s := shipped(t, name)
		fmt.Fprintf(&b, "| [`%s`](strategies/%s.yaml) | %s | %s | %s | %s |\n", s.Name, s.Name, s.About, orAny(s.Judge), orAny(s.Content), s.Select)
	}
	return b.String()
}

// published are the strategies that are neither of the two.
func published(t testing.TB) []string {
	var names []string
	for _, s := range allStrategies(t) {
		if slices.Contains(toUse, s.Name) || slices.Contains(toCompare, s.Name) {
			continue
		}
		if !strings.HasSuffix(s.About, ")") {
			t.Errorf("%s is told to be published, and does not say by whom: %q", s.Name, s.About)
		}
		names = append(names, s.Name)
	}
	return names
}

func orAny(word string) string {
	if word == "" {
		return "any"
	}
	return word
}

// allowed is what may be written for a parameter.
func allowed(f strict.Field) string {
	if f.Allowed == "" {
		return f.Type
	}
	return strings.ReplaceAll(f.Allowed, "|", "\\|")
}

func fieldRows(fields []strict.Field) string {
	var b strings.Builder
	for _, f := range fields {
		if f.Type == "a mapping" || f.Default == "" {
			continue
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Path, allowed(f), f.Default, f.Doc)
	}
	return b.String()
}

func admitTable() string {
	defaults := Admit{Blocks: "all", Related: standard, Tunnel: Tunnel{Depth: 3, Max: -1, Step: 1, Raise: "inc", Spent: "judge"}}
	return "| key | allowed | default | meaning |\n|---|---|---|---|\n" + fieldRows(strict.Fields(defaults))
}

func apprenticeTable() string {
	return "| key | allowed | default | meaning |\n|---|---|---|---|\n" + fieldRows(strict.Fields(defaultApprenticeship))
}

func selectTable() string {
	var b strings.Builder
	b.WriteString("| select | parameter | allowed | default | meaning |\n|---|---|---|---|---|\n")
	for _, known := range selections {
		if known.params == nil {
			continue
		}
		for i, row := range strings.SplitAfter(strings.TrimSuffix(fieldRows(strict.Fields(known.params())), "\n"), "\n") {
			first := ""
			if i == 0 {
				first = "`" + known.name + "`"
			}
			b.WriteString("| " + first + " " + row)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func factorTable(t testing.TB) string {
	var b strings.Builder
	b.WriteString("| factor | says | parameter | allowed | default | meaning |\n|---|---|---|---|---|---|\n")
	for _, name := range Factors.Names() {
		doc, params := Factors.Doc(name)
		if tree(t, "{use: "+name+"}").recalls {
			doc += " *(again)*"
		}
		if len(params) == 0 {
			fmt.Fprintf(&b, "| `%s` | %s | | | | |\n", name, doc)
		}
		for i, f := range params {
			if f.Doc == "" {
				t.Errorf("%s: parameter %s has no documentation", name, f.Path)
			}
			first := "| | "
			if i == 0 {
				first = fmt.Sprintf("| `%s` | %s ", name, doc)
			}
			fmt.Fprintf(&b, "%s| `%s` | %s | %s | %s |\n", first, f.Path, allowed(f), f.Default, f.Doc)
		}
	}
	return b.String()
}

// between is where a table stands in the manual.
func between(text, name string) (from, to int) {
	from = strings.Index(text, "<!-- "+name+":")
	to = strings.Index(text, "<!-- end of "+name+" -->")
	if from < 0 || to < from {
		return -1, -1
	}
	return from + strings.Index(text[from:], "\n") + 1, to
}

func TestManualHasEveryStrategyFactorAndParameter(t *testing.T) {
	data, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, table := range []struct{ name, want string }{{"use", strategyTable(t, toUse)}, {"published", strategyTable(t, published(t))}, {"comparison", strategyTable(t, toCompare)}, {"admit", admitTable()}, {"select", selectTable()}, {"apprentice", apprenticeTable()}, {"factors", factorTable(t)}} {
		from, to := between(text, table.name)
		if from < 0 {
			t.Fatalf("%s has no place for the table of %s", manual, table.name)
		}
		if text[from:to] == table.want {
			continue
		}
		if !*update {
			t.Errorf("the table of %s in %s is out of date; run go test ./focus/rank -run TestManual -update", table.name, manual)
		}
		text = text[:from] + table.want + text[to:]
	}
	if *update && text != string(data) {
		if err := os.WriteFile(manual, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// samples are the strategies written out in the manual.
func samples(t *testing.T) []*Strategy {
	data, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	var found []*Strategy
	for i, part := range strings.Split(string(data), "```yaml\n")[1:] {
		sample, _, _ := strings.Cut(part, "```")
		s, err := Load(fmt.Sprintf("README.md, sample %d", i+1), []byte(sample), nil)
		if err != nil {
			t.Error(err)
			continue
		}
		found = append(found, s)
	}
	return found
}

func TestEveryFactorAndBranchHasAnExample(t *testing.T) {
	used := map[string]bool{}
	for _, s := range append(allStrategies(t), samples(t)...) {
		for _, n := range s.Nodes() {
			used[n.Use] = true
		}
	}
	for _, name := range append(Factors.Names(), branches[mix:]...) {
		if !used[name] {
			t.Errorf("%s stands in no strategy and in no sample of the manual", name)
		}
	}
}

func TestEveryStrategySaysWhatItIs(t *testing.T) {
	for _, s := range allStrategies(t) {
		data, err := os.ReadFile(s.Source)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(data), "version: 1\n")
		for _, word := range []string{"# From:", "# Parameters", "# Judge and content"} {
			if !strings.Contains(head, word) && !(word == "# From:" && strings.Contains(head, "# The same as")) {
				t.Errorf("%s: its head does not say %q", s.Source, word)
			}
		}
		for _, line := range strings.Split(head, "\n") {
			if line != "" && !strings.HasPrefix(line, "#") {
				t.Errorf("%s: the head is broken by %q", s.Source, line)
			}
		}
	}
}
