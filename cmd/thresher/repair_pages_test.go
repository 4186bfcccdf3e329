package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What a repair makes of pages that were lost, or came back: those of the harvest, and those for a second look.

// aHarvestWithoutNumbers: a second look makes no page of records whose fields leave out which page they are, and one that it has not met
// is listed by what is said of it.
func aHarvestWithoutNumbers(t *testing.T) {
	t.Helper()
	harvest := filepath.Join("run", "harvest.jsonl")
	whole := mustRead(t, harvest)
	kept := len(keptPages(t, "run"))
	for field, more := range map[string]int{"title": 0, "url": 1} {
		var lines strings.Builder
		for line := range strings.Lines(whole + `{"title":"Elsewhere","url":"http://elsewhere.example/"}` + "\n") {
			var r map[string]any
			noError(t, json.Unmarshal([]byte(line), &r))
			fmt.Fprintf(&lines, "{%q:%q}\n", field, r[field])
		}
		damage(t, harvest, func([]byte) []byte { return []byte(lines.String()) })
		must(t, "winnow", "--run", "run")
		var listed struct{ Total int }
		if err := json.Unmarshal([]byte(must(t, "list", "harvest", "--run", "run", "--json")), &listed); err != nil || listed.Total != kept+more {
			t.Errorf("%s: %d pages are listed, want %d: %v", field, listed.Total, kept+more, err)
		}
		if n := strings.Count(mustRead(t, filepath.Join("run", "kept.jsonl")), `"id":0,`); n != more {
			t.Errorf("%s: %d pages without a number are kept, want %d", field, n, more)
		}
	}
	damage(t, harvest, func([]byte) []byte { return []byte(whole) })
	must(t, "winnow", "--run", "run")
}

// damagedPagesForASecondLook: a line that cannot be read is said with what helps, and left out of what is looked at again.
func damagedPagesForASecondLook(t *testing.T) {
	t.Helper()
	looks := filepath.Join("run", "look.jsonl")
	whole := bytes.SplitAfter([]byte(mustRead(t, looks)), []byte("\n"))
	for number := range whole[:2] { // the first line, and one behind a whole one
		damage(t, looks, func([]byte) []byte {
			lines := slices.Clone(whole)
			lines[number] = bytes.Replace(lines[number], []byte(`"record"`), []byte("\x02record\x02"), 1)
			return bytes.Join(lines, nil)
		})
		at := fmt.Sprintf("%s line %d: ", looks, number+1)
		if code, _, errs := thresher(t, "winnow", "--run", "run"); code != exitFailed || !strings.Contains(errs, at) || !strings.HasSuffix(errs, ": 'thresher repair --run run' leaves this page out\n") {
			t.Errorf("winnow: exit %d: %s", code, errs)
		}
		if out := must(t, "repair", "--run", "run"); !strings.Contains(out, "damaged: "+at) || !strings.Contains(out, "set aside: "+looks+".damaged") {
			t.Errorf("repair: %s", out)
		}
		must(t, "winnow", "--run", "run")
	}
	replies(t, exitDone, "nothing is damaged", "repair", "--run", "run")
	noPagesForASecondLook := func(why string) {
		t.Helper()
		if code, _, errs := thresher(t, "winnow", "--run", "run"); code != exitFailed || errs != "thresher: run keeps no pages for a second look: "+why+"\n" {
			t.Errorf("winnow: exit %d: %s", code, errs)
		}
	}
	damage(t, looks, keepFirst(0))
	noPagesForASecondLook("none that it fetched is near enough to the topic")
	remove(t, looks)
	noPagesForASecondLook("its look.jsonl is gone, or an older version crawled it")
}

