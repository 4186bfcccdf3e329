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
	Whole bool      // its host gives its state no name: it is sent whole, whether it has changed or not
}

// Turns is the order in which pages are visited again, as places in the list: first those that are said to have changed since
// they were seen, then the others, each time those first of which a visit is worth most, where there is budget for so many (0 for all).
// A page that would be sent whole has no turn while it is unlikely to have changed.
func Turns(pages []Candidate, now time.Time, most int) []int {
	known := make([]Past, len(pages))
	pages = slices.Clone(pages)
	for i := range pages {
		known[i] = pages[i].Past
		if pages[i].Seen.Sub(now) > ahead {
			pages[i].Seen = time.Time{}
		}
	}
	rates := Learn(known)
	turns := make([]turn, 0, len(pages))
	for i := range pages {
		p := &pages[i]
		since := max(now.Sub(p.Seen), 0)
		is := rates.of(i)
		told := p.Told.After(p.Seen) && !p.Told.After(now)
		if told || !p.Whole || is.changed(since) >= unlikely {
			turns = append(turns, turn{i, told, p.Worth * is.gain(since)})
		}
	}
	slices.SortStableFunc(turns, first) // stable, so that the same pages come in the same order
	if 0 < most && most < len(turns) {  // what the last of them would gain is what a visit costs
		cost, horizon := turns[most-1].gain, foresight*past(pages, now)
		for i := range turns {
			p := &pages[turns[i].page]
			if p.Worth > 0 {
				is := rates.of(turns[i].page)
				turns[i].gain += p.Worth * horizon * is.teaches(max(now.Sub(p.Seen), 0), cost/p.Worth)
			}
		}
		slices.SortStableFunc(turns, first)
	}
	order := make([]int, len(turns))
	for i, t := range turns {
		order[i] = t.page
	}
	return order
}

// unlikely is how likely a page must be to have changed, to be sent whole: with it, a round in which hardly anything has changed costs
// a few hundredths of the bytes of a whole crawl (TestAgain).
const unlikely = .05

// ahead is by how much a visit may lie ahead. What was seen later than that was seen by a clock that was wrong: nobody knows when, and it
// does not wait for years until the clock has caught up.
const ahead = 24 * time.Hour

// foresight is for how long a visit teaches, beside how long the pages are known: who will visit them for long has more of learning early.
const foresight = .5

// turn is when a page is visited.
type turn struct {
	page int
	told bool
	gain float64
}

// first orders turns: what is said to have changed comes first, and then what gains most.
func first(a, b turn) int {
	if a.told != b.told {
		if a.told {
			return -1
		}
		return 1
	}
	return cmp.Compare(b.gain, a.gain)
}

// past is for how long pages are known, on the mean, in seconds.
func past(pages []Candidate, now time.Time) float64 {
	sum := 0.
	for i := range pages {
		if !pages[i].Seen.IsZero() {
			sum += max(now.Sub(pages[i].Seen), 0).Seconds()
		}
		for _, l := range pages[i].Looks {
			sum += l.After.Seconds()
		}
	}
	return sum / float64(len(pages))
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
