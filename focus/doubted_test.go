package focus_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
)

// A firstAlike is a site whose first pages are alike, for a reason that holds for them alone.
type firstAlike struct {
	of   string
	page func(name string, i int, query string) string // what is at /NAME-I, or at ?QUERY of it; a status where it begins with a digit
	twin string                                        // by which each page has another address: a query, or another origin; "moved" where none has
	more int                                           // visits that are spared until the first page is unlike, for which as many may be lost
}

// alikes are such sites: whoever asked was not let in at first, the oldest threads are gone, other origins and parameters show nothing else
// on the oldest pages, or are gone.
var alikes = []firstAlike{
	{"threads of which the oldest are gone", func(_ string, i int, query string) string {
		if i < 14 {
			return "<title>Nothing here</title><p>This thread is gone, or never was. Look for another one in the list."
		}
		return solarArticle(fmt.Sprint("thread", i))
	}, "", 0},
	{"articles that members alone may read at first", func(_ string, i int, query string) string {
		if i < 14 {
			return solarArticle("for members alone")
		}
		return solarArticle(fmt.Sprint("article", i))
	}, "", 0},
	{"a view that shows more on new pages alone", func(_ string, i int, query string) string {
		if i >= 14 && query != "" {
			return solarArticle(fmt.Sprint("more", i))
		}
		return solarArticle(fmt.Sprint("page", i))
	}, "?view=full", 0},
	{"an origin that has other pages later", func(origin string, i int, _ string) string {
		if i < 14 {
			origin = ""
		}
		return solarArticle(fmt.Sprint("page", origin, i))
	}, "https://a.example", 0},
	{"an origin that has the oldest pages alone", func(origin string, i int, _ string) string {
		if i >= 14 && origin == "http" {
			return "404"
		}
		return solarArticle(fmt.Sprint("page", i))
	}, "https://a.example", 0},
	{"pages that have moved to a slash at their end, but for old ones", func(_ string, i int, end string) string {
		switch {
		case i < 40 && end == "":
			return fmt.Sprintf("-> /boat-%d/", i)
		case i >= 40 && end != "":
			return "404"
		}
		return solarArticle(fmt.Sprint("page", i))
	}, "moved", 8},
}

func solarArticle(name string) string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, " %s%d", strings.ReplaceAll(name, " ", ""), i*i)
	}
	return "<title>Solar " + name + "</title><p>solar energy of a solar panel:" + b.String()
}

// RoundTrip answers for the site: a list of lists, and what is on them.
func (s firstAlike) RoundTrip(r *http.Request) (*http.Response, error) {
	w := &web{pages: map[string]answer{}}
	put := func(said string) (*http.Response, error) {
		a := answer{status: http.StatusOK, body: said}
		if to, moved := strings.CutPrefix(said, "-> "); moved {
			a = answer{status: http.StatusMovedPermanently, header: "Location: " + to}
		} else if said == "404" {
			a.status = http.StatusNotFound
		}
		w.pages[r.URL.String()] = a
		return w.RoundTrip(r)
	}
	var list, i int
	switch n, _ := fmt.Sscanf(r.URL.Path, "/list%d", &list); {
	case r.URL.Path == "/" || n == 1:
		said := fmt.Sprintf(`<title>Solar energy</title><p>Solar energy and panels, in many lists <a href="/list%d">more</a> `, list+1)
		for i := list * 20; i < min(list*20+20, 74); i++ {
			said += s.link(i)
		}
		if list > 3 {
			return put("404")
		}
		return put(said)
	case s.twin == "":
		fmt.Sscanf(r.URL.RawQuery, "id=%d", &i)
	default:
		fmt.Sscanf(r.URL.Path, "/boat-%d", &i)
	}
	if r.URL.Path == "/robots.txt" || i == 0 && !strings.HasPrefix(r.URL.Path, "/boat") {
		return put("404")
	}
	if s.twin == "moved" {
		return put(s.page(r.URL.Scheme, i, r.URL.Path[len(strings.TrimSuffix(r.URL.Path, "/")):]))
	}
	return put(s.page(r.URL.Scheme, i, r.URL.RawQuery))
}

