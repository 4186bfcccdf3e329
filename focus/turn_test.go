package focus_test

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/turn"
)

// What a page does while it has the turn no other page can do at the same time: it is a small part of the processor time of a crawl.
// The time is that of the process, on one core and with one worker, so that nothing but the page counts that has the turn, and what a
// collector of garbage does meanwhile. Scoring waiting links again is part of the turn, but goes on
// on all cores.
func TestTheTurnIsASmallPart(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(150)) // as the command has it
	asked := withoutAsking()
	web := inEnglish
	web.pages = 1500
	answers := newWebInMemory(&web)
	for _, c := range []struct {
		strategy     string
		alone, whole float64 // of the processor time, without and with what is scored again
	}{
		{"breadth", .12, .12},
		{"shark", .12, .12},
		{"apprentice", .24, .62},
	} {
		run := func(pages int) focus.Report {
			setting := wholeSetting(t, &web, c.strategy, "likely", answers, pages)
			setting.Polite.PerHost, setting.Polite.Parallel = 1, 1
			crawler, err := focus.NewWith(setting)
			if err != nil {
				t.Fatal(err)
			}
			crawler.TimedBy(func() time.Time { return time.Unix(0, int64(asked())) })
			report, err := crawler.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return report
		}
		run(20) // what is loaded once is no page's cost
		var alone, whole float64
		for range 40 { // the machine does other things, too, and what they leave in its caches is not the turn's
			before := asked()
			report := run(300)
			spent := asked() - before
			of := func(d time.Duration) float64 { return float64(d) / float64(spent) }
			alone, whole = of(report.Times.Turn()-report.Times.Of(turn.Again)), of(report.Times.Turn())
			t.Logf("%s: %v a page, of which %.3f in the turn alone, %.3f with what is scored again; %d kept", c.strategy, spent/time.Duration(report.Counts.Pages), alone, whole, report.Counts.Kept)
			for _, s := range report.Times.Stages {
				t.Logf("  %-8s %v", s.Name, s.Spent/time.Duration(report.Counts.Pages))
			}
			if alone <= c.alone && whole <= c.whole {
				break
			}
		}
		if alone > c.alone || whole > c.whole {
			t.Errorf("%s: %.3f of the processor time is spent in the turn, %.3f with what is scored again, want at most %.2f and %.2f", c.strategy, alone, whole, c.alone, c.whole)
		}
	}
}

// withoutAsking is cpuTime without what asking for it takes: that is a system call at every stage of a page, and no page's cost.
func withoutAsking() func() time.Duration {
	const times = 20_000
	before := cpuTime()
	for range times {
		cpuTime()
	}
	each := (cpuTime() - before) / times
	var calls atomic.Int64
	return func() time.Duration { return cpuTime() - time.Duration(calls.Add(1))*each }
}
