package focus_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

const articles = 91

var (
	ofYachts = strings.Fields("sailing yacht regatta keel mast harbour")
	ofTowns  = strings.Fields("morning people town long water year house small work evening week great hand letter street door garden river window bread corner table paper winter summer stone bridge music school train")
)

// yachtWeb has a club of 91 articles that speak of yachts now and then, a host of pages that are made of nothing but the topic's
// words, and a town that names one of them in passing. Each host's front page links to its pages and to the other hosts.
func yachtWeb() http.RoundTripper {
	return transport(func(r *http.Request) (*http.Response, error) {
		n, err := strconv.ParseUint(strings.Trim(r.URL.Path, "/"), 10, 64)
		body, status := yachtPage(r.URL.Host, int(n), r.URL.Path == "/"), 200
		if err != nil && r.URL.Path != "/" {
			status = 404 // pages of six words are all like an error page that is made of them
		}
		return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	})
}

func yachtPage(host string, n int, front bool) string {
	dice := rand.New(rand.NewPCG(uint64(n), uint64(len(host))))
	var b strings.Builder
	words := func(many int, share float64) {
		for range many {
			from := ofTowns
			if dice.Float64() < share {
				from = ofYachts
			}
			b.WriteString(from[dice.IntN(len(from))] + " ")
		}
	}
	switch {
	case front:
		fmt.Fprintf(&b, "<title>%s</title><p>", host)
		words(30, 0)
		for _, to := range []string{"club.example", "dense.example", "town.example"} {
			fmt.Fprintf(&b, `<p><a href="http://%s/">%s</a>`, to, to)
		}
		b.WriteString("<ul>")
		for i := range articles {
			fmt.Fprintf(&b, `<li><a href="/%d">number %d</a>`, i+1, i+1)
		}
	case host == "club.example":
		fmt.Fprintf(&b, "<title>%s and a letter, %d</title><p>", ofYachts[dice.IntN(len(ofYachts))], n)
		words(250+dice.IntN(300), .06)
	case host == "dense.example":
		fmt.Fprintf(&b, "<title>%s %d</title><p>", strings.Join(ofYachts, " "), n)
		words(200+dice.IntN(200), 1)
	default:
		fmt.Fprintf(&b, "<title>the town, %d</title><p>%s ", n, ofYachts[dice.IntN(len(ofYachts))])
		words(250+dice.IntN(300), 0)
	}
	return b.String()
}

// yachtCrawl crawls some of these hosts whole, and tells by host how many pages were fetched and kept, by each look.
func yachtCrawl(t *testing.T, strategy string, hosts ...string) (fetched, first, second map[string]int) {
	t.Helper()
	config := solarConfig(t, yachtWeb())
	config.Name, config.Strategy.Name, config.Duplicates, config.Seeds = "yachts", strategy, "keep", nil
	config.Topic.Terms = nil
	for _, word := range ofYachts {
		config.Topic.Terms = append(config.Topic.Terms, crawlfile.TermConfig{Term: word, Weight: 1})
	}
	for _, host := range hosts {
		config.Seeds = append(config.Seeds, "http://"+host+"/")
	}
	config.Scope.Hosts = hosts
	fetched, first, second = map[string]int{}, map[string]int{}, map[string]int{}
	id := map[uint64]string{}
	crawlWith(t, config, func(c *focus.Crawler) {
		c.OnDone(func(v *focus.Visit) {
			if v.Page == nil || strings.HasSuffix(v.FinalURL, "example/") {
				return
			}
			host, _, _ := strings.Cut(strings.TrimPrefix(v.FinalURL, "http://"), "/")
			id[v.Item.ID] = host
			if fetched[host]++; v.Kept {
				first[host]++
			}
		})
	})
	r, err := winnow.Run(config.Store, nil, winnow.Cut{}) // in its own folder
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Verdicts {
		if v.Kept {
			second[id[v.ID]]++
		}
	}
	return fetched, first, second
}

// A site of 91 articles on the topic is kept, whatever dense pages the crawl met beside it; those that name one word of the
// topic in passing are not.
func TestASiteOfArticlesIsKeptBesideDensePages(t *testing.T) {
	for _, strategy := range []string{"apprentice", "breadth"} {
		fetched, first, second := yachtCrawl(t, strategy, "club.example", "dense.example", "town.example")
		for look, kept := range map[string]map[string]int{"first": first, "second": second} {
			if fetched["club.example"] != articles || kept["club.example"] < 85 || kept["dense.example"] < 85 || kept["town.example"] > 3 {
				t.Errorf("%s, %s look: fetched %v, kept %v", strategy, look, fetched, kept)
			}
		}
	}
}

// In a crawl that goes so well that nearly every page has the topic's words, nearly every page is kept.
func TestACrawlOfNothingButTheTopicKeepsIt(t *testing.T) {
	fetched, first, second := yachtCrawl(t, "apprentice", "club.example")
	for look, kept := range map[string]map[string]int{"first": first, "second": second} {
		if fetched["club.example"] != articles || kept["club.example"] < 85 {
			t.Errorf("%s look: fetched %v, kept %v", look, fetched, kept)
		}
	}
}
