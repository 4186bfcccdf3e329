package main

import (
	"log"
	"math"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// The crawl file bounds the memory, and the environment counts more.
func TestMemoryIsBoundByTheCrawlFile(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	defer func() { debug.SetMemoryLimit(limit); debug.SetGCPercent(percent) }()
	for _, c := range []struct {
		environment, gc string
		memory          int64
		want            int64
		wantGC          int
	}{
		{"", "", 3e9, calm, garbage}, {"", "", 100e6, 100e6, garbage}, {"1GiB", "50", 3e9, math.MaxInt64, 100}, {"", "", 0, calm, garbage},
	} {
		debug.SetMemoryLimit(math.MaxInt64)
		debug.SetGCPercent(100)
		t.Setenv("GOMEMLIMIT", c.environment)
		t.Setenv("GOGC", c.gc)
		config := focus.Default()
		config.Memory = strict.Size(c.memory)
		boundMemory(config)()
		if n, gc := debug.SetMemoryLimit(-1), debug.SetGCPercent(100); n != c.want || gc != c.wantGC {
			t.Errorf("%+v: bound to %d, GC at %d", c, n, gc)
		}
	}
}

// What is in use for some seconds has room for its garbage; what comes and goes has a quarter.
func TestMemoryFollowsWhatLasts(t *testing.T) {
	var used use
	for second := range 3 * lasting {
		live := int64(1 << 30)
		if second%lasting == 0 && second < 2*lasting {
			live = 1 << 20 // the great pages were gone for a moment
		}
		bound := used.bound(live)
		if second < 2*lasting && bound > max(calm, live*5/4) {
			t.Errorf("second %d: bound to %d MB", second, bound>>20)
		}
	}
	if bound := used.bound(1 << 30); bound < 7<<28 {
		t.Errorf("what lasts has %d MB", bound>>20)
	}
}

// What servers say out of turn does not reach the terminal; everything else does.
func TestServersThatTalkOutOfTurnAreNotHeard(t *testing.T) {
	defer log.SetOutput(os.Stderr)
	var said strings.Builder
	quietServers(&said)
	log.Print("Unsolicited response received on idle HTTP channel starting with \"x\"; err=<nil>")
	log.Print("the disk is on fire")
	if !strings.Contains(said.String(), "on fire") || strings.Contains(said.String(), "Unsolicited") {
		t.Errorf("%q", said.String())
	}
}
