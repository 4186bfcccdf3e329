// Package whole answers one question: how does a file change in one step? It is written beside its place and moved there,
// so that whoever reads it, now or after a crash, sees the old one or the new one, and never a part.
package whole

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Write puts content in the place of a file, or makes it, and waits for the disk. A file that is there keeps its mode; a new
// one has what the umask leaves. What was written beside it is gone when it fails.
func Write(path string, content []byte) error { return write(path, content, 0o666, (*os.File).Sync) }

// Private is Write of a file that is nobody else's to read where it is new.
func Private(path string, content []byte) error { return write(path, content, 0o600, (*os.File).Sync) }

// Note is Write that does not wait for the disk: for what is told again every second. After a power cut it may be empty. A new
// file is nobody else's to read.
func Note(path string, content []byte) error {
	return write(path, content, 0o600, func(*os.File) error { return nil })
}

func write(path string, content []byte, mode os.FileMode, settle func(*os.File) error) (err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return &os.PathError{Op: "write", Path: path, Err: errors.New("is a folder, want a file")}
	}
	name := filepath.Join(filepath.Dir(path), Beside+rand.Text())
	beside, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(name)
		}
	}()
	if before, err := os.Stat(path); err == nil && before.Mode().IsRegular() {
		if err := beside.Chmod(before.Mode().Perm()); err != nil {
			return errors.Join(err, beside.Close())
		}
	}
	_, err = beside.Write(content)
	if err = errors.Join(err, settle(beside)); err != nil {
		return errors.Join(err, beside.Close())
	}
	if err = beside.Close(); err != nil {
		return err
	}
	return os.Rename(name, path)
}

// Clear deletes what a process that was killed in Write has left in a folder in which nobody else writes.
func Clear(dir string) {
	names, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, name := range names {
		if strings.HasPrefix(name.Name(), Beside) {
			_ = os.Remove(filepath.Join(dir, name.Name())) // it is in nobody's way
		}
	}
}

// Beside is how the names begin of files that are being written; a process that was killed may leave one behind.
const Beside = ".beside-"
