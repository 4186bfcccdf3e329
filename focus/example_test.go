package focus_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// A whole crawl: a crawl file in, a harvest out.
func Example() {
	folder, _ := os.MkdirTemp("", "run-")
	defer os.RemoveAll(folder)
	config, err := focus.Load("../configs/quickstart.yaml",
		crawlfile.Override{Key: "store", Value: folder}, crawlfile.Override{Key: "budget.pages", Value: "100"})
	if err != nil {
		fmt.Println(err)
		return
	}
	crawler, err := focus.New(context.Background(), config)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := crawler.Run(context.Background())
	fmt.Println(report.Counts.Pages, "pages, error:", err)
	// Output: 100 pages, error: <nil>
}

// An ordinary Colly program, with its own collector and its own callbacks, visits the promising links first: its links
// are ranked by shark or by block scores, and wait in a queue that knows priorities.
func ExampleAttach() {
	web := exampleWeb()
	defer web.Close()

	c := colly.NewCollector()
	c.OnHTML("title", func(e *colly.HTMLElement) { fmt.Println(e.Text) })

	about, _ := topic.New(topic.Spec{Terms: []topic.Term{{Term: "solar energy", Weight: 1}, {Term: "solar", Weight: 1}}, Threshold: 0.3})
	shark, _ := crawlfile.Strategy("shark")
	waiting := frontier.NewMemory(frontier.Manners{})
	focus.Attach(c, waiting, about, shark)

	q, _ := extensions.NewQueue(1, waiting)
	q.AddURL(web.URL + "/")
	q.Run(c)
	// Output:
	// A small town
	// Solar energy at home
	// Cooking
	// Football
}

// A factor of one's own is a function and a line that registers it, and a callback of one's own is Colly's.
func ExampleCrawler_Collector() {
	type params struct {
		Most int `yaml:"most" doc:"links of the page that count in full"`
	}
	factors := rank.NewRegistry().With(rank.Factors)
	rank.Register(factors, "early", "how early on its page a link stands", params{Most: 3}, func(p params) (rank.Factor, error) {
		if p.Most < 1 {
			return nil, fmt.Errorf("most is %d, want at least 1", p.Most)
		}
		return rank.Func(func(e *rank.Evidence) float64 {
			return math.Min(1, float64(p.Most)/float64(1+e.Link.Order))
		}), nil
	})

	folder, _ := os.MkdirTemp("", "run-")
	defer os.RemoveAll(folder)
	config := focus.Default()
	config.Name, config.Store = "early", folder
	config.Web = "../testdata/webs/small"
	config.Factors = factors
	config.Seeds = []string{"http://daily.example/"}
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}}
	config.Budget.Pages = 10
	config.Strategy, _ = crawlfile.InPlace(`
name: early
rank:
  mix:
    - {use: early, weight: 1, with: {most: 2}}
    - {use: relevance, weight: 1}`)

	crawler, err := focus.New(context.Background(), config)
	if err != nil {
		fmt.Println(err)
		return
	}
	var titles atomic.Int64 // callbacks may run in parallel
	crawler.Collector().OnHTML("title", func(*colly.HTMLElement) { titles.Add(1) })
	report, err := crawler.Run(context.Background())
	fmt.Println(report.Counts.Pages, "pages,", titles.Load() > 0, err)
	// Output: 10 pages, true <nil>
}

// exampleWeb is a web of four pages.
func exampleWeb() *httptest.Server {
	pages := map[string]string{
		"/":         `<title>A small town</title><p>News of the town.</p><ul><li><a href="/cooking">cooking</a><li><a href="/football">football</a><li><a href="/solar">solar energy</a></ul>`,
		"/solar":    `<title>Solar energy at home</title><p>` + strings.Repeat("Solar energy from the roof. ", 20),
		"/cooking":  `<title>Cooking</title><p>` + strings.Repeat("Soup with onions. ", 20),
		"/football": `<title>Football</title><p>` + strings.Repeat("The team has won. ", 20),
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
}
