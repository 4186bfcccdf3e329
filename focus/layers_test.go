package focus_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/thresher-crawler/thresher"

// arrows says who may import whom, of our own packages. What is not listed may import nothing of ours; "*" is anything.
var arrows = map[string][]string{
	"cmd/thresher":                {"*"},
	"configs":                     {},
	"extensions":                  {"focus/rights", "focus/wire", "focus/robots", "focus/junk", "focus/sitemap", "focus/recent", "focus/page", "focus/warc", "focus/frontier"},
	"extensions/metrics":          {"extensions", "focus/meters"},
	"focus/ahead":                 {"focus/junk", "focus/page", "focus/rank", "focus/sink", "focus/text", "focus/topic"},
	"focus":                       {"focus/ahead", "focus/rights", "configs", "focus/extract", "focus/ground", "focus/probe", "focus/wire", "focus/robots", "focus/junk", "focus/sitemap", "focus/meters", "focus/admit", "focus/crawlfile", "focus/text", "focus/topic", "focus/page", "focus/learn", "focus/ledger", "focus/rank", "focus/recent", "focus/frontier", "focus/frontier/disk", "focus/frontier/redis", "focus/sink", "focus/warc", "focus/replay", "focus/measure", "focus/strict", "focus/pack", "focus/whole", "focus/run", "focus/selection", "focus/study", "focus/turn", "focus/visits", "focus/watch", "focus/shell"},
	"focus/admit":                 {"focus/page"},
	"focus/again":                 {"focus", "focus/admit", "focus/crawlfile", "focus/frontier", "focus/junk", "focus/page", "focus/run", "focus/selection", "focus/sink", "focus/sitemap", "focus/strict", "focus/whole", "focus/shell", "focus/wire"},
	"focus/card":                  {"focus/admit", "focus/audit", "focus/crawlfile", "focus/run", "focus/sink"},
	"focus/crawlfile":             {"focus/pdf", "configs", "focus/rights", "focus/admit", "focus/extract", "focus/ledger", "focus/strict", "focus/rank", "focus/topic", "focus/page", "focus/sink", "focus/text", "focus/replay", "focus/whole", "focus/wire", "focus/shell"},
	"focus/pdf":                   {},
	"focus/pdf/pdftest":           {},
	"focus/wire/hostiletest":      {"focus/pdf/pdftest"},
	"focus/outlet":                {"focus/junk", "focus/parquet", "focus/sink", "focus/warc"},
	"focus/parquet":               {},
	"focus/extract":               {"focus/admit", "focus/page", "focus/strict"},
	"focus/compare":               {"focus", "focus/study", "focus/crawlfile", "focus/measure", "focus/replay", "focus/page", "focus/topic", "focus/learn", "focus/sink", "focus/winnow"},
	"focus/frontier/disk":         {"focus/frontier", "focus/pack", "focus/shell"},
	"focus/frontier/redis":        {"focus/frontier"},
	"focus/frontier/frontiertest": {"focus/frontier"},
	"focus/ground":                {"focus/signing", "focus/junk", "focus/wire", "focus/crawlfile", "focus/frontier", "focus/page", "focus/replay", "focus/robots", "focus/run", "focus/study", "focus/shell"},
	"focus/probe":                 {"focus/pdf", "focus/ground", "focus/wire", "focus/wire/charset", "focus/crawlfile", "focus/frontier", "focus/page", "focus/rank", "focus/robots", "focus/study", "focus/text", "focus/topic", "focus/admit", "focus/junk", "focus/sitemap"},
	"focus/index":                 {"focus/pdf", "focus/junk", "focus/wire", "focus/wire/charset", "focus/robots", "focus/frontier/disk", "focus/page", "focus/rank", "focus/sink", "focus/strict", "focus/text", "focus/warc", "focus/whole", "focus/shell"},
	"focus/serve":                 {"focus/ask", "focus/frontier", "focus/run", "focus/study", "focus/topic", "focus/watch", "focus/winnow", "focus/index", "focus/sink", "focus/wire/charset"},
	"focus/rank":                  {"focus/text", "focus/topic", "focus/page", "focus/learn", "focus/strict", "focus/pack"},
	"focus/junk":                  {"focus/page", "focus/pack", "focus/recent"},
	"focus/measure":               {},
	"focus/opinion":               {"focus/page", "focus/sink"},
	"focus/meters":                {"focus/frontier", "focus/wire", "focus/robots", "focus/junk"},
	"focus/recent":                {"focus/pack"},
	"focus/strict":                {"focus/recent"},
	"focus/etiquette":             {"focus/admit", "focus/crawlfile", "focus/page", "focus/robots", "focus/run", "focus/sink"},
	"focus/forget":                {"focus", "focus/crawlfile", "focus/opinion", "focus/page", "focus/pdf", "focus/run", "focus/sink", "focus/warc", "focus/watch"},
	"focus/shell":                 {},
	"focus/signing":               {},
	"focus/rights":                {"focus/page", "focus/robots"},
	"focus/robots":                {"focus/wire", "focus/wire/charset", "focus/page", "focus/pack"},
	"focus/sitemap":               {"focus/page"},
	"focus/wire":                  {"focus/page", "focus/pack", "focus/wire/charset", "focus/recent"},
	"focus/ledger":                {"focus/robots", "focus/admit", "focus/pack"},
	"focus/replay":                {"focus/warc", "focus/page", "focus/strict"},
	"focus/replay/drawn":          {"focus/replay", "focus/warc"},
	"focus/run":                   {"focus/audit", "focus/crawlfile", "focus/recent", "focus/topic", "focus/sink", "focus/rank", "focus/measure", "focus/frontier", "focus/frontier/disk", "focus/frontier/redis", "focus/selection", "focus/ledger", "focus/admit", "focus/page", "focus/strict", "focus/pack", "focus/whole", "focus/shell"},
	"focus/study":                 {"focus/pdf", "focus/run", "focus/crawlfile", "focus/replay", "focus/rank", "focus/topic", "focus/page", "focus/sink", "focus/learn", "focus/text", "focus/strict", "focus/wire", "focus/wire/charset", "focus/whole"},
	"focus/selection":             {"focus/frontier", "focus/rank", "focus/learn"},
	"focus/ask":                   {"focus/crawlfile", "focus/probe", "focus/run", "focus/sink", "focus/text", "focus/topic"},
	"focus/seek":                  {"focus/ground", "focus/probe", "focus/run", "focus/study", "focus/crawlfile", "configs", "focus/wire", "focus/wire/charset", "focus/sitemap", "focus/page", "focus/text", "focus/topic", "focus/strict"},
	"focus/seek/seektest":         {"focus/study", "focus/text"},
	"focus/sink":                  {"focus/pack", "focus/warc", "focus/whole", "focus/shell"},
	"focus/winnow":                {"focus/admit", "focus/audit", "focus/extract", "focus/junk", "focus/learn", "focus/measure", "focus/opinion", "focus/page", "focus/rank", "focus/run", "focus/sink", "focus/study", "focus/text", "focus/topic", "focus/watch", "focus/whole"},
	"focus/suggest":               {"focus/learn", "focus/sink", "focus/strict", "focus/text", "focus/topic", "focus/winnow"},
	"focus/watch":                 {"focus/admit", "focus/crawlfile", "focus/frontier", "focus/measure", "focus/page", "focus/rank", "focus/run", "focus/sink", "focus/study", "focus/whole", "focus/shell"},
	"focus/turn":                  {},
	"focus/visits":                {"focus/admit", "focus/frontier", "focus/frontier/redis", "focus/ledger", "focus/page", "focus/wire"},
	"focus/topic":                 {"focus/text", "focus/learn", "focus/strict", "focus/pack", "focus/whole"},
}

