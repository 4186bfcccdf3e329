package run

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// still is a frontier that knows how hosts are doing, and nothing else.
type still struct {
	frontier.Frontier
	hosts map[string]frontier.Health
}

func (s *still) Health(host string) frontier.Health { return s.hosts[host] }

func (s *still) Resting(each func(string, frontier.Health)) {
	for host, is := range s.hosts {
		each(host, is)
	}
}

// TestRestsAreWrittenAndRead: who watches hears how long a host is left alone when its visit has ended, and not before the log has
// it; and of those hosts that rest when the file is written anew.
func TestRestsAreWrittenAndRead(t *testing.T) {
	dir := t.TempDir()
	noError(t, os.Mkdir(filepath.Join(dir, FileState), 0o700))
	u, err := OpenUnderway(dir, func() error { return nil }, false)
	noError(t, err)
	at := time.UnixMilli(1_700_000_000_000)
	f := &still{hosts: map[string]frontier.Health{"before.test": {Next: at.Add(time.Hour)}}}
	written := &Written{}
	log := func(n int64) { atomic.StoreInt64(&written.told, n) }
	u.Follow(f, func() *Written { return written })
	a := NewAtWork(dir)
	visit := func(host string, pause time.Duration) {
		end := u.Begin("http://"+host+"/", host)
		f.hosts[host] = frontier.Health{Pause: pause, Next: at.Add(pause)}
		end(true)
	}
	hears := func(what string, read int64, want ...string) {
		t.Helper()
		if n := a.Now(); n != 0 {
			t.Errorf("%s: %d visits are under way", what, n)
		}
		var got []string
		for _, r := range a.Rests(read) {
			got = append(got, fmt.Sprintf("%s %v %v", r.Host, r.Pause, r.Until.Sub(at)))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	log(100)
	visit("a.test:8080", 3*time.Second)
	hears("a visit of which nothing is committed", 50)
	hears("now it is", 100, "before.test 0s 1h0m0s", "a.test:8080 3s 3s")
	log(200)
	visit("b.test", time.Minute)
	visit("at-once.test", leastRest-1)
	u.Begin("http://late.test/", "b.test")(false)
	hears("told twice", 250, "b.test 1m0s 1m0s")
	hears("told", 250)
	delete(f.hosts, "a.test:8080") // it rests no more
	noError(t, u.Forgive("nothing"))
	hears("written anew", 250, "before.test 0s 1h0m0s", "b.test 1m0s 1m0s", "at-once.test 99ms 99ms")
	for i := range 2 * mostRests {
		f.hosts[fmt.Sprintf("h%d.test", i)] = frontier.Health{Next: at.Add(time.Duration(i) * time.Minute)}
	}
	noError(t, u.Forgive("nothing"))
	a.Now()
	if all := a.Rests(250); len(all) != mostRests || all[0].Host != fmt.Sprintf("h%d.test", 2*mostRests-1) {
		t.Errorf("%d hosts rest, %v first; want the %d that rest longest", len(all), all[0], mostRests)
	}
	noError(t, u.Close())
	hears("the crawl has ended", 250)
}

// TestALineThatIsNoRest takes what stands in a file at its word only where it is whole.
func TestALineThatIsNoRest(t *testing.T) {
	whole := (&Rest{"a.test", time.Second, time.UnixMilli(5), 7}).line()[sealLength+1:]
	if r, ok := readRest(whole[:len(whole)-1]); !ok || r != (Rest{"a.test", time.Second, time.UnixMilli(5), 7}) {
		t.Errorf("%q is read as %v", whole, r)
	}
	for _, line := range []string{"^", "^ 1 2 3", "^ 1 2 3 a b", "^ 1 2 x a", "^  "} {
		if r, ok := readRest(line); ok {
			t.Errorf("%q is read as %v", line, r)
		}
	}
}

// BenchmarkVisitWrittenDown is what it costs that a visit is written down when it begins and when it ends, without and with how long its
// host rests then.
func BenchmarkVisitWrittenDown(b *testing.B) {
	for _, c := range []struct {
		name  string
		pause time.Duration
	}{{"at once", 0}, {"rests", time.Second}} {
		b.Run(c.name, func(b *testing.B) {
			dir := b.TempDir()
			if err := os.Mkdir(filepath.Join(dir, FileState), 0o700); err != nil {
				b.Fatal(err)
			}
			u, err := OpenUnderway(dir, func() error { return nil }, false)
			if err != nil {
				b.Fatal(err)
			}
			f := &still{hosts: map[string]frontier.Health{"a.test": {Pause: c.pause, Next: time.Now().Add(c.pause)}}}
			written := &Written{}
			u.Follow(f, func() *Written { return written })
			for b.Loop() {
				u.Begin("http://a.test/some/way/page.html", "a.test")(true)
			}
			if err := u.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
