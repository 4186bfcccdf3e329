package run

import (
	"fmt"
	"strings"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// Positions of the program's sinks are committed beside the lengths of files, under names that no file below a run folder
// has: own:, the number of the sink, and the sink's own name for it.
const ownPrefix = "own:"

// Below is what was committed of the files below the run folder.
func Below(committed map[string]int64) map[string]int64 {
	files := make(map[string]int64, len(committed))
	for name, n := range committed {
		if !strings.HasPrefix(name, ownPrefix) {
			files[name] = n
		}
	}
	return files
}

// ownLengths adds how far those sinks of the program are that can be taken back.
func (w *Written) ownLengths(all map[string]int64) {
	for i, s := range w.Own {
		if r, ok := s.(sink.Resumable); ok {
			for name, n := range r.Lengths() {
				all[fmt.Sprint(ownPrefix, i, ":", name)] = n
			}
		}
	}
}

// cutOwn takes the sinks of the program back to what was committed of them. One that a run in the middle of its way knows
// nothing of is new to it, or the run was repaired: it is given what the harvest holds.
func (w *Written) cutOwn(dir string, committed map[string]int64) error {
	for i, s := range w.Own {
		r, ok := s.(sink.Resumable)
		if !ok {
			continue
		}
		own := map[string]int64{}
		for name, n := range committed {
			if name, ok := strings.CutPrefix(name, fmt.Sprint(ownPrefix, i, ":")); ok {
				own[name] = n
			}
		}
		if err := r.Cut(own); err != nil {
			return fmt.Errorf("run folder %s: sink %d of the program: %w", dir, i+1, err)
		}
		if len(own) > 0 {
			continue
		}
		for record, err := range sink.Harvest(dir) {
			if err == nil {
				err = r.Write(record)
			}
			if err != nil {
				return fmt.Errorf("run folder %s: sink %d of the program is given the harvest: %w", dir, i+1, err)
			}
		}
	}
	return nil
}
