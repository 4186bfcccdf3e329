package compare

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What has no label is fetched and is in no figure, and that is said.
func TestWhatHasNoLabelIsInNoFigure(t *testing.T) {
	web := sketch("s → a b r1 r2\nb → r3 dead").folder(t, "half")
	labels := filepath.Join(web, "labels.tsv")
	raw, err := os.ReadFile(labels)
	noError(t, err)
	said := slices.DeleteFunc(slices.Collect(strings.Lines(string(raw))), func(l string) bool {
		return strings.HasPrefix(l, at("b")+"\t") || strings.HasPrefix(l, at("r1")+"\t")
	})
	if err := errors.Join(os.WriteFile(labels, []byte(strings.Join(said, "")), 0o644), changed(web, `scope: "\tin$", `, "")); err != nil { // a scope is told by labels
		t.Fatal(err)
	}
	r := run(t, Options{Webs: []string{web}, Strategies: []string{"breadth"}, OwnJudge: true, Set: []Choice{{"topic.threshold", []string{"0"}}}})
	if c := r.Cells[0]; c.Reachable != 5 || c.Relevant != 2 || c.Fetched != 5 || len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Reason, "count as not relevant") {
		t.Errorf("where web.yaml does not say that they are unknown: %d of %d can be reached, %d fetched, skipped %+v", c.Relevant, c.Reachable, c.Fetched, r.Skipped)
	}
	noError(t, changed(web, "language: en\n", "language: en\nunlabelled: unknown\n"))
	for _, rules := range []Rules{{}, {DeadLinks: true}, {AsCrawl: true}} {
		r := run(t, Options{Webs: []string{web}, Strategies: []string{"breadth"}, Rules: rules, OwnJudge: true, Set: []Choice{{"topic.threshold", []string{"0"}}}})
		c := r.Cells[0]
		fetched := map[bool]int{true: 4, false: 3}[rules.DeadLinks] // a r2 r3, and the dead link; as a crawl goes the budget is 3
		if c.Reachable != 3 || c.Relevant != 2 || c.Fetched != fetched || c.AUC != c.Breadth || !rules.dead() && *c.Kept.Precision != 2./3 {
			t.Errorf("%+v: %d of %d can be reached, %d fetched, area %v, breadth-first %v, %+v", rules, c.Relevant, c.Reachable, c.Fetched, c.AUC, c.Breadth, c.Kept)
		}
		if len(r.Skipped) != 1 || r.Skipped[0].What != "half boats: 2 of 5 pages" {
			t.Errorf("%+v: skipped %+v", rules, r.Skipped)
		}
	}
}

// As a crawl goes a link to a file takes no fetch: the crawl refuses it, and so do the yardsticks.
func TestYardsticksFetchNoFilesAsACrawlGoes(t *testing.T) {
	web := sketch("s → dead1.jpg dead2.zip dead3.pdf a r1 b c").folder(t, "files")
	r := run(t, Options{Webs: []string{web}, Strategies: []string{"breadth"}, Rules: Rules{AsCrawl: true}})
	if c := r.Cells[0]; c.AUC != c.Breadth || c.AUC == 0 {
		t.Errorf("breadth-first has an area of %v, and its yardstick %v", c.AUC, c.Breadth)
	}
}

// What of a web cannot be measured is said, and the rest is measured.
func TestFlawsAreSaid(t *testing.T) {
	web := sketch("s → a r1 r2").folder(t, "flawed")
	labels := filepath.Join(web, "labels.tsv")
	raw, err := os.ReadFile(labels)
	if err == nil {
		err = os.WriteFile(labels, append(raw, "http://gone.example/\tyes\tin\nhttp://gone.example/2\tyes\tin\n"...), 0o644)
	}
	noError(t, err)
	r := run(t, Options{Webs: []string{web, small}, Strategies: []string{"breadth", "best-first"}, Set: []Choice{{"topic.judge", []string{"bm25", "classifier"}}}, Topics: []string{"boats", "tea"}})
	if r.Skipped[0].What != "flawed: 2 of 6 labels" || !strings.Contains(r.Skipped[0].Reason, "such as http://gone.example/") {
		t.Errorf("first was skipped %+v", r.Skipped[0])
	}
	untrained := r.Skipped[1]
	if untrained.What != "flawed boats breadth[topic.judge=classifier]" || !strings.Contains(untrained.Reason, "must be trained; give it pages of other topics or webs with --train") {
		t.Errorf("then was skipped %+v", untrained)
	}
	if len(r.Skipped) != 5 || len(r.Cells) != 4 || len(r.Means) != 2 {
		t.Errorf("%d were skipped, %d cells and %d means measured", len(r.Skipped), len(r.Cells), len(r.Means))
	}
	if c := r.Cells[0]; c.Relevant != 2 || c.Reachable != 3 {
		t.Errorf("labels without pages count: %+v", c)
	}
}

// changed has a web say something else of itself.
func changed(web, from, to string) error {
	about := filepath.Join(web, "web.yaml")
	raw, err := os.ReadFile(about)
	if err == nil {
		err = os.WriteFile(about, bytes.Replace(raw, []byte(from), []byte(to), 1), 0o644)
	}
	return err
}
