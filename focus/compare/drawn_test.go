package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/replay/drawn"
)

// TestTheLearnerBesideSimpleStrategies crawls drawn webs of four kinds, four topics each, and tells on how many topics the apprentice
// has at least .9 of the focus of the best strategy that learns nothing, or comes within .05 of it. THRESHER_DRAWS says how many webs
// of a kind. A single topic moves by .2 at any small change of a strategy: what is to be called better must be so over many of them.
// What is not drawn here is what the apprentice is worst at: a few pages of a topic in chapters of hosts whose other pages say some of
// its words, too, so that it lingers there instead of trying the next host.
func TestTheLearnerBesideSimpleStrategies(t *testing.T) {
	draws, _ := strconv.Atoi(os.Getenv("THRESHER_DRAWS"))
	if draws == 0 {
		t.Skip("it takes minutes: set THRESHER_DRAWS to how many webs of a kind are drawn")
	}
	names := []string{"apprentice", "breadth", "keywords", "best-first", "tunnel", "shark-site", "block-shark"}
	near, all := 0, 0
	for _, kind := range []struct {
		name string
		with func(k *drawn.Knobs)
	}{
		{"sites behind tunnels", func(k *drawn.Knobs) { k.Hosts, k.Tunnel, k.Noise = 30, 4, .4 }},
		{"portals full of links", func(k *drawn.Knobs) { k.Hosts, k.Menu, k.Ads, k.Hubs, k.Purity = 12, 30, 8, 5, .5 }},
		{"a gallery of sites", func(k *drawn.Knobs) { k.Hosts, k.Gallery, k.Noise = 28, 28, .5 }},
		{"a gallery of sites that name no others", func(k *drawn.Knobs) {
			k.Hosts, k.Gallery, k.Noise, k.Relevant, k.Ads, k.Hubs, k.Purity = 40, 40, .8, .03, 0, 0, 1
		}},
	} {
		focus := map[string][]float64{}
		for draw := range draws {
			dir, k := filepath.Join(t.TempDir(), "drawn"), drawn.Small()
			k.Seed, k.Pages, k.Topics, k.Relevant = uint64(7000+draw), 650, 2, .06
			kind.with(&k)
			noError(t, drawn.Draw(dir, k))
			of := map[string]map[string]float64{}
			for _, c := range run(t, Options{Webs: []string{dir}, Strategies: names, OwnJudge: true, Seed: 1}).Cells {
				if of[c.Topic] == nil {
					of[c.Topic] = map[string]float64{}
				}
				of[c.Topic][c.Strategy] = c.Focus
				focus[c.Strategy] = append(focus[c.Strategy], c.Focus)
			}
			for topic, by := range of {
				best := 0.0
				for _, name := range names[1:] {
					best = max(best, by[name])
				}
				if all++; by["apprentice"] >= min(.9*best, best-.05) {
					near++
				} else {
					t.Logf("%s, draw %d, %s: %.3f beside %.3f", kind.name, draw, topic, by["apprentice"], best)
				}
			}
		}
		said := ""
		for _, name := range names {
			said += fmt.Sprintf("  %s %.3f", name, measure.Mean(focus[name]))
		}
		t.Logf("%s:%s", kind.name, said)
	}
	if t.Logf("on %d of %d topics it is beside the best of them", near, all); near < all*9/10 {
		t.Error("want nine of ten")
	}
}
