package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/run"
)

// folderOf is every file of a folder.
func folderOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		all[path] = string(raw)
		return err
	})
	noError(t, err)
	return all
}

// keptPages are the first bytes of the lines of a harvest, the id and the address, in order of the ids.
func keptPages(t *testing.T, dir string) []string {
	t.Helper()
	raw := mustRead(t, filepath.Join(dir, "harvest.jsonl"))
	var pages []string
	for line := range strings.Lines(raw) {
		page, _, _ := strings.Cut(line, `,"final_url"`)
		pages = append(pages, page)
	}
	slices.Sort(pages)
	return pages
}

func damage(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, change(raw), 0o644)
	}
	noError(t, err)
}

// zeroLast writes zeros over the end, as a disk may that lost power.
func zeroLast(n int) func([]byte) []byte {
	return func(b []byte) []byte {
		clear(b[len(b)-n:])
		return b
	}
}

// keepFirst keeps a part of a file.
func keepFirst(part float64) func([]byte) []byte {
	return func(raw []byte) []byte { return raw[:int(part*float64(len(raw)))] }
}

// spoil changes bytes in the middle of a file.
func spoil(raw []byte) []byte {
	for i := len(raw) / 3; i < len(raw)/2; i++ {
		raw[i] ^= 0x5a
	}
	return raw
}

