package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/index"
)

func TestSearchCommand(t *testing.T) {
	run := quickstartRun(t)
	code, out, errs := thresher(t, "search", run, "sailing regatta", "--json", "--why")
	if code != exitDone || strings.Count(out, "\n") != 1 {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	var reply index.Reply
	noError(t, json.Unmarshal([]byte(out), &reply))
	if reply.Total == 0 || len(reply.Results) == 0 || len(reply.Results[0].Why) == 0 || len(reply.Facets["site"]) == 0 {
		t.Errorf("%s, want results with reasons, and sites", out)
	}
	first := reply.Results[0]
	code, out, errs = thresher(t, "search", run, run+"/.", "sailing regatta", "--facets") // named twice, searched once
	if code != exitDone || !strings.Contains(out, first.URL) || !strings.Contains(out, "site:") || !strings.Contains(strings.ToLower(out), "[sail") {
		t.Errorf("exit code %d: %s%s, want %s, sites and marked words", code, out, errs, first.URL)
	}
	if !strings.Contains(errs, "of "+plural(reply.Total)) {
		t.Errorf("%s, want %d", errs, reply.Total)
	}
	without := 0
	for _, args := range [][]string{{run, "sailing -regatta", "--json"}, {run, "-regatta sailing", "--json"}, {"--json", "--top", "5", run, "--", "-regatta sailing"}} {
		code, out, errs = thresher(t, append([]string{"search"}, args...)...)
		var reply index.Reply
		if err := json.Unmarshal([]byte(out), &reply); err != nil || code != exitDone || reply.Total == 0 || without > 0 && reply.Total != without {
			t.Errorf("%q: exit code %d: %v, %d pages, want %d: %s", args, code, err, reply.Total, without, errs)
		}
		without = reply.Total
	}
	code, _, errs = thresher(t, "search", run, `"open quote after:`)
	if code != exitDone || !strings.Contains(errs, "quotation mark is open") {
		t.Errorf("exit code %d: %s, want what was made of it", code, errs)
	}
	code, _, errs = thresher(t, "search", run, "sialing -harbour")
	if code != exitDone || !strings.Contains(errs, "did you mean: sailing -harbour\n") {
		t.Errorf("exit code %d: %s, want a word that pages have", code, errs)
	}
}

// TestRunsOfTheSameName: what is found in each of two runs whose folders have the same name is read there, and so in what joins them later.
func TestRunsOfTheSameName(t *testing.T) {
	var named []string
	for _, place := range []string{"a", "b", "c"} {
		named = append(named, place+"/x/state/run.json", `{"state":"finished"}`, place+"/x/crawl.yaml", "name: x\n",
			place+"/x/strategy.yaml", "name: x\nrank: {use: anchor}\n", place+"/x/crawl.log", "",
			place+"/x/harvest.jsonl", `{"id":1,"url":"http://`+place+`.example.com/","title":"Tea of `+place+`","text":"tea"}`+"\n")
	}
	files(t, named...)
	var reply index.Reply
	if err := json.Unmarshal([]byte(must(t, "search", "a/x", "b/x", "tea", "--json")), &reply); err != nil || len(reply.Results) != 2 {
		t.Fatalf("%v: %+v", err, reply)
	}
	if out := must(t, "search", "a/x", "b/x", "tea"); !strings.Contains(out, "in x\n") || !strings.Contains(out, "in x-2\n") {
		t.Errorf("it does not say in which run a page was found:\n%s", out)
	}
	cmd := searchCommand()
	l, err := openLibrary(cmd, &collectionFlags{}, []string{"a/x", "b/x"}, func(crawlfile.Config) bool { return false })
	noError(t, err)
	defer l.close()
	noError(t, l.now().update(t.Context(), io.Discard, false))
	for _, r := range reply.Results {
		c := l.now()[slices.IndexFunc(l.now(), func(c *index.Collection) bool { return c.Name() == r.Collection })]
		if hit, _, err := c.Page(r.ID); err != nil || hit.URL != r.URL || hit.Collection != r.Collection {
			t.Errorf("%s of %s is %+v (%v)", r.URL, r.Collection, hit, err)
		}
	}
	c, err := l.add(t.Context(), "c/x")
	if err != nil || c.Name() != "x-3" || !l.now().named("x") || !l.now().named("x-2") {
		t.Errorf("the third is called %s (%v)", c.Name(), err)
	}
}

// TestRunsOfSeveralCrawlsAreNotOne: a folder of runs is read as one where machines have shared a crawl, and not else.
func TestRunsOfSeveralCrawlsAreNotOne(t *testing.T) {
	var named []string
	for place, name := range map[string]string{"runs/a": "tea", "runs/b": "boats", "one/a": "tea", "one/b": "tea"} {
		named = append(named, place+"/state/run.json", `{"state":"finished","name":"`+name+`"}`, place+"/crawl.yaml", "name: x\n",
			place+"/strategy.yaml", "name: x\nrank: {use: anchor}\n", place+"/crawl.log", "",
			place+"/harvest.jsonl", `{"id":1,"url":"http://`+name+`.example.com/","title":"Tea","text":"tea"}`+"\n")
	}
	files(t, named...)
	for _, args := range [][]string{{"search", "runs", "tea"}, {"export", "--run", "runs"}, {"list", "harvest", "--run", "runs"}, {"suggest", "runs"}} {
		replies(t, exitMisuse, "runs holds runs of several crawls, as runs/a and runs/b", args...)
	}
	if code, out, errs := thresher(t, "search", "one", "tea"); code != exitDone || !strings.Contains(out, "http://tea.example.com/") || !strings.Contains(errs, "reading one/a, one/b\n") {
		t.Errorf("machines of one crawl: exit %d: %s%s", code, out, errs)
	}
}

func TestSearchSaysWhatIsWrong(t *testing.T) {
	run := quickstartRun(t)
	for _, c := range []struct{ args, want string }{
		{"search", "needs a query"},
		{"search " + run, "what is to be looked for"},
		{"search sailing regatta", "no run in \"sailing\""},
		{"search " + run + " sailing --sort size", "want best or date"},
		{"search " + run + " sailing --top 0", "want 1 to 1000"},
		{"search " + run + " sailing --top -5", "--top is -5, want 1 to 1000"},
		{"search " + run + " sailing -json", "unknown shorthand flag"},
		{"search " + run + " sailing --weights /no/such/file", "no such file"},
		{"search --read-only " + run + " sailing", "thresher index"},
		{"measure --run " + run + " --queries x --judge y", "one of them"},
		{"measure --run " + run + " --queries /no/such/file", "no such file"},
	} {
		code, _, errs := thresher(t, strings.Fields(c.args)...)
		if (code == exitMisuse) == (c.want == "thresher index") || code == exitDone || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d: %s, want %q", c.args, code, errs, c.want)
		}
	}
	weights := filepath.Join(t.TempDir(), "weights.yaml")
	noError(t, os.WriteFile(weights, []byte("titel: 3\n"), 0o644))
	replies(t, exitMisuse, "title", "search", run, "sailing", "--weights", weights)
	t.Chdir(t.TempDir()) // where no run is: whoever has followed the README has one beside it
	replies(t, exitMisuse, "there is no run", "search", "-regatta")
}

