package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestClaimsStandBelowTheTable: what a strategy's source reports stands beside what was measured, in each form of a result,
// also of a variant; of a strategy without a source there is none.
func TestClaimsStandBelowTheTable(t *testing.T) {
	r := run(t, Options{Webs: []string{small}, Topics: []string{"tea"}, Strategies: []string{"genetic", "breadth"}, OwnJudge: true,
		Set: []Choice{{"strategy.rank.fitness.k", []string{"50", "100"}}}})
	claims := map[string]string{}
	for _, m := range r.Means {
		claims[m.Strategy] = m.Claim
	}
	claim := claims["genetic[rank.fitness.k=50]"]
	if !strings.Contains(claim, "67.63 %") || claims["genetic[rank.fitness.k=100]"] != claim || claims["breadth"] != "" {
		t.Fatalf("claims %q", claims)
	}
	var text, html, object bytes.Buffer
	noError(t, errors.Join(r.Text(&text, true), r.HTML(&html), json.NewEncoder(&object).Encode(r)))
	for form, has := range map[string]string{"text": text.String(), "html": html.String(), "json": object.String()} {
		if n := strings.Count(has, claim); n != 2 {
			t.Errorf("%s has the claim %d times, want it for both variants of one strategy", form, n)
		}
	}
	r.Means = slices.DeleteFunc(r.Means, func(m Mean) bool { return m.Claim != "" })
	text.Reset()
	if err := r.Text(&text, true); err != nil || strings.Contains(text.String(), claimsNote) {
		t.Errorf("%v: without a claim there is nothing to tell:\n%s", err, text.String())
	}
}

// TestTablesFitATerminal: without --wide no line of a table is wider than 80 columns, however long the names are; with it
// everything is there.
func TestTablesFitATerminal(t *testing.T) {
	r := run(t, Options{Webs: []string{small}, Topics: []string{"tea"}, Strategies: []string{"shark", "breadth"},
		Set: []Choice{{"strategy.rank.inherited.decay", []string{"0.25", "0.5"}}}})
	var fits, wide bytes.Buffer
	noError(t, errors.Join(r.Text(&fits, false), r.Text(&wide, true)))
	for line := range strings.Lines(fits.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > narrow && !strings.Contains(line, ": ") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, head := range []string{"CPU ms", "oracle2", "F1 at 5 %"} {
		if strings.Contains(fits.String(), head) || !strings.Contains(wide.String(), head) {
			t.Errorf("%s: %s%s", head, fits.String(), wide.String())
		}
	}
}

// The keys are what other programs read.
func TestKeysOfTheJSON(t *testing.T) {
	text, err := json.Marshal(run(t, Options{Webs: []string{small}, Topics: []string{"tea"}, Strategies: []string{"breadth"}}))
	noError(t, err)
	var o struct {
		Cells, Means []map[string]any
		Skipped      []any
	}
	if err := json.Unmarshal(text, &o); err != nil || o.Skipped == nil || len(o.Cells) != 1 || len(o.Means) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	for _, key := range []string{"web", "topic", "strategy", "reachable", "relevant", "fetched", "auc", "focus", "recall", "harvest", "oracle", "oracle2", "random", "cpu_ms", "drift", "windowed", "r_precision"} {
		if _, ok := o.Cells[0][key]; !ok {
			t.Errorf("a cell has no %s", key)
		}
	}
	for _, key := range []string{"5", "10", "20", "50"} {
		for _, by := range []string{"recall", "harvest"} {
			if _, ok := o.Cells[0][by].(map[string]any)[key].(float64); !ok {
				t.Errorf("a cell has no %s at %s %%", by, key)
			}
		}
	}
}

func TestTheReportSpeaksTheWebsLanguage(t *testing.T) {
	web := folder(t, []string{"s", "r1"}, map[string]string{"s": "<a href=/r1>r</a>", "r1": "茶"}, map[string]string{
		"labels.tsv": "http://t.example/r1\tyes\n",
		"web.yaml":   "name: 茶网\nlanguage: zh\ntopics:\n  - {name: 茶叶, seeds: [\"http://t.example/s\"], relevant: \"^yes\", terms: [茶]}\n"})
	for _, c := range []struct {
		webs []string
		want []string
	}{{[]string{web}, []string{`<html lang="zh">`, "策略比较", "茶网: 茶叶", "召回率", "随机抓取"}}, {[]string{web, small}, []string{`<html lang="en">`, "Strategies compared", "茶网: 茶叶", "Over all topics"}}} {
		var out strings.Builder
		noError(t, run(t, Options{Webs: c.webs, Strategies: []string{"breadth"}}).HTML(&out))
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the report over %d webs does not say %q", len(c.webs), want)
			}
		}
	}
}

// Every word that a report says in English can be said in Chinese, with the same holes to fill.
func TestWordsHaveTheirHoles(t *testing.T) {
	for english, said := range chinese {
		if strings.Count(english, "%d") != strings.Count(said, "%d") || said == "" {
			t.Errorf("%q is said %q", english, said)
		}
	}
	r := &Result{chinese: true, Means: []Mean{{Pay: Pay{Hosts: map[string]float64{"20": 0}, PerHour: map[string]float64{"20": 7}}}}}
	second := (&Second{Stood: 1}).row(r.say)
	for _, word := range slices.Concat(r.meansSection().Table.Head, r.topicHead(), second[len(second)-1:]) {
		if !slices.ContainsFunc([]rune(word), func(r rune) bool { return r > 0x2e80 }) && !strings.HasSuffix(word, " %") {
			t.Errorf("%q is not in Chinese", word)
		}
	}
	if strings.ContainsAny(second[len(second)-1], "abcdefghijklmnopqrstuvwxyz") {
		t.Errorf("%q is half English", second[len(second)-1])
	}
	if said := r.Means[0].hosts(r.say); said != "0 / 0" {
		t.Errorf("hosts are told as %q", said)
	}
	hourly := r.meansSection().Table
	r.Means[0].PerHour = nil
	if bare := r.meansSection().Table; len(bare.Head) != len(hourly.Head)-1 || len(bare.Rows[0]) != len(bare.Head) || len(hourly.Rows[0]) != len(hourly.Head) {
		t.Errorf("without manners the table has a column of hours: %q, %q", bare.Head, hourly.Head)
	}
}