// spoilLine takes the fields of a line apart no more.
func spoilLine(number int) func([]byte) []byte {
	return func(raw []byte) []byte {
		lines := bytes.SplitAfter(raw, []byte("\n"))
		lines[number-1] = bytes.ReplaceAll(lines[number-1], []byte("\t"), []byte("\x00"))
		return bytes.Join(lines, nil)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	noError(t, os.Remove(path))
}

// anew is what is said of a state that was made anew.
const anew = "state rebuilt: "

// TestRepair damages a run of the quickstart in many ways: it is refused by the name of the file, is repaired and goes on; no
// page that was kept is lost, and none is there twice.
func TestRepair(t *testing.T) {
	t.Chdir(home)
	dir := t.TempDir()
	crawl := func(store, budget string) {
		t.Helper()
		must(t, "crawl", "configs/quickstart.yaml", "--strategy", "block-shark", "--budget", budget, "--store", store)
	}
	begun := filepath.Join(dir, "begun")
	crawl(begun, "40")
	if kept := len(keptPages(t, begun)); kept < 10 {
		t.Fatalf("%d pages were kept: the test sees nothing", kept)
	}
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, state, ran string)
		refuse string // what crawl says
		says   []string
	}{
		{"the log is cut before the snapshot", func(t *testing.T, state, _ string) { damage(t, filepath.Join(state, "log-000001"), keepFirst(0.4)) },
			"log-000001", []string{"log-000001\" is damaged at byte", anew}},
		{"the log is almost empty", func(t *testing.T, state, _ string) {
			remove(t, filepath.Join(state, "snapshot-000001"))
			damage(t, filepath.Join(state, "log-000001"), keepFirst(0.001))
		}, "log-000001", []string{"what follows was safe, and cannot be read any more", anew}},
		{"the log is gone", func(t *testing.T, state, _ string) { remove(t, filepath.Join(state, "log-000001")) },
			"log-000001", []string{"the file is missing", anew}},
		{"the state is gone", func(t *testing.T, state, _ string) {
			noError(t, os.RemoveAll(state))
		}, "run.json", []string{anew}},
		{"a stretch of the log is changed, and run.json is empty", func(t *testing.T, state, _ string) {
			damage(t, filepath.Join(state, "log-000001"), spoil)
			damage(t, filepath.Join(state, "run.json"), keepFirst(0))
		}, "run.json", []string{"log-000001\" is damaged at byte", "run.json is damaged", anew}},
		{"the snapshot is changed", func(t *testing.T, state, _ string) { damage(t, filepath.Join(state, "snapshot-000001"), spoil) },
			"snapshot-000001", []string{"snapshot-000001", anew}},
		{"run.json is cut", func(t *testing.T, state, ran string) { damage(t, filepath.Join(state, "run.json"), keepFirst(0.3)) },
			"run.json", []string{"run.json is damaged"}},
		{"the harvest is cut", func(t *testing.T, _, ran string) { damage(t, filepath.Join(ran, "harvest.jsonl"), keepFirst(0.6)) },
			"harvest.jsonl", []string{"harvest.jsonl: ", "kept pages are missing from the harvest, and will be visited again", anew}},
		{"the end of the harvest is zeros", func(t *testing.T, _, ran string) { damage(t, filepath.Join(ran, "harvest.jsonl"), zeroLast(2048)) },
			"harvest.jsonl", []string{"harvest.jsonl: ", "will be visited again", anew}},
		{"the harvest is gone", func(t *testing.T, _, ran string) { remove(t, filepath.Join(ran, "harvest.jsonl")) },
			"harvest.jsonl", []string{"harvest.jsonl: 0 of its ", "kept pages are missing from the harvest, and will be visited again", anew}},
		{"lines of crawl.log and a stretch of the log are changed", func(t *testing.T, state, ran string) {
			damage(t, filepath.Join(ran, "crawl.log"), spoilLine(50))
			damage(t, filepath.Join(ran, "crawl.log"), spoilLine(20))
			damage(t, filepath.Join(state, "log-000001"), keepFirst(0.9))
		}, "log-000001", []string{"crawl.log line 20: ", "crawl.log line 50: ", anew}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ran := filepath.Join(t.TempDir(), "run")
			noError(t, os.CopyFS(ran, os.DirFS(begun)))
			c.damage(t, filepath.Join(ran, "state"), ran)
			if c.refuse != "" {
				code, _, errs := thresher(t, "crawl", "configs/quickstart.yaml", "--strategy", "block-shark", "--budget", "60", "--store", ran)
				if code != exitFailed || !strings.Contains(errs, c.refuse) || !strings.Contains(errs, "thresher repair --run "+ran) {
					t.Errorf("crawl: exit %d: %s", code, errs)
				}
			}
			code, out, errs := thresher(t, "repair", "--run", ran)
			if code != exitDone {
				t.Fatalf("exit %d: %s%s", code, out, errs)
			}
			if strings.Contains(out+errs, "thresher repair") {
				t.Errorf("a repair advises a repair:\n%s%s", out, errs)
			}
			for _, says := range c.says {
				if !strings.Contains(out, says) {
					t.Errorf("it does not say %q:\n%s", says, out)
				}
			}
			kept := keptPages(t, ran)
			if _, _, said := thresher(t, "list", "harvest", "--run", ran); said != fmt.Sprintf("%d of %[1]d\n", len(kept)) {
				t.Errorf("listed as kept: %swant %d", said, len(kept))
			}
			crawl(ran, "60")
			have := keptPages(t, ran)
			for _, page := range keptPages(t, begun) {
				if !slices.Contains(have, page) {
					t.Errorf("%s was kept, and is lost", page)
				}
			}
			if len(have) <= len(kept) || len(slices.Compact(slices.Clone(have))) != len(have) {
				t.Errorf("%d pages, after %d; want more, and none twice", len(have), len(kept))
			}
		})
	}
}

