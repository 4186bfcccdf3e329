package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestListsHoldNoRecords: of a page that is kept a list holds what stands in its row, and not the record with all its links.
func TestListsHoldNoRecords(t *testing.T) {
	const pages, bytes = 200, 50_000
	var b strings.Builder
	for i := range pages {
		fmt.Fprintf(&b, `{"schema":1,"id":%d,"url":"http://a.test/%d","title":"A page","relevance":0.5,"second":0.5,"importance":0.5,"description":%q}`+"\n", i+1, i, strings.Repeat("because ", bytes/8))
	}
	dir := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(dir, "kept.jsonl"), []byte(b.String()), 0o600))
	b.Reset()
	before := heap()
	now, _, err := keptNow([]string{dir})
	noError(t, err)
	grew := heap() - before
	if len(now) != pages || grew > pages*bytes/4 {
		t.Errorf("%d rows hold %d bytes, want %d that hold no more than their own", len(now), grew, pages)
	}
	runtime.KeepAlive(now)
}

// heap is how many bytes are in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
