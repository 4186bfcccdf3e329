package focus_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// below are the packages that the extensions are a dress of.
var below = []string{"focus/wire", "focus/wire/charset", "focus/robots", "focus/rights", "focus/junk", "focus/sitemap", "focus/recent", "focus/page", "focus/warc",
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

// allowed is how much larger than with Colly alone a program with one extension may be.
const allowed = 1 << 20

// alone is how each extension stands in a program that has nothing else of ours.
var alone = []struct{ call, imports string }{
	{call: "extensions.Agent(c, \"shark/1.0\", \"me@example.org\")"},
	{call: "extensions.UserAgent(\"shark/1.0\", \"me@example.org\")"},
	{call: "extensions.Robots(c, extensions.RobotsConfig{})"},
	{call: "extensions.Canonical(c, extensions.CanonicalConfig{})"},
	{call: "extensions.Traps(c, extensions.TrapsConfig{})"},
	{call: "extensions.SoftNotFound(c, extensions.SoftNotFoundConfig{})"},
	{call: "extensions.Walls(c)"},
	{call: "extensions.NearDuplicates(c, extensions.NearDuplicatesConfig{})"},
	{call: "extensions.Sitemaps(c, extensions.Robots(c, extensions.RobotsConfig{}), func(sitemap.Found) {})", imports: "focus/sitemap"},
	{call: "extensions.Feeds(c, func(sitemap.Found) {})", imports: "focus/sitemap"},
	{call: "extensions.Conditional(c, extensions.NewValidators(0))"},
	{call: "extensions.OptOuts(c, nil)"},
	{call: "extensions.JSONLines(c, os.Stdout, extensions.JSONLinesConfig{})"},
	{call: "extensions.Progress(c, os.Stdout, extensions.ProgressConfig{})"},
	{call: "extensions.NewQueue(1, nil)"},
	{call: "extensions.Transport(c, extensions.Retry(extensions.RetryConfig{}))"},
	{call: "extensions.Transport(c, extensions.Charset())"},
	{call: "extensions.Transport(c, extensions.Decode(extensions.DecodeConfig{}))"},
	{call: "extensions.Transport(c, extensions.Tap(func(*http.Request, extensions.Answer) {}))", imports: "net/http"},
	{call: "extensions.Transport(c, extensions.Unchanged(nil))"},
	{call: "extensions.Transport(c, extensions.Limits(extensions.LimitsConfig{}))"},
	{call: "extensions.Transport(c, extensions.PrivateNetworks(extensions.PrivateNetworksConfig{}))"},
	{call: "extensions.Transport(c, extensions.Resolver(extensions.ResolverConfig{}))"},
	{call: "extensions.Transport(c, extensions.WARC(warc.NewWriter(os.Stdout), extensions.WARCConfig{}))", imports: "focus/warc"},
	{call: "metrics.Metrics(c, prometheus.NewRegistry())", imports: "extensions/metrics github.com/prometheus/client_golang/prometheus"},
}

// dear is the extension that adds most; the others are built with THRESHER_BUILD (.ci/long modules).
var dear = regexp.MustCompile(`^metrics\.`)

// TestABinaryWithOneExtension holds that a program with an extension is hardly larger than the same one with Colly alone: what is
// beside the extension in its package is not linked. Without THRESHER_BUILD it is held of the dear one.
func TestABinaryWithOneExtension(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	dir := emptyModule(t)
	bare := sizeWith(t, dir, "")
	var called strings.Builder
	for _, a := range alone {
		fmt.Fprintln(&called, a.call)
		if !dear.MatchString(a.call) && os.Getenv("THRESHER_BUILD") == "" {
			continue
		}
		more := sizeWith(t, dir, a.call, strings.Fields(a.imports)...) - bare
		t.Logf("%8d bytes more than the %d with Colly alone: %s", more, bare, a.call)
		if more <= 0 || more > allowed {
			t.Errorf("with %s the program has %d bytes more than with Colly alone; there may be %d", a.call, more, allowed)
		}
	}
	sources, err := filepath.Glob("../extensions/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func ([A-Z]\w*)\(`).FindAllSubmatch(source, -1) {
			if asks := regexp.MustCompile(`Of$|^May|^NotModified$`); !strings.HasSuffix(name, "_test.go") && !asks.Match(m[1]) &&
				!strings.Contains(called.String(), "extensions."+string(m[1])+"(") {
				t.Errorf("%s: no program with %s is built", name, m[1])
			}
		}
	}
}

// sizeWith is how large a Colly program is, stripped, that has one more line.
func sizeWith(t *testing.T, dir, line string, imports ...string) int64 {
	t.Helper()
	if strings.Contains(line, "extensions.") {
		imports = append(imports, "extensions")
	}
	program := "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t\"github.com/gocolly/colly/v2\"\n"
	for _, i := range imports {
		if strings.HasPrefix(i, "focus/") || strings.HasPrefix(i, "extensions") {
			i = module + "/" + i
		}
		program += "\t\"" + i + "\"\n"
	}
	program += ")\n\nfunc main() {\n\tc := colly.NewCollector()\n\t" + line + "\n" +
		"\tc.OnHTML(\"title\", func(e *colly.HTMLElement) { fmt.Println(e.Text) })\n\tc.Visit(os.Args[1])\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	inModule(t, dir, "build", "-ldflags=-s -w", "-o", "program", ".")
	info, err := os.Stat(filepath.Join(dir, "program"))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
