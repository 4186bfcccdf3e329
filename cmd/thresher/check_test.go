package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// TestCheckPrintsACrawlFile: what check prints is a crawl file that comes to the same.
func TestCheckPrintsACrawlFile(t *testing.T) {
	files(t, "good.yaml", goodFile)
	code, out, errs := thresher(t, "check", "good.yaml", "--strategy", "breadth", "--set", "polite.delay=2/s", "--budget", "7", "--store", "here")
	if code != exitDone || errs != "" {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	for _, want := range []string{"# good.yaml\n# strategy breadth, from built in: breadth.yaml\nname: good\n", "  delay: 500ms\n", "  pages: 7\n", "store: here\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	files(t, "again.yaml", out)
	code, again, errs := thresher(t, "check", "again.yaml")
	if code != exitDone || withoutHead(again) != withoutHead(out) {
		t.Errorf("exit code %d, %s\nhave %s\nwant %s", code, errs, again, out)
	}
}

// withoutHead leaves out the comments, which name the file.
func withoutHead(s string) string {
	_, rest, _ := strings.Cut(s, "\nname:")
	return rest
}

func TestCheckTellsOfManyFilesAtOnce(t *testing.T) {
	files(t, "good.yaml", goodFile, "bad.yaml", badFile, "mine.yaml", "name: mine\nrank: {use: anchor}\n", "broken.yaml", "rank: {use: ancor}\n",
		"live.yaml", "seeds: [https://www.example.org/]\ntopic: {terms: [tea]}\n")
	code, out, errs := thresher(t, "check", "good.yaml", "bad.yaml", "mine.yaml", "broken.yaml", "live.yaml", "nowhere.yaml")
	if code != exitMisuse {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"bad.yaml:2:10: ", "broken.yaml:1:13: strategy.rank.use: unknown factor \"ancor\"; did you mean \"anchor\"?\n",
		"nowhere.yaml: there is no such file", "thresher: 5 mistakes\n", "warning: live.yaml:1:1: polite.contact: is not given",
		"warning: live.yaml:2:8: topic: few words make a poor judge: give a handful that only pages of the topic have; when a crawl is over, thresher suggest names some\n"} {
		if !strings.Contains(errs, want) {
			t.Errorf("%q is not in stderr:\n%s", want, errs)
		}
	}
	if parts := strings.Split(out, "---\n"); len(parts) != 3 || !strings.HasPrefix(parts[1], "# mine.yaml\n") {
		t.Errorf("stdout\n%s", out)
	}
}

func TestCheckAsJSON(t *testing.T) {
	files(t, "good.yaml", goodFile, "bad.yaml", badFile, "live.yaml", "seeds: [https://www.example.org/]\ntopic: {terms: [tea, teapot, teahouse]}\n")
	code, out, _ := thresher(t, "check", "--json", "good.yaml", "bad.yaml", "live.yaml")
	var object struct {
		OK    bool      `json:"ok"`
		Files []checked `json:"files"`
	}
	decoder := json.NewDecoder(strings.NewReader(out))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&object); err != nil || decoder.More() {
		t.Fatalf("not one object: %v\n%s", err, out)
	}
	if code != exitMisuse || object.OK || len(object.Files) != 3 {
		t.Fatalf("exit code %d, ok %v, %d files", code, object.OK, len(object.Files))
	}
	good, bad, live := object.Files[0], object.Files[1], object.Files[2]
	if !good.OK || good.Kind != "crawl" || good.Strategy != "apprentice" || good.Source != "built in: apprentice.yaml" || !strings.Contains(good.Effective, "threshold: 0.3") ||
		len(good.Problems)+len(good.Warnings) > 0 {
		t.Errorf("good: %+v", good)
	}
	want := strict.Problem{File: "bad.yaml", Line: 2, Column: 10, Path: "budget.paegs", Want: `unknown key; did you mean "pages"?`}
	if bad.OK || len(bad.Problems) != 3 || bad.Problems[1] != want {
		t.Errorf("bad: %+v", bad)
	}
	if !live.OK || len(live.Warnings) != 1 || live.Warnings[0].Path != "polite.contact" {
		t.Errorf("live: %+v", live)
	}
	code, out, errs := thresher(t, "check", "--json", "good.yaml")
	if code != exitDone || errs != "" || !strings.HasPrefix(out, `{"ok":true,`) || !strings.Contains(out, `"warnings":[]`) {
		t.Errorf("exit code %d, %s, %s", code, errs, out)
	}
}

func TestCheckListsTheKeys(t *testing.T) {
	code, out, _ := thresher(t, "check", "--keys")
	if code != exitDone {
		t.Fatalf("exit code %d", code)
	}
	for _, want := range []string{"budget.pages: 3000\n    pages fetched [at least 0]\n", "topic.terms[].weight: 1\n", "polite.robots: obey\n    whether robots.txt is obeyed [obey | ignore]\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	code, out, _ = thresher(t, "check", "--keys", "--json")
	var object struct {
		Keys []keyObject `json:"keys"`
	}
	if err := json.Unmarshal([]byte(out), &object); err != nil || code != exitDone || len(object.Keys) != len(crawlfile.Keys()) {
		t.Fatalf("exit code %d, %v, %d keys", code, err, len(object.Keys))
	}
	for _, k := range object.Keys {
		if k.Key == "" || k.Type == "" || k.Meaning == "" {
			t.Errorf("%+v says too little", k)
		}
		if k.Key == "polite.delay" && (k.Environment != "THRESHER_POLITE_DELAY" || k.Default != "1s") {
			t.Errorf("%+v", k)
		}
	}
}