// TestRepairLeavesASoundRunAsItIs: to the byte, also where the process ended in the middle of a visit.
func TestRepairLeavesASoundRunAsItIs(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	must(t, "crawl", "small.yaml", "--store", "run")
	damage(t, filepath.Join("run", "crawl.log"), func(raw []byte) []byte { return append(raw, "\t2020-01-01"...) }) // never told
	before := folderOf(t, "run")
	code, out, errs := thresher(t, "repair", "--run", "run")
	if code != exitDone || !strings.Contains(out, "nothing is damaged in run, and nothing was changed") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if after := folderOf(t, "run"); !maps.Equal(before, after) {
		t.Errorf("files have changed: %v, were %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
	if _, err := run.ReadStanding("run"); err != nil {
		t.Error(err)
	}
	aDamagedSecondLook(t)
	aDamagedStrategy(t)
	aHarvestWithoutNumbers(t)
	damagedPagesForASecondLook(t)
}

// aDamagedStrategy: who reads the run says what helps, and a repair writes it again as it was.
func aDamagedStrategy(t *testing.T) {
	t.Helper()
	path := filepath.Join("run", "strategy.yaml")
	whole := mustRead(t, path)
	for _, change := range []func(){func() { remove(t, path) }, func() { damage(t, path, func(raw []byte) []byte { return append(raw, "\x01: ["...) }) }} {
		change()
		if code, _, errs := thresher(t, "list", "harvest", "--run", "run"); code != exitFailed || !strings.Contains(errs, path) || !strings.HasSuffix(errs, "; 'thresher repair --run run' writes it again\n") {
			t.Errorf("list: exit %d: %s", code, errs)
		}
		if out := must(t, "repair", "--run", "run"); !strings.Contains(out, "damaged: run folder run: ") || mustRead(t, path) != whole {
			t.Errorf("repair: %s", out)
		}
	}
	mustRead(t, path+".damaged")
}

// TestRepairIsNotForACrawlThatCannotBeMade: a web, an example or a model that was moved away is no damage of the run. It is
// named, and nothing is changed, whether the run is damaged or not.
func TestRepairIsNotForACrawlThatCannotBeMade(t *testing.T) {
	files(t, "small.yaml", strings.Replace(smallCrawl(), "terms: [sailing, yacht, boat]", "terms: [sailing, yacht, boat], examples: [example.html]", 1),
		"example.html", "<html><title>Sailing</title><body><p>A yacht is a sailing boat, and a boat that sails is a yacht.</body></html>")
	must(t, "crawl", "small.yaml", "--store", "run")
	remove(t, "example.html")
	for _, change := range []func([]byte) []byte{keepFirst(1), keepFirst(0.5)} {
		damage(t, filepath.Join("run", "state", "log-000001"), change)
		before := folderOf(t, "run")
		code, out, errs := thresher(t, "repair", "--run", "run")
		if code == exitDone || !strings.Contains(errs, "example.html") {
			t.Errorf("exit %d: %s%s", code, out, errs)
		}
		if after := folderOf(t, "run"); !maps.Equal(before, after) {
			t.Errorf("files have changed: %v, were %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
		}
	}
}

// TestRepairOfALogThatCannotBeRead: the commands that read crawl.log say which line it is and what helps; then they leave it
// out, what stood there is kept, and the crawl goes on to the harvest of one that nothing happened to.
func TestRepairOfALogThatCannotBeRead(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	for store, budget := range map[string]string{"run": "20", "whole": "40"} {
		must(t, "crawl", "small.yaml", "--budget", budget, "--store", store)
	}
	log := filepath.Join("run", "crawl.log")
	damage(t, log, spoilLine(30))
	damage(t, log, spoilLine(4))
	before := folderOf(t, "run")
	const address = "http://nowhere.example/"
	if code, _, errs := thresher(t, "why", address, "--run", "run"); code != exitFailed || !strings.Contains(errs, log+" line 4: ") ||
		!strings.Contains(errs, "thresher repair --run run") {
		t.Errorf("why: exit %d: %s", code, errs)
	}
	code, out, errs := thresher(t, "repair", "--run", "run")
	if code != exitDone || !strings.Contains(out, "damaged: "+log+" line 4: ") || !strings.Contains(out, "damaged: "+log+" line 30: ") || !strings.Contains(out, "set aside: "+log+".damaged") {
		t.Errorf("repair: exit %d: %s%s", code, out, errs)
	}
	after := folderOf(t, "run")
	if len(after[log]) != len(before[log]) || strings.Count(after[log+".damaged"], "\n") != 2 || !strings.Contains(before[log], after[log+".damaged"][:20]) {
		t.Errorf("%d bytes, were %d; beside it: %q", len(after[log]), len(before[log]), after[log+".damaged"])
	}
	if delete(after, log+".damaged"); len(after) != len(before) {
		t.Errorf("files: %v", slices.Sorted(maps.Keys(after)))
	}
	if _, _, errs := thresher(t, "why", address, "--run", "run"); strings.Contains(errs, "line 4") {
		t.Errorf("why, repaired: %s", errs)
	}
	replies(t, exitDone, "nothing is damaged", "repair", "--run", "run")
	must(t, "crawl", "small.yaml", "--store", "run")
	if have, want := keptPages(t, "run"), keptPages(t, "whole"); !slices.Equal(have, want) || len(want) == 0 {
		t.Errorf("%d pages, want %d", len(have), len(want))
	}
	whatIsPutBack(t, "run")
}

// inAKey cuts a crawl file off in the middle of a key.
func inAKey(raw []byte) []byte { return raw[:bytes.Index(raw, []byte("\nseeds:"))+len("\nsee")] }

// TestADamagedCrawlFileOfARun: it is not taken for that of another crawl; with the file in its place the run goes on.
func TestADamagedCrawlFileOfARun(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	must(t, "crawl", "small.yaml", "--budget", "20", "--store", "run")
	path := filepath.Join("run", "crawl.yaml")
	whole := mustRead(t, path)
	for _, change := range []func([]byte) []byte{keepFirst(0), inAKey, func(raw []byte) []byte { return append([]byte("\x00\x00"), raw[2:]...) }} {
		damage(t, path, change)
		for _, args := range [][]string{{"crawl", "small.yaml", "--store", "run"}, {"repair", "--run", "run"}, {"inject", "http://daily.example/", "--run", "run"}} {
			code, _, errs := thresher(t, args...)
			if code != exitFailed || !strings.Contains(errs, path) || !strings.Contains(errs, "put the crawl file of the run there") || strings.Contains(errs, "another crawl") {
				t.Errorf("%v: exit %d: %s", args, code, errs)
			}
		}
		noError(t, os.WriteFile(path, []byte(whole), 0o644))
	}
	if code, _, errs := thresher(t, "crawl", "small.yaml", "--store", "run"); code != exitDone {
		t.Errorf("put back: exit %d: %s", code, errs)
	}
}

// TestAFolderFlagNamesAFolder: an empty one is a variable of a script that is not set, and not the usual folder.
func TestAFolderFlagNamesAFolder(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	for _, args := range [][]string{{"crawl", "small.yaml", "--store", ""}, {"stop", "--run", ""}} {
		replies(t, exitMisuse, "names no folder", args...)
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a run was begun")
	}
}

// TestARepairDoesNotAdviseARepair: what a repair could not mend is told without that.
func TestARepairDoesNotAdviseARepair(t *testing.T) {
	damage := &disk.DamageError{File: "runs/x/state/log-000001", Offset: 7, What: errors.New("a bad sum")}
	err := error(unadvised{fmt.Errorf("the state: %w", errors.Join(damage, errors.New("the disk is full")))})
	if want := "the state: \"runs/x/state/log-000001\" is damaged at byte 7: a bad sum\nthe disk is full"; err.Error() != want {
		t.Errorf("have %s\nwant %s", err, want)
	}
	if known := new(disk.DamageError); !errors.As(err, &known) {
		t.Error("what kind of error it is is lost")
	}
}

// leavesOnesOwn: starting over deletes no file of a run that a person has put there, and not the crawl file, be it in the place of the
// run's copy.
func leavesOnesOwn(t *testing.T) {
	t.Helper()
	own, copied := filepath.Join("run", "harvest-mine.jsonl"), filepath.Join("run", "crawl.yaml")
	if _, err := os.Stat(own); os.IsNotExist(err) {
		noError(t, os.WriteFile(own, []byte("mine\n"), 0o644))
	}
	its := mustRead(t, copied)
	damage(t, copied, func(raw []byte) []byte { return append([]byte("# mine\n"), raw...) })
	before := folderOf(t, "run")
	replies(t, exitFailed, "holds the crawl file itself, crawl.yaml, which starting over would write over", "crawl", copied, "--budget", "15", "--fresh")
	if before[own] != "mine\n" || !maps.Equal(folderOf(t, "run"), before) {
		t.Error("what is one's own is gone, or written over")
	}
	damage(t, copied, func([]byte) []byte { return []byte(its) })
	if code, _, errs := thresher(t, "crawl", copied, "--budget", "15", "--fresh"); code != exitDone {
		t.Errorf("of the run's own copy: exit %d: %s", code, errs)
	}
	if code, _, errs := thresher(t, "crawl", "small.yaml", "--budget", "20", "--store", "run"); code != exitDone {
		t.Errorf("exit %d: %s", code, errs)
	}
}
