package index

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// TestLongPagesAreIndexedInLittleMemory: what is taken for pages that are all words of their own is a multiple of their text, and not as
// much for each as for a hundred of them.
func TestLongPagesAreIndexedInLittleMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // what scorch remembers of the page before is not thrown away
	v, err := newInverter()
	noError(t, err)
	dir := t.TempDir()
	in, err := scorch.NewBuilder(map[string]any{"path": filepath.Join(dir, folderBleve), "buildPathPrefix": dir, "batchSize": 1})
	noError(t, err)
	const pages, size = 6, 100_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range pages {
		var text strings.Builder
		for text.Len() < size {
			fmt.Fprintf(&text, "%x ", r.Uint64())
		}
		var w writing
		w[body] = text.String()
		doc, _ := v.document(fmt.Sprint(i), w)
		noError(t, in.Index(doc))
	}
	runtime.ReadMemStats(&after)
	took := (after.TotalAlloc - before.TotalAlloc) / pages
	t.Logf("%d kB for a page of %d kB", took>>10, size>>10)
	if took > 150*size {
		t.Errorf("a page of %d kB took %d kB", size>>10, took>>10)
	}
	noError(t, in.Close())
}
