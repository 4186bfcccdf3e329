package ledger

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/extensions"
)

// A farm of hosts with long robots.txt files costs no more than is remembered of them; the longest are asked for again, and
// hosts that say the same are counted once, also in the state.
func TestAFarmOfLongRobots(t *testing.T) {
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	long := func(seed, bytes int) *extensions.RobotsRules {
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for i := 0; b.Len() < bytes; i++ {
			fmt.Fprintf(&b, "Disallow: /%d/%d/%d\n", seed, i, i*i)
		}
		return extensions.RobotsFor(200, []byte(b.String()), nil, "thresher")
	}
	l := New()
	l.Robots = NewRobots()
	small := extensions.RobotsFor(200, []byte("User-agent: *\nDisallow: /x\n"), nil, "thresher")
	l.Robots.take("http://good.example", small, noon)
	same := long(0, 490_000)
	for i := range 600 {
		origin := fmt.Sprintf("http://same%d.example", i)
		l.Robots.take(origin, same, noon)
		if !l.Robots.Valid(origin, noon) {
			t.Fatalf("%s was let go at once", origin)
		}
	}
	if n := len(l.State(nil)); n > 1<<20 {
		t.Errorf("600 hosts that say the same are %d bytes of state", n)
	}
	for i := range 72 {
		origin := fmt.Sprintf("http://farm%d.example", i)
		l.Robots.take(origin, long(i+1, 490_000-i), noon)
		if !l.Robots.Valid(origin, noon) {
			t.Fatalf("%s was let go at once", origin)
		}
		if l.Robots.size > robotsSize {
			t.Fatalf("%d bytes of rules are remembered", l.Robots.size)
		}
	}
	if !l.Robots.Valid("http://good.example", noon) {
		t.Error("a host with short rules was forgotten for the sake of those with long ones")
	}
	state := l.State(nil)
	if len(state) > robotsSize {
		t.Errorf("%d bytes of state", len(state))
	}
	again := New()
	again.Robots = NewRobots()
	if err := again.Restore(state); err != nil {
		t.Fatal(err)
	}
	if again.Robots.size != l.Robots.size || len(again.Robots.hosts) != len(l.Robots.hosts) || len(again.Robots.rules) != len(l.Robots.rules) {
		t.Errorf("restored %d bytes of %d hosts, had %d of %d", again.Robots.size, len(again.Robots.hosts), l.Robots.size, len(l.Robots.hosts))
	}
	for origin := range l.Robots.hosts {
		l.Robots.drop(origin)
	}
	if l.Robots.size != 0 || len(l.Robots.rules) != 0 {
		t.Errorf("%d bytes are left when all hosts are gone", l.Robots.size)
	}
}
