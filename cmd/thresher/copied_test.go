package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestACopiedBinaryJudgesChinese: what was built with -trimpath, was copied elsewhere and runs with an empty
// environment brings its dictionaries along. TestCopiedBinaryCutsChinese of package text is the same of a small program.
func TestACopiedBinaryJudgesChinese(t *testing.T) {
	if os.Getenv("THRESHER_BUILD") == "" {
		t.Skip("builds the whole program anew, which takes a minute: THRESHER_BUILD=1 runs it")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to build with")
	}
	built, dir := filepath.Join(t.TempDir(), "thresher"), t.TempDir()
	if runtime.GOOS == "windows" {
		built += ".exe"
	}
	build := exec.Command(goTool, "build", "-trimpath", "-o", built, ".")
	if goCache != "" {
		build.Env = append(os.Environ(), "GOCACHE="+goCache)
	}
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	raw, err := os.ReadFile(built)
	noError(t, err)
	noError(t, os.Remove(built))
	copied := filepath.Join(dir, filepath.Base(built))
	for name, text := range map[string][]byte{
		copied:                          raw,
		filepath.Join(dir, "zh.yaml"):   []byte("name: zh\ntopic: {language: zh, terms: [世界杯, 足球, 和服]}\nseeds: [https://www.example.org/]\n"),
		filepath.Join(dir, "page.html"): []byte("<meta charset=utf-8><title>世界杯决赛</title><p>昨晚的足球比赛里，球队在世界杯决赛中获胜。产品和服务都很好。"),
	} {
		noError(t, os.WriteFile(name, text, 0o755))
	}
	judge := exec.Command(copied, "judge", "zh.yaml", "page.html", "--json")
	judge.Dir, judge.Env = dir, []string{}
	out, err := judge.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var v verdict
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	times := map[string]int{}
	for _, term := range v.Terms {
		times[term.Term] = term.Count
	}
	if v.Language != "zh" || v.Relevant == nil || !*v.Relevant || times["世界杯"] != 2 || times["足球"] != 1 || times["和服"] != 0 {
		t.Errorf("judged as %s", out)
	}
}
