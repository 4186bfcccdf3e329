package winnow

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// fingerprint tells a harvest from another.
func fingerprint(kept map[uint64]bool) string {
	h := fnv.New64a()
	for _, id := range slices.Sorted(maps.Keys(kept)) {
		fmt.Fprintln(h, id) // it cannot fail
	}
	return fmt.Sprintf("%d-%016x", len(kept), h.Sum64())
}

// renew leaves out what is said of another harvest than the one that is kept now.
func renew(f *run.Figures, folders []string) error {
	kept, err := keptOf(folders)
	if err == nil && f.Audited != fingerprint(kept) {
		f.Audit, f.Audited = nil, ""
	}
	return err
}

// Due tells of a run that is over and has pages for a second look, of which none has said what is kept, or not to the end: the figures
// come last. Such as cannot be read were written by one.
func Due(dir string) bool {
	if !sink.HasLooks(dir) {
		return false
	}
	f, err := run.ReadFigures(dir)
	return !sink.HasKept(dir) || err == nil && f.Look == nil
}