// link are the links to a page by all of its addresses.
func (s firstAlike) link(i int) string {
	a := func(to string) string { return fmt.Sprintf(`<a href="%s">solar energy %d</a> `, to, i) }
	switch path := fmt.Sprintf("/boat-%d", i); {
	case s.twin == "":
		return a(fmt.Sprintf("/boat.php?id=%d", i))
	case s.twin == "moved":
		return a(path)
	case strings.HasPrefix(s.twin, "?"):
		return a(path) + a(path+s.twin)
	default:
		return a("http://a.example"+path) + a(s.twin+path)
	}
}

// What a dozen pages have shown is not believed of all others: where it is so of the first alone, all but a few pages are kept that a crawl
// keeps which looks for no traps.
func TestWhatIsSoOfTheFirstIsNotBelievedOfAll(t *testing.T) {
	for _, site := range alikes {
		for _, strategy := range []string{"breadth", "apprentice"} {
			kept := map[string]map[string]bool{}
			for _, traps := range []string{"ignore", "watch"} {
				config := solarConfig(t, site)
				config.Strategy.Name, config.Scope.Traps, config.Polite.Parallel, config.Polite.PerHost = strategy, traps, 1, 1
				config.Topic.Threshold, config.Budget.Pages = 0, 400
				crawlWith(t, config, func(*focus.Crawler) {})
				kept[traps] = map[string]bool{}
				for _, r := range harvest(t, config) {
					kept[traps][r.Title] = true
				}
			}
			lost := 0
			for title := range kept["ignore"] {
				if !kept["watch"][title] {
					lost++
				}
			}
			if most := 4 + site.more; lost > most || len(kept["ignore"]) < 60 {
				t.Errorf("%s, %s: %d of %d pages are lost", site.of, strategy, lost, len(kept["ignore"]))
			}
		}
	}
}

// partedLists are the parts of one list below one text, each with articles of its own.
type partedLists struct{}

func (partedLists) RoundTrip(r *http.Request) (*http.Response, error) {
	w := &web{pages: map[string]answer{}}
	var part, i int
	said := ""
	switch {
	case r.URL.Path == "/":
		said = `<title>Solar energy</title><p>Solar energy and panels <a href="/list.php?cat=solar">news</a>`
	case r.URL.Path == "/list.php":
		fmt.Sscanf(r.URL.Query().Get("part"), "%d", &part)
		said = `<title>Solar news</title><div><p>Here is all that we have written of solar energy, of the solar panel and its makers, of roofs and fields, of laws
			and of money, since the year in which our house was founded by two engineers who had nothing but an idea and a shed. Read on, and tell us
			what you think of it; we answer every letter, if it takes us a while.</p></div><ul>`
		for i := part * 5; i < part*5+5; i++ {
			said += fmt.Sprintf(`<li><a href="/item-%d">Story %[1]d</a></li>`, i)
		}
		if said += "</ul>"; part < 29 {
			said += fmt.Sprintf(`<a href="/list.php?cat=solar&amp;part=%d">next</a>`, part+1)
		}
	default:
		if n, _ := fmt.Sscanf(r.URL.Path, "/item-%d", &i); n == 1 {
			said = solarArticle(fmt.Sprint("item", i))
		}
	}
	if said != "" {
		w.pages[r.URL.String()] = answer{status: http.StatusOK, body: said}
	}
	return w.RoundTrip(r)
}

// The parts of a list whose words are the same are looked through to the end, for each leads to articles that no other does.
func TestPartsOfAListBelowOneTextAreLookedThrough(t *testing.T) {
	for _, strategy := range []string{"breadth", "apprentice"} {
		config := solarConfig(t, partedLists{})
		config.Strategy.Name, config.Topic.Threshold = strategy, 0
		if report := crawlWith(t, config); report.Counts.Kept < 150 {
			t.Errorf("%s: %d of 150 articles are kept; dropped %v, refused %v", strategy, report.Counts.Kept, report.Counts.Dropped, report.Counts.Refused)
		}
	}
}
