package again

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
)

// A list that gives all its addresses the time at which it was made, or the day, says of none that it has changed.
func TestAListThatDatesItself(t *testing.T) {
	at := time.Date(2026, 3, 4, 15, 4, 5, 0, time.UTC)
	for name, c := range map[string]struct {
		modified func(i int) string
		pages    int
		told     int
	}{
		"the time it was made":       {func(i int) string { return at.Add(time.Duration(i-9) * time.Second).Format(time.RFC3339) }, 8, 0},
		"the day":                    {func(int) string { return "2026-03-04" }, 8, 0},
		"times of their own":         {func(i int) string { return at.Add(-time.Duration(i) * time.Hour).Format(time.RFC3339) }, 8, 8},
		"all were changed last week": {func(int) string { return "2026-02-25" }, 8, 8},
		"few":                        {func(int) string { return "2026-03-04" }, 4, 4},
		"no times":                   {func(int) string { return "" }, 8, 0},
	} {
		r := &Round{memory: &memory{address: map[uint64]bool{}}, told: map[uint64]time.Time{}}
		var list strings.Builder
		list.WriteString(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for i := range c.pages {
			address := fmt.Sprintf("http://a.example/%d", i)
			r.memory.address[keyOf(address)] = true
			fmt.Fprintf(&list, "<url><loc>%s</loc><lastmod>%s</lastmod></url>", address, c.modified(i))
		}
		list.WriteString("</urlset>")
		r.hear(&focus.Visit{Body: []byte(list.String()), FinalURL: "http://a.example/map.xml", Time: at})
		if len(r.told) != c.told {
			t.Errorf("%s: %d pages are said to have changed, want %d", name, len(r.told), c.told)
		}
	}
}
