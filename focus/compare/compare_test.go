package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/strict"
)

var _ = debug.SetGCPercent(400) // tests allocate much and hold little

func run(t *testing.T, o Options) *Result {
	t.Helper()
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestBreadthInTheCrawlerIsBreadthOnTheGraph(t *testing.T) {
	for _, o := range []Options{{}, {Depth: 2}, {Depth: 3}, {Examples: 2, OwnJudge: true}} {
		o.Webs, o.Strategies, o.Seed = []string{small}, []string{"breadth"}, 1
		for _, c := range run(t, o).Cells {
			near(t, "the area of breadth over "+c.Topic, c.AUC, c.Breadth)
			if c.Fetched != c.Reachable {
				t.Errorf("depth %d, %s: %d pages of %d were fetched", o.Depth, c.Topic, c.Fetched, c.Reachable)
			}
		}
	}
}

// still is a result without the times.
func still(t *testing.T, r *Result) string {
	t.Helper()
	for i := range r.Cells {
		if r.Cells[i].CPU < 0 {
			t.Errorf("%s took %v ms", r.Cells[i].Strategy, r.Cells[i].CPU)
		}
		r.Cells[i].CPU = 0
	}
	for i := range r.Means {
		r.Means[i].CPU = 0
	}
	var out bytes.Buffer
	for _, write := range []func() error{func() error { return json.NewEncoder(&out).Encode(r) }, func() error { return r.Text(&out, true) },
		func() error { return r.CSV(&out) }, func() error { return r.HTML(&out) }} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

func TestTheSameCommandTwice(t *testing.T) {
	o := Options{Webs: []string{small}, Strategies: []string{"shark", "breadth", "random"}, Examples: 2, Draws: 2, Jobs: 1, OwnJudge: true, Seed: 3}
	once := still(t, run(t, o))
	o.Jobs = 3
	said := 0
	o.Say = func(string) { said++ }
	if twice := still(t, run(t, o)); twice != once {
		t.Errorf("one after the other:\n%.3000s\nside by side:\n%.3000s", once, twice)
	}
	if said != 1+2*2*3 { // the web, and each strategy on each draw of each topic
		t.Errorf("%d things are said of the way", said)
	}
	o.Seed = 4
	if other := still(t, run(t, o)); other == once {
		t.Error("another seed draws the same")
	}
}

func TestDeadLinksCostAFetch(t *testing.T) {
	web := sketch("s → dead1 a dead2\na → r1 dead1 dead3\nr1 → b").folder(t, "dead")
	o := Options{Webs: []string{web}, Strategies: []string{"breadth"}, Seed: 1}
	inside := run(t, o).Cells[0]
	o.DeadLinks = true
	all := run(t, o).Cells[0]
	if inside.Fetched != 3 || all.Fetched != 6 {
		t.Errorf("%d pages are fetched without dead links and %d with them, want 3 and 6", inside.Fetched, all.Fetched)
	}
	near(t, "area without dead links", inside.AUC, 2./3) // a r1 b
	near(t, "area with dead links", all.AUC, 3./6)       // dead1 a dead2 r1 dead3 b
	near(t, "the yardstick breadth, which meets them too", all.Breadth, all.AUC)
	near(t, "and the oracle", all.Oracle2, 5./6) // a r1
	if inside.Reachable != 3 || all.Reachable != 3 {
		t.Errorf("dead links are counted as reachable: %d, %d", inside.Reachable, all.Reachable)
	}
	o.Pages = 2
	if c := run(t, o).Cells[0]; c.Fetched != 2 || c.Recall["50"] != 0 || c.AUC != c.Breadth || c.Oracle2 != .5 {
		t.Errorf("with a budget of 2, %d pages are fetched, recall %v", c.Fetched, c.Recall)
	}
}

func TestBudget(t *testing.T) {
	web := sketch("s → r1 a r2 b r3 c r4 d r5 e").folder(t, "budget")
	for _, c := range []struct {
		o    Options
		want int
	}{{Options{}, 10}, {Options{Share: .2}, 2}, {Options{Share: .01}, 1}, {Options{Pages: 3}, 3}, {Options{Pages: 99}, 10},
		{Options{Pages: 3, Examples: 2}, 3}, {Options{Share: 1, Examples: 2}, 8}} {
		o := c.o
		o.Webs, o.Strategies, o.Seed = []string{web}, []string{"breadth"}, 1
		got := run(t, o).Cells[0]
		if got.Fetched != c.want {
			t.Errorf("%+v: %d pages are fetched, want %d", c.o, got.Fetched, c.want)
		}
		if got.Bytes == 0 || got.Bytes > int64(got.Fetched)*200 {
			t.Errorf("%+v: %d bytes", c.o, got.Bytes)
		}
	}
	o := Options{Webs: []string{web}, Strategies: []string{"breadth"}, Share: .2, Seed: 1}
	c := run(t, o).Cells[0]
	near(t, "recall at 20 %", c.Recall["20"], 1./5)
	near(t, "area within the budget", c.AUC, 1./5)    // r1 a
	near(t, "breadth-first's", c.Breadth, 1./5)       // the same
	near(t, "the oracle's", c.Oracle2, (1./5+2./5)/2) // r1 r2
	if c.Random <= 0 || c.Random >= c.Oracle2 || math.Abs(c.Focus-(c.AUC-c.Random)/(c.Oracle2-c.Random)) > 1e-9 {
		t.Errorf("focus %v of %+v", c.Focus, c.Yardsticks)
	}
	for what, told := range map[string]map[string]float64{"recall": c.Recall, "harvest": c.Harvest, "hosts": c.Hosts, "F1": c.Kept.Reach} {
		if _, beyond := told["50"]; beyond || len(told) != 3 {
			t.Errorf("of a fifth of the reach it tells of %s: %v", what, told)
		}
	}
	near(t, "harvest at 20 %", c.Harvest["20"], 1./2)
	near(t, "drift", c.Drift, 1./2)
	if c.PagesTo50 != 0 {
		t.Errorf("half of the relevant pages were found after %d pages", c.PagesTo50)
	}
}

// Four cells in which one strategy always wins by .1: 1 of 16 patterns of signs is as good. Of two strategies that are
// tested, the better p counts double.
func TestMeans(t *testing.T) {
	r := &Result{Baseline: "base"}
	for i, topic := range []string{"a", "b", "c", "d"} {
		f := float64(i) / 10
		r.Cells = append(r.Cells, Cell{Topic: topic, Strategy: "base", Focus: f, AUC: f}, Cell{Topic: topic, Strategy: "good", Focus: f + .1, AUC: f},
			Cell{Topic: topic, Strategy: "bad", Focus: f - .1, AUC: f})
	}
	r.means([]variant{{name: "base"}, {name: "good"}, {name: "bad"}, {name: "absent"}}, 1)
	if len(r.Means) != 3 || r.Means[0].Strategy != "good" || r.Means[1].Strategy != "base" || r.Means[2].Strategy != "bad" {
		t.Fatalf("the means are %+v", r.Means)
	}
	good, bad := r.Means[0], r.Means[2]
	near(t, "lead", good.Lead, .1)
	near(t, "p of the winner", good.P, 2./16)
	near(t, "p of the loser", bad.P, 1)
	near(t, "mean", good.Focus, .25)
	if !(good.Low >= .1 && good.Low < .25 && good.High > .25 && good.High <= .4) {
		t.Errorf("the interval is [%v, %v]", good.Low, good.High)
	}
}

// What was not reached in one of the draws has no mean, and what cannot be said of one is not 0 there.
func TestWhatIsNotReachedHasNoMean(t *testing.T) {
	two := func() []Cell {
		cells := []Cell{{PagesTo50: 40, PagesTo90: 90}, {PagesTo50: 60}}
		for i := range cells {
			cells[i].Curve, cells[i].Optimum, cells[i].Chance = make([]float64, curvePoints+1), make([]float64, curvePoints+1), make([]float64, curvePoints+1)
		}
		return cells
	}
	cells, right := two(), .8
	cells[0].Kept = Kept{Pages: 5, Precision: &right}
	if c := average(cells); c.PagesTo50 != 50 || c.PagesTo90 != 0 || c.Kept.Precision == nil || *c.Kept.Precision != .8 {
		t.Errorf("half after %d pages, nine tenths after %d, precision %v", c.PagesTo50, c.PagesTo90, c.Kept.Precision)
	}
	if c := average(two()); c.Kept.Precision != nil || c.Kept.row()[1] != "–" {
		t.Errorf("precision of nothing: %v", c.Kept.row())
	}
}

func TestDrawsAreAveraged(t *testing.T) {
	o := Options{Webs: []string{small}, Topics: []string{"tea"}, Strategies: []string{"shark"}, Examples: 3, OwnJudge: true}
	area := 0.0
	for seed := range uint64(3) {
		o.Seed = seed
		area += run(t, o).Cells[0].AUC / 3
	}
	o.Seed, o.Draws = 0, 3
	near(t, "the area of three draws", run(t, o).Cells[0].AUC, area)
}

func TestBadInput(t *testing.T) {
	good := sketch("s → a r1 r2")
	web := good.folder(t, "good")
	about := func(topic string) string { return "name: w\nlanguage: en\ntopics:\n  - " + topic + "\n" }
	with := func(labels, topic string) string {
		return folder(t, []string{"s", "r1"}, map[string]string{"s": "<a href=/r1>r</a>", "r1": "boat"}, map[string]string{"labels.tsv": labels, "web.yaml": about(topic)})
	}
	boats := `{name: boats, seeds: ["http://t.example/s"], relevant: "^yes", terms: [boat]}`
	cut := good.folder(t, "cut")
	raw, err := os.ReadFile(filepath.Join(cut, "pages.warc.gz"))
	if err == nil {
		err = os.WriteFile(filepath.Join(cut, "pages.warc.gz"), raw[:len(raw)*2/3], 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		misuse     bool
		o          Options
	}{
		{"no labels", "has no labels; label its pages in labels.tsv", false, Options{Webs: []string{with("", boats)}}},
		{"nothing relevant", "no relevant page can be reached", false, Options{Webs: []string{with("http://t.example/r1\tno\n", boats)}}},
		{"a seed outside", "start page http://elsewhere.example/ is not in the web", false,
			Options{Webs: []string{with("http://t.example/r1\tyes\n", `{name: b, seeds: ["http://elsewhere.example/"], relevant: "^yes", terms: [boat]}`)}}},
		{"no topics", "has no topics; name them in its web.yaml", false,
			Options{Webs: []string{folder(t, []string{"s"}, map[string]string{"s": "x"}, map[string]string{"labels.tsv": "http://t.example/s\tyes\n"})}}},
		{"a cut archive", "pages.warc.gz", false, Options{Webs: []string{cut}}},
		{"no such web", "nowhere", false, Options{Webs: []string{"nowhere"}}},
		{"an unknown topic", "has none of the topics cars; it has boats", true, Options{Webs: []string{web}, Topics: []string{"cars"}}},
		{"an unknown strategy", `unknown strategy "sharkk"; did you mean "shark"?`, true, Options{Webs: []string{web}, Strategies: []string{"breadth", "sharkk"}}},
		{"a baseline that is not there", "the baseline shark is not among the strategies; they are breadth", true, Options{Webs: []string{web}, Baseline: "shark"}},
		{"a budget below zero", "pages is -1, want 0 or more", true, Options{Webs: []string{web}, Pages: -1}},
		{"a budget beyond the reach", "the budget is 2 of the reach", true, Options{Webs: []string{web}, Share: 2}},
		{"labels for nobody", "labels are for the second look", true, Options{Webs: []string{web}, Labels: 20}},
		{"too few examples", "9 example pages are wanted and there are 2", false, Options{Webs: []string{web}, Examples: 9}},
		{"every relevant page an example", "no relevant page can be reached", false, Options{Webs: []string{web}, Examples: 2}},
		{"no web", "there is no web to compare on", true, Options{}},
		{"tuned and not shown", "--tune and --show belong together", true, Options{Tune: []string{web}}},
		{"tuned where shown", "a winner is shown on webs that had no part in choosing it", true, Options{Tune: []string{web}, Show: []string{web + "/."}}},
		{"a key that is compare's", "--set budget.pages: that is for compare to decide", true, Options{Webs: []string{web}, Set: []Choice{{"budget.pages", []string{"1"}}}}},
		{"an unknown key", "topic.treshold", true, Options{Webs: []string{web}, Set: []Choice{{"topic.treshold", []string{"1"}}}}},
		{"a value that cannot be", "topic.threshold", true, Options{Webs: []string{web}, Set: []Choice{{"topic.threshold", []string{".2", "7"}}}}},
		{"a part nobody has", "none of the strategies breadth has that", true, Options{Webs: []string{web}, Set: []Choice{{"strategy.rank.inherited.decay", []string{"1"}}}}},
		{"a part without a key", "want strategy.rank.PART.KEY", true, Options{Webs: []string{web}, Set: []Choice{{"strategy.rank.constant", []string{"1"}}}}},
		{"training on nothing", "there is no such web", true, Options{Webs: []string{web}, Train: []string{"nowhere"}}},
		{"training on an unknown topic", "the web has no such topic", true, Options{Webs: []string{web}, Train: []string{web + ":cars"}}},
		{"a judge that is not there", "nowhere.judge", false, Options{Webs: []string{web}, Model: "nowhere.judge"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.o.Strategies == nil {
				c.o.Strategies = []string{"breadth"}
			}
			_, err := Run(context.Background(), c.o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("the error is %v, want %q", err, c.want)
			}
			_, problems := strict.Problems(err)
			if is := errors.As(err, new(Misuse)) || problems; is != c.misuse {
				t.Errorf("misuse: %v, want %v: %v", is, c.misuse, err)
			}
		})
	}
}

// What has no label is fetched and is in no figure, and that is said.
func TestWhatHasNoLabelIsInNoFigure(t *testing.T) {
	web := sketch("s → a b r1 r2\nb → r3 dead").folder(t, "half")
	labels := filepath.Join(web, "labels.tsv")
	raw, err := os.ReadFile(labels)
	if err != nil {
		t.Fatal(err)
	}
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
	if err := changed(web, "language: en\n", "language: en\nunlabelled: unknown\n"); err != nil {
		t.Fatal(err)
	}
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

// changed has a web say something else of itself.
func changed(web, from, to string) error {
	about := filepath.Join(web, "web.yaml")
	raw, err := os.ReadFile(about)
	if err == nil {
		err = os.WriteFile(about, bytes.Replace(raw, []byte(from), []byte(to), 1), 0o644)
	}
	return err
}

// What of a web cannot be measured is said, and the rest is measured.
func TestFlawsAreSaid(t *testing.T) {
	web := sketch("s → a r1 r2").folder(t, "flawed")
	labels := filepath.Join(web, "labels.tsv")
	raw, err := os.ReadFile(labels)
	if err == nil {
		err = os.WriteFile(labels, append(raw, "http://gone.example/\tyes\tin\nhttp://gone.example/2\tyes\tin\n"...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
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

// The keys are what other programs read.
func TestPrecisionIsReadWhereAsManyPagesAsAreRelevantWereFetched(t *testing.T) {
	k := &task{graph: open(t, small, false), pages: 8, total: 5}
	s := measure.Sequence{Relevant: []bool{true, false, true, true, false, false, true, false}, Total: 5, Reach: 8}
	near(t, "r-precision", k.figures("any", s, &floors{}, 8, 0, 0).Precision, .6)
	s.Relevant = s.Relevant[:3] // a crawl that ended before has not found more since
	near(t, "r-precision of a crawl that ended early", k.figures("any", s, &floors{}, 8, 0, 0).Precision, .4)
}

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
	if err := errors.Join(r.Text(&text, true), r.HTML(&html), json.NewEncoder(&object).Encode(r)); err != nil {
		t.Fatal(err)
	}
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
	if err := errors.Join(r.Text(&fits, false), r.Text(&wide, true)); err != nil {
		t.Fatal(err)
	}
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

func TestKeysOfTheJSON(t *testing.T) {
	text, err := json.Marshal(run(t, Options{Webs: []string{small}, Topics: []string{"tea"}, Strategies: []string{"breadth"}}))
	if err != nil {
		t.Fatal(err)
	}
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

func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Run(ctx, Options{Webs: []string{small}, Strategies: []string{"breadth"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
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
		if err := run(t, Options{Webs: c.webs, Strategies: []string{"breadth"}}).HTML(&out); err != nil {
			t.Fatal(err)
		}
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

// TestPagesAreReadAsTheyAreSetToBe: keys of reading, and context, change what a strategy is shown; what reads alike shares
// its pages.
func TestPagesAreReadAsTheyAreSetToBe(t *testing.T) {
	web, err := replay.Open(small)
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	g := graphOf(web, false)
	hubs := func(ratio float64) (n int) {
		config := focus.Default()
		config.Reading.HubRatio = ratio
		pages, err := g.pagesOf(&config)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := g.pagesOf(&config); again != pages {
			t.Errorf("hub_ratio %v: read twice", ratio)
		}
		for _, address := range g.address {
			if p, err := pages.Page(address); err == nil && p.Kind == page.Hub {
				n++
			}
		}
		return n
	}
	few, usual, many := hubs(0.99), hubs(focus.Default().Reading.HubRatio), hubs(0.01)
	if !(few <= usual && usual < many) || len(g.readAs) != 2 {
		t.Errorf("%d, %d and %d hubs, read in %d other ways", few, usual, many, len(g.readAs))
	}
	v, err := variantsOf([]string{"breadth"}, []Choice{{"reading.hub_ratio", []string{"0.2", "0.8"}}, {"context", []string{"page"}}})
	if err != nil || len(v) != 2 {
		t.Errorf("%v: %d variants", err, len(v))
	}
}

// TestWhatHasNoExamplesSaysSo: a judge that is made of pages is measured by the start pages where no examples are drawn.
func TestWhatHasNoExamplesSaysSo(t *testing.T) {
	for examples, want := range map[int][]Note{0: {{"adaptive", seedsNote}}, 1: nil} {
		r := run(t, Options{Webs: []string{small}, Strategies: []string{"breadth", "adaptive"}, Examples: examples, OwnJudge: true})
		var out strings.Builder
		if err := r.Text(&out, true); err != nil || !slices.Equal(r.Notes, want) || strings.Contains(out.String(), seedsNote) != (want != nil) {
			t.Errorf("%d examples: %v, %v", examples, r.Notes, err)
		}
	}
}
