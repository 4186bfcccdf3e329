package main

import (
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/seek"
	"github.com/thresher-crawler/thresher/focus/seek/seektest"
	"github.com/thresher-crawler/thresher/focus/study"
)

// engines are the search engines that know drawn webs, by the name of the web: each is read once.
var engines = map[string]*seektest.Engine{}

// drawnWeb is a drawn web, and a search engine that knows it.
func drawnWeb(t *testing.T, name string) (folder, engine string) {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join(home, "testdata", "webs", name))
	noError(t, err)
	if engines[name] == nil {
		l, err := study.OpenLibrary(folder)
		noError(t, err)
		defer l.Close()
		if engines[name], err = seektest.New(l); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(engines[name])
	t.Cleanup(server.Close)
	return folder, "searxng=" + server.URL
}

// TestFromAnIdeaToAHarvest: init, seeds and crawl without a hand on them harvest nearly what the same crawl harvests from
// the drawn web's own home pages of the topic, with the same budget. What counts is what the web's labels say.
func TestFromAnIdeaToAHarvest(t *testing.T) {
	web, engine := drawnWeb(t, "quickstart")
	labels := mustRead(t, filepath.Join(web, "labels.tsv"))
	t.Chdir(t.TempDir())
	for _, c := range []struct{ topic, terms string }{
		{"sailing", "sailing,yacht,regatta,keel:0.8,mast:0.8"},
		{"beekeeping", "beekeeping,honey,hive"},
		{"tea", "茶叶,绿茶,茶艺,普洱:0.8"},
	} {
		if testing.Short() && c.topic != "sailing" {
			continue
		}
		over := []string{"--web", web, "--set", "second_look=off", "--set", "polite.delay=0s", "--set", "fetch.private=127.0.0.1"}
		file := c.topic + ".yaml"
		must(t, "init", c.topic, "--terms", c.terms, "--contact", "you@example.org", "--engine", engine)
		must(t, append([]string{"seeds", file, "--yes", "--quiet"}, over...)...)
		must(t, append([]string{"crawl", file, "--quiet", "--budget", "200", "--store", "found-" + c.topic}, over...)...)

		relevant, homes := map[string]bool{}, []string{}
		for line := range strings.Lines(labels) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if f[1] == c.topic && f[2] != "copy" && f[2] != "about" {
				relevant[f[0]] = true
			}
			if f[1] == c.topic && f[2] == "home" {
				homes = append(homes, f[0])
			}
		}
		own := []string{"init", c.topic + "-homes", "--terms", c.terms, "--contact", "you@example.org"}
		for _, h := range homes {
			own = append(own, "--seed", h)
		}
		must(t, own...)
		must(t, append([]string{"crawl", c.topic + "-homes.yaml", "--quiet", "--budget", "200", "--store", "homes-" + c.topic}, over...)...)
		found, fromHomes := harvestOf(t, "found-"+c.topic, relevant), harvestOf(t, "homes-"+c.topic, relevant)
		t.Logf("%s: %d relevant pages from start pages that were found, %d from its %d home pages", c.topic, found, fromHomes, len(homes))
		if fromHomes < 20 || 100*found < 80*fromHomes {
			t.Errorf("%s: %d relevant pages from start pages that were found, %d from its own home pages", c.topic, found, fromHomes)
		}
	}
}

// harvestOf is how many of the pages a run has kept are of the topic.
func harvestOf(t *testing.T, run string, relevant map[string]bool) int {
	t.Helper()
	var object struct {
		Harvest []struct {
			URL string `json:"url"`
		} `json:"harvest"`
	}
	noError(t, json.Unmarshal([]byte(must(t, "list", "harvest", "--json", "--run", run)), &object))
	n := 0
	for _, h := range object.Harvest {
		if relevant[h.URL] {
			n++
		}
	}
	return n
}

