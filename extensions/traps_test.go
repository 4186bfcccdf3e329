package extensions

import (
	"net/http"
	"testing"

	"github.com/gocolly/colly/v2"
)

func TestTrapsAbort(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("x")) }})
	s.set("/p", hyper(`<a href="p/p/p/p">deeper</a>`))
	var heard refusals
	c := colly.NewCollector()
	Traps(c, TrapsConfig{OnRefusal: heard.tell})
	for _, path := range []string{"/p", "/p/p/p/p", "/"} {
		if err := c.Visit(s.URL + path); err != nil {
			t.Error(err)
		}
	}
	if s.hits("/p/p/p/p") != 0 || s.hits("/") != 1 || len(heard.all) != 1 || heard.all[0].Reason != "repeating segments: p" {
		t.Errorf("asked for %v, refused %v", s.asked, heard.all)
	}
}
