package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"
	"time"
)

// goCache is where the go command keeps what it has built, whatever the tests call the user's cache.
var goCache = builds()

func builds() string {
	if dir := os.Getenv("GOCACHE"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "go-build")
}

// TestMain keeps the tests out of the user's own cache, where dictionaries are unpacked. A test that starts this binary
// again to kill it shares its cache with it: who is killed clears nothing away.
func TestMain(m *testing.M) {
	slow = 24 * time.Hour // what is said does not hang on how busy the machine is
	if os.Getenv("THRESHER_BE") != "" {
		os.Exit(m.Run())
	}
	os.Exit(func() int {
		cache, err := os.MkdirTemp("", "thresher-test-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(cache)
		for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData"} {
			os.Setenv(name, filepath.Join(cache, "cache"))
		}
		spareCollector()
		return m.Run()
	}())
}

// spareCollector lets the collector of memory rest for longer, here and in the processes that are started: tests allocate much
// and hold little. The environment says it, because what a crawl sets of itself would last for all the tests after it.
func spareCollector() {
	const percent, limit = 1600, 1 << 30
	os.Setenv("GOGC", strconv.Itoa(percent))
	os.Setenv("GOMEMLIMIT", strconv.Itoa(limit))
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
}
