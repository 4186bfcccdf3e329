package main

import (
	"bytes"
	"io"
	"log"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus"
)

// garbage is how much may wait to be thrown away, in percent of what is in use: a crawl makes much of it, and collecting more
// seldom costs less time.
const garbage = 150

// What is in use for a moment may be many pages of many MB that arrive together, and one and a half times as much garbage would come
// on top of them: above calm there is garbage only beside what has been in use for some seconds, and half as much of it, for which the
// collector works more often.
const (
	calm    = 192 << 20
	lasting = 4 // seconds
	beyond  = garbage / 2
)

// boundMemory keeps the memory near what is in use and below the bound of the crawl file, and lets the collector of memory work
// less often than is usual. What the environment says counts more. What it answers ends it.
func boundMemory(config focus.Config) (stop func()) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	most := int64(config.Memory)
	if most == 0 {
		most = math.MaxInt64
	}
	return follow(time.Second, most)
}

// follow keeps the bound above what is in use, and never above most, until it is stopped.
func follow(every time.Duration, most int64) (stop func()) {
	var used use
	debug.SetMemoryLimit(min(most, used.bound(0)))
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
				metrics.Read(live)
				debug.SetMemoryLimit(min(most, used.bound(int64(live[0].Value.Uint64()))))
			}
		}
	}()
	return func() { close(end); <-ended }
}

// use is how many bytes were in use in the last seconds.
type use struct {
	seconds [lasting]int64
	next    int
}

// bound is up to where the memory may grow, after one second more: there is room for the garbage of what lasts, and for what came
// just now, so that the collector does not run without end.
func (u *use) bound(live int64) int64 {
	u.seconds[u.next] = live
	u.next = (u.next + 1) % lasting
	return max(calm, slices.Min(u.seconds[:])*(100+beyond)/100, live*5/4)
}

// quietServers keeps the lines of net/http about servers that talk out of turn from the terminal: there is nothing that
// anybody could do about them. All other lines pass.
func quietServers(to io.Writer) { log.SetOutput(withoutServers{to}) }

type withoutServers struct{ to io.Writer }

func (w withoutServers) Write(line []byte) (int, error) {
	for _, said := range []string{"Unsolicited response received on idle HTTP channel", "http2: "} {
		if bytes.Contains(line, []byte(said)) {
			return len(line), nil
		}
	}
	return w.to.Write(line)
}
