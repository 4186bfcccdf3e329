package again

import (
	"slices"
	"testing"
	"time"
)

// TestTurns: what is said to have changed comes first, then what is worth most: the older of two alike, the likelier to have
// changed, the more relevant; and what changes at each visit anyway does not push out what can be kept fresh.
func TestTurns(t *testing.T) {
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	often := func(changed bool, n int, each time.Duration) (looks []Look) {
		for range n {
			looks = append(looks, Look{After: each, Changed: changed})
		}
		return looks
	}
	page := func(name string, worth float64, old time.Duration, looks []Look) Candidate {
		return Candidate{Past: Past{Host: name, Template: name, Looks: looks}, Worth: worth, Seen: now.Add(-old)}
	}
	pages := []Candidate{
		page("still", 1, 2*day, often(false, 20, 30*day)),
		page("old", 1, 20*day, often(false, 20, 30*day)),
		page("weekly", 1, 2*day, []Look{{7 * day, true, 0}, {3 * day, false, 0}, {7 * day, true, 0}, {3 * day, false, 0}}),
		page("weekly, less relevant", .3, 2*day, []Look{{7 * day, true, 0}, {3 * day, false, 0}, {7 * day, true, 0}, {3 * day, false, 0}}),
		page("restless", 1, 2*day, often(true, 30, 20*time.Minute)),
		page("announced", .2, day, often(false, 20, 30*day)),
		page("announced before", .2, day, often(false, 20, 30*day)),
	}
	pages[5].Told, pages[6].Told = now.Add(-time.Hour), now.Add(-2*day)
	var names []string
	for _, i := range Turns(pages, now, 0) {
		names = append(names, pages[i].Host)
	}
	before := func(a, b string) {
		t.Helper()
		if slices.Index(names, a) > slices.Index(names, b) {
			t.Errorf("%s comes after %s: %q", a, b, names)
		}
	}
	if names[0] != "announced" {
		t.Errorf("what was announced is not first: %q", names)
	}
	before("weekly", "weekly, less relevant")
	before("weekly", "still")
	before("old", "still")
	before("weekly", "restless")
	before("still", "announced before")
}

// TestWhatIsSentWholeIsSpacedOut: of a web that never changes, half of whose pages have no name for their state, less and less is moved,
// though all could be visited each day; one among them that changes each day is visited as often.
func TestWhatIsSentWholeIsSpacedOut(t *testing.T) {
	const pages, days = 60, 360
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	all := make([]Candidate, pages)
	for i := range all {
		all[i] = Candidate{Past: Past{Host: "a", Template: []string{"article", "text"}[i%2]}, Worth: 1, Seen: began, Whole: i%4 < 2}
	}
	all[0].Template = "front"
	if n := len(Turns(all, began.Add(time.Minute), 0)); n != pages/2 {
		t.Errorf("a minute after the first crawl %d pages are visited", n)
	}
	var moved [4]float64 // by quarter
	restless := 0
	for d := 1; d <= days; d++ {
		now := began.Add(time.Duration(d) * day)
		for _, i := range Turns(all, now, 0) {
			p := &all[i]
			if i == 0 {
				restless++
			} else if p.Whole {
				moved[(d-1)*4/days] += 1. / pages / (days / 4)
			}
			p.Looks = append(p.Looks, Look{After: now.Sub(p.Seen), Changed: i == 0})
			p.Looks, p.Seen = p.Looks[max(len(p.Looks)-mostLooks, 0):], now
		}
	}
	t.Logf("of all pages, which could be moved each day, so many are, by quarters of a year: %.3f; the one that changes has %d visits of %d", moved, restless, days)
	if slices.Max(moved[:]) > .02 || moved[3] > moved[0] || restless != days {
		t.Errorf("moved are %.3f, and the one that changes has %d visits of %d", moved, restless, days)
	}
}

// TestAClockThatWasAhead: what was seen by a clock years ahead is visited now, and first; where the clock was ahead by an hour, nothing
// is sent again for that.
func TestAClockThatWasAhead(t *testing.T) {
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		ahead time.Duration
		order []int
	}{{time.Hour, []int{1}}, {400 * day, []int{0, 2, 1}}} {
		pages := []Candidate{{Worth: 1, Seen: now.Add(c.ahead), Whole: true}, {Worth: 1, Seen: now.Add(-day)}, {Worth: 1, Seen: now.Add(c.ahead), Whole: true}}
		if order := Turns(pages, now, 0); !slices.Equal(order, c.order) {
			t.Errorf("a clock %v ahead: the turns are %v, want %v", c.ahead, order, c.order)
		}
		if pages[0].Seen != now.Add(c.ahead) {
			t.Error("the pages that were given are changed")
		}
	}
}

func TestKin(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"http://a.example/news/2026/05/one", "http://a.example/news/2025/11/two", true},
		{"http://a.example/news/one.html", "http://a.example/news/two.html", true},
		{"http://a.example/news/one.html", "http://a.example/law/one.html", false},
		{"http://a.example/p?id=1", "http://a.example/p?id=2", true},
		{"http://a.example/p?id=1", "http://a.example/p?page=1", false},
		{"http://a.example/", "http://a.example/x", false},
		{"http://a.example/x", "http://b.example/x", false},
	} {
		hostA, a := Kin(c.a)
		hostB, b := Kin(c.b)
		if (hostA == hostB && a == b) != c.same {
			t.Errorf("%s and %s: %s %s, %s %s", c.a, c.b, hostA, a, hostB, b)
		}
	}
}
