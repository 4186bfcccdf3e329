package again

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/run"
)

// TestAPageThatIsGoneIsTriedNowAndThen: rounds that come each day, a few seconds earlier or later, ask for a page that is gone more and more
// seldom, and at once when a list says that it has changed; one that is there again is asked for as before.
func TestAPageThatIsGoneIsTriedNowAndThen(t *testing.T) {
	began := time.Date(2026, 5, 1, 3, 0, 0, 0, time.UTC)
	r, k := &Round{}, &known{URL: "http://a.example/gone", Kept: true}
	visit := func(at time.Time, status int) {
		r.compare(&outcome{Decision: run.Decision{Status: status}, fetched: fetched{At: at}, was: k}, true, &Told{})
	}
	visit(began.Add(-day), http.StatusOK)
	visit(began, http.StatusNotFound)
	var days []int
	for d := 1; d <= 40; d++ {
		at := began.Add(time.Duration(d)*day + time.Duration(d%3-1)*20*time.Second)
		if k.isDue(at, time.Time{}) {
			days = append(days, d)
			visit(at, http.StatusNotFound)
		}
	}
	if want := []int{1, 2, 4, 8, 16, 32}; !slices.Equal(days, want) {
		t.Errorf("it was asked for on days %v, want %v", days, want)
	}
	now := began.Add(41 * day)
	for said, want := range map[time.Time]bool{{}: false, began.Add(day): false, now.Add(-time.Hour): true, now.Add(time.Hour): false} {
		if due := k.isDue(now, said); due != want {
			t.Errorf("said to have changed at %v it is due: %v", said, due)
		}
	}
	if !k.isDue(began.Add(-day), time.Time{}) {
		t.Error("it waits for a clock that was ahead")
	}
	visit(now, http.StatusOK)
	if k.Gone != "" || !k.isDue(now.Add(time.Minute), time.Time{}) {
		t.Errorf("gone since %q it is not due when it is there again", k.Gone)
	}
}

// TestAListThatNamesTheDayAlone: what it says to have changed on the day of a visit may have changed after it, and nothing has on another.
func TestAListThatNamesTheDayAlone(t *testing.T) {
	visited := time.Date(2026, 5, 1, 3, 0, 0, 0, time.UTC)
	midnight, now := visited.Truncate(day), visited.Add(30*time.Hour)
	for said, want := range map[time.Time]bool{
		{}: false, midnight.Add(-day): false, midnight: true, midnight.Add(day): true, midnight.Add(2 * day): false,
		visited.Add(-time.Hour): false, visited: false, visited.Add(time.Second): true, now.Add(time.Second): false,
	} {
		if got := isNewer(said, visited, now); got != want {
			t.Errorf("said of %v: %v, want %v", said, got, want)
		}
	}
	r, from := &Round{memory: &memory{absent: map[uint64]time.Time{}, address: map[uint64]bool{}}, told: map[uint64]time.Time{}}, "http://a.example/map.xml"
	for _, path := range []string{"soon", "old"} {
		r.memory.absent[keyOf("http://a.example/"+path)], r.memory.address[keyOf("http://a.example/"+path)] = visited, true
	}
	r.hear(&focus.Visit{FinalURL: from, Time: now, Body: []byte("<urlset><url><loc>http://a.example/soon</loc><lastmod>2026-05-01</lastmod></url>" +
		"<url><loc>http://a.example/old</loc><lastmod>2026-04-30</lastmod></url></urlset>")})
	if want := []string{"http://a.example/soon"}; !slices.Equal(r.news, want) {
		t.Errorf("it asks for %v, want %v", r.news, want)
	}
}

// TestALookBackInTime: a visit that came before the last one, as a clock says that was wrong, teaches nothing of how often a page changes.
func TestALookBackInTime(t *testing.T) {
	at := time.Date(2026, 5, 1, 3, 0, 0, 0, time.UTC)
	r, k := &Round{}, &known{URL: "http://a.example/", Kept: true, Body: "old"}
	k.LastSeen = at.Add(400 * day)
	for i, body := range []string{"new", "newer"} {
		r.compare(&outcome{Decision: run.Decision{Status: http.StatusOK}, fetched: fetched{At: at, Body: body}, was: k}, true, &Told{})
		if len(k.Looks) != i || k.LastSeen != at || k.LastChanged != at {
			t.Errorf("%d looks, last seen %v, changed %v", len(k.Looks), k.LastSeen, k.LastChanged)
		}
		at = at.Add(day)
	}
}
