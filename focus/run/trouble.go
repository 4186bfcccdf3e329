package run

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// ailments are the errors of a disk, or of files, that somebody has to do something about, and what: the crawl goes on from where it was
// safe last.
var ailments = []struct {
	errno  syscall.Errno
	remedy string
}{
	{syscall.ENOSPC, "make room"},
	{syscall.EDQUOT, "make room, or have the quota raised"},
	{syscall.EFBIG, "have the limit on the size of files raised"},
	{syscall.EROFS, "make it writable"},
	{syscall.EACCES, "make it writable"},
	{syscall.EIO, "see to the disk"},
	{syscall.EMFILE, "have the limit on open files raised (ulimit -n)"},
	{syscall.ENFILE, "close other programs, or have the system's limit on open files raised"},
}

// withheld tells of an error that a file is there and could not be read, as on a file server that is away: nobody knows whether what
// stands in it is damaged, and the next time it may be had. What is a folder is no file.
func withheld(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EISDIR) && !errors.Is(err, syscall.ENOTDIR)
}

// Full says that the disk of a folder has less room left than is to stay free, or nothing. Where nobody can tell how much is left,
// writing will. free is asked in the place of the disk, unless it is nil.
func Full(dir string, least strict.Size, free func(dir string) (uint64, error)) string {
	if free == nil {
		free = Free
	}
	if left, err := free(dir); err == nil && left < uint64(least) {
		unit := uint64(1e6)
		if left < unit {
			unit = 1e3
		}
		return fmt.Sprintf("the disk of %s has only %v left, less than min_free: %v; make room, and it goes on, or stop it, and start it with a smaller min_free", dir, strict.Size(left/unit*unit), least)
	}
	return ""
}

// DiskTrouble makes one error of all those that one ailment of the disk has led to: once a file cannot be written, those
// that are written at the end of the crawl cannot either. Other errors stay beside it.
func DiskTrouble(dir string, err error) error {
	all := flat(err)
	if _, there := os.Stat(dir); dir != "" && errors.Is(err, fs.ErrNotExist) && errors.Is(there, fs.ErrNotExist) {
		rest := slices.DeleteFunc(all, func(err error) bool { return errors.Is(err, fs.ErrNotExist) })
		return errors.Join(append([]error{&removed{dir, err}}, rest...)...)
	}
	for _, a := range ailments {
		var rest []error
		known := false
		for _, err := range all {
			_, told := err.(*ailing)
			switch {
			case told || !errors.Is(err, a.errno):
				rest = append(rest, err)
			case !known:
				known = true
				rest = append(rest, &ailing{dir, a.remedy, a.errno, err})
			}
		}
		all = rest
	}
	return errors.Join(all...)
}

// Remedy is what somebody has to do about an error of the whole disk or machine, whatever was written; empty where it is another, or where
// the error says so itself.
func Remedy(err error) string {
	if err == nil || errors.As(err, new(*ailing)) {
		return ""
	}
	for _, a := range ailments {
		met := errors.Is(err, a.errno) || strings.HasSuffix(err.Error(), ": "+a.errno.Error()) // not every library wraps what it met
		if met && a.errno != syscall.EROFS && a.errno != syscall.EACCES && !strings.Contains(err.Error(), a.remedy) {
			return a.remedy
		}
	}
	return ""
}

// removed says that the folder of a run is there no more.
type removed struct {
	dir string
	was error
}

func (e *removed) Error() string {
	return fmt.Sprintf("run folder %s is gone, deleted or moved while it was written to; where it is put back, the same command goes on", e.dir)
}

// Unwrap is what was met.
func (e *removed) Unwrap() error { return e.was }

// ailing says an ailment in one line.
type ailing struct {
	dir, remedy string
	errno       syscall.Errno
	was         error
}

func (e *ailing) Error() string {
	return fmt.Sprintf("run folder %s: %s; what was visited before is safe: %s, and the same command goes on", e.dir, e.what(), e.remedy)
}

// what says which file could not be written, and why. A file that was being written beside its place is gone: who wrote it
// has said where it was to be.
func (e *ailing) what() string {
	var path *fs.PathError
	var link *os.LinkError
	var cause error
	var inner, dir string
	switch {
	case errors.As(e.was, &path) && strings.HasPrefix(filepath.Base(path.Path), whole.Beside):
		inner, cause, dir = path.Error(), path.Err, filepath.Dir(path.Path)
	case path != nil:
		return path.Error()
	case errors.As(e.was, &link) && strings.HasPrefix(filepath.Base(link.Old), whole.Beside):
		inner, cause, dir = link.Error(), link.Err, filepath.Dir(link.New)
	default:
		lines := strings.Split(e.was.Error(), "\n") // of several files that could not be written the first is told
		others := slices.DeleteFunc(lines[1:], func(line string) bool { return strings.Contains(line, e.errno.Error()) })
		return strings.Join(lines[:1+len(others)], "\n")
	}
	outer, _, _ := strings.Cut(e.was.Error(), inner)
	outer = cmp.Or(strings.TrimSuffix(outer, ": "), "write a file in "+dir)
	return fmt.Sprintf("%s: %v", outer, cause)
}

// Unwrap is what was met first.
func (e *ailing) Unwrap() error { return e.was }

// flat is every error that was joined into one.
func flat(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || err == nil {
		return []error{err}
	}
	parts := joined.Unwrap()
	if err.Error() != errors.Join(parts...).Error() { // it says something of its own
		return []error{err}
	}
	var all []error
	for _, e := range parts {
		all = append(all, flat(e)...)
	}
	return all
}
