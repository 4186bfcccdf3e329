package focus_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// brittle is a judge that panics at a page that has none of the topic's words.
type brittle struct{}

func (brittle) Score(b *topic.Bag, why []topic.Evidence) (float64, []topic.Evidence) {
	if b.Len() == 0 {
		panic("no words")
	}
	return 1, why
}

func init() {
	topic.Register("of-tests-brittle", "panics where there is no word", topic.Traits{Terms: true}, struct{}{}, func(struct{}, *topic.Material) topic.Judge { return brittle{} })
	topic.Register("of-tests-nothing", "is nil", topic.Traits{Terms: true}, struct{}{}, func(struct{}, *topic.Material) topic.Judge { return nil })
	rank.Register(rank.Factors, "brittle", "panics at a roof", struct{}{}, func(struct{}) (rank.Factor, error) {
		return rank.Func(func(e *rank.Evidence) float64 {
			if strings.HasSuffix(e.Link.URL, "/roof") {
				panic("no roof")
			}
			return 1
		}), nil
	})
}

// A judge of the program's own that panics costs the page that it judged, and a factor the link: the crawl goes on, and says so.
func TestAJudgeOrFactorThatPanicsDoesNotEndTheCrawl(t *testing.T) {
	config := solarConfig(t, solarWeb())
	config.Topic.Judge = "of-tests-nothing"
	if _, err := focus.NewWith(config); err == nil || !strings.Contains(err.Error(), "judge: of-tests-nothing, which the program has registered, makes none") {
		t.Errorf("a judge that is nil: %v", err)
	}
	strategy, err := crawlfile.InPlace("name: brittle\nrank: {mix: [{use: anchor, with: {blank: zero}}, {use: brittle}]}")
	if err != nil {
		t.Fatal(err)
	}
	config.Topic.Judge, config.Strategy = "of-tests-brittle", strategy
	report := crawlWith(t, config)
	if said := strings.Join(report.Panics, "\n"); !strings.Contains(said, "http://a.example/soup: no words") || !strings.Contains(said, "http://a.example/solar: no roof") ||
		!strings.Contains(said, "own_panics_test.go:") {
		t.Errorf("panics: %v", report.Panics)
	}
	if report.Counts.Dropped["failed: no words"] == 0 || report.Counts.Refused["veto: panic: no roof"] != 1 {
		t.Errorf("dropped %v, refused %v", report.Counts.Dropped, report.Counts.Refused)
	}
	var kept []string
	for _, r := range harvest(t, config) {
		kept = append(kept, r.URL)
	}
	if !slices.Contains(kept, "http://a.example/solar") || !slices.Contains(kept, "http://a.example/panel") || slices.Contains(kept, "http://a.example/soup") {
		t.Errorf("kept %v", kept)
	}
}
