package ledger

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/robots"
)

// What is forbidden is what would be asked for, however its address is written.
func TestAnAddressIsHeldAgainstRobotsAsItIsAskedFor(t *testing.T) {
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	l := New()
	l.Robots = NewKeeper()
	l.Robots.Take("http://a.example", robots.For(200, []byte("User-agent: *\nDisallow: /private\n"), nil, "thresher"), noon)
	for address, forbidden := range map[string]bool{
		"http://a.example/private": true, "http://a.example/a/%2e%2e/private": true, "http://a.example/a/../private": true, "http://a.example/.%2E/private?x": true,
		`http://a.example/a\..\private`: true, "http://a.example/a/private": false, "http://a.example/a/..%2fprivate": false,
	} {
		if refused, asks := l.MayVisit(address, noon); (refused != "") != forbidden || asks != "" {
			t.Errorf("%s: refused %q, asks %q", address, refused, asks)
		}
	}
}

// A farm of hosts with long robots.txt files costs no more than is remembered of them; the longest are asked for again, and
// hosts that say the same are counted once, also in the state.
func TestAFarmOfLongRobots(t *testing.T) {
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	long := func(seed, bytes int) *robots.Rules {
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for i := 0; b.Len() < bytes; i++ {
			fmt.Fprintf(&b, "Disallow: /%d/%d/%d\n", seed, i, i*i)
		}
		return robots.For(200, []byte(b.String()), nil, "thresher")
	}
	l := New()
	l.Robots = NewKeeper()
	take := func(origin string, rules *robots.Rules) {
		l.Robots.Take(origin, rules, noon)
		if _, asks := l.Robots.Known(origin, noon); asks != "" {
			t.Fatalf("%s was let go at once", origin)
		}
	}
	take("http://good.example", robots.For(200, []byte("User-agent: *\nDisallow: /x\n"), nil, "thresher"))
	same := long(0, 490_000)
	for i := range 600 {
		take(fmt.Sprintf("http://same%d.example", i), same)
	}
	if n := len(l.State(nil)); n > 1<<20 {
		t.Errorf("600 hosts that say the same are %d bytes of state", n)
	}
	for i := range 72 {
		take(fmt.Sprintf("http://farm%d.example", i), long(i+1, 490_000-i))
		if n := sizeOf(l.Robots); n > robots.MaxHeld {
			t.Fatalf("%d bytes of rules are remembered", n)
		}
	}
	for i := range 72 { // none has pushed another out: nobody is asked again, and what is forbidden stays so
		rules, asks := l.Robots.Known(fmt.Sprintf("http://farm%d.example", i), noon)
		if asks != "" {
			t.Fatalf("the rules of host %d were let go: it would be asked again, and push out others", i)
		}
		for _, path := range []string{"0/0", "77/5929", "8000/64000000"} {
			if may, _ := rules.Allowed(fmt.Sprintf("/%d/%s", i+1, path)); may {
				t.Errorf("host %d forbids /%d/%s, and it is allowed", i, i+1, path)
			}
		}
	}
	if _, asks := l.Robots.Known("http://good.example", noon); asks != "" {
		t.Error("a host with short rules was forgotten for the sake of those with long ones")
	}
	state := l.State(nil)
	if len(state) > robots.MaxHeld {
		t.Errorf("%d bytes of state", len(state))
	}
	again := New()
	again.Robots = NewKeeper()
	if err := again.Restore(state); err != nil {
		t.Fatal(err)
	}
	if sizeOf(again.Robots) != sizeOf(l.Robots) || len(again.Robots.Hosts) != len(l.Robots.Hosts) || len(again.Robots.Held()) != len(l.Robots.Held()) {
		t.Errorf("restored %d bytes of %d hosts, had %d of %d", sizeOf(again.Robots), len(again.Robots.Hosts), sizeOf(l.Robots), len(l.Robots.Hosts))
	}
}

// TestRulesAreWrittenDownOnce: 192 hosts of 490 kB that say the same cost the journal one of them, and whoever reads it knows what
// each host says.
func TestRulesAreWrittenDownOnce(t *testing.T) {
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	const hosts, bytes = 192, 490_000
	text := []byte("User-agent: *\n")
	for i := 0; len(text) < bytes; i++ {
		text = fmt.Appendf(text, "Disallow: /%d/%d\n", i, i*i)
	}
	l := New()
	l.Robots, l.Keeps = NewKeeper(), true
	var rules *robots.Rules
	for i := range hosts {
		if i < 2 { // the second is read anew, and says the same
			rules = robots.For(200, text, nil, "thresher")
		}
		l.Record(l.RobotsTold(fmt.Sprintf("http://farm%d.example", i), rules, noon))
	}
	told := l.Told(nil)
	one, _ := rules.MarshalBinary()
	if most := len(one) + hosts*128; len(told) > most {
		t.Errorf("%d bytes were written down, want %d at most", len(told), most)
	}
	again := New()
	again.Robots = NewKeeper()
	if err := again.Again(told); err != nil {
		t.Fatal(err)
	}
	for i := range hosts {
		said, asks := again.Robots.Known(fmt.Sprintf("http://farm%d.example", i), noon)
		if asks != "" {
			t.Fatalf("what host %d says was lost", i)
		}
		if may, _ := said.Allowed("/7/49"); may {
			t.Errorf("host %d forbids /7/49, and it is allowed", i)
		}
	}
	if string(again.State(nil)) != string(l.State(nil)) {
		t.Error("what was read makes another ledger than what was written")
	}
	l.Shared = true // another machine may not keep what this one does
	if _, whole := l.RobotsTold("http://farm0.example", rules, noon).(*RobotsRead); !whole {
		t.Error("machines that share a crawl were told a digest")
	}
}

// sizeOf is how many bytes of rules a keeper remembers.
func sizeOf(k *robots.Keeper) (n int) {
	for _, rules := range k.Held() {
		n += rules.Size()
	}
	return n
}
