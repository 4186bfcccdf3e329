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
	noError(t, err)
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
		noError(t, write())
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
	noError(t, err)
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
		{"a cut archive", "pages.warc.gz", true, Options{Webs: []string{cut}}},
		{"no such web", "nowhere", true, Options{Webs: []string{"nowhere"}}},
		{"an unknown topic", "no web has a topic cars; there are boats", true, Options{Webs: []string{web}, Topics: []string{"cars"}}},
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
		{"a judge that is not there", "nowhere.judge", true, Options{Webs: []string{web}, Model: "nowhere.judge"}},
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

func TestPrecisionIsReadWhereAsManyPagesAsAreRelevantWereFetched(t *testing.T) {
	k := &task{graph: open(t, small, false), pages: 8, total: 5}
	s := measure.Sequence{Relevant: []bool{true, false, true, true, false, false, true, false}, Total: 5, Reach: 8}
	near(t, "r-precision", k.figures("any", s, &floors{}, 8, 0, 0).Precision, .6)
	s.Relevant = s.Relevant[:3] // a crawl that ended before has not found more since
	near(t, "r-precision of a crawl that ended early", k.figures("any", s, &floors{}, 8, 0, 0).Precision, .4)
}

func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Run(ctx, Options{Webs: []string{small}, Strategies: []string{"breadth"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestPagesAreReadAsTheyAreSetToBe: keys of reading, and context, change what a strategy is shown; what reads alike shares
// its pages.
func TestPagesAreReadAsTheyAreSetToBe(t *testing.T) {
	web, err := replay.Open(small)
	noError(t, err)
	defer web.Close()
	g := graphOf(web, false)
	hubs := func(ratio float64) (n int) {
		config := focus.Default()
		config.Reading.HubRatio = ratio
		pages, err := g.pagesOf(&config)
		noError(t, err)
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

// TestWhatWasMeasuredIsToldWhereItIsInterrupted: of the topics that were done until then.
func TestWhatWasMeasuredIsToldWhereItIsInterrupted(t *testing.T) {
	whole := run(t, Options{Webs: []string{small}, Strategies: []string{"shark", "breadth"}, Topics: []string{"sailing"}, Seed: 1, Jobs: 1})
	for name, o := range map[string]Options{"a web": {Webs: []string{small}}, "what is shown": {Tune: []string{sketch("s → r1 o\n").folder(t, "tuned")}, Show: []string{small}}} {
		ctx, interrupt := context.WithCancel(context.Background())
		o.Strategies, o.Seed, o.Jobs = []string{"shark", "breadth"}, 1, 1
		o.Say = func(what string) {
			if strings.HasPrefix(what, "small tea") {
				interrupt()
			}
		}
		r, err := Run(ctx, o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(r.Cells) == 0 || r.Cells[0].Topic != "sailing" || r.Cells[len(r.Cells)-1].Topic != "sailing" || !slices.Contains(r.Skipped, Skip{"the topics from here on", "the comparison was interrupted"}) {
			t.Errorf("%s: %d cells, and left out is %v", name, len(r.Cells), r.Skipped)
		}
		if name == "a web" {
			near(t, "the focus", r.Means[0].Focus, whole.Means[0].Focus)
		}
	}
	ctx, interrupt := context.WithCancel(context.Background())
	interrupt()
	if r, err := Run(ctx, Options{Webs: []string{small}, Strategies: []string{"breadth"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing was measured: %v, %v", r, err)
	}
	ctx, interrupt = context.WithCancel(context.Background())
	o := Options{Tune: []string{small}, Show: []string{sketch("s → r1 o\n").folder(t, "shown")}, Strategies: []string{"shark", "breadth"}, Jobs: 1,
		Listening: Listening{Say: func(what string) {
			if strings.HasPrefix(what, "small tea") {
				interrupt()
			}
		}}}
	if r, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("a part of the topics has chosen a winner: %v, %v", r, err)
	}
}

// TestDrawsAreToldWhereItIsInterrupted: those of a topic that were done until then.
func TestDrawsAreToldWhereItIsInterrupted(t *testing.T) {
	o := Options{Webs: []string{small}, Topics: []string{"sailing"}, Strategies: []string{"breadth", "shark"}, Seed: 1, Jobs: 1, Examples: 2, Draws: 2}
	whole := run(t, o)
	ctx, interrupt := context.WithCancel(context.Background())
	said := 0
	o.Draws = 3
	o.Say = func(what string) {
		if strings.HasPrefix(what, "small sailing") {
			if said++; said == 5 {
				interrupt()
			}
		}
	}
	r, err := Run(ctx, o)
	noError(t, err)
	if !slices.Contains(r.Skipped, Skip{"small sailing: draws from 3 on", "the comparison was interrupted"}) || len(r.Cells) != 2 {
		t.Errorf("%d cells, and left out is %v", len(r.Cells), r.Skipped)
	}
	near(t, "the focus", r.Means[0].Focus, whole.Means[0].Focus)
}

// TestATopicThatNoWebHasIsToldFirst: beside others that they have, too.
func TestATopicThatNoWebHasIsToldFirst(t *testing.T) {
	said := 0
	_, err := Run(context.Background(), Options{Webs: []string{small}, Strategies: []string{"breadth"}, Topics: []string{"tea", "sailng"}, Listening: Listening{Say: func(string) { said++ }}})
	var wrong Misuse
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "no web has a topic sailng; there are sailing, tea") || said > 0 {
		t.Errorf("%v, after %d things were said", err, said)
	}
}

// TestNoLeadIsOverNothing: a baseline that could not be measured is none.
func TestNoLeadIsOverNothing(t *testing.T) {
	r := run(t, Options{Webs: []string{small}, Strategies: []string{"layers", "breadth", "shark"}, Seed: 1})
	if r.Baseline != "breadth" || r.Means[0].Strategy != "shark" || r.Means[0].Lead <= 0 {
		t.Errorf("against %s %s leads by %v", r.Baseline, r.Means[0].Strategy, r.Means[0].Lead)
	}
	beside := run(t, Options{Webs: []string{small}, Strategies: []string{"breadth", "shark"}, Seed: 1, Set: []Choice{{"topic.judge", []string{"vsm-restricted"}}, {"topic.threshold", []string{"0.6"}}}})
	r = run(t, Options{Webs: []string{small}, Strategies: []string{"layers", "breadth", "shark"}, Seed: 1, Set: []Choice{{"topic.judge", []string{"vsm-restricted"}}, {"topic.threshold", []string{"0.6"}}}})
	for i := range r.Means {
		if got, want := r.Means[i].Kept.differing(""), beside.Means[i].Kept.differing(""); got != want || r.Means[i].Strategy == "shark" && want == "0" {
			t.Errorf("verdicts of %s that differ: %s, want %s", r.Means[i].Strategy, got, want)
		}
	}
	if !slices.Contains(r.Skipped, Skip{"the baseline layers", "it was not measured; breadth is in its place"}) {
		t.Errorf("left out is %v", r.Skipped)
	}
}
