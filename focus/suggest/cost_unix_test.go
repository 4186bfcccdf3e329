//go:build unix

package suggest_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/suggest"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// BenchmarkTenThousand looks again at 10,000 pages of a thousand Chinese words each and makes suggestions, as the command
// does once it has read them: what it costs. Run it with -benchtime 1x.
func BenchmarkTenThousand(b *testing.B) {
	const room = 20 * time.Second
	l := languages["zh"]
	spec := specOf(terms(l.topic[0])...)
	var pages []winnow.Page
	for i, p := range drawn(l, 10_000, spec) {
		relevance := .1
		if p.Of > .5 {
			relevance = .5
		}
		pages = append(pages, winnow.Page{ID: uint64(i + 1), URL: p.URL, Title: p.Title, Text: strings.Repeat(p.Text, 25), Raw: p.Raw, Relevance: relevance, Keys: []uint64{uint64(i)}})
		for n := range uint64(60) {
			pages[i].Links = append(pages[i].Links, sink.Pointer{To: (uint64(i)*7 + n*n) % 10_000, Anchor: p.Title})
		}
	}
	cpu := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	for b.Loop() {
		began := cpu()
		o := winnow.Options{Threshold: .3, All: true}
		looked, err := winnow.Look(pages, o)
		if err != nil {
			b.Fatal(err)
		}
		second := cpu() - began
		r, err := suggest.Propose(suggest.Of(pages, suggest.Stands(pages, &o), &looked, &o), suggest.Options{Spec: spec})
		if err != nil || r.Sure == 0 {
			b.Fatal(err)
		}
		took := cpu() - began
		b.ReportMetric(took.Seconds(), "cpu-s")
		b.ReportMetric(second.Seconds(), "cpu-s-of-the-second-look")
		if took > room {
			b.Errorf("it takes %v", took)
		}
	}
}
