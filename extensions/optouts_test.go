package extensions

import (
	"net/http"
	"reflect"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/robots"
)

func TestOptOutsInCallbacks(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{
		"/robots.txt": plain("User-agent: *\nContent-Signal: ai-train=no"),
		"/":           hyper(`<link rel=license href="/l"><body><a href="/b">`), "/b": hyper("b"),
	})
	c := colly.NewCollector()
	OptOuts(c, Robots(c, RobotsConfig{}))
	got := map[string]robots.OptOut{}
	c.OnHTML("a", func(e *colly.HTMLElement) {
		e.Request.Visit(e.Attr("href")) // shares the context with this page, and must not share the note
		got[e.Request.URL.Path] = *OptOutsOf(e.Request)
	})
	c.OnHTML("body", func(e *colly.HTMLElement) { got[e.Request.URL.Path] = *OptOutsOf(e.Request) })
	if err := c.Visit(s.URL + "/"); err != nil {
		t.Fatal(err)
	}
	want := map[string]robots.OptOut{"/": {Signals: []string{"ai-train=no"}, Licences: []string{s.URL + "/l"}}, "/b": {Signals: []string{"ai-train=no"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
