package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTrainLayersAndContext(t *testing.T) {
	web := filepath.Join("..", "..", "testdata", "webs", "quickstart") + ":sailing"
	small, err := filepath.Abs(filepath.Join("..", "..", "testdata", "webs", "small"))
	noError(t, err)
	dir := t.TempDir()
	layers, context := filepath.Join(dir, "s.layers"), filepath.Join(dir, "s.context")
	code, out, _ := thresher(t, "train", "layers", "--web", web, "--out", layers, "--overlap", small+":sailing")
	for _, want := range []string{"quickstart:sailing: ", "class     links     words  vocabulary\n    1 ", "among the most telling ones of anchors", "  within  ", "of addresses", "strategy: {from: layers, rank: {use: layers, with: {model: " + layers} {
		if code != exitDone || !strings.Contains(out, want) {
			t.Errorf("exit %d, %q is not in\n%s", code, want, out)
		}
	}
	replies(t, exitDone, `"smoothing":"jm","lambda":0.9`, "train", "layers", "--web", small+":sailing", "--smoothing", "jm", "--membership", "walk", "--json")
	replies(t, exitDone, "layer     pages\n    0 ", "train", "context", "--web", small+":sailing", "--out", context)
	crawl := filepath.Join(dir, "crawl.yaml")
	for strategy, model := range map[string]string{"layers": "s.layers", "context-graph": "s.context"} {
		text := "name: x\nweb: " + small + "\nweb_topic: sailing\nbudget: {pages: 30}\nstore: " + filepath.Join(dir, strategy) +
			"\nstrategy: {from: " + strategy + ", rank: {use: " + strategy + ", with: {model: " + model + "}}}\n"
		noError(t, os.WriteFile(crawl, []byte(text), 0o600))
		if code, out, errs := thresher(t, "crawl", crawl); code != exitDone {
			t.Errorf("crawl by %s: exit %d\n%s%s", strategy, code, out, errs)
		}
	}
	log, err := os.ReadFile(filepath.Join(dir, "layers", "crawl.log"))
	if err != nil || !strings.Contains(string(log), "\tround 1, from queue ") {
		t.Errorf("the log does not tell of rounds: %v", err)
	}
	for args, want := range map[string]string{
		"train layers":                             "needs a labelled recorded web",
		"train context":                            "needs a labelled recorded web",
		"train layers --web x --membership far":    "per_target, nearest, path, walk",
		"train layers --web x --smoothing laplace": "backoff or jm",
		"train layers --web x --lambda 1":          "0 to less than 1",
		"train layers --web x --classes 65":        "1 to 64",
		"train context --web x --layers 0":         "1 to 32",
	} {
		replies(t, exitMisuse, want, strings.Fields(args)...)
	}
}
