//go:build unix

package disk

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// BenchmarkScale fills a frontier with a million links of ten thousand hosts, 60 to a page of which half are known, with
// one pop and one outcome per page, and tells what that costs. THRESHER_LINKS sets another number. The plain row has five
// re-scores per page, and nothing beside the links. The learning row is what a crawl with apprentice does, with a tenth
// of the links: each of them has its numbers, 85 re-scores per page give others their own, and each outcome has a lesson.
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
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			scale(b, links, work{rescores: 5})
		}
	})
	b.Run("learning", func(b *testing.B) {
		for b.Loop() {
			scale(b, links/10, work{rescores: 85, numbers: true, lesson: 1900})
		}
	})
}

// work is what is done at each page beside the links.
type work struct {
	rescores int
	numbers  bool
	lesson   int // its bytes
}

func scale(b *testing.B, links int, w work) {
	dir := b.TempDir()
	before := heap()
	l := &load1{b: b, work: w, clock: frontier.NewManual(start), r: rand.New(rand.NewPCG(1, 1))}
	l.f = mustOpen(b, dir, frontier.Manners{Delay: time.Second, Clock: l.clock}, Options{})
	for l.f.order.Count() < links {
		l.draw(100)
		cpu, began := processTime(), time.Now()
		l.pages()
		l.cpu, l.wall = l.cpu+processTime()-cpu, l.wall+time.Since(began)
	}
	b.ReportMetric(float64(l.cpu.Microseconds())/float64(l.count), "cpu-µs/page")
	b.ReportMetric(float64(l.wall.Microseconds())/float64(l.count), "µs/page")
	b.ReportMetric(l.worst.Seconds()*1000, "worst-ms")
	l.drawn = nil
	l.f.Sync()
	b.ReportMetric(float64(heap()-before)/float64(links), "RAM-B/link")
	b.ReportMetric(float64(onDisk(b, dir))/float64(links), "disk-B/link")
	b.ReportMetric(float64(onDisk(b, dir))/float64(l.count), "disk-B/page")

	wall, cpu := reopen(b, dir, l)
	b.ReportMetric(wall.Seconds(), "s/reopen-log")
	b.ReportMetric(cpu.Seconds(), "cpu-s/reopen-log")
	l.worst = 0
	if err := l.f.Snapshot([]byte("learned")); err != nil {
		b.Fatal(err)
	}
	for n := 0; n < 10 || l.f.busy(); n++ { // the crawl goes on meanwhile
		l.draw(100)
		l.pages()
	}
	if err := l.f.Settle(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(l.worst.Seconds()*1000, "worst-ms-at-snapshot")
	if err := errors.Join(l.f.Snapshot([]byte("learned")), l.f.Settle(), l.f.Sync()); err != nil { // what was compacted goes
		b.Fatal(err)
	}
	b.ReportMetric(float64(logsOnDisk(b, dir))/float64(l.f.order.Count()), "compacted-log-B/link")
	wall, cpu = reopen(b, dir, l)
	b.ReportMetric(wall.Seconds(), "s/reopen-snapshot")
	b.ReportMetric(cpu.Seconds(), "cpu-s/reopen-snapshot")
	b.ReportMetric(verifying(b, dir).Seconds(), "cpu-s/verify")
	l.f.Close()
}

func (f *Frontier) busy() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.snapshots.running != nil
}

// load1 is a crawl of pages with 60 links.
type load1 struct {
	b         *testing.B
	f         *Frontier
	work      work
	clock     *frontier.Manual
	r         *rand.Rand
	made      int
	drawn     [][]frontier.Item
	some      [][]float32
	count     int
	worst     time.Duration
	cpu, wall time.Duration
}

