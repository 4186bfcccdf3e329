package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/topic"
)

// TestAJudgeIsTaughtInTheBrowser trains a judge on the labels of a run, and takes a word that is suggested into its crawl file.
func TestAJudgeIsTaughtInTheBrowser(t *testing.T) {
	quickstartRun(t) // which brings us home
	file := filepath.Join(t.TempDir(), "sailing.yaml")
	text := strings.ReplaceAll(mustRead(t, "configs/quickstart.yaml"), "../testdata", filepath.Join(home, "testdata"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	mustRun(t, "crawl", file, "--store", dir, "--quiet")
	cmd := &cobra.Command{}
	cmd.SetErr(&bytes.Buffer{})
	steering := steered(cmd, nil, nil)
	if _, err := steering.Train(dir); err == nil || !strings.Contains(err.Error(), "no labels yet") {
		t.Errorf("trained on nothing: %v", err)
	}
	var labels strings.Builder
	var truth = mustRead(t, "testdata/webs/quickstart/labels.tsv")
	for line := range strings.Lines(mustRead(t, filepath.Join(dir, "kept.jsonl"))) {
		_, address, _ := strings.Cut(line, `"url":"`)
		address, _, _ = strings.Cut(address, `"`)
		fmt.Fprintf(&labels, "%s\t%s\n", address, map[bool]string{true: "relevant", false: "other"}[strings.Contains(truth, address+"\tsailing")])
	}
	if err := os.WriteFile(filepath.Join(dir, "labels.tsv"), []byte(labels.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	f1, err := steering.Train(dir)
	if err != nil || f1 < .5 {
		t.Errorf("F1 %v, %v", f1, err)
	}
	if _, err := topic.LoadModel(filepath.Join(dir, "judge.model")); err != nil {
		t.Error(err)
	}
	if kept, err := steering.Winnow(dir); err != nil || kept == 0 {
		t.Errorf("%d kept, %v", kept, err)
	}
	all, err := steering.Suggest(dir)
	if err != nil || len(all) == 0 || all[0].Weight == 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	if err := steering.Take(dir, all[0].Term, all[0].Weight); err != nil || !strings.Contains(mustRead(t, file), all[0].Term) {
		t.Errorf("%v: the file says\n%s", err, mustRead(t, file))
	}
	if err := steering.Take(dir, "nonsense", 1); err == nil {
		t.Error("a word that nobody suggested was taken")
	}
}
