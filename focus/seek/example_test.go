package seek

import (
	"context"
	"fmt"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ground"
)

// A search asks an engine with the topic's words, judges what it names, and proposes sites with a confidence.
func Example() {
	web := hosts{
		"search.example": answering(func(string) []string {
			return []string{"http://club.example/", "http://kitchen.example/"}
		}),
		"club.example":    serve(map[string]string{"/": "<title>Sailing</title><p>Sailing with a long keel."}),
		"kitchen.example": serve(map[string]string{"/": "<title>Soup</title><p>A soup with onions."}),
	}
	config := crawlfile.Default()
	config.Name = "boats"
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "keel", Weight: 1}}
	config.Polite.Contact, config.Polite.Delay = "you@example.org", 0
	config.Engines = []string{"searxng=http://search.example"}

	search, err := New(config, Defaults(), ground.Options{Transport: web})
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
