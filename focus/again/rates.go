// Package again answers one question: which page is worth a second visit, and when?
//
//   - rates.go: how often a page changes, as far as its visits tell.
//   - turns.go: in which order pages are visited again.
//   - pages.go, fetched.go: what a run knows of its pages, and by what their hosts know them.
//   - round.go: the crawl of one more visit. takein.go: what becomes of what it finds.
package again

import (
	"math"
	"time"
)

// Look is what one visit found: how long after the one before, whether the page had changed by then, and how long ago it changed
// last, where somebody says so (Last-Modified, a sitemap); 0 where nobody does. Then several changes look like one.
type Look struct {
	After   time.Duration `json:"after"`
	Changed bool          `json:"changed,omitempty"`
	Ago     time.Duration `json:"ago,omitempty"`
}

// Past is what is known of a page: its looks, and what it is likely to change as often as.
type Past struct {
	Host     string
	Template string
	Looks    []Look
}

// A page changes at some rate, by chance, without memory. How often that is, nobody knows: each of these rates is believed
// in as far as the looks at the page speak for it. They are ten minutes to some twenty years apart, each √2 times the next.
const (
	fastest = 10 * time.Minute
	steps   = 41
)

// belief is how much each rate is believed in. The sum is 1.
type belief [steps]float64

// perSecond are the rates.
var perSecond = func() (all belief) {
	for i := range all {
		all[i] = 1 / (fastest.Seconds() * math.Pow(2, float64(i)/2))
	}
	return all
}()

// With how many pages' weight a group is drawn towards the group that it is in: all pages towards no opinion, a host towards
// all, a template towards its host. What a page itself has shown outweighs its template by itself.
const drawn = 2

// rounds is how often groups and their pages are told of each other.
const rounds = 4

// Rates are how often some pages change.
type Rates struct{ of []belief }

// Learn says how often pages change. A page is believed to be like those of its template, until its own visits say otherwise; a
// template of which little is known, like its host; a host, like all.
func Learn(pages []Past) *Rates {
	says := make([]belief, len(pages)) // how likely its looks are at each rate
	for i := range pages {
		says[i] = likely(pages[i].Looks)
	}
	none := belief{}
	for i := range none {
		none[i] = 1. / steps
	}
	everybody := func(int) string { return "" }
	under := func(int) *belief { return &none }
	var templates map[string]*group
	for _, of := range []func(int) string{everybody, func(i int) string { return pages[i].Host },
		func(i int) string { return pages[i].Host + " " + pages[i].Template }} {
		groups := together(pages, says, of, under)
		under, templates = func(i int) *belief { return &groups[of(i)].is }, groups
	}
	r := &Rates{make([]belief, len(pages))}
	for i := range pages {
		g := templates[pages[i].Host+" "+pages[i].Template]
		r.of[i] = after(g.without(after(g.is, says[i]), len(pages[i].Looks) > 0), says[i])
	}
	return r
}

// likely is how likely looks are at each rate; the largest is 1.
func likely(looks []Look) belief {
	var logs belief
	for _, l := range looks {
		t := max(l.After.Seconds(), 1)
		for i, rate := range perSecond {
			switch {
			case l.Changed && l.Ago > 0:
				logs[i] += math.Log(rate) - rate*l.Ago.Seconds()
			case l.Changed:
				logs[i] += math.Log(-math.Expm1(-rate * t))
			default:
				logs[i] -= rate * t
			}
		}
	}
	most := logs[0]
	for _, l := range logs {
		most = max(most, l)
	}
	for i := range logs {
		logs[i] = math.Exp(logs[i] - most)
	}
	return logs
}

// after is what is believed after looks that were so likely.
func after(before, says belief) belief {
	sum := 0.
	for i := range before {
		before[i] *= says[i]
		sum += before[i]
	}
	if sum == 0 { // what was seen is next to impossible for what was believed
		return after(belief(ones), says)
	}
	for i := range before {
		before[i] /= sum
	}
	return before
}

var ones = func() (all belief) {
	for i := range all {
		all[i] = 1
	}
	return all
}()

// group is what pages of one kind are believed to be.
type group struct {
	under belief // what the group around it is
	sum   belief // what its pages are, those that were looked at
	pages float64
	is    belief
}

// together says what each group is, given what the groups around them are.
func together(pages []Past, says []belief, of func(int) string, under func(int) *belief) map[string]*group {
	groups := map[string]*group{}
	for i := range pages {
		if groups[of(i)] == nil {
			groups[of(i)] = &group{under: *under(i), is: *under(i)}
		}
	}
	for range rounds {
		for _, g := range groups {
			g.sum, g.pages = belief{}, 0
		}
		for i := range pages {
			if len(pages[i].Looks) == 0 {
				continue // it says nothing but what it was told
			}
			g := groups[of(i)]
			own := after(g.is, says[i])
			g.pages++
			for k := range own {
				g.sum[k] += own[k]
			}
		}
		for _, g := range groups {
			g.is = g.mean(g.sum, g.pages)
		}
	}
	return groups
}

func (g *group) mean(sum belief, pages float64) (m belief) {
	for k := range m {
		m[k] = (drawn*g.under[k] + sum[k]) / (drawn + pages)
	}
	return m
}

// without is what the group is but for one of its pages, which must not be heard twice.
func (g *group) without(own belief, counted bool) belief {
	if !counted {
		return g.is
	}
	left := g.sum
	for k := range left {
		left[k] = max(left[k]-own[k], 0)
	}
	return g.mean(left, max(g.pages-1, 0))
}

// Gain is what a visit is worth to the share of pages that are fresh, in seconds, so long after the last one: how much less
// time the page would be stale if it were visited this often. A page that hardly changes gains little, and so does one that
// changes at once again. Pages that are each visited when their gain has come to the same number are fresh for as much of the
// time as so many visits can make them (Cho and Garcia-Molina, Effective page refresh policies, 2003, 4.3): the number is the
// multiplier there.
func (r *Rates) Gain(page int, since time.Duration) (gain float64) {
	for k, p := range r.of[page] {
		gain += p * gainAt(perSecond[k], since.Seconds())
	}
	return gain
}

// gainAt is the derivative of the share of time that a page is fresh by how often it is visited, at a visit each t seconds.
func gainAt(rate, t float64) float64 {
	if rate*t < 1e-4 {
		return rate * t * t / 2 // of the next line nothing would be left but what it was rounded by
	}
	return -math.Expm1(-rate*t)/rate - t*math.Exp(-rate*t)
}