// aDamagedSecondLook: what helps is said, and helps.
func aDamagedSecondLook(t *testing.T) {
	t.Helper()
	kept := filepath.Join("run", "kept.jsonl")
	whole := mustRead(t, kept)
	for _, change := range []func([]byte) []byte{func(raw []byte) []byte { return append(raw, "garbage\n"...) }, keepFirst(0.9)} {
		for _, cure := range [][]string{{"winnow", "--run", "run"}, {"repair", "--run", "run"}} {
			damage(t, kept, change)
			if code, _, errs := thresher(t, "list", "harvest", "--run", "run"); code != exitFailed || !strings.HasSuffix(errs, ": 'thresher winnow --run run' writes it anew\n") {
				t.Errorf("list: exit %d: %s", code, errs)
			}
			out := must(t, cure...)
			if cure[0] == "repair" {
				if !strings.Contains(out, "damaged: read harvest: "+kept+" at byte ") || !strings.Contains(out, "set aside: "+kept+".damaged") {
					t.Errorf("repair: %s", out)
				}
				must(t, "list", "harvest", "--run", "run")
				must(t, "crawl", "small.yaml", "--store", "run") // takes the second look
			}
			if mustRead(t, kept) != whole {
				t.Errorf("%s: another second look", cure[0])
			}
		}
	}
	if _, err := os.Stat(kept + ".damaged-2"); err != nil {
		t.Errorf("what was set aside first is gone: %v", err)
	}
}

// whatIsPutBack: a repair that would be of no use without a file that is away changes nothing; what is put back after one is not cut off
// by the crawl, and the next repair takes it in, with what the log had said of its pages.
func whatIsPutBack(t *testing.T, ran string) {
	t.Helper()
	harvest, away := filepath.Join(ran, "harvest.jsonl"), filepath.Join(ran, "harvest-0001.jsonl")
	move := func(from, to string) {
		t.Helper()
		noError(t, os.Rename(from, to))
	}
	move(harvest, away)
	before := folderOf(t, ran)
	if code, _, errs := thresher(t, "repair", "--run", ran); code != exitFailed || errs != "thresher: "+harvest+" is missing, though later ones are there: put it back, or rename them\n" {
		t.Errorf("a gap: exit %d: %s", code, errs)
	}
	if !maps.Equal(before, folderOf(t, ran)) {
		t.Error("a gap: files have changed")
	}
	aside := filepath.Join(t.TempDir(), "aside")
	move(away, aside)
	must(t, "repair", "--run", ran)
	if len(keptPages(t, ran)) > 0 {
		t.Fatal("the harvest is not away")
	}
	move(aside, harvest)
	if code, _, errs := thresher(t, "crawl", "small.yaml", "--store", ran); code != exitFailed || !strings.Contains(errs, harvest+": it holds ") || !strings.HasSuffix(errs, ": 'thresher repair --run "+ran+"' takes in what was put back\n") {
		t.Errorf("put back: exit %d: %s", code, errs)
	}
	if out := must(t, "repair", "--run", ran); !strings.Contains(out, "damaged: "+harvest+": it holds ") || strings.Contains(out, "visited again") {
		t.Errorf("put back: %s", out)
	}
	for _, name := range []string{"harvest.jsonl", "crawl.log"} {
		name = filepath.Join(ran, name)
		was := before[name]
		if name == harvest {
			was = before[away]
		}
		if !strings.HasPrefix(mustRead(t, name), was) { // pages whose lines were damaged have some again, behind the others
			t.Errorf("%s is not what it was", name)
		}
	}
	must(t, "crawl", "small.yaml", "--store", ran, "--budget", "41")
}

