package extensions

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/gocolly/colly/v2"
)

// prose is a page of n words, drawn from a seed.
func prose(seed uint64, n int) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%c%c%c", 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26))
	}
	return words
}

func TestNearDuplicatesMarksPages(t *testing.T) {
	text := strings.Join(prose(1, 300), " ")
	s := newSite(t, map[string]http.HandlerFunc{"/1": hyper(text), "/2": hyper(text + " more"), "/3": plain(text), "/4": hyper(strings.Join(prose(4, 300), " "))})
	var heard refusals
	c := colly.NewCollector()
	NearDuplicates(c, NearDuplicatesConfig{OnRefusal: heard.tell})
	marked := map[string]string{}
	c.OnScraped(func(r *colly.Response) { marked[r.Request.URL.Path] = r.Headers.Get(DuplicateHeader) })
	for i := 1; i <= 4; i++ {
		c.Visit(fmt.Sprintf("%s/%d", s.URL, i))
	}
	if marked["/1"] != "" || marked["/2"] != s.URL+"/1" || marked["/3"] != "" || marked["/4"] != "" || len(heard.all) != 1 {
		t.Errorf("marked %v, refused %v", marked, heard.all)
	}
}
