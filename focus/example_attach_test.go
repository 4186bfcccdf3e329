package focus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// A callback finds its visit by the Ctx of its response, and what it sets there stands in the harvest.
func ExampleVisitOf() {
	folder, _ := os.MkdirTemp("", "run-")
	defer os.RemoveAll(folder)
	config, err := focus.Load("../configs/quickstart.yaml",
		crawlfile.Override{Key: "store", Value: folder}, crawlfile.Override{Key: "budget.pages", Value: "20"})
	if err != nil {
		fmt.Println(err)
		return
	}
	crawler, err := focus.New(context.Background(), config)
	if err != nil {
		fmt.Println(err)
		return
	}
	crawler.Collector().OnHTML("title", func(e *colly.HTMLElement) {
		focus.VisitOf(e.Response.Ctx).Set("letters", len(e.Text))
	})
	if _, err := crawler.Run(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	for r, err := range sink.Harvest(folder) {
		fmt.Println(len(r.Data["letters"]) > 0, err)
		break
	}
	// Output: true <nil>
}

// Whole layers, in a Colly program of its own: a layer is visited to its end before the next one begins.
func ExampleAttach_rounds() {
	web := exampleWeb()
	defer web.Close()
	layers, err := rank.Load("layers.yaml", []byte("name: layers\nrank: {use: anchor}\nselect: {use: rounds, with: {queues: 2}}"), rank.Factors)
	if err != nil {
		fmt.Println(err)
		return
	}
	about, _ := topic.New(topic.Spec{Terms: []topic.Term{{Term: "solar energy", Weight: 1}}, Threshold: 0.3})
	waiting := frontier.NewMemory(frontier.Manners{})

	c := colly.NewCollector()
	c.OnHTML("title", func(e *colly.HTMLElement) { fmt.Println(e.Text) })
	if _, err := focus.Attach(c, waiting, about, layers); err != nil {
		fmt.Println(err)
		return
	}
	q, _ := extensions.NewQueue(1, waiting)
	q.AddURL(web.URL + "/")
	q.Run(c)
	// Output:
	// A small town
	// Solar energy at home
	// Cooking
	// Football
}

// A bandit, in a Colly program of its own: links that stand in alike places of their pages are tried together.
func ExampleAttach_groups() {
	web := exampleWeb()
	defer web.Close()
	about, _ := topic.New(topic.Spec{Terms: []topic.Term{{Term: "solar energy", Weight: 1}}, Threshold: 0.3})
	bandit, err := crawlfile.Strategy("bandit")
	if err != nil {
		fmt.Println(err)
		return
	}
	waiting := frontier.NewMemory(frontier.Manners{})

	c := colly.NewCollector()
	steps, err := focus.Attach(c, waiting, about, bandit)
	if err != nil {
		fmt.Println(err)
		return
	}
	steps.OnDone(func(v *focus.Visit) {
		if v.Judgement.Relevant {
			fmt.Println(v.Page.Title)
		}
	})
	q, _ := extensions.NewQueue(1, waiting)
	q.AddURL(web.URL + "/")
	q.Run(c)
	fmt.Println(steps.Counts().Pages, "pages")
	// Output:
	// Solar energy at home
	// 4 pages
}

// Statistics as numbers (gocolly/colly #411), at any time and for whatever they are wanted: what was asked for, what came, and why
// the rest did not.
func ExampleSteps_Counts() {
	web := exampleWeb()
	defer web.Close()
	about, _ := topic.New(topic.Spec{Terms: []topic.Term{{Term: "solar energy", Weight: 1}}, Threshold: 0.3})
	shark, _ := crawlfile.Strategy("shark")
	waiting := frontier.NewMemory(frontier.Manners{})

	c := colly.NewCollector()
	steps, err := focus.Attach(c, waiting, about, shark)
	if err != nil {
		fmt.Println(err)
		return
	}
	q, _ := extensions.NewQueue(1, waiting)
	q.AddURL(web.URL + "/")
	q.AddURL(web.URL + "/no-such-page")
	q.Run(c)

	n := steps.Counts()
	json.NewEncoder(os.Stdout).Encode(map[string]any{"requests": n.Pages, "failed": n.Failed, "relevant": n.Relevant, "links": n.Links, "dropped": n.Dropped})
	// Output: {"dropped":{"not relevant":3,"status: 404 Not Found":1},"failed":1,"links":3,"relevant":1,"requests":5}
}
