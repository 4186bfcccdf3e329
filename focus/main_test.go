package focus_test

import (
	"os"
	"testing"
)

// TestMain lets the test binary be the web server of a benchmark.
func TestMain(m *testing.M) {
	if os.Getenv("THRESHER_BENCH_SERVER") != "" {
		servePages()
		return
	}
	os.Exit(m.Run())
}
