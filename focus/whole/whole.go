// Package whole answers one question: how does a file change in one step? It is written beside its place and moved there,
// so that whoever reads it, now or after a crash, sees the old one or the new one, and never a part. What is no file, a device or a
// pipe, stays, and is written into.
package whole

import (
	"crypto/rand"
	"errors"
	"io/fs"
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

// Place tells where what is written to a path belongs: where links lead, which stay as they are. What is there and cannot be replaced
// by a file is as it is to be written into (direct): a device, a pipe, and a file that is open and has no name any more.
func Place(path string) (place string, direct bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		to, err := os.Readlink(path)
		if err != nil {
			return path, false, nil // nothing is there
		}
		if !filepath.IsAbs(to) {
			to = filepath.Dir(path) + string(filepath.Separator) + to // not joined: the folder may be a link, and .. another than it seems
		}
		return Place(to)
	}
	if err != nil {
		return "", false, err
	}
	if info.IsDir() {
		return "", false, &os.PathError{Op: "write", Path: path, Err: errors.New("is a folder, want a file")}
	}
	if there, err := os.Lstat(path); err == nil && there.Mode()&fs.ModeSymlink != 0 && info.Mode().IsRegular() {
		if place, err = filepath.EvalSymlinks(path); err == nil {
			return place, false, nil
		}
		return path, true, nil
	}
	return path, !info.Mode().IsRegular(), nil
}

// into writes into what is no file.
func into(path string, content []byte) error {
	there, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = there.Write(content)
	return errors.Join(err, there.Close())
}

func write(path string, content []byte, mode os.FileMode, settle func(*os.File) error) (err error) {
	path, direct, err := Place(path)
	if err != nil {
		return err
	}
	if direct {
		return into(path, content)
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
	if before, err := os.Stat(path); err == nil {
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

// Replace moves a file that is whole into the place of another, or where none is. The mode of that stays.
func Replace(from, to string) error {
	if before, err := os.Stat(to); err == nil {
		if err := os.Chmod(from, before.Mode().Perm()); err != nil {
			return err
		}
	}
	return os.Rename(from, to)
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
