package focus

import (
	"context"
	"testing"
)

// One page has one relevance: whatever the strategy, however many visits are under way, killed on the way or not, in the
// crawl as where somebody asks for the one page. Terms alone and terms with an example are judged so, by default.
func TestOnePageOneRelevance(t *testing.T) {
	for _, examples := range [][]string{nil, {"http://daily.example/"}} {
		of := map[string]float64{}
		differ := func(who, address string, relevance float64) {
			if was, ok := of[address]; ok && was != relevance {
				t.Errorf("%s: %s has relevance %v, and had %v", who, address, relevance, was)
			}
			of[address] = relevance
		}
		config := drawnCrawl(t, "breadth")
		config.Topic.Examples, config.SameJudge = examples, true
		for name, change := range map[string]func(*Setting){
			"breadth":    func(*Setting) {},
			"apprentice": func(c *Setting) { c.Strategy.Name = "apprentice" },
			"one window": func(c *Setting) { c.Strategy.Name, c.Window = "apprentice", 1 },
			"killed":     func(c *Setting) { c.Strategy.Name, c.Budget.Pages = "apprentice", 17 },
		} {
			one := config
			one.Store = t.TempDir() + "/run"
			change(&one)
			judged := 0
			see := func(c *Crawler) {
				c.OnDone(func(v *Visit) {
					if v.Page != nil && !v.list {
						differ(name, v.FinalURL, v.Judgement.Relevance)
						judged++
					}
				})
				if _, err := c.Run(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			for one.Budget.Pages > 0 {
				c, err := NewWith(one)
				if err != nil {
					t.Fatal(err)
				}
				see(c)
				if one.Budget.Pages == 3000 {
					break
				}
				one.Budget.Pages = 3000
			}
			if judged < 30 {
				t.Errorf("%s: only %d pages were judged", name, judged)
			}
		}
		for _, address := range []string{"http://daily.example/", "http://www.ribao.example/"} {
			v, err := Judge(config.Config, "", address)
			if err != nil || v[0].Err != nil {
				t.Fatal(err, v)
			}
			differ("judge", address, v[0].Judgement.Relevance)
		}
	}
}
