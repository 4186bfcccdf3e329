package extensions_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/extensions"
)

// A second crawl of a site asks only for what has changed, and sees every page. What it saw the first time is remembered
// here by a transport of its own; a recorded web (package replay) serves as well.
func ExampleUnchanged() {
	changed := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
		if err == nil && !changed.After(since) {
			fmt.Println("the server sends nothing")
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Last-Modified", changed.Format(http.TimeFormat))
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<h1>Tides</h1>")
	}))
	defer site.Close()

	before, err := http.Get(site.URL + "/")
	if err != nil {
		panic(err)
	}

	c := colly.NewCollector()
	extensions.Transport(c, extensions.Unchanged(once{before}))
	c.OnHTML("h1", func(e *colly.HTMLElement) { fmt.Println(e.Text) })
	if err := c.Visit(site.URL + "/"); err != nil {
		panic(err)
	}
	// Output:
	// the server sends nothing
	// Tides
}

// once answers with one response.
type once struct{ *http.Response }

func (o once) RoundTrip(*http.Request) (*http.Response, error) { return o.Response, nil }
