package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestCacheOfCompare: compare leaves what it has read in the user's cache, and nothing with --no-cache.
func TestCacheOfCompare(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("where the cache is, is said by another variable elsewhere")
	}
	files(t)
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	args := []string{"compare", "--web", filepath.Join(home, "testdata", "webs", "small"), "--topic", "tea", "--strategy", "breadth"}
	for _, c := range []struct {
		args []string
		want int
	}{{append(args, "--no-cache"), 0}, {args, 2}} {
		if code, _, errs := thresher(t, c.args...); code != exitDone {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		left, err := os.ReadDir(filepath.Join(cache, "thresher", "webs"))
		if len(left) != c.want || err != nil && c.want > 0 {
			t.Errorf("%v leaves %d files, want %d: %v", c.args, len(left), c.want, err)
		}
	}
}
