package extensions

import (
	"net/http"
	"testing"

	"github.com/gocolly/colly/v2"
)

func TestCanonicalFetchesAPageOnce(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/a": hyper(`<link rel="stylesheet canonical" href="/A#x"><body><a href="/b">`)})
	var heard refusals
	c := colly.NewCollector()
	Canonical(c, CanonicalConfig{OnRefusal: heard.tell})
	var own []string
	c.OnHTML("a", func(e *colly.HTMLElement) { own = append(own, CanonicalOf(e.Request)) })
	for _, address := range []string{"/a?x=1", "/a?x=1#part", "/%61?x=1", "/a?x=2"} {
		if err := c.Visit(s.URL + address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	if s.hits("/a?x=1") != 1 || s.hits("/%61?x=1") != 0 || s.hits("/a?x=2") != 1 {
		t.Errorf("asked for %v", s.asked)
	}
	if len(heard.all) != 2 || heard.all[0].Reason != "another way to write "+s.URL+"/a?x=1" {
		t.Errorf("refused %v", heard.all)
	}
	if len(own) != 2 || own[0] != s.URL+"/A" {
		t.Errorf("the page calls itself %q", own)
	}
}

// TestCanonicalLetsARequestBeRepeated: the same address in the same words is Colly's affair.
func TestCanonicalLetsARequestBeRepeated(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": status(500)})
	c := colly.NewCollector()
	Canonical(c, CanonicalConfig{})
	c.OnError(func(r *colly.Response, _ error) {
		if s.hits("/") < 3 {
			r.Request.Retry()
		}
	})
	c.Visit(s.URL + "/")
	if s.hits("/") != 3 {
		t.Errorf("asked %d times", s.hits("/"))
	}
}
