package focus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// ailments are the errors of a disk that somebody has to do something about, and what: the crawl goes on from where it was
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
}

// diskTrouble makes one error of all those that one ailment of the disk has led to: once a file cannot be written, those
// that are written at the end of the crawl cannot either. Other errors stay beside it.
func diskTrouble(dir string, err error) error {
	all := flat(err)
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
				rest = append(rest, &ailing{dir, a.remedy, err})
			}
		}
		all = rest
	}
	return errors.Join(all...)
}

// ailing says an ailment in one line.
type ailing struct {
	dir, remedy string
	was         error
}

func (e *ailing) Error() string {
	return fmt.Sprintf("focus: run folder %s: %s; what was visited before is safe: %s, and the same command goes on", e.dir, e.what(), e.remedy)
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
		return e.was.Error()
	}
	outer, _, _ := strings.Cut(e.was.Error(), inner)
	outer = strings.TrimPrefix(strings.TrimSuffix(outer, ": "), "focus: ")
	if outer == "" {
		outer = "write a file in " + dir
	}
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

// lookEvery is how often, on the wall, the disk is looked at.
const lookEvery = time.Second

// guardDisk lets the crawl stand still before the disk of its run folder is full, until there is room again. The turn
// must be held.
func (c *Crawler) guardDisk() {
	if c.config.MinFree == 0 || c.config.Store == "" || time.Since(c.looked) < c.with.every() {
		return
	}
	c.looked = time.Now()
	left, short := c.short()
	if !short {
		return
	}
	if c.keeper != nil {
		c.steps.fail(c.keeper.Sync())
	}
	c.standStill(fmt.Sprintf("the disk of %s has only %v left, less than min_free: %v; make room, and it goes on",
		c.config.Store, strict.Size(left), c.config.MinFree), func() bool { _, short := c.short(); return short })
}

// short tells how much is left on the disk of the run folder, and whether that is too little. Where nobody can tell,
// writing will.
func (c *Crawler) short() (left uint64, short bool) {
	free := c.with.free
	if free == nil {
		free = run.Free
	}
	left, err := free(c.config.Store)
	return left, err == nil && left < uint64(c.config.MinFree)
}