// fenced says which packages and files may know a library that everything else is kept away from.
var fenced = map[string]func(dir, file string) bool{
	"github.com/gocolly/colly/v2": func(dir, _ string) bool {
		return dir == "focus" || dir == "focus/visits" || dir == "extensions" || dir == "extensions/metrics"
	},
	"github.com/prometheus": func(dir, _ string) bool {
		return dir == "focus/meters" || dir == "extensions/metrics"
	},
	"github.com/PuerkitoBio/goquery":  func(dir, _ string) bool { return dir == "focus/extract" || dir == "focus/seek" },
	"github.com/saintfish/chardet":    func(dir, _ string) bool { return dir == "focus/wire/charset" },
	"github.com/yanyiwu/gojieba":      func(dir, file string) bool { return dir == "focus/text" && file == "chinese.go" },
	"github.com/blevesearch/bleve/v2": func(dir, _ string) bool { return dir == "focus/index" },
	"github.com/spf13/viper":          func(dir, _ string) bool { return dir == "focus/crawlfile" },
	"github.com/spf13/cobra":          func(dir, _ string) bool { return dir == "cmd/thresher" },
	"github.com/redis/go-redis/v9":    func(dir, _ string) bool { return dir == "focus/frontier/redis" },
	"github.com/gocolly/redisstorage": func(dir, _ string) bool { return dir == "focus/visits" },
}

