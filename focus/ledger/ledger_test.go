package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/robots"
)

var _ = debug.SetGCPercent(400) // tests allocate much and hold little

var noon = time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC)

// some is a crawl's worth of events, of every kind.
func some(seed uint64) []Event {
	r := rand.New(rand.NewPCG(seed, 1))
	host := func() string { return fmt.Sprintf("h%d.example", r.IntN(5)) }
	all := []Event{&Planted{Began: noon}}
	for id := uint64(1); id < 400; id++ {
		origin := "https://" + host()
		rules := robots.For([]int{200, 404, 503}[r.IntN(3)], []byte("User-agent: *\nDisallow: /x\nCrawl-delay: 2\n"), nil, "thresher")
		all = append(all, []Event{
			&Counted{ID: id, Host: host(), Page: true, Relevant: r.IntN(2) == 0, Kept: r.IntN(3) == 0, Relevance: r.Float64(), Links: r.IntN(9), Bytes: 99, URL: "u", Title: "t"},
			&Counted{ID: id, Host: host(), Failed: true, Refused: true, Reason: "status: 404", Redirect: r.IntN(2) == 0},
			&Fresh{Links: r.IntN(9)}, &Refused{Address: r.Uint64(), Reason: "scope"}, &Looked{Address: r.Uint64(), Trap: r.IntN(2) == 0},
			&Finished{Request: r.Uint64()}, &Dismissed{Reason: "robots"}, &Retried{ID: id}, &Settled{ID: id - 1}, &HostHeard{Host: host(), Failed: r.IntN(2) == 0},
			&Popped{ID: id, Origin: []string{"", origin}[r.IntN(2)], Lane: r.IntN(2)}, &Popped{ID: id, Refused: "robots"},
			&RobotsRead{Origin: origin, Rules: rules, Now: noon.Add(time.Duration(id) * time.Minute)},
			&RobotsKnown{Origin: origin, Digest: rules.Digest(), Now: noon.Add(time.Duration(id) * time.Minute)},
			&Ended{ID: id - 1}, &PutBack{ID: id}, &Injected{UpTo: int64(id)}, &Spared{Bytes: int64(id)},
		}[r.IntN(18)])
	}
	return all
}

func kept() *Ledger {
	l := New()
	l.Robots, l.Keeps = NewKeeper(), true
	return l
}

// Whoever applies again what was told has the same ledger, wherever the lessons were cut, and so has whoever restored a
// state and applied the lessons since.
func TestTheSameEventsMakeTheSameLedger(t *testing.T) {
	for seed := range uint64(20) {
		lived, again, later := kept(), kept(), kept()
		for n, e := range some(seed) {
			lived.Record(e)
			if n%7 != 0 {
				continue
			}
			lesson := lived.Told(nil)
			if err := errors.Join(again.Again(lesson), later.Again(lesson)); err != nil {
				t.Fatal(err)
			}
			if n%70 == 0 {
				if err := later.Restore(lived.State(nil)); err != nil {
					t.Fatal(err)
				}
			}
		}
		lesson := lived.Told(nil)
		if err := errors.Join(again.Again(lesson), later.Again(lesson)); err != nil {
			t.Fatal(err)
		}
		want := lived.State(nil)
		if len(want) < 1000 || !bytes.Equal(again.State(nil), want) || !bytes.Equal(later.State(nil), want) {
			t.Fatalf("seed %d: the ledgers of %d, %d and %d bytes are not the same", seed, len(want), len(again.State(nil)), len(later.State(nil)))
		}
	}
}

// What was cut short is refused, wherever it was cut; what was changed is refused or read as something else, and never more.
func TestWhatIsDamagedIsRefused(t *testing.T) {
	l := kept()
	for _, e := range some(3) {
		l.Record(e)
	}
	state := l.State(nil)
	for n := range len(state) {
		if err := kept().Restore(state[:n]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("a state cut after %d of %d bytes: %v", n, len(state), err)
		}
	}
	told := l.Told(nil)
	for n := range len(told) {
		changed := bytes.Clone(told)
		changed[n] ^= 0x55
		kept().Again(changed)
	}
	if err := New().Again([]byte{99}); !errors.Is(err, ErrDamaged) {
		t.Errorf("an event of a kind that there is not: %v", err)
	}
}

// The list of injected addresses is each machine's own, and so are its visits.
func TestWhatIsAMachinesOwnIsNotTakenFromOthers(t *testing.T) {
	other, own := kept(), kept()
	own.Shared = true
	other.Record(&Injected{UpTo: 7})
	other.Record(&Popped{ID: 1})
	other.Record(&Fresh{Links: 3})
	own.Record(&Injected{UpTo: 2})
	own.Record(&Popped{ID: 2, Origin: "https://a.example"})
	own.Record(&Planted{Began: noon})
	state := other.State(nil)
	if err := own.Anew(func() error { return own.Restore(state) }); err != nil {
		t.Fatal(err)
	}
	if err := own.Again(other.Told(nil)); err != nil {
		t.Fatal(err)
	}
	if c := own.Counts(); c.Fresh != 6 || !c.Started.Equal(noon) || own.Injected() != 2 || own.Out(2) == nil || own.Out(2).Asks != own.Robots.Flight("https://a.example") {
		t.Errorf("%+v, injected up to %d, out %v", c, own.Injected(), own.Out(2))
	}
}

