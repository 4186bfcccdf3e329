package extensions_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Colly's own queue example, with its import and one line changed: the queue is made over a frontier.
func ExampleNewQueue() {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	url := server.URL + "/delay"

	c := colly.NewCollector(colly.AllowURLRevisit())

	// q, _ := queue.New(2, &queue.InMemoryQueueStorage{MaxSize: 10000})
	q, _ := extensions.NewQueue(2, frontier.NewMemory(frontier.Manners{}))

	c.OnRequest(func(r *colly.Request) {
		if r.ID < 3 {
			r2, err := r.New("GET", fmt.Sprintf("%s?x=%v", url, r.ID), nil)
			if err == nil {
				q.AddRequest(r2)
			}
		}
	})
	for i := range 5 {
		q.AddURL(fmt.Sprintf("%s?n=%d", url, i))
	}
	q.Run(c)

	fmt.Println("nothing waits:", q.IsEmpty())
	// Output: nothing waits: true
}

func ExampleQueue_AddScored() {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()

	c := colly.NewCollector()
	c.OnResponse(func(r *colly.Response) { fmt.Println(r.Request.URL.Path) })

	q, _ := extensions.NewQueue(1, frontier.NewMemory(frontier.Manners{}))
	q.AddScored(server.URL+"/someday", 0.1)
	q.AddScored(server.URL+"/first", 0.9)
	q.AddScored(server.URL+"/second", 0.5)
	q.Run(c)
	// Output:
	// /first
	// /second
	// /someday
}