// TestRepairOfAHarvestThatCannotBeRead: export says where and what helps; then the records are left out and set
// aside, every line that is left is a record, and the crawl goes on.
func TestRepairOfAHarvestThatCannotBeRead(t *testing.T) {
	files(t, "small.yaml", smallCrawl()+"second_look: off\n") // export reads the harvest itself
	for store, budget := range map[string]string{"run": "40", "whole": "60"} {
		must(t, "crawl", "small.yaml", "--budget", budget, "--store", store)
	}
	harvest := filepath.Join("run", "harvest.jsonl")
	before := keptPages(t, "run")
	lost := map[int]bool{0: true, 1: true, 3: true}
	var gone []string
	damage(t, harvest, func(raw []byte) []byte {
		lines := bytes.SplitAfter(raw, []byte("\n"))
		for number := range lost {
			_, address, _ := strings.Cut(string(lines[number]), `"url":"`)
			address, _, _ = strings.Cut(address, `"`)
			gone = append(gone, address)
			lines[number][0] = 'X'
		}
		return append(bytes.Join(lines, nil), `{"torn`+"\n"...) // which the state knows nothing of
	})
	if code, _, errs := thresher(t, "export", "--run", "run"); code != exitFailed || !strings.Contains(errs, harvest+" at byte 0") || !strings.Contains(errs, "thresher repair --run run") {
		t.Errorf("export: exit %d: %s", code, errs)
	}
	code, out, errs := thresher(t, "repair", "--run", "run")
	if code != exitDone || strings.Count(out, "damaged: "+harvest+" line ") != 4 || !strings.Contains(out, "set aside: "+harvest+".damaged") {
		t.Errorf("repair: exit %d: %s%s", code, out, errs)
	}
	for _, address := range gone {
		if !strings.Contains(mustRead(t, harvest+".damaged"), address) {
			t.Errorf("%s is not set aside", address)
		}
	}
	raw := mustRead(t, harvest)
	left := strings.Split(strings.TrimRight(raw, " \n"), "\n")
	for _, line := range left {
		if !json.Valid([]byte(line)) {
			t.Errorf("no record: %.80q", line)
		}
	}
	if len(left) != len(before)-len(lost) {
		t.Errorf("%d records are left of %d", len(left), len(before))
	}
	replies(t, exitDone, "nothing is damaged", "repair", "--run", "run")
	must(t, "crawl", "small.yaml", "--budget", "60", "--store", "run")
	if have, want := keptPages(t, "run"), keptPages(t, "whole"); len(have) != len(want)-len(lost) {
		t.Errorf("%d pages, want %d", len(have), len(want)-len(lost))
	}
}

// TestRepairOfWhatIsGone: nobody has to try the crawl first, how long it has taken is still known where its log is gone, and its figures
// may be shown by another crawl meanwhile.
func TestRepairOfWhatIsGone(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer taken.Close()
	metrics := "metrics: " + taken.Addr().String()
	for _, gone := range []string{"state", "crawl.log"} {
		must(t, "crawl", "small.yaml", "--budget", "20", "--store", "run", "--fresh")
		leavesOnesOwn(t)
		path := filepath.Join("run", "crawl.yaml")
		damage(t, path, func(raw []byte) []byte { return append(raw, "\n"+metrics+"\n"...) })
		noError(t, os.RemoveAll(filepath.Join("run", gone)))
		if _, _, errs := thresher(t, "list", "harvest", "--run", "run"); !strings.Contains(errs, gone) || !strings.Contains(errs, "'thresher repair --run run' ") {
			t.Errorf("%s: list: %s", gone, errs)
		}
		replies(t, exitDone, "state rebuilt: ", "repair", "--run", "run")
		if !strings.Contains(mustRead(t, path), metrics) {
			t.Errorf("the crawl file of the run says no more: %s", metrics)
		}
		kept := len(keptPages(t, "run"))
		if _, _, said := thresher(t, "list", "harvest", "--run", "run"); said != fmt.Sprintf("%d of %[1]d\n", kept) || kept == 0 {
			t.Errorf("%s: listed as kept: %swant %d", gone, said, kept)
		}
		code, out, errs := thresher(t, "crawl", "small.yaml", "--budget", "40", "--store", "run")
		if code != exitDone || !regexp.MustCompile(` in \d+(\.\d+)?m?s of recorded time`).MatchString(out) {
			t.Errorf("%s: exit %d: %s%s", gone, code, out, errs)
		}
	}
}
