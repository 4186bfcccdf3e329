package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	folder "github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// A card says of the pages what the run says, with an audit where there was one, and nothing that a page says is markup in it.
func TestACardSaysWhatTheRunSays(t *testing.T) {
	run := quickstartRun(t)
	kept, hosts := keptOfRun(t, run), map[string]int{}
	for _, r := range kept {
		hosts[r.Host]++
	}
	said := must(t, "card", "--run", run)
	wants := []string{"---\npretty_name: \"quickstart\"\nlanguage:\n- en\n", "license: other\n", "size_categories:\n- n<1K\n", "sailing (1)",
		fmt.Sprintf("%d web pages on one topic, from %d hosts", len(kept), len(hosts)), "the strategy `apprentice`", "from 0.2 on a page belongs", "its number is `second`",
		"Nobody has looked at a sample", "    thresher crawl quickstart.yaml\n", "robots.txt forbids it"}
	for _, field := range append(sink.Fields(), sink.FieldCluster) {
		wants = append(wants, "`"+field+"`")
	}
	for host, n := range hosts {
		wants = append(wants, fmt.Sprintf("- %s: %d\n", host, n))
	}
	for _, want := range wants {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	if strings.Contains(said, "thresher help") || strings.Contains(said, "(above)") {
		t.Errorf("it sends those on who have no manual:\n%s", said)
	}
	must(t, append([]string{"label", run, "--audit", "60"}, quickstartLabels...)...)
	if again := must(t, "card", "--run", run); !strings.Contains(again, "Somebody looked at 60 pages") || !strings.Contains(again, "| precision: pages here that are of the topic | 0.") {
		t.Errorf("after an audit:\n%s", again)
	}
	tablesHaveRows(t, must(t, "card", "--run", run))
	figures, err := folder.ReadFigures(run)
	if err != nil || figures.Remains == nil || figures.Audit == nil {
		t.Fatalf("%v: %+v", err, figures)
	}
	figures.Remains.Waiting, figures.Remains.Left, figures.Remains.Silent = nil, nil, "9 links wait"
	noError(t, figures.Write(run))
	tablesHaveRows(t, must(t, "card", "--run", run))
	var page map[string]any
	first, rest, _ := strings.Cut(mustRead(t, filepath.Join(run, sink.FileKept)), "\n")
	noError(t, json.Unmarshal([]byte(first), &page))
	page["opt_outs"] = []string{"license=](http://evil.example)\n# <script>\x1b[31m"}
	changed, err := json.Marshal(page)
	noError(t, err)
	noError(t, os.WriteFile(filepath.Join(run, sink.FileKept), []byte(string(changed)+"\n"+rest), 0o600))
	out := filepath.Join(t.TempDir(), "README.md")
	must(t, "card", "--run", run, "--out", out)
	if raw := mustRead(t, out); !strings.Contains(raw, `- license=\](http://evil.example) \# &lt;script> \[31m: 1`) {
		t.Errorf("what a page reserves:\n%s", raw)
	}
}

// tablesHaveRows holds that no table of a card is empty, as where an audit has said all that the course of the crawl says.
func tablesHaveRows(t *testing.T, card string) {
	t.Helper()
	if strings.Contains(card, "|---|---|---|---|\n\n") || !strings.Contains(card, "|---|---|---|---|\n|") {
		t.Errorf("a table without rows:\n%s", card)
	}
}

// Where the second look had too little to learn from, nobody is told that it decided; the crawl file is called what it is called, whatever
// the topic is; and what has gone since is told.
func TestACardClaimsNoMoreThanThereWas(t *testing.T) {
	run := quickstartRun(t, "--budget", "12", "--set", "name=tall ships")
	kept := filepath.Join(run, sink.FileKept)
	text := mustRead(t, kept)
	noError(t, os.WriteFile(kept, []byte(strings.Replace(text, `"gone":""`, `"gone":"2026-01-02T03:04:05Z"`, 1)), 0o600))
	said := must(t, "card", "--run", run)
	for _, want := range []string{"# tall ships\n", "That number decided alone.", "1 of them had gone from the web", "    thresher crawl quickstart.yaml\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
}

// A card and an audit count the same pages, those of which the judge alone decided: none in another language, and no copy.
func TestACardCountsAsAnAuditDoes(t *testing.T) {
	run := quickstartRun(t, "--set", "scope.languages=[en]")
	card, refused := must(t, "card", "--run", run), must(t, "list", "refused", "--run", run)
	_, audit := labelling(t, "n\nq\n", run, "--audit", "2")
	n := regexp.MustCompile(`of (\d+ pages that were fetched and judged); (\d+) are kept`).FindStringSubmatch(audit)
	if n == nil || !strings.Contains(card, fmt.Sprintf("Of %s %s are here.", n[1], n[2])) || !strings.Contains(refused, "language") {
		t.Errorf("%v of the audit, and the card:\n%s\n%s", n, card, refused)
	}
}

// A run without pages that can be read is told, and so is a folder that is none.
func TestACardOfNothing(t *testing.T) {
	run := quickstartRun(t, "--set", "sinks=[{to: csv}]", "--set", "second_look=off")
	if code, _, errs := thresher(t, "card", "--run", run); code == exitDone || !strings.Contains(errs, "has no harvest.jsonl") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, _, errs := thresher(t, "card", "--run", t.TempDir()); code == exitDone || errs == "" {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestACardSaysWhichValues were asked for, and each thing that they are read as once.
func TestACardSaysWhichValues(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	must(t, "crawl", extractFile(t, "  part: [{css: h1}, {css: h1, as: integer}, {css: title}]\n  heading: h1\n"), "--store", run, "--quiet", "--budget", "20")
	replies(t, exitDone, "\n- `heading`: text\n- `part`: integer, text\n\n", "card", "--run", run)
}
