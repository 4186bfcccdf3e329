package crawlfile

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// crawlFile writes a crawl file into a folder of its own, and files beside it.
func crawlFile(t *testing.T, text string, others ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i+1 < len(others); i += 2 {
		name := filepath.Join(dir, others[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(others[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "crawl.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func mustLoad(t *testing.T, file string, o ...Override) Config {
	t.Helper()
	config, err := Load(file, o...)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

const plainCrawl = "seeds: [https://www.example.org/]\n"

func TestDefaultsCountWhereAFileSaysNothing(t *testing.T) {
	config := mustLoad(t, crawlFile(t, plainCrawl))
	want := Default()
	want.Name, want.Store, want.Seeds, want.File = "crawl", filepath.Join("runs", "crawl"), []string{"https://www.example.org/"}, config.File
	config.source, config.given, config.unheard = strict.Node{}, nil, nil
	if !reflect.DeepEqual(config, want) {
		t.Errorf("have %+v\nwant %+v", config, want)
	}
}

// TestLayers: defaults < file < environment < flags.
func TestLayersOfTheCrawlFile(t *testing.T) {
	file := crawlFile(t, plainCrawl+"budget: {pages: 10, relevant: 20}\npolite: {delay: 3s}\ntopic: {about: the sun}\n")
	t.Setenv("THRESHER_BUDGET_PAGES", "11")
	t.Setenv("THRESHER_BUDGET_RELEVANT", "21")
	t.Setenv("THRESHER_SCOPE_HOSTS", "a.example.org, b.example.org")
	t.Setenv("THRESHER_TOPIC_TERMS", "[{term: solar, weight: 2}, wind]")
	t.Setenv("THRESHER_TOPIC_ABOUT", "wind: and # water")
	t.Setenv("THRESHER_STORE", "")
	config := mustLoad(t, file,
		Override{Key: "budget.pages", Value: "12", From: "--budget"}, Override{Key: "sinks", Value: "csv,warc", From: "--set"}, Override{Key: "strategy", Value: "{from: shark, select: fifo}", From: "--strategy"})
	have := strict.Values(config)
	for key, want := range map[string]string{
		"budget.pages": "12", "budget.relevant": "21", "polite.delay": "3s", "polite.parallel": "32",
		"scope.hosts": "[a.example.org, b.example.org]", "topic.terms": "[{term: solar, weight: 2}, {term: wind, weight: 1}]",
		"topic.about": `"wind: and # water"`, "store": "runs/crawl", "sinks": "[{to: csv, rotate: 1GiB}, {to: warc, rotate: 1GiB}]",
		"strategy": "{from: shark, select: fifo}",
	} {
		if have[key] != want {
			t.Errorf("%s is %s, want %s", key, have[key], want)
		}
	}
	roundTripWithoutEnvironment(t, config)
}

func roundTripWithoutEnvironment(t *testing.T, config Config) {
	t.Helper()
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "THRESHER_") {
			t.Setenv(name, "")
		}
	}
	roundTrip(t, config)
}

func TestAPartOfAStrategyIsNotGivenFromOutside(t *testing.T) {
	_, err := Load(crawlFile(t, plainCrawl), Override{Key: "strategy.rank.inherited.decay", Value: "0.3"})
	if err == nil || !strings.Contains(err.Error(), "is a part of strategy, which is given as a whole, such as strategy={from: shark, select: fifo}") {
		t.Error(err)
	}
}

func TestWhatIsWrongOutsideTheFileIsNamed(t *testing.T) {
	t.Setenv("THRESHER_BUDGET_PAGES", "many")
	t.Setenv("THRESHER_WINDOW", "-1")
	t.Setenv("THRESHER_SCOPE_LANGUAGES", "english")
	t.Setenv("THRESHER_SEEDS", "www.example.org")
	_, err := Load(crawlFile(t, plainCrawl), Override{Key: "budget.paegs", Value: "1", From: "--set budget.paegs=1"}, Override{Key: "strategy", Value: "sharc"},
		Override{Key: "topic", Value: "x", From: "--set topic=x"}, Override{Key: "extract.price.css", Value: ".p"}, Override{Key: "sinks[0].rotate", Value: "1MB"},
		Override{Key: "fetch.headers.Accept-Language", Value: "de"}, Override{Key: "quuxquux", Value: "1"}, Override{Key: "max_pages", Value: "1"}, Override{Key: "limit", Value: "1"}, Override{Key: "topic.judge", Value: "trained", From: "--set topic.judge=trained"},
		Override{Key: "scope.hosts", Value: "http://x/", From: "--set scope.hosts=http://x/"}, Override{Key: "extract", Value: "{price: {css: p, paths: [kettle]}}", From: "--set extract"})
	want := `--set budget.paegs=1: budget.paegs: unknown key; did you mean "budget.pages"?
--set topic=x: topic: is a group of keys and has no value of its own; give one of them, such as topic.language
extract.price.css: is a part of extract, which is given as a whole; give all of it, or write this into the file
sinks[0].rotate: is a part of sinks, which is given as a whole; give all of it, or write this into the file
fetch.headers.Accept-Language: is a part of fetch.headers, which is given as a whole; give all of it, or write this into the file
quuxquux: unknown key; ` + "`thresher check --keys`" + ` lists them all
max_pages: unknown key; did you mean "budget.pages"?
limit: unknown key; ` + "`thresher check --keys`" + ` lists them all
THRESHER_BUDGET_PAGES: budget.pages: is "many", want a whole number
THRESHER_WINDOW: window: is -1, want 0 to 10000
THRESHER_SEEDS: seeds[0]: is "www.example.org", want the whole address: https://www.example.org
--set topic.judge=trained: topic.judge: trained has nothing to learn from; give topic.model (thresher train judge makes one), or topic.corpus
--set scope.hosts=http://x/: scope.hosts[0]: is "http://x/", want a host or a pattern of hosts, such as www.a.com or *.a.com
THRESHER_SCOPE_LANGUAGES: scope.languages[0]: is "english", want the short name of a language, such as zh or en
--set extract: extract.price.paths[0]: is "kettle", want a path or a pattern of paths, such as /news/* or *.html
strategy: strategy: unknown strategy "sharc"; did you mean "shark"?`
	if err == nil {
		t.Fatal("accepted")
	}
	have := strings.Split(err.Error(), " Known are")[0]
	if have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

func TestAMissingFileSaysSo(t *testing.T) {
	_, err := Load("no-such-crawl.yaml")
	if want := "no-such-crawl.yaml: there is no such file; start from one of those in configs/"; err == nil || err.Error() != want {
		t.Errorf("have %v\nwant %s", err, want)
	}
	dir := t.TempDir()
	if _, err := Load(dir); err == nil || !strings.HasPrefix(err.Error(), dir+": ") {
		t.Errorf("a folder: %v", err)
	}
}

// Paths in a file are relative to it; those of flags, and the run folder, to where the program runs.
func TestWhereRelativePathsBegin(t *testing.T) {
	file := crawlFile(t, plainCrawl+"topic: {examples: [pages/a.html, https://www.example.org/b.html]}\nstore: here\nweb: web\nstrategy: ./own.yaml\n",
		"pages/a.html", "<p>sun</p>", "web/web.yaml", "name: w\n", "web/pages.warc.gz", "", "own.yaml", "rank: {use: anchor}\n")
	dir := filepath.Dir(file)
	config := mustLoad(t, file)
	want := []string{filepath.Join(dir, "pages/a.html"), "https://www.example.org/b.html"}
	if !slices.Equal(config.Topic.Examples, want) || config.Web != filepath.Join(dir, "web") || config.Strategy.Name != filepath.Join(dir, "own.yaml") {
		t.Errorf("examples %v, web %s, strategy %s", config.Topic.Examples, config.Web, config.Strategy.Name)
	}
	if config.Store != "here" {
		t.Errorf("store %s", config.Store)
	}
	t.Chdir(dir)
	config = mustLoad(t, file, Override{Key: "web", Value: "web"}, Override{Key: "strategy", Value: "./own.yaml"})
	if config.Web != "web" || config.Strategy.Name != "./own.yaml" {
		t.Errorf("from flags: web %s, strategy %s", config.Web, config.Strategy.Name)
	}
	roundTrip(t, config)
}

func TestALiveCrawlNeedsAContact(t *testing.T) {
	config := mustLoad(t, crawlFile(t, plainCrawl))
	err := config.NoContact()
	if problems, ok := strict.Problems(err); !ok || len(problems) != 1 || !strings.Contains(err.Error(), "polite: {contact: you@example.org}") {
		t.Errorf("without: %v", err)
	}
	config.Polite.Contact = "you@example.org"
	if err := config.NoContact(); err != nil {
		t.Errorf("with one: %v", err)
	}
	config.Polite.Contact, config.Web = "", "web"
	if err := config.NoContact(); err != nil || config.Live() {
		t.Errorf("over a recorded web: %v", err)
	}
}

func TestWarnings(t *testing.T) {
	t.Setenv("COLLY_MAX_DEPTH", "1")
	t.Setenv("THRESHER_BUGDET_PAGES", "1")
	config := mustLoad(t, crawlFile(t, plainCrawl+"budget: {pages: 0}\npolite: {robots: ignore, give_up: 3}\nsinks: []\ntopic: {judge: centroid}\nstrategy: genetic\n"))
	s, err := config.LoadStrategy(nil)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, w := range config.Warnings(s) {
		line, _, _ := strings.Cut(w.String(), "\n")
		have = append(have, strings.TrimPrefix(line, filepath.Dir(config.File)+string(filepath.Separator)))
	}
	want := []string{
		"crawl.yaml:3:9: polite.contact: is not given, and the live web is not crawled without it; add",
		"crawl.yaml:3:18: polite.robots: robots.txt is ignored: crawl only hosts that are yours so",
		"crawl.yaml:3:35: polite.give_up: is 3, and polite.park 5: a host is given up before it was ever left alone for a while, and a moment's outage keeps it away for minutes, or for good; give a larger one",
		"crawl.yaml:2:9: budget: nothing ends this crawl but the last link; give budget.pages or budget.time",
		"crawl.yaml:4:8: sinks: there are none: no page will be kept, crawl.log alone will tell of them",
		"crawl.yaml:6:11: strategy: genetic belongs together with topic.judge: vsm-restricted; here it is centroid",
		"COLLY_MAX_DEPTH: is set in the environment; thresher does not read it",
		"THRESHER_BUGDET_PAGES: no key of the crawl file has this name; did you mean THRESHER_BUDGET_PAGES?",
	}
	if !slices.Equal(have, want) {
		t.Errorf("have\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	quiet := mustLoad(t, crawlFile(t, plainCrawl+"polite: {contact: you@example.org}\n"))
	os.Unsetenv("COLLY_MAX_DEPTH")
	os.Unsetenv("THRESHER_BUGDET_PAGES")
	if w := quiet.Warnings(s); len(w) > 0 {
		t.Errorf("nothing is odd: %v", w)
	}
}

// TestEveryKeyIsDocumentedAndLoaded: every key has a line of documentation and stands in a file that a test loads.
func TestEveryKeyIsDocumentedAndLoaded(t *testing.T) {
	written := map[string]bool{"fetch.cookies": true, "fetch.logins": true} // whose modes git does not keep: TestSecretsAreReadFromFilesOfOnesOwn
	for _, pattern := range []string{"../../testdata/config/*.good.yaml", "../../testdata/config/not-yet-*.bad.yaml", "../../configs/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			n, err := strict.Parse(file, text)
			if err != nil {
				t.Fatal(err)
			}
			keysOf(n, written)
		}
	}
	for _, k := range Keys() {
		if k.Doc == "" || strings.HasSuffix(k.Doc, ".") {
			t.Errorf("%s is documented by %q", k.Path, k.Doc)
		}
		if !written[k.Path] {
			t.Errorf("%s stands in no file of testdata/config or configs", k.Path)
		}
	}
}

// keysOf collects the paths of all keys, those within lists as list[].key.
func keysOf(n strict.Node, into map[string]bool) {
	for _, key := range n.Keys() {
		v, _ := n.Get(key)
		into[v.Path()] = true
		if n.Path() == "extract" { // names of the author's own
			keysOf(v.Rename(n.Path()+strict.AnyName), into)
			for _, rule := range v.Items() {
				keysOf(rule.Rename(n.Path()+strict.AnyName), into)
			}
			continue
		}
		keysOf(v, into)
	}
	for _, item := range n.Items() {
		keysOf(item.Rename(n.Path()+"[]"), into)
	}
}

// TestTagsKnowWhatTheRoomsKnow: the words a crawl file may use are those that the packages behind them accept.
func TestTagsKnowWhatTheRoomsKnow(t *testing.T) {
	allowed := map[string]string{}
	for _, k := range Keys() {
		allowed[k.Path] = k.Allowed
	}
	have := strings.Split(allowed["sinks[].to"], " | ")
	slices.Sort(have)
	if want := sink.Names(); !slices.Equal(have, want) {
		t.Errorf("sinks: %v, want %v", have, want)
	}
	for _, judge := range strings.Split(allowed["topic.judge"], " | ") {
		for _, content := range strings.Split(allowed["topic.content"], " | ") {
			s := topic.Spec{Terms: []topic.Term{{Term: "solar", Weight: 1}}, Judge: judge, Content: content,
				Model: filepath.Join("..", "..", "testdata", "config", "solar.model")}
			if _, err := topic.New(s); err != nil {
				t.Errorf("%s, %s: %v", judge, content, err)
			}
		}
	}
}

func TestConfigsAreSafe(t *testing.T) {
	d := Default()
	if d.Polite.Robots != "obey" || d.Polite.Delay.Duration() < time.Second || d.Polite.PerHost != 1 || d.Budget.Pages == 0 || d.Polite.Contact != "" {
		t.Errorf("the defaults are not polite: %+v", d.Polite)
	}
}

func TestTheScopeIsAskedAsTheFileSays(t *testing.T) {
	config := mustLoad(t, crawlFile(t, plainCrawl+`scope: {hosts: [a.org], not_hosts: [b.a.org], paths: [/x*], not_paths: [/xy*], depth: 3, per_host: 4, languages: [en], types: all, traps: ignore, max_address: 600}
`))
	want := admit.Scope{Hosts: []string{"a.org"}, NotHosts: []string{"b.a.org"}, Paths: []string{"/x*"}, NotPaths: []string{"/xy*"}, Depth: 3, PerHost: 4,
		Languages: []string{"en"}, AllTypes: true, Lists: true, MaxAddress: 600}
	if have := config.Scope.Rules(); !reflect.DeepEqual(have, want) {
		t.Errorf("have %+v\nwant %+v", have, want)
	}
}

// FuzzLoad: whatever a file says, it is refused with places, or it counts and comes back the same.
func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("../../testdata/config/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4<<10 {
			t.Skip("the YAML library's time grows with the square of what is wrong")
		}
		config, err := read(filepath.Join(dir, "fuzz.yaml"), text, nil)
		if err != nil {
			if problems, ok := strict.Problems(err); !ok || len(problems) == 0 {
				t.Fatalf("not a list of mistakes: %v", err)
			}
			return
		}
		effective := config.YAML()
		again, err := read(filepath.Join(dir, "again.yaml"), effective, nil)
		if err != nil {
			t.Fatalf("%q came to %s, which is not read back: %v", text, effective, err)
		}
		if have := again.YAML(); string(have) != string(effective) {
			t.Fatalf("%q came to %s, which came to %s", text, effective, have)
		}
	})
}

// TestAWrittenCrawlFileOpensNoRedis: what is put into a run folder says where the links wait, and not how one gets in.
func TestAWrittenCrawlFileOpensNoRedis(t *testing.T) {
	for given, want := range map[string]string{
		"redis://solar:s3cr3t@db.example:6379/2?crawl=wind":                        "redis://db.example:6379/2?crawl=wind",
		"rediss://:s3cr3t@db.example/":                                             "rediss://db.example/",
		"redis://db.example/0?sentinel_password=s3cr3t&crawl=wind&Password=s3cr3t": "redis://db.example/0?crawl=wind",
		"redis://db.example/0?password=s3cr3t":                                     "redis://db.example/0",
		"runs/who?password=me":                                                     "runs/who?password=me",
		"runs/solar@home":                                                          "runs/solar@home",
	} {
		c := Default()
		c.Store = given
		text := string(c.YAML())
		if !strings.Contains(text, want) || strings.Contains(text, "s3cr3t") {
			t.Errorf("of %s it says\n%s\nwant %s", given, text, want)
		}
	}
}
