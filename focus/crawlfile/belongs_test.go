package crawlfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/rank"
)

// apart are the warnings of a strategy that is tried with what does not belong to it.
func apart(config Config, s *rank.Strategy) []string {
	var said []string
	for _, w := range config.Warnings(s) {
		if w.Path == "strategy" && strings.Contains(w.Want, "belongs together with") {
			said = append(said, w.Want)
		}
	}
	return said
}

// TestAFileThatLeavesTheJudgeToItsStrategyIsNotWarned: what a strategy brings along belongs to it. Whoever writes another
// judge or content rule, or gives the strategy in the place of that of the file, is told what is used.
func TestAFileThatLeavesTheJudgeToItsStrategyIsNotWarned(t *testing.T) {
	for _, name := range new(Config).Strategies() {
		load := func(text string, o ...Override) (Config, *rank.Strategy) {
			t.Helper()
			config := mustLoad(t, crawlFile(t, plainCrawl+text), o...)
			s, err := config.LoadStrategy(nil)
			if err != nil {
				t.Fatal(err)
			}
			return config, s
		}
		config, s := load("strategy: " + name + "\n")
		if said := apart(config, s); len(said) > 0 {
			t.Errorf("%s: the file leaves judge and content out, and is warned: %q", name, said)
		}
		var bm25, given []string
		if s.Judge != "" && s.Judge != "none" {
			bm25 = append(bm25, name+" belongs together with topic.judge: "+s.Judge+"; here it is bm25")
		}
		given = slices.Clone(bm25)
		if s.Content != "" {
			bm25 = append(bm25, name+" belongs together with topic.content: "+s.Content+"; here it is whole")
			given = append(given, bm25[len(bm25)-1])
		}
		config, s = load("strategy: " + name + "\ntopic: {judge: bm25, content: whole}\n")
		if said := apart(config, s); !slices.Equal(said, bm25) {
			t.Errorf("%s with bm25:\nhave %q\nwant %q", name, said, bm25)
		}
		config, s = load("strategy: shark\n", Override{Key: "strategy", Value: name, From: "--strategy"})
		if said := apart(config, s); !slices.Equal(said, given) {
			t.Errorf("%s in the place of shark:\nhave %q\nwant %q", name, said, given)
		}
	}
}

// TestAStrategyMayBringAJudgeThatIsTrained: the model that such a judge uses is asked for, and is used, where the file
// itself names no judge.
func TestAStrategyMayBringAJudgeThatIsTrained(t *testing.T) {
	model, err := os.ReadFile(filepath.Join("..", "..", "testdata", "config", "solar.model"))
	if err != nil {
		t.Fatal(err)
	}
	const strategy = "strategy: {name: own, judge: classifier, rank: {use: relevance}}\n"
	config := mustLoad(t, crawlFile(t, plainCrawl+strategy+"topic: {model: solar.model}\n", "solar.model", string(model)))
	s, err := config.LoadStrategy(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range config.Warnings(s) {
		if strings.HasPrefix(w.Path, "topic.model") && strings.Contains(w.Want, "not used") {
			t.Errorf("its model is used: %s", w)
		}
	}
	if _, err := Load(crawlFile(t, plainCrawl+strategy)); err == nil || !strings.Contains(err.Error(), "topic.judge: classifier has nothing to learn from") {
		t.Errorf("without a model: %v", err)
	}
}

// TestPartsOfSpeechAreChinese: English words are never tagged, and whoever weighs their parts of speech is told so.
func TestPartsOfSpeechAreChinese(t *testing.T) {
	for text, warned := range map[string]bool{
		"topic: {language: en, speech: {adverb: 0.2}}\n":   true,
		"topic: {language: zh, speech: {adverb: 0.2}}\n":   false,
		"topic: {language: auto, speech: {adverb: 0.2}}\n": false,
		"topic: {language: en, speech: {adverb: 1}}\n":     false,
	} {
		config := mustLoad(t, crawlFile(t, plainCrawl+text))
		have := false
		for _, w := range config.Warnings(nil) {
			have = have || w.Path == "topic.speech"
		}
		if have != warned {
			t.Errorf("%s warned: %v, want %v", text, have, warned)
		}
	}
}