func TestIndexIsMadeAnewWhereItIsDamaged(t *testing.T) {
	run := quickstartRun(t)
	if code, out, errs := thresher(t, "index", run); code != exitDone || !strings.Contains(out, "new") {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	ownersAlone(t, filepath.Join(run, "index"))
	segments, err := filepath.Glob(filepath.Join(run, "index", "*", "bleve", "*.zap"))
	if err != nil || len(segments) == 0 {
		t.Fatal("no segments", err)
	}
	raw, err := os.ReadFile(segments[0])
	noError(t, err)
	raw[len(raw)/2] ^= 0xff
	noError(t, os.WriteFile(segments[0], raw, 0o644))
	code, out, errs := thresher(t, "search", run, "sailing")
	if code != exitDone || !strings.Contains(errs, "rebuilt") || !strings.Contains(errs, filepath.Base(segments[0])) || out == "" {
		t.Errorf("exit code %d: %s%s, want that it was rebuilt, and why", code, out, errs)
	}
}

func TestMeasureQueries(t *testing.T) {
	run := quickstartRun(t)
	_, out, _ := thresher(t, "search", run, "sailing regatta", "--json")
	var reply index.Reply
	if err := json.Unmarshal([]byte(out), &reply); err != nil || len(reply.Results) < 2 {
		t.Fatal(err, out)
	}
	file := filepath.Join(t.TempDir(), "queries.tsv")
	lines := "# a comment\nsailing regatta\t" + reply.Results[1].URL + "\t2\nno such words anywhere\thttp://nowhere.example.org/\n"
	noError(t, os.WriteFile(file, []byte(lines), 0o644))
	code, out, errs := thresher(t, "measure", "--run", run, "--queries", file, "--json")
	var m searchMeasured
	if err := json.Unmarshal([]byte(out), &m); code != exitDone || err != nil || m.Queries != 2 || m.MRR != 0.25 || m.Precision != 0.05 {
		t.Errorf("exit code %d: %s%s, want an MRR of a half and of nothing", code, out, errs)
	}
	replies(t, exitDone, ": 2 queries\n", "measure", "--run", run, "--queries", file)
	noError(t, os.WriteFile(file, []byte("\uFEFF# begins with a mark\nsailing\thttp://nowhere.example.org/\n"), 0o644))
	replies(t, exitDone, ": 1 query\n", "measure", "--run", run, "--queries", file)
	for wrong, says := range map[string]string{"tea\nmilk\tnot an address\n": "line 1", "tea\t\n": "line 1: no address that answers the query",
		"tea\thttp://a.example/\t0\n": `no page answers "tea", for none has a grade above 0`} {
		noError(t, os.WriteFile(file, []byte(wrong), 0o644))
		replies(t, exitMisuse, says, "measure", "--run", run, "--queries", file)
	}
}
