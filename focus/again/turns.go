package again

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Candidate is a page that may be visited again.
type Candidate struct {
	Past
	Worth float64   // how much it matters that it is fresh: its relevance, or what it leads to
	Seen  time.Time // when it was last
	Told  time.Time // when it changed last, as a sitemap or a feed says; zero where none does
}

// Turns is the order in which pages are visited again, as places in the list: first those that are said to have changed since
// they were seen, then the others, each time those first of which a visit is worth most.
func Turns(pages []Candidate, now time.Time) []int {
	past := make([]Past, len(pages))
	for i := range pages {
		past[i] = pages[i].Past
	}
	rates := Learn(past)
	type turn struct {
		page int
		told bool
		gain float64
	}
	turns := make([]turn, len(pages))
	for i := range pages {
		p := &pages[i]
		told := p.Told.After(p.Seen) && !p.Told.After(now)
		turns[i] = turn{i, told, p.Worth * rates.Gain(i, max(now.Sub(p.Seen), 0))}
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		if a.told != b.told {
			if a.told {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.gain, a.gain)
	})
	order := make([]int, len(turns))
	for i, t := range turns {
		order[i] = t.page
	}
	return order
}

// Kin is which pages of a host an address is likely to be made like: those in the same place, but for numbers and the last name.
func Kin(address string) (host, template string) {
	u, err := url.Parse(address)
	if err != nil {
		return "", ""
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	for i, part := range parts {
		last := i == len(parts)-1
		if part != "" && (last || strings.ContainsFunc(part, unicode.IsDigit)) {
			parts[i] = "*" + path.Ext(part)
		}
	}
	if u.RawQuery != "" {
		names := make([]string, 0, len(u.Query()))
		for name := range u.Query() {
			names = append(names, name)
		}
		slices.Sort(names)
		parts = append(parts, "?"+strings.Join(names, "&"))
	}
	return u.Host, strings.Join(parts, "/")
}
