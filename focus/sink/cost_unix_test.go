//go:build unix

package sink

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// cpuTime is the processor time this process has used.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkThin is what it costs to make room in an archive that is full, by its bytes, and for each page that the room serves: the
// processor's time and, as ns/op, that on the wall, for which the crawl stands still. Run it with -benchtime 1x.
func BenchmarkThin(b *testing.B) {
	const most = 256 << 20
	o := LooksOptions{Mode: "all", Threshold: .3, Most: most, Rotate: 1 << 30}
	for b.Loop() {
		b.StopTimer()
		l, err := OpenLooks(b.TempDir(), o)
		if err != nil {
			b.Fatal(err)
		}
		s := seenPage(1, .5)
		s.Record.Text, s.Record.Markdown = strings.Repeat("some words of a page ", 250), strings.Repeat("some words of a page ", 250)
		pages, full := 0, false
		for ; !full; pages++ {
			s.Record.ID, s.Record.Relevance, s.Keys[0] = uint64(pages), float64(pages%10)/10, uint64(pages)
			if err := l.Take(s); err != nil {
				b.Fatal(err)
			}
			full = l.used()+int64(len(l.line)) > most
		}
		before := cpuTime(b)
		b.StartTimer()
		if err := l.thin(); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		took := cpuTime(b) - before
		b.ReportMetric(most/1e6/b.Elapsed().Seconds(), "MB/s")
		b.ReportMetric(most/1e6/took.Seconds(), "cpu-MB/s")
		b.ReportMetric(float64(took.Microseconds())/(float64(pages)*(1-leftAfter)), "cpu-µs/page")
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
