package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Half is a Salvage that was interrupted when the damaged folder was out of the way, and the sound one not yet in its place.
type Half struct {
	dir  string
	Made string // the folder with the sound files
	Kept string // the folder with the damaged ones
}

// HalfSalvaged tells whether a Salvage of a folder was interrupted in that moment.
func HalfSalvaged(dir string) (h Half, ok bool) {
	h = Half{dir, dir + madeSuffix, newestKept(dir)}
	if h.Kept == "" || !vacant(dir) {
		return h, false
	}
	names, err := os.ReadDir(h.Made)
	if err != nil {
		return h, false
	}
	for _, n := range names {
		if strings.HasPrefix(n.Name(), "log-") {
			return h, true
		}
	}
	return h, false
}

// Finish puts the sound folder into its place. An *InUseError says that another process is about to.
func (h Half) Finish() error {
	for _, dir := range []string{h.Kept, h.dir} {
		lock, err := LockFolder(dir)
		if err == nil {
			err = lock.Release()
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	for _, left := range []string{filepath.Join(h.dir, "lock"), h.dir} { // and nothing else: it fails if there is more
		if err := os.Remove(left); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("disk: salvage: %w", err)
		}
	}
	if err := os.Rename(h.Made, h.dir); err != nil {
		return fmt.Errorf("disk: salvage: %w: the sound files are in %q", err, h.Made)
	}
	return syncDir(filepath.Dir(h.dir))
}

// vacant tells of a folder that is not there, or that somebody has held who found nothing in it.
func vacant(dir string) bool {
	names, err := os.ReadDir(dir)
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	for _, n := range names {
		if n.Name() != "lock" {
			return false
		}
	}
	return true
}

// madeSuffix ends the name of the folder in which sound files are made.
const madeSuffix = ".new"

// nthKept is the name for the damaged files of a folder that was salvaged for the nth time.
func nthKept(dir string, n int) string {
	if n == 1 {
		return dir + ".damaged"
	}
	return fmt.Sprintf("%s.damaged-%d", dir, n)
}

// newestKept is the folder that holds the files which were found damaged last; empty if there is none.
func newestKept(dir string) (kept string) {
	for n := 1; ; n++ {
		if _, err := os.Lstat(nthKept(dir, n)); err != nil {
			return kept
		}
		kept = nthKept(dir, n)
	}
}