// TestSeedsWritesWhatWasTaken: --json writes nothing; --yes writes the best, below what stands there; a second time the
// sites that were found are not proposed again; list sites gives the next crawl what a run has seen.
func TestSeedsWritesWhatWasTaken(t *testing.T) {
	web, engine := drawnWeb(t, "quickstart")
	t.Chdir(t.TempDir())
	must(t, "init", "sailing", "--terms", "sailing,yacht,regatta,keel,mast", "--contact", "you@example.org", "--engine", engine)
	before, err := os.ReadFile("sailing.yaml")
	noError(t, err)
	over := []string{"--web", web, "--set", "second_look=off", "--set", "polite.delay=0s", "--set", "fetch.private=127.0.0.1", "--quiet", "--queries", "4"}
	var report seek.Report
	noError(t, json.Unmarshal([]byte(must(t, append([]string{"seeds", "sailing.yaml", "--json"}, over...)...)), &report))
	if now, _ := os.ReadFile("sailing.yaml"); string(now) != string(before) || len(report.Proposals) < 3 || len(report.Queries) < 4 {
		t.Errorf("%d proposals, and the file is\n%s", len(report.Proposals), now)
	}
	out := must(t, append([]string{"seeds", "sailing.yaml", "--yes", "--top", "2"}, over...)...)
	config, err := focus.Load("sailing.yaml")
	if err != nil || len(config.Sites) != 2 || config.Sites[0].Site != report.Proposals[0].Site || config.Sites[0].Weight != report.Proposals[0].Confidence ||
		config.Sites[0].Confidence != 4 || config.Seeds[0] != report.Proposals[0].Seeds[0] || !strings.Contains(out, "2 sites added\n  next: thresher crawl sailing.yaml") {
		t.Errorf("%v %v %v\n%s", config.Seeds, config.Sites, err, out)
	}
	if now, _ := os.ReadFile("sailing.yaml"); !strings.HasPrefix(string(now), string(before[:strings.Index(string(before), "seeds: []")])) {
		t.Errorf("the file is\n%s", now)
	}
	must(t, "crawl", "sailing.yaml", "--web", web, "--quiet", "--budget", "60", "--store", "first", "--set", "topic.terms=[sailing, boat, crew]")
	snippet := must(t, "list", "sites", "--run", "first", "--yaml")
	noError(t, os.WriteFile("next.yaml", []byte("topic: {terms: [sailing]}\nseeds: []\n"+snippet), 0o644))
	next, err := focus.Load("next.yaml")
	if err != nil || len(next.Sites) < 3 {
		t.Errorf("%v from\n%s", err, snippet)
	}
	var table struct {
		Total int
		Sites []run.SiteRow
	}
	if err := json.Unmarshal([]byte(must(t, "list", "sites", "--run", "first", "--json")), &table); err != nil || table.Total != len(next.Sites) {
		t.Errorf("%+v %v", table, err)
	}
	if csv := must(t, "list", "sites", "--run", "first", "--csv"); strings.Count(csv, "\n") != table.Total+1 || !strings.HasPrefix(csv, "site,weight,share,low,high,") {
		t.Errorf("%s", csv)
	}
	must(t, "init", "again", "--terms", "sailing,yacht", "--contact", "you@example.org")
	out = must(t, append([]string{"seeds", "again.yaml", "--yes", "--from", "first"}, over...)...)
	if again, err := focus.Load("again.yaml"); err != nil || len(again.Seeds) == 0 || !strings.Contains(out, "pages were relevant in first") {
		t.Errorf("from an earlier run: %v %v\n%s", again.Seeds, err, out)
	}
	out = must(t, append([]string{"seeds", "again.yaml", "--json", "--from", "first", "--set", "seeds=[]", "--set", "scope.hosts=[nowhere.test]"}, over...)...)
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Proposals) > 0 || !strings.Contains(strings.Join(report.Troubles, ""), "are outside the scope of again.yaml") {
		t.Errorf("outside the scope: %v\n%s", err, out)
	}
}

func TestSeedsRefuses(t *testing.T) {
	files(t, "a.yaml", "topic: {terms: [bees]}\nseeds: []\npolite: {contact: you@example.org}\n", "live.yaml", "topic: {terms: [bees]}\nseeds: []\nengines: [bign]\n",
		"own.yaml", "address: https://x.example/\nfeed: true\n", "bad.yaml", "topic: {terms: [bees]}\nseeds: []\nengines: [./own.yaml]\n")
	for line, want := range map[string]string{
		"seeds a.yaml":                              "a.yaml --yes --top 10",
		"seeds a.yaml --yes":                        "there is nothing to find start pages in",
		"seeds a.yaml --yes --json":                 "yes",
		"seeds a.yaml --yes --queries 0":            "numbers of at least 1",
		"seeds a.yaml --yes --engine bign":          `did you mean "bing"?`,
		"seeds live.yaml --json":                    `live.yaml: engines[0]: unknown search engine "bign"`,
		"seeds bad.yaml --json":                     "own.yaml:1:10: address: has no {query}",
		"seeds a.yaml --yes --engine searxng=x":     "is no address of a SearXNG instance",
		"seeds a.yaml --yes --from nowhere":         "nowhere",
		"seeds none.yaml --yes":                     "there is no such file",
		"seeds live.yaml --json --set engines=bing": "polite.contact",
		"check live.yaml":                           `live.yaml: engines[0]: unknown search engine "bign"`,
		"check bad.yaml":                            "own.yaml:1:10: address: has no {query}",
	} {
		code, out, errs := thresher(t, strings.Fields(line)...)
		if code == exitDone || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d\n%s%s\nwant %s", line, code, out, errs, want)
		}
	}
}

