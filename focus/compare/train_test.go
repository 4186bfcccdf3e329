package compare

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/replay/drawn"
	"github.com/thresher-crawler/thresher/focus/study"
)

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// drawnWeb draws a web of some hundred pages.
func drawnWeb(t *testing.T, seed uint64) string {
	t.Helper()
	knobs := drawn.Small()
	knobs.Seed, knobs.Pages, knobs.Hosts = seed, 200, 10
	dir := filepath.Join(t.TempDir(), fmt.Sprint("drawn", seed))
	noError(t, drawn.Draw(dir, knobs))
	return dir
}

func TestTrainedJudgesLearnElsewhere(t *testing.T) {
	shown, elsewhere := drawnWeb(t, 5), drawnWeb(t, 6)
	o := Options{Webs: []string{shown}, Topics: []string{"sailing"}, Strategies: []string{"best-first"}, Train: []string{elsewhere},
		Set: []Choice{{"topic.judge", []string{"bm25", "trained", "classifier"}}}, Seed: 1}
	r := run(t, o)
	if len(r.Cells) != 3 || len(r.Skipped) != 0 {
		t.Fatalf("%d cells, skipped %+v", len(r.Cells), r.Skipped)
	}
	if r.Cells[0].AUC == r.Cells[2].AUC {
		t.Errorf("with and without a classifier the area is %v", r.Cells[0].AUC)
	}
	if r.Cells[2].Focus < .2 {
		t.Errorf("a classifier trained on the topic reaches focus %v", r.Cells[2].Focus)
	}
	once, twice := still(t, r), still(t, run(t, o))
	if once != twice {
		t.Error("trained twice, it does otherwise")
	}
}

func TestNothingShownIsLearnedFrom(t *testing.T) {
	shown, elsewhere := drawnWeb(t, 5), drawnWeb(t, 6)
	g := open(t, shown, false)
	k, err := newTask(g, g.web.Topics()[0], drawing{examples: 2, seed: 1}, 0)
	noError(t, err)
	own, err := newSchool([]string{shown, shown + ":" + k.topic.Name}, 1)
	noError(t, err)
	defer own.close()
	for _, l := range own.lessons {
		if relevant, other, err := own.attend(l, k); err != nil || len(relevant)+len(other) > 0 {
			t.Errorf("of %+v %d pages are learned from, %v", l, len(relevant)+len(other), err)
		}
	}
	config := focus.Default()
	config.Topic.Judge = "classifier"
	err = own.teach(k, &variant{}, &config, true)
	if err == nil || !strings.Contains(err.Error(), "nothing of --train can teach the topic") {
		t.Errorf("taught with nothing: %v", err)
	}
	if _, err := newSchool([]string{elsewhere + ":tea", elsewhere + "/../" + filepath.Base(elsewhere) + ":tea"}, 1); err == nil || !strings.Contains(err.Error(), "give it once") {
		t.Errorf("the same twice: %v", err)
	}
	other, err := newSchool([]string{elsewhere, elsewhere + ":tea", shown + ":tea"}, 1)
	noError(t, err)
	defer other.close()
	crawled := map[string]bool{}
	for _, near := range k.addresses(slices.Concat(k.seeds, k.examples)) {
		crawled[page.Host(near)] = true
	}
	for _, l := range other.lessons {
		relevant, rest, err := other.attend(l, k)
		if err != nil || l.dir == elsewhere && (len(relevant) == 0) {
			t.Errorf("of %+v %d relevant and %d other pages are learned from, %v", l, len(relevant), len(rest), err)
		}
		for _, p := range slices.Concat(relevant, rest) {
			if crawled[page.Host(p.URL)] {
				t.Errorf("%s, on a host that is crawled, is learned from", p.URL)
			}
		}
	}
	if err := other.teach(k, &variant{judge: "classifier"}, &config, true); err != nil || config.Topic.Model == "" {
		t.Fatalf("taught: %v, model %q", err, config.Topic.Model)
	}
	dir := filepath.Dir(config.Topic.Model)
	other.close()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the models stay behind in %s: %v", dir, err)
	}
}

