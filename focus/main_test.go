package focus_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the test binary be the web server of a benchmark, a worker of a shared crawl, a crawl that kills itself, and trust the authority of the
// tests.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // tests allocate much and hold little, and so do the processes they start
	if os.Getenv("THRESHER_BENCH_SERVER") != "" {
		servePages()
		return
	}
	if told := os.Getenv("THRESHER_SHARED_WORKER"); told != "" {
		os.Exit(sharedWorker(told))
	}
	if told := os.Getenv("THRESHER_OWN_SINK"); told != "" {
		os.Exit(ownSinkWorker(told))
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "thresher-focus-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		if err := trustAuthority(dir); err != nil {
			panic(err)
		}
		return m.Run()
	}())
}