// draw makes the links of some pages, which is not what is measured.
func (l *load1) draw(pages int) {
	l.drawn = l.drawn[:0]
	for range pages {
		items := make([]frontier.Item, 60)
		for i := range items {
			n := l.made
			if i%2 == 0 || n == 0 {
				l.made++
			} else {
				n = l.r.IntN(l.made) // a known one
			}
			host := fmt.Sprintf("www.host-%04d.example", n%10_000)
			score := l.r.Float32()
			items[i] = frontier.Item{URL: fmt.Sprintf("https://%s/a/path/of/the/usual/length/%012d", host, n), Host: host,
				Score: score, Alt: score}
			if l.work.numbers {
				items[i].Numbers = l.numbers()
				items[i].Score, items[i].Alt = items[i].Numbers[0], items[i].Numbers[23]
			}
		}
		l.drawn = append(l.drawn, items)
	}
}

func (l *load1) pages() {
	for _, items := range l.drawn {
		l.count++
		began := time.Now()
		l.page(items)
		l.worst = max(l.worst, time.Since(began))
	}
}

// numbers are those of one of a thousand links: to draw them anew is not what is measured.
func (l *load1) numbers() []float32 {
	if l.some == nil {
		for range 1000 {
			l.some = append(l.some, typicalNumbers(l.r))
		}
	}
	return l.some[l.r.IntN(len(l.some))]
}

// page is one pop, 60 links pushed at once as the engine does, new scores and an outcome.
func (l *load1) page(items []frontier.Item) {
	l.clock.Advance(10 * time.Millisecond)
	it, _, err := l.f.TryPop(0)
	if err != nil && err != frontier.ErrEmpty && err != frontier.ErrIdle {
		l.b.Fatal(err)
	}
	for i := range items {
		items[i].Via, items[i].Depth = it.ID, it.Depth+1
	}
	pushed, err := l.f.PushAll(items)
	if err != nil {
		l.b.Fatal(err)
	}
	for n := range l.work.rescores {
		id := pushed[n%len(pushed)].ID
		s, alt, numbers := float32(id%997)/997, float32(id%997)/997, []float32(nil)
		if l.work.numbers {
			numbers = l.numbers()
			id, s, alt = 1+l.r.Uint64N(uint64(l.f.order.Count())), numbers[0], numbers[23]
		}
		if err := l.f.Rescore(id, s, alt, numbers, nil); err != nil {
			l.b.Fatal(err)
		}
	}
	if it.ID != 0 {
		if err = l.f.Done(it.ID, frontier.Outcome{Counters: map[string]int64{"pages": 1}, Lesson: l.lesson()}); err != nil {
			l.b.Fatal(err)
		}
	}
}

func (l *load1) lesson() []byte {
	if l.work.lesson == 0 {
		return nil
	}
	return make([]byte, l.work.lesson)
}

// reopen measures what a process does that comes after one that was killed.
func reopen(b *testing.B, dir string, l *load1) (wall, cpu time.Duration) {
	l.f.mu.Lock()
	want := l.f.order.Len()
	l.f.mu.Unlock()
	runtime.GC()
	began := time.Now()
	cpu = processTime()
	f, err := OpenReadOnly(dir)
	wall, cpu = time.Since(began), processTime()-cpu
	if err != nil {
		b.Fatal(err)
	}
	if got := f.Len(); got < want-1 || got > want+1 {
		b.Fatalf("%d links wait, want %d", got, want)
	}
	f.Close()
	return wall, cpu
}

// verifying is what it costs to read what stands in front of the snapshot, which opening does.
func verifying(b *testing.B, dir string) time.Duration {
	st, err := load(dir, frontier.Manners{})
	if err != nil {
		b.Fatal(err)
	}
	cpu := processTime()
	if err := st.verify(); err != nil {
		b.Fatal(err)
	}
	return processTime() - cpu
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

func onDisk(b *testing.B, dir string) int64 { return bytesOf(b, dir, "*") }

// logsOnDisk is what the log takes, without the snapshot.
func logsOnDisk(b *testing.B, dir string) int64 {
	return bytesOf(b, dir, "log-*") + bytesOf(b, dir, "base-*")
}

func bytesOf(b *testing.B, dir, names string) (n int64) {
	paths, err := filepath.Glob(filepath.Join(dir, names))
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			n += info.Size()
		}
	}
	return n
}
