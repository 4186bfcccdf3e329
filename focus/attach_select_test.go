package focus_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
)

// layered are the selections that hold links back, over a tree of one factor.
var layered = map[string]string{
	"rounds":  "name: layers\nrank: {use: anchor}\nselect: {use: rounds, with: {queues: 1}}\n",
	"genetic": "name: genetic\nrank: {use: anchor}\nselect: {use: genetic, with: {r0: 0, fit0: 0}}\n",
	"groups":  "name: bandit\nrank: {use: constant}\nselect: {use: groups, with: {batch: 2}}\n",
}

// Rounds, generations and groups run in a Colly program with Attach and the queue, over memory and disk, by one thread or many:
// every page is visited once, and rounds come one after the other.
func TestSelectionsRunInACollyProgram(t *testing.T) {
	for name, tree := range layered {
		for _, threads := range []int{1, 4} {
			for _, on := range []string{"memory", "disk"} {
				t.Run(fmt.Sprintf("%s, %d threads, %s", name, threads, on), func(t *testing.T) {
					var waiting frontier.Frontier = frontier.NewMemory(frontier.Manners{PerHost: 4})
					if on == "disk" {
						f, err := disk.Open(t.TempDir(), frontier.Manners{PerHost: 4}, disk.Options{})
						if err != nil {
							t.Fatal(err)
						}
						defer f.Close()
						waiting = f
					}
					w := collyWeb()
					c := collectorOver(w)
					steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, tree))
					if err != nil {
						t.Fatal(err)
					}
					var depths []uint16
					steps.OnDone(func(v *focus.Visit) { depths = append(depths, v.Item.Depth) })
					q := newQueue(t, threads, waiting)
					q.AddURL("http://a.example/")
					if err := q.Run(c); err != nil || steps.Err() != nil {
						t.Fatal(err, steps.Err())
					}
					if n := len(slices.Compact(sorted(w.asked))); name != "genetic" && n != 7 || n != len(w.asked) || n < 5 {
						t.Errorf("asked for %v, want each of the seven once", w.asked)
					}
					if name == "rounds" && !slices.IsSorted(depths) {
						t.Errorf("the rounds came in the order %v", depths)
					}
				})
			}
		}
	}
}

// So do the strategies that come with the program: layers with the model it was trained into, genetic and bandit.
func TestShippedSelectionsRunInACollyProgram(t *testing.T) {
	for _, name := range []string{"layers", "genetic", "bandit"} {
		t.Run(name, func(t *testing.T) {
			config := focus.Default()
			config.Strategy.Name = name
			config.Models = map[string]string{"layers": "../testdata/config/small.layers"}
			strategy, err := config.LoadStrategy(nil)
			if err != nil {
				t.Fatal(err)
			}
			if name == "layers" && !strategy.HasModel() {
				t.Error("layers was not trained")
			} else if name == "layers" {
				bare, err := crawlfile.Strategy(name)
				if _, refused := focus.Attach(colly.NewCollector(), frontier.NewMemory(frontier.Manners{}), solarTopic(t), bare); err != nil || refused == nil || !strings.Contains(refused.Error(), "layers has no model for layers") {
					t.Errorf("without a model: %v, %v", err, refused)
				}
			}
			w, waiting := collyWeb(), frontier.NewMemory(frontier.Manners{PerHost: 4})
			c := collectorOver(w)
			steps, err := focus.Attach(c, waiting, solarTopic(t), strategy)
			if err != nil {
				t.Fatal(err)
			}
			q := newQueue(t, 2, waiting)
			q.AddURL("http://a.example/")
			if err := q.Run(c); err != nil || steps.Err() != nil {
				t.Fatal(err, steps.Err())
			}
			if n := len(slices.Compact(sorted(w.asked))); n != len(w.asked) || n < 4 {
				t.Errorf("asked for %v, want most of the seven, each once", w.asked)
			}
		})
	}
}

// A frontier on Redis cannot hold links back, and one that holds those of an earlier process has lost what was known of them:
// both are refused with the reason.
func TestSelectionsThatCannotRunAreRefused(t *testing.T) {
	client, to, err := redis.Dial("redis://" + miniredis.RunT(t).Addr() + "?crawl=solar")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	f, err := redis.Open(context.Background(), client, to.Crawl, frontier.Manners{}, redis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for name, tree := range layered {
		if _, err := focus.Attach(colly.NewCollector(), f, solarTopic(t), loadTree(t, tree)); err == nil || !strings.Contains(err.Error(), "many machines share") {
			t.Errorf("%s on Redis: %v", name, err)
		}
	}
	earlier := frontier.NewMemory(frontier.Manners{})
	earlier.Push(frontier.Item{URL: "http://a.example/", Identity: "http://a.example/", Host: "a.example", Tier: frontier.Held + 1})
	if _, err := focus.Attach(colly.NewCollector(), earlier, solarTopic(t), loadTree(t, layered["groups"])); err == nil || !strings.Contains(err.Error(), "earlier process") {
		t.Errorf("with links of an earlier process: %v", err)
	}
}
