package focus_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
)

var update = flag.Bool("update", false, "write testdata/journeys anew")

// goldenPages is how many visits of a journey are written down.
const goldenPages = 40

// Every strategy's journey over the small drawn web is written down in testdata/journeys: the order of the visits, what
// each link had promised, what its page turned out to be, and why it was not kept. A change of order or score shows there;
// `go test ./focus -run Golden -update` writes the files anew.
func TestGoldenJourneys(t *testing.T) {
	config := focus.Default()
	for _, name := range config.Strategies() {
		t.Run(name, func(t *testing.T) {
			golden := filepath.Join("..", "testdata", "journeys", name+".golden")
			have := goldenJourney(t, name)
			if *update {
				if err := os.WriteFile(golden, []byte(have), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v; write it with -update", err)
			}
			if line, a, b := firstDifference(have, string(want)); line > 0 {
				t.Errorf("%s line %d:\nhave %s\nwant %s", golden, line, a, b)
			}
		})
	}
}

func goldenJourney(t *testing.T, strategy string) string {
	config := replayConfig(t)
	config.Store, config.Sinks = "", nil
	config.Window, config.Polite.Parallel, config.Polite.Delay = 1, 1, 0
	config.Strategy.Name = strategy
	config.Models = trainedElsewhere(t, strategy)
	config.Budget.Pages = goldenPages
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: the first %d visits of a crawl for sailing, yacht, boat\n# promise  found  what became of it, and the address\n", strategy, goldenPages)
	crawlWith(t, config, func(c *focus.Crawler) {
		c.OnDone(func(v *focus.Visit) {
			promise, found, fate := "    start", "     -", "kept"
			if len(v.Item.Numbers) > 0 {
				promise = fmt.Sprintf("%9.4f", round(v.Item.Numbers[0]))
			}
			if v.Page != nil {
				found = fmt.Sprintf("%6.3f", v.Judgement.Relevance)
			}
			if !v.Kept {
				fate = string(v.Refused)
			}
			fmt.Fprintf(&b, "%s %s  %-16s %s\n", promise, found, fate, v.Item.URL)
			if v.Chosen != "" {
				fmt.Fprintf(&b, "%18s%s\n", "", v.Chosen)
			}
		})
	})
	return b.String()
}

// trainedElsewhere are the models of strategies that need one, learned on another drawn web.
func trainedElsewhere(t *testing.T, strategy string) map[string]string {
	t.Helper()
	if strategy != "layers" && strategy != "context-graph" {
		return nil
	}
	on, err := focus.OpenTerrain(filepath.Join("..", "testdata", "webs", "quickstart"), "sailing")
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close()
	var model interface{ Bytes() ([]byte, error) }
	if model, err = focus.TrainLayers([]*focus.Terrain{on}, focus.DefaultLayers()); strategy == "context-graph" {
		model, err = focus.TrainContext([]*focus.Terrain{on}, focus.DefaultContext())
	}
	if err != nil {
		t.Fatal(err)
	}
	raw, err := model.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), strategy)
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return map[string]string{strategy: file}
}

// round keeps minus nought and the last digits of single precision out of the files.
func round(x float32) float64 { return math.Round(float64(x)*1e4)/1e4 + 0 }

// firstDifference is the first line in which two texts differ, counted from 1; 0 if they are the same.
func firstDifference(have, want string) (line int, a, b string) {
	h, w := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range max(len(h), len(w)) {
		a, b = "(nothing)", "(nothing)"
		if i < len(h) {
			a = h[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return i + 1, a, b
		}
	}
	return 0, "", ""
}
