package extensions

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/gocolly/colly/v2"
)

func TestOptOutsInCallbacks(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{
		"/robots.txt": plain("User-agent: *\nContent-Signal: ai-train=no"),
		"/":           hyper(`<link rel=license href="/l"><body><a href="/b">`), "/b": hyper("b"),
	})
	c := colly.NewCollector()
	OptOuts(c, Robots(c, RobotsConfig{}))
	got := map[string]string{}
	c.OnHTML("a", func(e *colly.HTMLElement) {
		e.Request.Visit(e.Attr("href")) // shares the context with this page, and must not share the note
		got[e.Request.URL.Path] = strings.Join(OptOutsOf(e.Request).Words(), "; ")
	})
	c.OnHTML("body", func(e *colly.HTMLElement) { got[e.Request.URL.Path] = strings.Join(OptOutsOf(e.Request).Words(), "; ") })
	noError(t, c.Visit(s.URL+"/"))
	want := map[string]string{"/": "ai-train=no (robots.txt); license=" + s.URL + "/l (page)", "/b": "ai-train=no (robots.txt)"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
