package focus_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A request that a Colly program put into the queue keeps its headers and its context when a page that links to its
// address, or the program itself, raises it; and it is read and ranked like any other page.
func TestARequestThatIsRaisedStaysWhatItIs(t *testing.T) {
	for name, raise := range map[string]bool{"by the program": true, "by a page": false} {
		t.Run(name, func(t *testing.T) {
			var header string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch w.Header().Set("Content-Type", "text/html"); r.URL.Path {
				case "/":
					w.Write([]byte(`<title>solar cells</title><p>solar panel energy <a href="/wanted">solar cells</a>`))
				case "/wanted":
					header = r.Header.Get("X-Wanted")
					w.Write([]byte(`<title>solar cells</title><p>solar panel energy`))
				default:
					http.NotFound(w, r)
				}
			}))
			defer server.Close()
			c := colly.NewCollector()
			f := frontier.NewMemory(frontier.Manners{})
			steps, err := focus.Attach(c, f, solarTopic(t), loadTree(t, "rank: {use: anchor}"))
			if err != nil {
				t.Fatal(err)
			}
			value := ""
			c.OnResponse(func(r *colly.Response) {
				if r.Request.URL.Path == "/wanted" {
					value = r.Ctx.Get("kept")
				}
			})
			q := newQueue(t, 1, f)
			url := server.URL + "/wanted"
			r, err := c.UnmarshalRequest([]byte(`{"URL":"` + url + `","Method":"GET","Ctx":{"kept":"context"},"Headers":{"X-Wanted":["header"]}}`))
			if err != nil {
				t.Fatal(err)
			}
			if err := q.AddRequest(r); err != nil {
				t.Fatal(err)
			}
			if raise {
				err = q.AddScored(url, 3)
			} else {
				err = q.AddScored(server.URL+"/", 3)
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := q.Run(c); err != nil {
				t.Fatal(err)
			}
			if header != "header" || value != "context" {
				t.Errorf("it was fetched with header %q and context %q", header, value)
			}
			if pages := steps.Counts().Pages; steps.Err() != nil || !raise && pages != 2 || raise && pages != 1 {
				t.Errorf("%d pages, %v", pages, steps.Err())
			}
		})
	}
}
