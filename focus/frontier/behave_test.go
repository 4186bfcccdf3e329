package frontier

import (
	"testing"
	"time"
)

// A pause for the delay alone is as long as the new delay says, at once; one that the host asked for stays.
func TestPausesThatGoOnAreAsLongAsTheNewMannersSay(t *testing.T) {
	start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name      string
		was, is   time.Duration
		outcome   Outcome
		pace      time.Duration
		want      time.Duration
		restsElse time.Duration
	}{
		{name: "shorter", was: time.Hour, is: 2 * time.Second, want: 2 * time.Second},
		{name: "longer", was: time.Second, is: 20 * time.Second, want: 20 * time.Second},
		{name: "Crawl-delay", was: time.Hour, is: 2 * time.Second, pace: 10 * time.Second, want: 10 * time.Second},
		{name: "Retry-After", was: time.Second, is: time.Millisecond, outcome: Outcome{Wait: time.Minute}, want: time.Minute},
		{name: "told to rest", was: time.Second, is: time.Millisecond, restsElse: time.Minute, want: time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := NewManual(start)
			m := NewMemory(Manners{Delay: c.was, Clock: clock, Patience: 2 * c.was})
			for _, url := range []string{"https://a/1", "https://a/2"} {
				if _, _, err := m.Push(Item{URL: url, Host: "a", Score: 1}); err != nil {
					t.Fatal(err)
				}
			}
			if c.pace > 0 {
				m.Pace("a", c.pace)
			}
			it, _, err := m.TryPop(0)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Done(it.ID, c.outcome); err != nil {
				t.Fatal(err)
			}
			if c.restsElse > 0 {
				m.Rest("a", start.Add(c.restsElse))
			}
			m.Behave(Manners{Delay: c.is, Patience: 2 * c.is})
			it, ready, err := m.TryPop(0)
			if err != nil || it.ID != 0 || !ready.Equal(start.Add(c.want)) {
				t.Errorf("%v, ready after %v, %v; want %v", it.URL, ready.Sub(start), err, c.want)
			}
		})
	}
}
