package focus_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// below are the packages that the extensions are a dress of.
var below = []string{"focus/wire", "focus/wire/charset", "focus/robots", "focus/junk", "focus/sitemap", "focus/recent", "focus/page", "focus/warc",
	"focus/frontier", "focus/pack"}

// light says what of other people's code may hang on them: golang.org/x, compression, the detection of charsets.
var light = []string{"golang.org/x/", "github.com/klauspost/compress", "github.com/andybalholm/brotli", "github.com/saintfish/chardet"}

// needs are all packages outside the standard library that some of ours are built of, themselves included.
func needs(t *testing.T, packages ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}"}, packages...)...)
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -deps %v: %v", packages, err)
	}
	return strings.Fields(string(out))
}

// What a Colly program takes from us is light: below the extensions there is nothing but what light names, on the extensions
// hangs what hangs on Colly besides, Prometheus hangs on a package of its own, and the segmenter of Chinese on one that only
// the crawl imports.
func TestExtensionsAreLight(t *testing.T) {
	paths := make([]string, len(below))
	for i, dir := range below {
		paths[i] = module + "/" + dir
	}
	may := func(path string, more []string) bool {
		return slices.Contains(more, path) || slices.ContainsFunc(light, func(l string) bool { return strings.HasPrefix(path, l) })
	}
	for _, path := range needs(t, paths...) {
		if !may(path, paths) {
			t.Errorf("below the extensions somebody needs %s", path)
		}
	}
	withColly := append(needs(t, "github.com/gocolly/colly/v2"), append(paths, module+"/extensions")...)
	for _, path := range needs(t, module+"/extensions") {
		if !may(path, withColly) {
			t.Errorf("the extensions need %s, and neither Colly nor what is below them does", path)
		}
	}
	figures := needs(t, module+"/extensions/metrics")
	if !slices.ContainsFunc(figures, func(p string) bool { return strings.HasPrefix(p, "github.com/prometheus/") }) {
		t.Error("the figures do without Prometheus: then this test looks for the wrong name")
	}
	for _, path := range figures {
		if strings.HasPrefix(path, "github.com/yanyiwu/gojieba") {
			t.Errorf("the figures need %s", path)
		}
	}
	imports, _ := ourImports(t, "..")
	for _, i := range imports {
		if strings.HasPrefix(i.path, "github.com/yanyiwu/gojieba") && i.dir != "focus/text" {
			t.Errorf("%s/%s imports the segmenter of Chinese", i.dir, i.file)
		}
	}
}

// allowed is how much larger than with Colly alone a program with one extension may be. Those that decode or archive need more
// for themselves: brotli and zstd.
const allowed = 1 << 20

// A program with an extension is hardly larger than the same one with Colly alone: what is beside the extension in its package
// is not linked.
func TestABinaryWithOneExtension(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	dir := emptyModule(t)
	size := func(name, extension string) int64 {
		t.Helper()
		imports := "\n\t\"github.com/gocolly/colly/v2\"\n"
		if extension != "" {
			imports += "\t\"" + module + "/extensions\"\n"
		}
		at := filepath.Join(dir, name)
		if err := os.Mkdir(at, 0o700); err != nil {
			t.Fatal(err)
		}
		program := fmt.Sprintf("package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n%s)\n\nfunc main() {\n\tc := colly.NewCollector()\n\t%s\n"+
			"\tc.OnHTML(\"title\", func(e *colly.HTMLElement) { fmt.Println(e.Text) })\n\tc.Visit(os.Args[1])\n}\n", imports, extension)
		if err := os.WriteFile(filepath.Join(at, "main.go"), []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		inModule(t, dir, "build", "-o", filepath.Join(at, "program"), "./"+name)
		info, err := os.Stat(filepath.Join(at, "program"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	alone := size("alone", "")
	for name, extension := range map[string]string{
		"robots":  "extensions.Robots(c, extensions.RobotsConfig{})",
		"charset": "extensions.Transport(c, extensions.Charset())",
	} {
		with := size(name, extension)
		t.Logf("with Colly alone %d bytes, with %s %d more", alone, name, with-alone)
		if with <= alone || with-alone > allowed {
			t.Errorf("with %s the program has %d bytes more than the %d with Colly alone; there may be %d", name, with-alone, alone, allowed)
		}
	}
}
