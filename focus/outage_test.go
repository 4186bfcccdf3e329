package focus_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
)

// An outage is a site that answers its first visitors alike, whatever they ask for but its lists, and then is well.
type outage struct {
	of, form string // the form of the addresses of its pages
	says     string
	lists    int // from which one comes to all pages
	alike    int // answers
	*atomic.Int32
}

const outagePages = 100

var outages = []outage{
	{of: "a site that is mended", form: "/thread.php?id=%d", says: solarArticle("is away and comes back soon"), lists: 1, alike: 18},
	{of: "one whose lists go on", form: "/thread.php?id=%d", says: "<title>Nothing</title><p>Solar energy is away. Look for it in an hour or so, please.", lists: 5, alike: 18},
	{of: "a wall before all pages", form: "/news/%d.html", says: "<meta name=robots content='noindex,nofollow'><title>Who are you</title><p>Solar energy for members", lists: 1, alike: 18},
	{of: "names that are drawn", form: "/news/a%db2c3d4e5f6.html", says: solarArticle("for members alone"), lists: 1, alike: 18},
}

// RoundTrip answers for the site.
func (o outage) RoundTrip(r *http.Request) (*http.Response, error) {
	w, list, i := &web{pages: map[string]answer{}}, 0, 0
	lists, _ := fmt.Sscanf(r.URL.Path, "/list%d", &list)
	said := ""
	switch n, _ := fmt.Sscanf(r.URL.RequestURI(), o.form, &i); {
	case r.URL.Path == "/" || lists == 1:
		said = fmt.Sprintf(`<title>Solar energy</title><p>Solar energy and panels, in many lists <a href="/list%d">more</a> `, list+1)
		for i, each := list*outagePages/o.lists, outagePages/o.lists; each > 0; i, each = i+1, each-1 {
			said += fmt.Sprintf(`<a href="`+o.form+`">solar energy %[1]d</a> `, i)
		}
		if list >= o.lists {
			return w.RoundTrip(r)
		}
	case n < 1:
		return w.RoundTrip(r)
	case int(o.Add(1)) <= o.alike:
		said = o.says
	default:
		said = solarArticle(fmt.Sprint("page", i))
	}
	w.pages[r.URL.String()] = answer{status: http.StatusOK, body: said}
	return w.RoundTrip(r)
}

// Of a site that answers alike for a while no page is lost but those that were asked for meanwhile: neither what waited, nor what was found when
// its kind was refused.
func TestAnOutageCostsThePagesThatWereAskedForMeanwhile(t *testing.T) {
	for _, site := range outages {
		for _, strategy := range []string{"breadth", "apprentice"} {
			site.costsWhatWasAsked(t, strategy, 1)
		}
	}
}

// Nor is what has its turn while a rule falls, of several that are asked for at once.
func TestAnOutageThatEndsAmongSeveralVisits(t *testing.T) {
	for _, site := range outages {
		for site.alike = 10; site.alike < 13; site.alike++ { // about as many as a rule takes to be learned, and fewer than are looked at then
			site.costsWhatWasAsked(t, "breadth", 4)
		}
	}
}

// costsWhatWasAsked crawls the site, so many pages at once.
func (o outage) costsWhatWasAsked(t *testing.T, strategy string, most int) {
	t.Helper()
	o.Int32 = &atomic.Int32{}
	config := solarConfig(t, o)
	config.Strategy.Name, config.Polite.Parallel, config.Polite.PerHost = strategy, most, most
	config.Topic.Threshold, config.Budget.Pages = 0, 400
	report := crawlWith(t, config, func(*focus.Crawler) {})
	pages := 0
	for _, r := range harvest(t, config) {
		if strings.HasPrefix(r.Title, "Solar page") {
			pages++
		}
	}
	if want := outagePages - o.alike; pages != want {
		t.Errorf("%s, %s, %d at once, %d answers alike: %d pages are kept of %d by %d visits: %v, %v", o.of, strategy, most, o.alike, pages, want,
			report.Counts.Pages, report.Counts.Dropped, report.Counts.Refused)
	}
}
