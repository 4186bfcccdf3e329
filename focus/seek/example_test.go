package seek_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/seek"
)

// web answers for all hosts: a SearXNG, a sailing club and a kitchen.
type web map[string]string

func (w web) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	body, ok := w[r.URL.Host+r.URL.Path]
	switch {
	case !ok:
		http.NotFound(answer, r)
	case r.URL.Path == "/":
		answer.Header().Set("Content-Type", "text/html")
		fallthrough
	case r.FormValue("pageno") == "1":
		fmt.Fprint(answer, body)
	default:
		fmt.Fprint(answer, `{"results": []}`)
	}
	resp := answer.Result()
	resp.Request = r
	return resp, nil
}

// A search asks an engine with the topic's words, judges what it names, and proposes sites with a confidence.
func Example() {
	config := crawlfile.Default()
	config.Name = "boats"
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "keel", Weight: 1}}
	config.Polite.Contact, config.Polite.Delay = "you@example.org", 0
	config.Engines = []string{"searxng=http://search.example"}

	search, err := seek.New(config, seek.Defaults(), ground.Options{Transport: web{
		"search.example/search": `{"results": [{"url": "http://club.example/"}, {"url": "http://kitchen.example/"}]}`,
		"club.example/":         "<title>Sailing</title><p>Sailing with a long keel.",
		"kitchen.example/":      "<title>Soup</title><p>A soup with onions.",
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := search.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range report.Proposals {
		fmt.Printf("%s, begin at %s\n%s\n", p.Site, p.Seeds[0], p.Evidence[0])
	}
	// Output:
	// club.example, begin at http://club.example/
	// searxng search.example: “sailing”, rank 1: http://club.example/
}
