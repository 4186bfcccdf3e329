package focus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// A strategy that needs a model is refused without one, and check says so before.
func TestACrawlWithoutItsModelIsRefused(t *testing.T) {
	for strategy, how := range map[string]string{"layers": "thresher train layers", "context-graph": "thresher train context"} {
		config := DefaultSetting()
		config.Seeds, config.Polite.Contact, config.Store = []string{"https://a.example/"}, "you@example.org", ""
		config.Strategy.Name = strategy
		_, err := NewWith(config)
		if err == nil || !strings.Contains(err.Error(), strategy+" has no model for "+strategy+"; make one with `"+how) {
			t.Errorf("%s: %v", strategy, err)
		}
		if problems, ok := strict.Problems(err); !ok || len(problems) != 1 || problems[0].Path != "strategy" {
			t.Errorf("%s: %v is no mistake in the crawl file", strategy, err)
		}
		s, err := config.LoadStrategy(nil)
		if err != nil {
			t.Fatal(err)
		}
		warned := false
		for _, w := range config.Warnings(s) {
			warned = warned || w.Path == "strategy" && strings.Contains(w.Want, how)
		}
		if !warned {
			t.Errorf("%s: check does not warn", strategy)
		}
	}
}

// A model that is another than when the run began would judge and score the rest otherwise: the run is not gone on with.
func TestAChangedModelIsNoticed(t *testing.T) {
	layers := func(word string) []byte {
		m, err := rank.NewLayers(2, "nearest", "jm", 0.9)
		if err != nil {
			t.Fatal(err)
		}
		m.Add(&page.Link{URL: "https://a.example/" + word, Anchor: word}, 1)
		m.Add(&page.Link{URL: "https://a.example/other", Anchor: "other"}, 2)
		raw, err := m.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	judge := func(word string) []byte {
		docs := func(s ...string) (all []*text.Doc) {
			for _, s := range s {
				all = append(all, &text.Doc{Segments: []text.Segment{{Text: s}}})
			}
			return all
		}
		m, _, err := topic.Train(docs(word+" leaf", word+" pot", word+" cup"), docs("boat sail", "boat oar", "boat wind"), topic.TrainOptions{Kind: "svm"})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := m.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	for what, c := range map[string]struct {
		use         func(c *Setting, file string)
		first, then []byte
		says        string
	}{
		"judge": {func(c *Setting, file string) { c.Topic.Judge, c.Topic.Model, c.SameJudge = "classifier", file, true },
			judge("tea"), judge("coffee"), "the file of topic.model is not what it was"},
		"factor": {func(c *Setting, file string) {
			c.Strategy.Name, c.Models = "layers", map[string]string{"layers": file}
		}, layers("tea"), layers("coffee"), "the strategy layers, or the file of a model of it, is not what it was"},
	} {
		config := drawnCrawl(t, "breadth")
		config.Budget.Pages = 5
		file := filepath.Join(t.TempDir(), "m")
		c.use(&config, file)
		write := func(raw []byte) {
			if err := os.WriteFile(file, raw, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(c.first)
		crawled(t, t.Context(), config, nil)
		config.Budget.Pages = 8
		write(c.then)
		if _, err := NewWith(config); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", what, err)
		}
		write(c.first)
		if r := crawled(t, t.Context(), config, nil); r.Counts.Pages != 8 {
			t.Errorf("%s: with its model put back the crawl ended after %d pages", what, r.Counts.Pages)
		}
	}
}
