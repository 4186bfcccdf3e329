package extensions_test

import (
	"fmt"
	"strings"

	"github.com/gocolly/colly/v2"
)

// SuffixConfig are the settings of an extension of our own; the zero value is the default.
type SuffixConfig struct {
	Refuse []string // the ends of addresses that are not visited; .pdf where there are none
}

// Suffix keeps a collector from addresses with certain ends. An extension is a function of the collector and its settings, which
// hangs what it does on the collector.
func Suffix(c *colly.Collector, o SuffixConfig) {
	if o.Refuse == nil {
		o.Refuse = []string{".pdf"}
	}
	c.OnRequest(func(r *colly.Request) {
		for _, end := range o.Refuse {
			if strings.HasSuffix(r.URL.Path, end) {
				fmt.Println("refused:", r.URL.Path)
				r.Abort()
			}
		}
	})
}

func Example_anExtensionOfOnesOwn() {
	site := serve(map[string]string{"/": `<a href="/report.pdf">report</a> <a href="/sharks">sharks</a>`, "/sharks": "<title>Sharks</title>"})
	defer site.Close()

	c := colly.NewCollector()
	Suffix(c, SuffixConfig{})
	c.OnHTML("a", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
	c.OnHTML("title", func(e *colly.HTMLElement) { fmt.Println(e.Text) })
	c.Visit(site.URL)
	// Output:
	// refused: /report.pdf
	// Sharks
}
