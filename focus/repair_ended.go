package focus

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
)

// unended tells of a run whose repair was interrupted when the sound state was written, and not yet in its place.
func unended(dir string) bool {
	_, ok := disk.HalfSalvaged(filepath.Join(dir, fileState))
	return ok
}

// endEarlier ends a repair that was interrupted when the sound state was not yet in its place.
func (done *Repaired) endEarlier(dir string) error {
	state := filepath.Join(dir, fileState)
	half, ok := disk.HalfSalvaged(state)
	if !ok {
		return nil
	}
	if err := carryOver(half.Kept, half.Made); err != nil {
		return fmt.Errorf("focus: repair %s: %w", dir, err)
	}
	done.Ended = half.Kept
	return half.Finish()
}

// carryOver copies what is not the frontier's own from its damaged folder to the sound one, where it is not there yet.
func carryOver(from, to string) error {
	for _, name := range []string{fileRun, fileInjected} {
		if _, err := os.Stat(filepath.Join(to, name)); err == nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = writeFile(filepath.Join(to, name), text)
		}
		if err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}
