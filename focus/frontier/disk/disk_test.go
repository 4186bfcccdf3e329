package disk

import (
	"os"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/frontiertest"
)

var _ = debug.SetGCPercent(400) // tests allocate much and hold little

func mustOpen(tb testing.TB, dir string, m frontier.Manners, o Options) *Frontier {
	tb.Helper()
	f, err := Open(dir, m, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

// small makes the logs rotate often, and does without the disk's own safety, which takes the most time.
var small = Options{Segment: 4096, open: func(path string) (file, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	return unsafeFile{f}, err
}}

type unsafeFile struct{ *os.File }

func (unsafeFile) Sync() error { return nil }

func backend(open func(testing.TB, string, frontier.Manners) frontiertest.Full, dir func(frontiertest.Full) string) frontiertest.Backend {
	return frontiertest.Backend{
		Open: func(tb testing.TB, m frontier.Manners) frontiertest.Full { return open(tb, tb.TempDir(), m) },
		Reopen: func(tb testing.TB, f frontiertest.Full, m frontier.Manners) frontiertest.Full {
			if err := f.Close(); err != nil {
				tb.Fatal(err)
			}
			return open(tb, dir(f), m)
		},
		Leases: true,
	}
}

func TestDisk(t *testing.T) {
	frontiertest.Run(t, backend(
		func(tb testing.TB, dir string, m frontier.Manners) frontiertest.Full {
			return mustOpen(tb, dir, m, small)
		},
		func(f frontiertest.Full) string { return f.(*Frontier).dir }))
}

// snapping is a frontier that writes snapshots all the time, and so compacts its log again and again.
type snapping struct {
	*Frontier
	tb     testing.TB
	pushes atomic.Int64
}

func (s *snapping) Push(it frontier.Item) (uint64, bool, error) {
	n := s.pushes.Add(1)
	if n%40 == 0 {
		if err := s.Snapshot([]byte("learned")); err != nil && err != frontier.ErrClosed {
			s.tb.Error(err)
		}
	}
	if n%160 == 0 {
		if err := s.Settle(); err != nil {
			s.tb.Error(err)
		}
	}
	return s.Frontier.Push(it)
}

func TestDiskWithSnapshots(t *testing.T) {
	frontiertest.Run(t, backend(
		func(tb testing.TB, dir string, m frontier.Manners) frontiertest.Full {
			return &snapping{Frontier: mustOpen(tb, dir, m, small), tb: tb}
		},
		func(f frontiertest.Full) string { return f.(*snapping).dir }))
}

// TestWhoRestsIsKnownAfterwards: a host that asked for a long rest is known to rest by whoever opens the frontier again.
func TestWhoRestsIsKnownAfterwards(t *testing.T) {
	dir, clock := t.TempDir(), frontier.NewManual(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	m := frontier.Manners{Delay: time.Second, Clock: clock}
	resting := func(f *Frontier) map[string]frontier.Health {
		all := map[string]frontier.Health{}
		f.Resting(func(host string, is frontier.Health) { all[host] = is })
		return all
	}
	f := mustOpen(t, dir, m, Options{})
	f.Push(frontier.Item{URL: "http://a/", Host: "a", Score: 2})
	f.Push(frontier.Item{URL: "http://b/", Host: "b", Score: 1})
	it, _, err := f.TryPop(0)
	if err == nil {
		err = f.Done(it.ID, frontier.Outcome{Wait: time.Hour})
	}
	if err != nil {
		t.Fatal(err)
	}
	if all := resting(f); len(all) != 1 || all["a"].Pause != time.Hour {
		t.Errorf("%v rest, want a for an hour", all)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	clock.Set(clock.Now().Add(time.Minute))
	all := resting(mustOpen(t, dir, m, Options{}))
	if a := all["a"]; a.Pause != 0 || a.Next.Sub(clock.Now()) != 59*time.Minute {
		t.Errorf("opened again, a rests %v of %v; want 59 minutes of what is not known any more", a.Next.Sub(clock.Now()), a.Pause)
	}
}