// imported is one import of a file of ours.
type imported struct{ dir, file, path string }

// TestLayers holds the arrows between the packages: one way, and no other.
func TestLayers(t *testing.T) {
	imports, dirs := ourImports(t, "..")
	for _, wrong := range violations(imports) {
		t.Error(wrong)
	}
	for dir := range dirs {
		if slices.Contains([]string{"types", "utils", "util", "common", "models", "helpers"}, path.Base(dir)) {
			t.Errorf("package %s is not named after anything of the domain", dir)
		}
	}
}

// TestLayersFindViolations shows that the test above can fail.
func TestLayersFindViolations(t *testing.T) {
	for _, wrong := range []imported{
		{"focus/page", "parse.go", module + "/focus/text"},
		{"focus/frontier", "memory.go", module + "/focus/frontier/disk"},
		{"focus/rank", "rank.go", "github.com/gocolly/colly/v2"},
		{"focus/text", "english.go", "github.com/yanyiwu/gojieba"},
		{"focus/unheard", "of.go", module + "/focus/page"},
	} {
		if len(violations([]imported{wrong})) == 0 {
			t.Errorf("%v passed", wrong)
		}
	}
	if wrong := violations([]imported{{"focus", "attach.go", "github.com/gocolly/colly/v2"}}); len(wrong) > 0 {
		t.Errorf("an arrow that is allowed was refused: %v", wrong)
	}
}

func violations(imports []imported) []string {
	var wrong []string
	for _, i := range imports {
		if own, ok := strings.CutPrefix(i.path, module+"/"); ok {
			allowed := arrows[i.dir]
			if !slices.Contains(allowed, own) && !slices.Contains(allowed, "*") {
				wrong = append(wrong, fmt.Sprintf("%s/%s imports %s; it may import %v", i.dir, i.file, own, allowed))
			}
		}
		for library, may := range fenced {
			if (i.path == library || strings.HasPrefix(i.path, library+"/")) && !may(i.dir, i.file) {
				wrong = append(wrong, fmt.Sprintf("%s/%s imports %s, which is fenced off", i.dir, i.file, i.path))
			}
		}
	}
	sort.Strings(wrong)
	return wrong
}

// ourImports reads the imports of every file that is not a test.
func ourImports(t *testing.T, root string) ([]imported, map[string]bool) {
	t.Helper()
	var all []imported
	dirs := map[string]bool{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || (strings.HasPrefix(d.Name(), ".") && name != root)) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		dirs[filepath.ToSlash(dir)] = true
		for _, spec := range file.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			all = append(all, imported{filepath.ToSlash(dir), filepath.Base(name), p})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, dirs
}
