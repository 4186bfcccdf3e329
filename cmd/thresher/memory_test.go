package main

import (
	"log"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
)

// The crawl file bounds the memory, and the environment counts more.
func TestMemoryIsBoundByTheCrawlFile(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	defer func() { debug.SetMemoryLimit(limit); debug.SetGCPercent(percent) }()
	whole := system
	defer func() { system = whole }()
	const container = "90000000\n"
	for _, c := range []struct {
		environment, gc string
		memory          int64
		container       string
		want            int64
		wantGC          int
	}{
		{"", "", 3e9, "max", calm, garbage}, {"", "", 100e6, "max", 100e6, garbage}, {"1GiB", "50", 3e9, container, math.MaxInt64, 100}, {"", "", 0, "max", calm, garbage},
		{"", "", 3e9, container, 81e6, garbage}, {"", "", 0, container, 81e6, garbage}, {"", "", 70e6, container, 70e6, garbage},
	} {
		system = fstest.MapFS{"proc/self/cgroup": {Data: []byte("0::/\n")}, "sys/fs/cgroup/memory.max": {Data: []byte(c.container)}}
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

// TestANarrowAddressSpaceIsWarnedOf: the system ends what has no room for a thread in a trace that tells nobody why.
func TestANarrowAddressSpaceIsWarnedOf(t *testing.T) {
	files(t)
	limit, percent, whole := debug.SetMemoryLimit(-1), debug.SetGCPercent(100), system
	defer func() { debug.SetMemoryLimit(limit); debug.SetGCPercent(percent); system = whole }()
	for bound, want := range map[string]string{"1536000000": "bounded to 1536 MB (ulimit -v)", "unlimited": "", "4000000000": ""} {
		system = fstest.MapFS{"proc/self/limits": {Data: []byte("Limit                     Soft Limit           Hard Limit           Units     \n" +
			"Max resident set          1                    1                    bytes     \nMax address space         " + bound + "           unlimited            bytes     \n")}}
		code, _, errs := thresher(t, "demo", "--quiet")
		if got := strings.Contains(errs, "address space"); code != exitDone || got != (want != "") || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d\n%s", bound, code, errs)
		}
	}
}

// What a container may have bounds every command, whoever of those above says it, in both ways in which Linux tells it.
func TestMemoryIsBoundByTheContainer(t *testing.T) {
	limit := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(limit)
	whole := system
	defer func() { system = whole }()
	for name, c := range map[string]struct {
		group string
		files map[string]string
		want  int64
	}{
		"nothing is known":          {"", nil, math.MaxInt64},
		"no bound":                  {"0::/a\n", map[string]string{"a/memory.max": "max\n"}, math.MaxInt64},
		"version 2":                 {"0::/a/b\n", map[string]string{"a/b/memory.max": "max\n", "a/memory.max": "1000\n", "memory.max": "2000\n"}, 900},
		"version 2, held up":        {"0::/a\n", map[string]string{"a/memory.max": "2000\n", "a/memory.high": "1000\n"}, 900},
		"version 2, of its own":     {"0::/../../x\n", map[string]string{"memory.max": "1000\n"}, 900},
		"version 1":                 {"5:cpu,memory:/a\n0::/\n", map[string]string{"memory/a/memory.limit_in_bytes": "1000\n", "memory/memory.limit_in_bytes": "9223372036854771712\n"}, 900},
		"version 1, of the outside": {"4:memory:/docker/a\n", map[string]string{"memory/memory.limit_in_bytes": "1000\n"}, 900},
	} {
		files := fstest.MapFS{"proc/self/cgroup": {Data: []byte(c.group)}}
		for file, content := range c.files {
			files["sys/fs/cgroup/"+file] = &fstest.MapFile{Data: []byte(content)}
		}
		system = files
		if got := ceiling(); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		for environment, want := range map[string]int64{"": c.want, "1GiB": limit} {
			t.Setenv("GOMEMLIMIT", environment)
			debug.SetMemoryLimit(limit)
			if boundProgram()(); debug.SetMemoryLimit(-1) != want {
				t.Errorf("%s: the program is bound to %d, want %d", name, debug.SetMemoryLimit(-1), want)
			}
		}
	}
}

// What C++ takes is the container's, too: what Go may have is less by it, and never nothing.
func TestMemoryThatGoDoesNotKnowOfCounts(t *testing.T) {
	limit := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(limit)
	whole := system
	defer func() { system = whole }()
	t.Setenv("GOMEMLIMIT", "")
	const gb = 1 << 30
	for kb, within := range map[string][2]int64{"12": {9 * gb, 9 * gb}, "4194304": {5 * gb, 6 * gb}, "83886080": {16 << 20, 16 << 20}, "": {9 * gb, 9 * gb}} {
		system = fstest.MapFS{
			"proc/self/cgroup":         {Data: []byte("0::/\n")},
			"sys/fs/cgroup/memory.max": {Data: []byte(strconv.Itoa(10 * gb))},
			"proc/self/status":         {Data: []byte("VmRSS:\t 99999999 kB\nRssAnon:\t " + kb + " kB\nRssFile:\t 7 kB\n")},
		}
		debug.SetMemoryLimit(limit)
		boundProgram()()
		if got := debug.SetMemoryLimit(-1); got < within[0] || got > within[1] {
			t.Errorf("%q kB: bound to %d, want %d", kb, got, within)
		}
	}
}

// TestLittleMemoryIsToldAndSpared: the system kills what takes more without a word, and the dictionaries of gojieba take much.
func TestLittleMemoryIsToldAndSpared(t *testing.T) {
	files(t)
	limit, percent, whole, words := debug.SetMemoryLimit(-1), debug.SetGCPercent(100), system, text.Backend()
	defer func() { debug.SetMemoryLimit(limit); debug.SetGCPercent(percent); system = whole; text.Spare(nil) }()
	for _, c := range []struct {
		most          string
		warned, spare bool
	}{{"64000000", true, true}, {"256000000", false, true}, {"512000000", false, false}, {"max", false, false}} {
		system = fstest.MapFS{"proc/self/cgroup": {Data: []byte("0::/\n")}, "sys/fs/cgroup/memory.max": {Data: []byte(c.most + "\n")}}
		text.Spare(nil)
		if spareGojieba(); (text.Backend() == "gojieba") != (words == "gojieba" && !c.spare) {
			t.Errorf("%s: words are cut by %s", c.most, text.Backend())
		}
		code, _, errs := thresher(t, "demo", "--quiet")
		if got := strings.Contains(errs, "this process may have 64 MB of memory (cgroup)"); code != exitDone || got != c.warned {
			t.Errorf("%s: exit code %d\n%s", c.most, code, errs)
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
