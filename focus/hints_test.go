package focus_test

import (
	"math"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// TestHintsOfBothPagesMakeOneFitness: a link that two pages of a generation have is bred by the words of both, whichever page
// it is a link of.
func TestHintsOfBothPagesMakeOneFitness(t *testing.T) {
	page := func(title, links string) answer {
		return answer{status: 200, body: "<title>" + title + "</title><p>" + links + "</p>"}
	}
	w := &web{pages: map[string]answer{
		"http://a.example/":     page("solar", "<a href=/one>solar</a> <a href=/two>energy</a>"),
		"http://a.example/one":  page("solar energy panel", "<a href=/both>solar panel</a>"),
		"http://a.example/two":  page("solar energy", "<a href=/both>energy</a>"),
		"http://a.example/both": page("solar", "the end"),
	}}
	config := solarConfig(t, w)
	config.Polite.Parallel, config.Polite.PerHost, config.Window = 1, 1, 1
	config.Topic.Judge, config.Topic.Relative, config.Topic.Calibrate = "vsm-restricted", true, "off"
	config.Strategy = crawlfile.StrategyConfig{Name: "genetic"}
	relevance, seen := map[string]float64{}, false
	crawlWith(t, config, func(c *focus.Crawler) {
		c.OnDone(func(v *focus.Visit) {
			relevance[v.Item.URL] = v.Judgement.Raw
			if v.Item.URL != "http://a.example/both" {
				return
			}
			seen = true
			best := relevance["http://a.example/one"]
			if want := best + 0.01; math.Abs(float64(v.Item.Score)-want) > 1e-6 || !strings.Contains(v.Chosen, "a link of http://a.example/one") {
				t.Errorf("fitness %v, want %v: %s", v.Item.Score, want, v.Chosen)
			}
		})
	})
	if !seen {
		t.Error("the link was not visited")
	}
}