// A web without labels is labelled by a model, and not by the crawl's own.
func TestAJudgeStandsForLabels(t *testing.T) {
	web, elsewhere := drawnWeb(t, 5), drawnWeb(t, 6)
	labelled := run(t, Options{Webs: []string{web}, Topics: []string{"sailing"}, Strategies: []string{"shark"}, Seed: 1}).Cells[0]
	noError(t, os.Remove(filepath.Join(web, "labels.tsv")))
	model := filepath.Join(t.TempDir(), "sailing.judge")
	trainOn(t, elsewhere, "sailing", model, web)
	o := Options{Webs: []string{web, elsewhere}, Topics: []string{"sailing"}, Strategies: []string{"shark"}, Model: model, Seed: 1}
	r := run(t, o)
	if c := r.Cells[0]; c.Relevant == 0 || c.Reachable != labelled.Reachable || c.Focus < labelled.Focus/2 {
		t.Errorf("by labels %+v\nby the judge %+v", labelled, c)
	}
	for _, want := range []string{model, "macro F1", "different pages of ", "; it judged drawn5, and the other webs have labels"} {
		if !strings.Contains(r.Judge, want) {
			t.Errorf("of the judge is said %q, not %q", r.Judge, want)
		}
	}
	o.Webs = []string{elsewhere}
	if _, err := Run(context.Background(), o); !errors.As(err, new(Misuse)) || !strings.Contains(err.Error(), model+" labels webs that have no labels") {
		t.Errorf("a judge that has nothing to judge: %v", err)
	}
	o.Webs = []string{web}
	o.Set = []Choice{{"topic.judge", []string{"bm25", "classifier"}}, {"topic.model", []string{model}}}
	o.Strategies = []string{"best-first"}
	r = run(t, o)
	if len(r.Cells) != 1 || len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Reason, "is not independent: the crawl was judged by the same model") {
		t.Errorf("%d cells, skipped %+v", len(r.Cells), r.Skipped)
	}
	o.Shared = true
	if r = run(t, o); len(r.Cells) != 2 || !strings.Contains(r.Judge, "agreement with itself") {
		t.Errorf("%d cells, judged by %s", len(r.Cells), r.Judge)
	}
}

// A judge that has learned from the web it labels, or from other pages of its hosts, is refused, and told of where it is
// allowed.
func TestAJudgeThatKnowsTheWebIsRefused(t *testing.T) {
	web := drawnWeb(t, 5)
	model := filepath.Join(t.TempDir(), "same.judge")
	trainOn(t, web, "sailing", model, "")
	noError(t, os.Remove(filepath.Join(web, "labels.tsv")))
	o := Options{Webs: []string{web}, Topics: []string{"sailing"}, Strategies: []string{"breadth"}, Model: model, Seed: 1}
	want := regexp.MustCompile(`is not independent: it was trained on [1-9]\d* of the pages of the crawl, and on pages of [1-9]\d* of its hosts, such as `)
	if _, err := Run(context.Background(), o); err == nil || !want.MatchString(err.Error()) {
		t.Errorf("%v", err)
	}
	o.Shared = true
	if r := run(t, o); len(r.Cells) != 1 || !strings.Contains(r.Judge, "not independent on drawn5 sailing: it was trained on ") {
		t.Errorf("%d cells, judged by %s", len(r.Cells), r.Judge)
	}
}

