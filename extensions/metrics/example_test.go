package metrics_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/gocolly/colly/v2"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/extensions/metrics"
)

// serve is a web site of the examples: pages by path.
func serve(pages map[string]string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		switch {
		case strings.HasSuffix(r.URL.Path, ".txt"):
			w.Header().Set("Content-Type", "text/plain")
		case strings.HasSuffix(r.URL.Path, ".xml"):
			w.Header().Set("Content-Type", "text/xml")
		default:
			w.Header().Set("Content-Type", "text/html")
		}
		io.WriteString(w, body)
	}))
}

func ExampleMetrics() {
	site := serve(map[string]string{"/": ""})
	defer site.Close()

	registry := prometheus.NewRegistry() // serve it with promhttp.HandlerFor
	c := colly.NewCollector()
	m, err := metrics.Metrics(c, registry)
	if err != nil {
		log.Fatal(err)
	}
	extensions.Transport(c, m.Layer(), extensions.Decode(extensions.DecodeConfig{}), extensions.Resolver(extensions.ResolverConfig{OnLookup: m.Lookup}))
	extensions.Robots(c, extensions.RobotsConfig{OnRefusal: metrics.Refusals(m)})
	fmt.Println(c.Visit(site.URL))
	// Output: <nil>
}
