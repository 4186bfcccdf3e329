package text

import (
	"os"
	"runtime/debug"
	"testing"
)

// environment is the one the tests were started with.
var environment = os.Environ()

// TestMain gives the tests a cache folder of their own, in which nothing lies yet.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		home, err := os.MkdirTemp("", "thresher-text-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(home)
		for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
			os.Setenv(name, home)
		}
		debug.SetGCPercent(400) // tests allocate much and hold little
		return m.Run()
	}())
}