// trainOn trains a judge on a topic of a web.
func trainOn(t *testing.T, dir, topic, file, not string) {
	t.Helper()
	g := open(t, dir, false)
	about, ok := g.web.Topic(topic)
	if !ok {
		t.Fatalf("no topic %s", topic)
	}
	k := &task{graph: g, topic: about}
	noError(t, k.label())
	shown := &task{graph: g}
	if not != "" { // on none of its hosts
		shown.graph = open(t, not, false)
		for range shown.address {
			shown.near = append(shown.near, true)
		}
	}
	relevant, other := k.sample(shown, 1)
	if not != "" { // and on none of its texts: the same articles stand in all drawn webs
		said := map[string]bool{}
		for _, address := range shown.address {
			if p, err := shown.read.Page(address); err == nil {
				said[p.MainText()] = true
			}
		}
		there := func(p *page.Page) bool { return said[p.MainText()] }
		relevant, other = slices.DeleteFunc(relevant, there), slices.DeleteFunc(other, there)
	}
	config := focus.Default()
	config.Topic.Judge = "classifier"
	noError(t, study.TrainJudge(&config, relevant, other, file))
}

// Strategies that need a model learn it elsewhere; without a web to learn from they are left out and named.
func TestStrategiesLearnElsewhere(t *testing.T) {
	shown, elsewhere := drawnWeb(t, 5), drawnWeb(t, 6)
	o := Options{Webs: []string{shown}, Topics: []string{"sailing"}, Strategies: []string{"breadth", "layers", "context-graph"}, Train: []string{elsewhere}, Seed: 1}
	r := run(t, o)
	if len(r.Cells) != 3 || len(r.Skipped) != 0 {
		t.Fatalf("%d cells, skipped %+v", len(r.Cells), r.Skipped)
	}
	for _, c := range r.Cells[1:] {
		if c.AUC == r.Cells[0].AUC || c.Fetched != r.Cells[0].Fetched {
			t.Errorf("%s fetched %d with an area of %v, breadth %d with %v", c.Strategy, c.Fetched, c.AUC, r.Cells[0].Fetched, r.Cells[0].AUC)
		}
	}
	if once, twice := still(t, r), still(t, run(t, o)); once != twice {
		t.Error("trained twice, they do otherwise")
	}
	o.Train = nil
	r = run(t, o)
	if len(r.Cells) != 1 || len(r.Skipped) != 2 || !strings.Contains(r.Skipped[0].Reason, "its layers must be trained") {
		t.Errorf("%d cells, skipped %+v", len(r.Cells), r.Skipped)
	}
	web, err := replay.Open(shown)
	noError(t, err)
	defer web.Close()
	other := web.Topics()[1].Name
	o.Train = []string{shown + ":sailing"}
	if r = run(t, o); len(r.Skipped) != 2 || !strings.Contains(r.Skipped[1].Reason, "what is shown is never learned from") {
		t.Errorf("taught by what is shown: %+v", r.Skipped)
	}
	o.Train, o.Strategies = []string{shown + ":" + other}, []string{"breadth", "layers"}
	if r = run(t, o); len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Reason, "hosts that are crawled, which are never learned from; give a web of other hosts") {
		t.Errorf("taught by the hosts that are crawled: %+v", r.Skipped)
	}
}

// A model that a strategy brings along must not have been trained where it is shown.
func TestAModelOfWhatIsShownIsRefused(t *testing.T) {
	shown := drawnWeb(t, 5)
	on, err := study.OpenLabelledWeb(shown, "sailing")
	noError(t, err)
	defer on.Close()
	model, err := study.TrainLayers([]*study.LabelledWeb{on}, study.DefaultLayers())
	noError(t, err)
	raw, err := model.Bytes()
	noError(t, err)
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine.yaml")
	for file, text := range map[string]string{"m": string(raw), "mine.yaml": "rank: {use: layers, with: {model: m}}\nselect: rounds\n"} {
		noError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	r := run(t, Options{Webs: []string{shown}, Topics: []string{"sailing"}, Strategies: []string{"breadth", mine}, Seed: 1})
	if len(r.Cells) != 1 || len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Reason, "its model was trained on drawn5:sailing, which is what is shown") {
		t.Errorf("%d cells, skipped %+v", len(r.Cells), r.Skipped)
	}
}
