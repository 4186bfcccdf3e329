package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// A folder where a file is wanted, and a file where a folder is, are told in one line that names them.
func TestFoldersInThePlaceOfFiles(t *testing.T) {
	files(t, "a file", "", "beside/x", "")
	for _, dir := range []string{"folder", "configs/strategies/mine.yaml", "crawl.yaml"} {
		noError(t, os.MkdirAll(dir, 0o755))
	}
	const want = "is a folder, want a file"
	for line, says := range map[string]string{
		"strategy: ./folder":                        "p.yaml:3:11: strategy: ./folder " + want,
		"strategy: mine":                            "p.yaml:3:11: strategy: configs/strategies/mine.yaml " + want,
		"strategy: {from: ./folder}":                "p.yaml:3:18: strategy.from: ./folder " + want,
		"topic: {model: folder, judge: classifier}": "p.yaml:3:16: topic.model: folder: " + want,
		"text: {user_dict: folder}":                 "p.yaml:3:19: text.user_dict: folder: " + want,
		"topic: {examples: [folder]}":               "p.yaml:3:20: topic.examples[0]: folder: " + want,
		"strategy: {from: layers, rank: {use: layers, with: {model: folder}}}": "strategy.rank.layers: model: folder: " + want,
	} {
		noError(t, os.WriteFile("p.yaml", []byte("seeds: [https://www.example.org/]\npolite: {contact: you@example.org}\n"+line+"\n"), 0o644))
		code, _, errs := thresher(t, "check", "p.yaml")
		if code != exitMisuse || !strings.Contains(errs, says) || strings.Count(errs, want) != 1 {
			t.Errorf("%s: exit %d\nhave %s\nwant %s", line, code, errs, says)
		}
	}
	for _, command := range []string{"check", "crawl"} {
		if code, _, errs := thresher(t, command, "crawl.yaml"); code != exitMisuse || errs != "crawl.yaml: "+want+"\n" {
			t.Errorf("%s: exit %d: %s", command, code, errs)
		}
	}
	good := "seeds: [https://www.example.org/]\npolite: {contact: you@example.org}\ntopic: {terms: [tea]}\n"
	noError(t, os.WriteFile("p.yaml", []byte(good), 0o644))
	for _, args := range [][]string{
		{"crawl", "p.yaml", "--store", "a file"}, {"crawl", "p.yaml", "--store", "a file/below"},
		{"list", "harvest", "--run", "a file"}, {"repair", "--run", "a file"}, {"stop", "--run", "a file"},
	} {
		code, _, errs := thresher(t, args...)
		if code == exitDone || !strings.Contains(errs, "a file is a file, want the folder of a run") || strings.Count(errs, "\n") > 2 {
			t.Errorf("%s: exit %d: %s", strings.Join(args, " "), code, errs)
		}
	}
	for _, args := range [][]string{
		{"list", "harvest", "--run", "p.yaml"}, {"block", "a.example", "--run", "p.yaml"}, {"budget", "9", "--run", "p.yaml"}, {"inject", "https://a.example/", "--run", "p.yaml"},
		{"export", "--run", "p.yaml"}, {"learn", "export", "--to", "x", "--run", "p.yaml"}, {"index", "p.yaml"},
	} {
		want := "thresher: --run p.yaml is a file, want the folder of a run\n  try: thresher list harvest --run runs/p\n"
		if len(args) == 2 { // it has no --run
			want = "thresher: p.yaml is a file, want the folder of a run\n  try: thresher " + args[0] + " runs/p\n"
		}
		if code, _, errs := thresher(t, args...); code != exitMisuse || errs != want {
			t.Errorf("a crawl file for its run: %s: exit %d: %s", strings.Join(args, " "), code, errs)
		}
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		replies(t, exitMisuse, "/dev/zero", "check", "/dev/zero")
	}
}

// A folder with files of such names is no run because of them: it is refused, with --fresh too, and left as it was.
func TestAFolderThatIsNoRunIsLeftAsItIs(t *testing.T) {
	files(t, "mine/crawl.yaml", "# mine\nstore: .\n"+smallCrawl(), "mine/crawl.log", "what I did\n", "mine/report.html", "<p>mine", "mine/state/log-000001", "mine")
	before := folderOf(t, "mine")
	for _, more := range [][]string{nil, {"--fresh"}} {
		code, _, errs := thresher(t, append([]string{"crawl", "mine/crawl.yaml"}, append(more, "--store", "mine")...)...)
		if code != exitFailed || !strings.Contains(errs, "mine is not the folder of a run, and holds crawl.yaml; give another with --store DIR") {
			t.Errorf("%v: exit %d: %s", more, code, errs)
		}
	}
	replies(t, exitMisuse, "there is no run in this folder", "repair", "--run", "mine")
	if after := folderOf(t, "mine"); !maps.Equal(after, before) {
		t.Errorf("it holds %v, and held %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
}
