package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	folder "github.com/thresher-crawler/thresher/focus/run"
)

// What a crawl has not kept stands in its summary, in figures.json, in the report and in the data card; where it cannot be known, why.
func TestACrawlSaysWhatItHasNotKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	out := must(t, "crawl", "../../configs/quickstart.yaml", "--store", dir, "--budget", "500", "--quiet")
	told, err := folder.ReadFigures(dir)
	if err != nil || told.Remains == nil || told.Remains.Left == nil {
		t.Fatalf("%v: %+v", err, told.Remains)
	}
	if !strings.Contains(out, "\nrelevant pages that are not kept, by an estimate: "+between(told.Remains.Missed)+" fetched and missed; "+between(told.Remains.Waiting)+
		" among the links that wait; "+between(told.Remains.Left)+" left on the web in all\n") || strings.Contains(out, "is not known") {
		t.Errorf("the summary says\n%s", out)
	}
	report, card := mustRead(t, filepath.Join(dir, "report.html")), must(t, "card", "--run", dir)
	for _, want := range []string{"What is not in the harvest", "relevant pages left on the web, those that wait among them"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if !strings.Contains(card, "| pages of the topic that are left on the web, those among them |") || !strings.Contains(card, "and are not here |") {
		t.Errorf("the card says\n%s", card)
	}
	var again winnowed
	if err := json.Unmarshal([]byte(must(t, "winnow", "--run", dir, "--json")), &again); err != nil || again.Remains == nil || *again.Remains.Left != *told.Remains.Left {
		t.Errorf("winnow: %v %+v", err, again.Remains)
	}
}

// A crawl that does not visit first what promises most, one that was too short, and one without a second look do not know.
func TestWhatACrawlCannotKnowItDoesNotSay(t *testing.T) {
	for why, args := range map[string][]string{
		"does not visit first what promises most": {"--strategy", "breadth"},
		"learning takes 10 pages":                 {"--budget", "20"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		out := must(t, append([]string{"crawl", "../../configs/quickstart.yaml", "--store", dir, "--quiet"}, args...)...)
		told, err := folder.ReadFigures(dir)
		if err != nil || told.Remains == nil || told.Remains.Waiting != nil || told.Remains.Left != nil || !strings.Contains(told.Remains.Silent, why) || !strings.Contains(out, why) {
			t.Errorf("%v: %v %+v\n%s", args, err, told.Remains, out)
		}
		if card := must(t, "card", "--run", dir); told.Remains.Missed != nil && !strings.Contains(card, why) {
			t.Errorf("%v: the card does not say why", args)
		}
	}
	dir := filepath.Join(t.TempDir(), "run")
	out := must(t, "crawl", "../../configs/quickstart.yaml", "--store", dir, "--quiet", "--set", "second_look=off")
	if told, err := folder.ReadFigures(dir); err != nil || told.Remains != nil || strings.Contains(out, "by an estimate") {
		t.Errorf("without a second look: %v %+v", err, told.Remains)
	}
}