// A clock that is set while a crawl runs makes it neither longer nor shorter, also not for the process that goes on with it.
func TestAClockThatIsSetWhileACrawlRuns(t *testing.T) {
	for _, set := range []time.Duration{24 * time.Hour, -24 * time.Hour} {
		l, began := New(), time.Now()
		l.Record(&Planted{Began: began})
		now := began.Add(time.Minute)
		*(*uint64)(unsafe.Pointer(&now)) += uint64(set/time.Second) << 30 // what the clock on the wall shows of it, and nothing else
		if now.Sub(began) != time.Minute || now.Round(0).Sub(began.Round(0)) != time.Minute+set {
			t.Fatalf("the clock is not set: %v, %v", began, now)
		}
		l.Settle(now)
		next := New()
		if err := next.Restore(l.State(nil)); err != nil {
			t.Fatal(err)
		}
		later := now.Add(time.Hour).Round(0) // another process has another clock
		next.Resume(later, now.Round(0))
		if ran := later.Sub(next.Standing().Started); ran.Round(time.Second) != time.Minute {
			t.Errorf("set by %v, a minute is %v", set, ran)
		}
	}
	l := New()
	l.Record(&Planted{Began: noon})
	if l.Resume(noon, noon.Add(-time.Hour)); !l.Standing().Started.Equal(noon) { // killed before it was settled
		t.Errorf("it began at %v", l.Standing().Started)
	}
	if l = New(); !l.Standing().Started.IsZero() {
		t.Fatal("it has begun")
	}
	if l.Settle(noon); !l.Standing().Started.IsZero() {
		t.Errorf("before it began it began at %v", l.Standing().Started)
	}
}

// The time that a crawl was away, or stood still, does not count for the next process either, also where this one is killed before it has
// written its state.
func TestTimeThatDoesNotCountIsToldBeforeAKill(t *testing.T) {
	first := kept()
	first.Record(&Planted{Began: noon})
	state := first.State(nil) // at noon, and nothing after it
	lessons := [][]byte{first.Told(nil)}
	heard := noon.Add(time.Minute)
	for away := range 3 {
		next := kept()
		next.Keeps = false
		if err := next.Restore(state); err != nil {
			t.Fatal(err)
		}
		for _, lesson := range lessons {
			if err := next.Again(lesson); err != nil {
				t.Fatal(err)
			}
		}
		now := heard.Add(time.Hour)
		next.Resume(now, heard)
		if ran := now.Sub(next.Standing().Started); ran != time.Duration(away+1)*time.Minute {
			t.Errorf("after %d hours away it has run for %v, want %d minutes", away+1, ran, away+1)
		}
		next.Keeps = true
		next.Record(&Fresh{Links: 1})
		lessons = append(lessons, bytes.Clone(next.Told(nil))) // and it is killed a minute later
		heard = now.Add(time.Minute)
	}
	l := kept()
	l.Record(&Planted{Began: noon})
	told := len(l.Told(nil))
	l.Resume(noon.Add(time.Minute), noon.Add(time.Minute)) // as over a recorded web: nothing of it is away
	if again := len(l.Told(nil)); told == 0 || again != 0 {
		t.Errorf("%d bytes are told of a crawl that was not away", again)
	}
}

// Every page may be dropped for a reason of its own, such as another address that it repeats: what is kept of the reasons stays
// small, nothing goes uncounted, and the books are the same after they were read.
func TestReasonsAreBounded(t *testing.T) {
	l, again := kept(), kept()
	const pages = 4_000
	long := strings.Repeat("x", 1e4)
	for i := range pages {
		for _, e := range []Event{
			&Counted{ID: uint64(i), Refused: true, Reason: admit.Refuse(admit.RefusedDuplicate, fmt.Sprintf("the same as https://a.example/%d/%s", i, long))},
			&Refused{Address: uint64(i), Reason: admit.Refuse(admit.RefusedTrap, fmt.Sprintf("repeating segments: %d", i))},
			&Dismissed{Reason: admit.RefusedRobots},
		} {
			l.Record(e)
		}
	}
	if err := again.Restore(l.State(nil)); err != nil {
		t.Fatal(err)
	}
	for _, has := range []Counts{l.Counts(), again.Counts()} {
		sum := 0
		for _, tally := range []admit.Tally{has.Dropped, has.Refused} {
			if len(tally) > 1100 {
				t.Errorf("%d reasons are told apart", len(tally))
			}
			for _, n := range tally {
				sum += n
			}
		}
		if sum != 3*pages || has.Dropped[admit.RefusedDuplicate] < pages-1100 || has.Dropped[admit.RefusedRobots] != pages || has.Refused[admit.RefusedTrap] < pages-1100 {
			t.Errorf("%d of %d were counted: %d duplicates, %d by robots, %d traps", sum, 3*pages, has.Dropped[admit.RefusedDuplicate], has.Dropped[admit.RefusedRobots], has.Refused[admit.RefusedTrap])
		}
	}
	if n := len(l.State(nil)); n > 1<<20 {
		t.Errorf("the books have %d bytes", n)
	}
}