func TestCompletionOfWhatSeedsTakes(t *testing.T) {
	if _, out, _ := thresher(t, "__complete", "seeds", "a.yaml", "--engine", ""); !strings.HasPrefix(out, "baidu\nbing\ngoogle\nsogou\nsearxng=\n") {
		t.Errorf("engines are completed by\n%s", out)
	}
	if _, out, _ := thresher(t, "__complete", "seeds", ""); out != "yaml\nyml\n:8\n" {
		t.Errorf("crawl files are completed by\n%s", out)
	}
	if _, out, _ := thresher(t, "__complete", "init", "x", "--language", ""); !strings.HasPrefix(out, "auto\nen\nzh\n") {
		t.Errorf("languages are completed by\n%s", out)
	}
}

// TestCompletionOfValues: hosts and reasons are those of the run, topics those of the web, keys and values those of the crawl file.
func TestCompletionOfValues(t *testing.T) {
	web, _ := filepath.Abs(filepath.Join("..", "..", "testdata", "webs", "quickstart"))
	files(t, "small.yaml", smallCrawl(), "over.yaml", "web: "+web+"\nweb_topic: tea\n")
	must(t, "crawl", "small.yaml", "--budget", "20", "--store", "runs/small")
	hosts := must(t, "__complete", "list", "refused", "--host", "")
	for _, line := range strings.Split(strings.TrimSpace(must(t, "list", "sites", "--csv")), "\n")[1:] {
		if host, _, _ := strings.Cut(line, ","); !strings.Contains(hosts, host+"\n") {
			t.Errorf("%s is not among the hosts\n%s", host, hosts)
		}
	}
	for line, want := range map[string]string{
		"list refused --run runs/small --reason ": ":4\n",
		"crawl over.yaml --topic ":                "tea\n",
		"compare --web " + web + " --topic ":      "weiqi\n",
		"compare --judge ":                        "own\nsame\nlabels\n:4\n",
		"compare --html ":                         "html\n:8\n",
		"search --sort ":                          "best\ndate\n",
		"export --sort ":                          "relevance\nimportance\n",
		"export --to ":                            "jsonl\ncsv\n",
		"export --fields ":                        "relevance\n",
		"export --host ":                          strings.SplitN(hosts, "\n", 2)[0] + "\n",
		"serve --weights ":                        "yaml\nyml\n:8\n",
		"crawl small.yaml --set ":                 "polite.delay=\t",
		"crawl small.yaml --set polite.robots=":   "polite.robots=obey\npolite.robots=ignore\n:4\n",
	} {
		args := strings.Split("__complete "+line, " ")
		replies(t, exitDone, want, args...)
	}
	for _, line := range strings.Split(must(t, "__complete", "list", "refused", "--reason", ""), "\n") {
		if line == "" || strings.HasPrefix(line, ":") {
			break
		}
		must(t, "list", "refused", "--reason", line)
	}
}

// typed are what a person types, one after the other.
type typed []string

func (l *typed) ask(string, string) (string, error) {
	line := (*l)[0]
	*l = (*l)[1:]
	return line, nil
}

// TestAWeightIsANumberAndNothingElse: of 0.5x no half is taken.
func TestAWeightIsANumberAndNothingElse(t *testing.T) {
	p := seek.Proposal{Seeds: []string{"https://a.example/"}, Confidence: 0.7}
	lines := typed{"https://a.example/", "0.5x", "0,5", "NaN", "1.1", "-0.1", "", "0.25"}
	c := &chooser{out: io.Discard, lines: &lines}
	if err := c.edit(&p); err != nil || p.Confidence != 0.25 || len(lines) != 0 {
		t.Errorf("the weight is %v, %q was not asked for: %v", p.Confidence, lines, err)
	}
}

func TestADescriptionOfAnEngineIsTried(t *testing.T) {
	files(t, "mine.yaml", "address: https://search.example/?q={query}\nhtml: {result: li, link: a}\n",
		"page.html", "<ol><li><a href=http://a.example/sails>Sails</a></ol>")
	if out := must(t, "seeds", "--try-engine", "mine.yaml", "--page", "page.html"); out != "1. Sails\n   http://a.example/sails\nresults that mine finds in page.html: 1\n" {
		t.Errorf("%s", out)
	}
	replies(t, exitDone, `"results":[{"url":"http://a.example/sails","title":"Sails"}]`, "seeds", "--try-engine", "mine.yaml", "--page", "page.html", "--json")
	for _, args := range [][]string{{"--try-engine", "mine.yaml"}, {"x.yaml", "--page", "page.html"}, {"x.yaml", "--begin", "anywhere"}} {
		replies(t, exitMisuse, "thresher seeds ", append([]string{"seeds"}, args...)...)
	}
	for _, args := range [][]string{{"--try-engine", "mine.yaml", "--page", "lost.html"}, {"--try-engine", "lost.yaml", "--page", "page.html"}, {"--try-engine", "lost.", "--page", "page.html"}} {
		replies(t, exitMisuse, "lost.", append([]string{"seeds"}, args...)...)
	}
}
