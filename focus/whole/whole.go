// Package whole answers one question: how does a file change in one step? It is written beside its place and moved there,
// so that whoever reads it, now or after a crash, sees the old one or the new one, and never a part.
package whole

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts content in the place of a file, or makes it. What was written beside it is gone when it fails.
func Write(path string, content []byte, mode fs.FileMode) (err error) {
	beside, err := os.CreateTemp(filepath.Dir(path), Beside+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(beside.Name())
		}
	}()
	_, err = beside.Write(content)
	err = errors.Join(err, beside.Chmod(mode), beside.Sync())
	if err = errors.Join(err, beside.Close()); err != nil {
		return err
	}
	return os.Rename(beside.Name(), path)
}

// Clear deletes what a process that was killed in Write has left in a folder in which nobody else writes.
func Clear(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, Beside+"*")) // the pattern is well-formed
	for _, path := range left {
		_ = os.Remove(path) // it is in nobody's way
	}
}

// Beside is how the names begin of files that are being written; a process that was killed may leave one behind.
const Beside = ".beside-"
