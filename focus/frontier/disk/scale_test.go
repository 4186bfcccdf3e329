//go:build unix

package disk

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// BenchmarkScale fills a frontier with a million links of ten thousand hosts, 60 to a page of which half are known,
// with one pop, one outcome and five re-scores per page, and tells what that costs. THRESHER_LINKS sets another number.
//
//	go test -run - -bench Scale -benchtime 1x ./focus/frontier/disk
//	THRESHER_LINKS=10000000 go test -run - -bench Scale -benchtime 1x -timeout 1h ./focus/frontier/disk
func BenchmarkScale(b *testing.B) {
	links := 1_000_000
	if s := os.Getenv("THRESHER_LINKS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			b.Fatalf("THRESHER_LINKS=%q is no number", s)
		}
		links = n
	}
	for b.Loop() {
		scale(b, links)
	}
}

func scale(b *testing.B, links int) {
	dir := b.TempDir()
	before := heap()
	l := &load1{b: b, clock: frontier.NewManual(start), r: rand.New(rand.NewPCG(1, 1)), links: links}
	l.f = mustOpen(b, dir, frontier.Manners{Delay: time.Second, Clock: l.clock}, Options{})
	cpu, began := processTime(), time.Now()
	for l.f.order.Count() < links {
		l.page()
	}
	b.ReportMetric(float64((processTime()-cpu).Microseconds())/float64(l.pages), "cpu-µs/page")
	b.ReportMetric(float64(time.Since(began).Microseconds())/float64(l.pages), "µs/page")
	b.ReportMetric(l.worst.Seconds()*1000, "worst-ms")
	l.f.Sync()
	b.ReportMetric(float64(heap()-before)/float64(links), "RAM-B/link")
	b.ReportMetric(float64(onDisk(b, dir))/float64(links), "disk-B/link")

	b.ReportMetric(reopen(b, dir, l).Seconds(), "s/reopen-log")
	l.worst = 0
	if err := l.f.Snapshot([]byte("learned")); err != nil {
		b.Fatal(err)
	}
	for pages := 0; pages < 1000 || l.f.busy(); pages++ { // the crawl goes on meanwhile
		l.page()
	}
	if err := l.f.Settle(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(l.worst.Seconds()*1000, "worst-ms-at-snapshot")
	l.f.Sync()
	b.ReportMetric(reopen(b, dir, l).Seconds(), "s/reopen-snapshot")
	l.f.Close()
}

func (f *Frontier) busy() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.snapshots.busy
}

// load1 is a crawl of pages with 60 links.
type load1 struct {
	b     *testing.B
	f     *Frontier
	clock *frontier.Manual
	r     *rand.Rand
	links int
	pages int
	worst time.Duration
	slow  string
}

// timed notes the longest that anything took.
func (l *load1) timed(what string, do func()) {
	began := time.Now()
	do()
	if d := time.Since(began); d > l.worst {
		l.worst, l.slow = d, what
	}
}

func (l *load1) page() {
	l.pages++
	l.clock.Advance(10 * time.Millisecond)
	var it frontier.Item
	var err error
	l.timed("pop", func() { it, _, err = l.f.TryPop(0) })
	if err != nil && err != frontier.ErrEmpty && err != frontier.ErrIdle {
		l.b.Fatal(err)
	}
	ids := make([]uint64, 60)
	for i := range ids {
		n := l.r.IntN(l.links/2 + 1)
		if i%2 == 0 {
			n = l.f.order.Count() + l.links // a new one
		}
		host := fmt.Sprintf("www.host-%04d.example", n%10_000)
		link := frontier.Item{URL: fmt.Sprintf("https://%s/a/path/of/the/usual/length/%012d", host, n), Host: host, Via: it.ID,
			Depth: it.Depth + 1, Score: l.r.Float32()}
		link.Alt = link.Score
		l.timed("push", func() { ids[i], _, err = l.f.Push(link) })
		if err != nil {
			l.b.Fatal(err)
		}
	}
	for _, id := range ids[:5] {
		s := l.r.Float32()
		l.timed("rescore", func() { l.f.Rescore(id, s, s, nil) })
	}
	if it.ID != 0 {
		l.timed("done", func() { err = l.f.Done(it.ID, frontier.Outcome{Counters: map[string]int64{"pages": 1}}) })
		if err != nil {
			l.b.Fatal(err)
		}
	}
}

// reopen measures what a process does that comes after one that was killed.
func reopen(b *testing.B, dir string, l *load1) time.Duration {
	l.f.mu.Lock()
	want := l.f.order.Len()
	l.f.mu.Unlock()
	runtime.GC()
	began := time.Now()
	f, err := OpenReadOnly(dir)
	took := time.Since(began)
	if err != nil {
		b.Fatal(err)
	}
	if got := f.Len(); got < want-1 || got > want+1 {
		b.Fatalf("%d links wait, want %d", got, want)
	}
	f.Close()
	return took
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func processTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func onDisk(b *testing.B, dir string) (n int64) {
	names, err := os.ReadDir(dir)
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range names {
		if info, err := name.Info(); err == nil {
			n += info.Size()
		}
	}
	return n
}
