package focus

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// TestWhyNeverContradictsItself: in whatever way a generation is bred, the first number of a link's tree, its score, and
// the fitness that its lineage tells are one, and the generation is visited in that order.
func TestWhyNeverContradictsItself(t *testing.T) {
	const feedback = "{name: own, judge: vsm-restricted, rank: {mix: [{use: fitness}, {use: yield, with: {of: host}}, {use: anchor}]}, select: genetic}"
	for name, strategy := range map[string]string{"links": "genetic", "pairs": "genetic-pairs", "feedback": feedback} {
		config := drawnCrawl(t, "genetic")
		config.Window, config.Polite.Parallel, config.Polite.Delay = 1, 1, 0
		config.Strategy = crawlfile.StrategyConfig{Name: strategy}
		if strings.HasPrefix(strategy, "{") {
			n, err := strict.Parse("own.yaml", []byte(strategy))
			if err != nil {
				t.Fatal(err)
			}
			config.Strategy = crawlfile.StrategyConfig{Here: n}
		}
		c, err := NewWith(config)
		if err != nil {
			t.Fatal(err)
		}
		bred, crossed, last := 0, 0, map[string]float32{} // by generation and host: a host may keep others waiting
		c.OnDone(func(v *Visit) {
			if v.Chosen == "" {
				return
			}
			bred++
			if strings.Contains(v.Chosen, "for the page it was given to") {
				crossed++
			}
			if want := fmt.Sprintf("generation %d, fitness %.4g", v.Item.Tier, v.Item.Score); !strings.HasPrefix(v.Chosen, want) {
				t.Errorf("%s: %s scores %v: %s", name, v.Item.URL, v.Item.Score, v.Chosen)
			}
			if n := v.Item.Numbers; len(n) > 0 && n[0] != v.Item.Score {
				t.Errorf("%s: %s scores %v, explained by %v", name, v.Item.URL, v.Item.Score, n)
			}
			turn := fmt.Sprint(v.Item.Tier, v.Item.Host)
			if before, ok := last[turn]; ok && v.Item.Score > before {
				t.Errorf("%s: %s scores %v, and the one before it %v", name, v.Item.URL, v.Item.Score, before)
			}
			last[turn] = v.Item.Score
		})
		if _, err := c.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if bred < 20 || len(last) < 2 || name == "pairs" && crossed == 0 {
			t.Errorf("%s: %d links in %d turns of hosts, %d of them exchanged: the test sees nothing", name, bred, len(last), crossed)
		}
	}
}

// TestP0DecidesWhoBreeds: with parents: important another threshold makes another crawl, and with all it does not.
func TestP0DecidesWhoBreeds(t *testing.T) {
	visited := func(parents string, p0 float64) string {
		config := drawnCrawl(t, "genetic")
		config.Store, config.Sinks = "", nil
		text := fmt.Sprintf("{from: genetic, select: {use: genetic, with: {parents: %s, p0: %v, known: 20}}}", parents, p0)
		n, err := strict.Parse("own.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		config.Strategy = crawlfile.StrategyConfig{Here: n}
		c, err := NewWith(config)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		c.OnDone(func(v *Visit) { all = append(all, v.Item.URL) })
		if _, err := c.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		return strings.Join(all, "\n")
	}
	none, some, most := visited("important", 0), visited("important", 4), visited("important", 1e6)
	if some == none || some == most {
		t.Errorf("p0 makes no difference where important pages breed:\n0:\n%s\n4:\n%s\n1000000:\n%s", none, some, most)
	}
	if visited("all", 4) != visited("all", 1e6) {
		t.Error("p0 makes a difference where all relevant pages breed")
	}
}
