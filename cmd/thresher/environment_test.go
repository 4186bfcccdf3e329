package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMain keeps the tests out of the user's own cache of recorded webs.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		cache, err := os.MkdirTemp("", "thresher-test-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(cache)
		for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData"} {
			os.Setenv(name, filepath.Join(cache, "cache"))
		}
		return m.Run()
	}())
}
