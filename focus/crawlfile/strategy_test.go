package crawlfile

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/rank"
)

// A name is looked up beside the crawl file, then in ./configs/strategies, then among those built in.
func TestWhereStrategiesAreFound(t *testing.T) {
	file := crawlFile(t, plainCrawl+"strategy: shark\n",
		"elsewhere/configs/strategies/shark.yaml", "about: of the folder\nrank: {use: anchor}\n",
		"elsewhere/configs/strategies/wind.yaml", "rank: {use: anchor}\n",
		"beside/shark.yaml", "about: beside\nrank: {use: anchor}\n",
		"beside/crawl.yaml", plainCrawl+"strategy: shark\n")
	source := func(file string) string {
		t.Helper()
		config := mustLoad(t, file)
		s, err := config.LoadStrategy(nil)
		if err != nil {
			t.Fatal(err)
		}
		return s.Source
	}
	if have := source(file); have != "built in: shark.yaml" {
		t.Errorf("nowhere else: %s", have)
	}
	t.Chdir(filepath.Join(filepath.Dir(file), "elsewhere"))
	if have := source(file); have != filepath.Join("configs", "strategies", "shark.yaml") {
		t.Errorf("in configs/strategies: %s", have)
	}
	besides := filepath.Join(filepath.Dir(file), "beside")
	if have := source(filepath.Join(besides, "crawl.yaml")); have != filepath.Join(besides, "shark.yaml") {
		t.Errorf("beside the crawl file: %s", have)
	}
	if known := (&Config{File: file}).Strategies(); !slices.Contains(known, "wind") || slices.Contains(known, "crawl") || !slices.IsSorted(known) {
		t.Errorf("known are %v", known)
	}
}

func TestAStrategyInPlaceMayChangePartsOfANamedOne(t *testing.T) {
	config := mustLoad(t, crawlFile(t, plainCrawl+"strategy: {from: shark, name: mine, select: fifo}\n"))
	mine, err := config.LoadStrategy(nil)
	if err != nil {
		t.Fatal(err)
	}
	if given, err := Load(config.File, Override{Key: "strategy", Value: "{rank: {use: constant, with: {value: 0.5}}}", From: "--set strategy={rank: …"}); err != nil {
		t.Error(err)
	} else if s, err := given.LoadStrategy(nil); err != nil || s.Name != given.Name {
		t.Errorf("%v: what a flag says is called %q", err, s.Name)
	}
	config.Strategy = StrategyConfig{Name: "shark"}
	shark, err := config.LoadStrategy(nil)
	if err != nil {
		t.Fatal(err)
	}
	if mine.Name != "mine" || mine.Select.Use != "fifo" || len(mine.Nodes()) != len(shark.Nodes()) || mine.Admit != shark.Admit {
		t.Errorf("have %s\nof %s", mine.YAML(), shark.YAML())
	}
}

func TestAStrategyMayUseFactorsOfTheProgramsOwn(t *testing.T) {
	factors := rank.NewRegistry().With(rank.Factors)
	rank.Register(factors, "always", "the same for every link", struct{}{}, func(struct{}) (rank.Factor, error) {
		return rank.Func(func(*rank.Evidence) float64 { return 1 }), nil
	})
	file := crawlFile(t, plainCrawl+"strategy: {name: own, rank: {use: always}}\n")
	if _, err := Load(file); err == nil || !strings.Contains(err.Error(), `unknown factor "always"`) {
		t.Errorf("without: %v", err)
	}
	config := mustLoad(t, file, WithFactors(factors))
	if _, err := config.LoadStrategy(config.Factors); err != nil {
		t.Error(err)
	}
}

// A strategy's file may be made from another: by name, or by a path beside it. It keeps its own name, and a model is looked for beside the
// file that names it.
func TestAStrategyFileMayBeMadeFromAnother(t *testing.T) {
	file := crawlFile(t, plainCrawl+"strategy: mine.yaml\n",
		"mine.yaml", "from: parts/eager.yaml\nselect: fifo\n",
		"parts/eager.yaml", "from: wary\nclaim: much\n", "parts/wary.yaml", "from: shark\nadmit: {tunnel: {depth: 7}}\n", "wary.yaml", "from: breadth\n",
		"round.yaml", "from: round.yaml\n", "lost.yaml", "from: sharc\n", "bad.yaml", "from: shark\nselect: fifth\n")
	config := mustLoad(t, file)
	mine, err := config.LoadStrategy(nil)
	if err != nil {
		t.Fatal(err)
	}
	shark, err := Strategy("shark")
	if err != nil {
		t.Fatal(err)
	}
	if mine.Name != "mine" || mine.Claim != "" || mine.Select.Use != "fifo" || mine.Admit.Tunnel.Depth != 7 || len(mine.Nodes()) != len(shark.Nodes()) {
		t.Errorf("have %s\nof %s", mine.YAML(), shark.YAML())
	}
	if known := config.Strategies(); !slices.Contains(known, "mine") {
		t.Errorf("known are %v", known)
	}
	for name, want := range map[string]string{"round.yaml": "is made from itself", "lost.yaml": `1:7: strategy.from: unknown strategy "sharc"; did you mean "shark"?`,
		"bad.yaml": "2:9: strategy.select: unknown word"} {
		config.Strategy.Name = filepath.Join(filepath.Dir(file), name)
		if _, err := config.LoadStrategy(nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		text, _ := ReadText(config.Strategy.Name)
		if _, err := ReadStrategy(config.Strategy.Name, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s, that no crawl file names: %v, want %s", name, err, want)
		}
	}
}

// A strategy that stands in the crawl file, or in a flag, has the same name where that was put into a run folder.
func TestAStrategyInPlaceKeepsItsName(t *testing.T) {
	for given, want := range map[string]string{
		"{rank: {use: anchor}}":                "crawl",
		"{from: mine, select: fifo}":           "crawl",
		"{from: shark, select: fifo}":          "shark",
		"{rank: {use: anchor}, name: of-mine}": "of-mine",
	} {
		file := crawlFile(t, plainCrawl, "mine.yaml", "rank: {use: depth}\n")
		for from, config := range map[string]Config{
			"the file": mustLoad(t, crawlFile(t, plainCrawl+"strategy: "+given+"\n", "mine.yaml", "rank: {use: depth}\n")),
			"a flag":   mustLoad(t, file, Override{Key: "strategy", Value: given, From: "--set strategy=" + given}),
		} {
			s, err := config.LoadStrategy(nil)
			if err != nil || s.Name != want {
				t.Errorf("%s from %s is called %v (%v)", given, from, s, err)
				continue
			}
			again, err := Read("runs/tea/elsewhere.yaml", config.YAML())
			if err != nil {
				t.Fatal(err)
			}
			if moved, err := again.LoadStrategy(nil); err != nil || moved.Name != want || moved.Fingerprint() != s.Fingerprint() || string(again.YAML()) != string(config.YAML()) {
				t.Errorf("%s from %s: elsewhere it is %v (%v)\n%s", given, from, moved, err, again.YAML())
			}
		}
	}
}
