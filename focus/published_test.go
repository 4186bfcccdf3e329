package focus

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// setting is a row of the table in the head of a published crawler.
type setting struct{ key, value, source string }

// settings are the rows of the table in the head of a file.
func settings(t *testing.T, file string) (rows []setting, head string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ = strings.Cut(string(data), "\nname:")
	for line := range strings.Lines(head) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || strings.Contains(line, "---") || strings.Contains(line, "section of the source") {
			continue
		}
		rows = append(rows, setting{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3])})
	}
	return rows, head
}

// flatten writes what a document says by the path of its keys; of a list, also how long it is.
func flatten(into map[string]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, below := range v {
			flatten(into, path+"."+key, below)
		}
	case []any:
		into[path] = fmt.Sprint(len(v))
		for i, below := range v {
			flatten(into, fmt.Sprintf("%s[%d]", path, i), below)
		}
	default:
		into[path] = fmt.Sprint(v)
	}
}

// flattenTree writes a tree of factors by the names of its nodes; the root's counts where it was given one.
func flattenTree(into map[string]string, path string, node map[string]any, root bool) {
	name, below := "", []any(nil)
	for _, branch := range []string{"mix", "best", "product", "gate", "first", "blend", "apprentice"} {
		if parts, ok := node[branch].([]any); ok {
			below = parts
			if !root {
				name = branch
			}
		}
	}
	for _, key := range []string{"use", "name"} {
		if said, ok := node[key].(string); ok {
			name = said
		}
	}
	if name != "" {
		path += "." + name
	}
	flatten(into, path, node["with"])
	if weight, ok := node["weight"]; ok { // in the mix, which counts beside a parameter of that name
		into[path+".weight"] = fmt.Sprint(weight)
	}
	for _, part := range below {
		flattenTree(into, path, part.(map[string]any), false)
	}
}

// decoded is a YAML document.
func decoded(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := yaml.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// inForce are the settings of a crawl file as they count, those of its strategy under strategy.
func inForce(t *testing.T, config Setting) map[string]string {
	t.Helper()
	said := map[string]string{}
	for key, v := range decoded(t, config.YAML()) {
		flatten(said, key, v)
	}
	s, err := config.LoadStrategy(nil)
	if err != nil {
		t.Fatal(err)
	}
	for key, v := range decoded(t, s.YAML()) {
		if key != "rank" {
			flatten(said, "strategy."+key, v)
		}
	}
	flattenTree(said, "strategy.rank", decoded(t, s.YAML())["rank"].(map[string]any), true)
	return said
}

// TestPublishedFilesKeepTheirTables: each file of a published crawler says in its head of every setting what its source says,
// and has that value; what the file sets stands in the table.
func TestPublishedFilesKeepTheirTables(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "configs", "published", "*.yaml"))
	if len(files) != 5 {
		t.Fatalf("%d files", len(files))
	}
	for _, file := range files {
		config, err := LoadSetting(file)
		if err != nil {
			t.Fatal(err)
		}
		rows, head := settings(t, file)
		if len(rows) < 8 {
			t.Errorf("%s: a table of %d settings", file, len(rows))
		}
		have, listed := inForce(t, config), map[string]bool{}
		for _, row := range rows {
			listed[row.key] = true
			if row.source == "" {
				t.Errorf("%s: %s has no section, nor is the source said to be silent", file, row.key)
			}
			if flag, trained := strings.CutPrefix(row.key, "train layers "); trained {
				if !strings.Contains(head, flag+" "+row.value+" ") {
					t.Errorf("%s: the command in the head has no %s %s", file, flag, row.value)
				}
				continue
			}
			if value, ok := have[row.key]; !ok || value != row.value {
				t.Errorf("%s: %s is %q, the table says %q", file, row.key, value, row.value)
			}
		}
		data, _ := os.ReadFile(file)
		set := map[string]string{}
		for key, v := range decoded(t, data) {
			flatten(set, key, v)
		}
		for key := range set {
			list, _, _ := strings.Cut(key, "[")
			part, _, _ := strings.Cut(key, ".")
			switch {
			case listed[key], listed[list], list == "sites", strings.HasPrefix(key, "scope."), strings.HasPrefix(key, "strategy.from"):
			case part == "name", part == "strategy" && key == "strategy", key == "topic.language", key == "polite.contact", key == "random_seed":
			default:
				t.Errorf("%s sets %s, and its table does not have it", file, key)
			}
		}
	}
}

// TestClaimsStandBesideFigures: the manual says of each published crawler what its source reports, in the words of its strategy
// file, which compare prints, beside what was measured here; and the head of its file reports the same numbers.
func TestClaimsStandBesideFigures(t *testing.T) {
	manual, err := os.ReadFile(filepath.Join("..", "configs", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	number := regexp.MustCompile(`[\d.]*\d %`)
	files, _ := filepath.Glob(filepath.Join("..", "configs", "published", "*.yaml"))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		_, row, ok := strings.Cut(string(manual), "\n| `"+name+"` | ")
		row, _, _ = strings.Cut(row, "\n")
		cells := strings.Split(row, " |")
		if !ok || len(cells) != 4 || !strings.Contains(cells[1]+cells[2], ".") {
			t.Errorf("%s: the manual has no claim beside figures: %q", name, row)
			continue
		}
		s, err := crawlfile.Strategy(name)
		if err != nil {
			t.Fatal(err)
		}
		if claim := cmp.Or(s.Claim, "no numbers"); cells[0] != claim {
			t.Errorf("%s: its strategy's claim is %q, the manual has %q", name, claim, cells[0])
		}
		_, head := settings(t, file)
		for _, claimed := range number.FindAllString(cells[0], -1) {
			if !strings.Contains(head, claimed) {
				t.Errorf("%s: the manual has the source report %s, and the head of its file has not", name, claimed)
			}
		}
	}
}

// What adaptive judges is the text of a page: its description and keywords are none.
func TestPublishedAdaptiveReadsNoDescription(t *testing.T) {
	config, err := LoadSetting(filepath.Join("..", "configs", "published", "adaptive.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	start := &text.Doc{Segments: []text.Segment{{Text: "球队 比赛 足球 比赛 联赛 冠军"}}}
	spec := config.Spec()
	spec.Examples = []*text.Doc{start}
	about, err := topic.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	other := text.Segment{Text: "银行 股票 基金 市场 比赛"}
	plain, described := &text.Doc{Segments: []text.Segment{other}}, &text.Doc{Segments: []text.Segment{
		{Text: "球队 比赛 足球 比赛 联赛 冠军", Position: text.Meta}, other}}
	if a, b := about.Judge(plain).Raw, about.Judge(described).Raw; a != b {
		t.Errorf("%v without a description, %v with one", a, b)
	}
}
