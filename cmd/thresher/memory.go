package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math"
	"os"
	"path"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
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

// boundMemory keeps the memory near what is in use and below the bound of the crawl file and the ceiling, and lets the collector of memory work
// less often than is usual. What the environment says counts more. What it answers ends it.
func boundMemory(config focus.Config) (stop func()) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	most := ceiling()
	if config.Memory > 0 {
		most = min(most, int64(config.Memory))
	}
	return follow(time.Second, most)
}

// boundProgram keeps the memory of every command below the ceiling, until it is stopped. A crawl bounds its own further.
func boundProgram() (stop func()) {
	most := ceiling()
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	debug.SetMemoryLimit(allowed(most, foreign()))
	if most == math.MaxInt64 {
		return func() {}
	}
	return each(time.Second, func() {
		debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), allowed(most, foreign())))
	})
}

// foreign is how much of its memory the process has beside what the runtime knows of: the dictionaries of gojieba, a hundred MB
// of them from the first Chinese on. What lies in files and the system may take back does not count.
func foreign() int64 {
	status, _ := fs.ReadFile(system, "proc/self/status")
	for line := range strings.Lines(string(status)) {
		if said, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			if kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(said), " kB"), 10, 64); err == nil {
				own := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
				metrics.Read(own)
				return max(0, kb<<10-int64(own[0].Value.Uint64()-own[1].Value.Uint64()))
			}
		}
	}
	return 0
}

// allowed is what the runtime may have of most beside what is foreign to it. Something it must have, or it would only collect.
func allowed(most, foreign int64) int64 {
	if most == math.MaxInt64 {
		return most
	}
	return max(most-foreign, min(most, 16<<20))
}

// system is what the system says of this process, a tree of files; there is none on others than Linux.
var system = os.DirFS("/")

// ceiling is nine tenths of what the control group of this process, a container mostly, and those above it may have: Linux kills
// without a word what takes more. The tenth is for what the runtime does not count.
func ceiling() int64 {
	least := int64(math.MaxInt64)
	groups, _ := fs.ReadFile(system, "proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, what it bounds, path
		if len(parts) < 3 {
			continue
		}
		root, files := "sys/fs/cgroup", []string{"memory.max", "memory.high"} // above the second it is held up, not ended
		if slices.Contains(strings.Split(parts[1], ","), "memory") {
			root, files = "sys/fs/cgroup/memory", []string{"memory.limit_in_bytes"}
		} else if parts[1] != "" {
			continue
		}
		for group := path.Join("/", parts[2]); ; group = path.Dir(group) { // those that cannot be seen from inside are not there
			for _, file := range files {
				said, _ := fs.ReadFile(system, path.Join(root, group, file))
				if most, err := strconv.ParseInt(strings.TrimSpace(string(said)), 10, 64); err == nil && most > 0 {
					least = min(least, most/10*9)
				}
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}

// roomy is the address space with which a crawl of some megabytes gets by: for each thread the system sets much aside that nobody uses.
const roomy = 3 << 30

// cramped says that the address space of this process is bounded so low that the system may end it in a trace of its own: what finds
// no room for a thread cannot say so. It is empty where there is room.
func cramped() string {
	limits, _ := fs.ReadFile(system, "proc/self/limits")
	for line := range strings.Lines(string(limits)) {
		bound, ok := strings.CutPrefix(line, "Max address space")
		if fields := strings.Fields(bound); ok && len(fields) > 0 {
			if most, err := strconv.ParseInt(fields[0], 10, 64); err == nil && most < roomy {
				return fmt.Sprintf("the address space of this process is bounded to %s (ulimit -v), of which much is set aside and never used: "+
					"below some 3 GB a crawl may end in the middle; lift that bound, and bound what is used by `memory` in the crawl file", inBytes(most))
			}
		}
	}
	return ""
}

// follow keeps the bound above what is in use, and never above most, until it is stopped.
func follow(every time.Duration, most int64) (stop func()) {
	var used use
	debug.SetMemoryLimit(min(allowed(most, foreign()), used.bound(0)))
	return each(every, func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetMemoryLimit(min(allowed(most, foreign()), used.bound(int64(live[0].Value.Uint64()))))
	})
}

// each does something again and again, until it is stopped.
func each(every time.Duration, do func()) (stop func()) {
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
				do()
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
