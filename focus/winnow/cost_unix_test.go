//go:build unix

package winnow

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// usage is the processor time of this process, and the most memory that it has taken, in bytes as Linux counts them.
func usage(b *testing.B) (cpu time.Duration, most int64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Maxrss) << 10
}

// BenchmarkTenThousand is a second look at 10,000 pages of 400 words and 40 links each, as they stand in a run folder: what it
// costs, and how much room the pages take there. Run it with -benchtime 1x.
func BenchmarkTenThousand(b *testing.B) { lookAtDrawn(b, 10_000, 250<<20) }

// BenchmarkEightyThousand is the same of so many that neither their texts are held nor all of them learned from.
func BenchmarkEightyThousand(b *testing.B) { lookAtDrawn(b, 80_000, 850<<20) }

func lookAtDrawn(b *testing.B, pages int, room int64) {
	const words, links = 400, 40
	dir := b.TempDir()
	drawLooks(b, dir, pages, words, links)
	for b.Loop() {
		began, _ := usage(b)
		s, err := linked([]string{dir}, &Options{})
		if err != nil {
			b.Fatal(err)
		}
		o := Options{Threshold: .3}
		r := Report{}
		if r.Result, err = s.look(&o); err == nil {
			err = r.cut(s, Cut{}, &o)
		}
		kept := 0
		if err == nil {
			kept, err = r.write(dir, s, r.importance(s))
		}
		if err != nil || r.Refused != "" || kept == 0 || len(s.pages) != pages {
			b.Fatalf("%v: %q, %d of %d pages kept", err, r.Refused, kept, len(s.pages))
		}
		ended, most := usage(b)
		b.ReportMetric((ended - began).Seconds(), "cpu-s")
		b.ReportMetric(float64(most)/1e6, "MB")
		if most > room {
			b.Errorf("it takes %d MB", most>>20)
		}
	}
}

// drawLooks writes pages of two subjects: a fifth of the words of a page are its subject's, the rest are as rare as words are.
func drawLooks(b *testing.B, dir string, pages, words, links int) {
	looks, err := sink.OpenLooks(dir, sink.LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 40, Rotate: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	defer looks.Close()
	dice := rand.New(rand.NewPCG(1, 2))
	rare := rand.NewZipf(dice, 1.1, 8, 60_000)
	address := func(n int) string {
		return fmt.Sprintf("http://www%d.example.org/part%d/%d.html", n%40, n%7, n)
	}
	say := func(n, many int) string {
		var text strings.Builder
		for range many {
			if dice.Float64() < .2 {
				fmt.Fprintf(&text, "subject%dword%d ", n%4/3, dice.IntN(300))
			} else {
				fmt.Fprintf(&text, "w%dx ", rare.Uint64())
			}
		}
		return text.String()
	}
	for n := range pages {
		relevance := .25 * dice.Float64()
		if n%4 == 3 {
			relevance = .2 + .5*dice.Float64()
		}
		s := &sink.Seen{Kept: relevance >= .3, Keys: []uint64{sink.Key(address(n))}, Record: &sink.Record{ID: uint64(n + 1), URL: address(n), FinalURL: address(n),
			Title: say(n, 6), Text: say(n, words), Digest: fmt.Sprint("sha256:", n), Relevance: relevance, Time: time.Unix(1e9, 0).UTC()}}
		for i := range links {
			s.Links = append(s.Links, sink.Pointer{To: sink.Key(address(dice.IntN(pages))), Block: int32(i / 8), Anchor: say(n, 3)})
		}
		if err := looks.Take(s); err != nil {
			b.Fatal(err)
		}
	}
}
