package disk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// earlier is what stands in front of the snapshot. Opening does not replay it, and the items are read there when their
// turn comes: hours after the crawl began, or never. So that damage is not met so late, all of it is read through once.
type earlier struct {
	dir    string
	key    key
	bases  []segment
	oldest segment
	to     position // of the snapshot

	buf []byte
}

// readAtOnce is how many bytes in front of the snapshot are read through before a frontier is opened: a fraction of a
// second. What is longer is read beside the crawl.
const readAtOnce = 256 << 20

// Verify reads everything that opening has not read, and tells of the first frame that is not as it was written.
func (f *Frontier) Verify() error {
	e := f.before
	return e.verify(nil)
}

// verifyBeside reads through what was too much to be read before the frontier was opened. Damage ends the crawl.
func (f *Frontier) verifyBeside() {
	e := f.before
	f.verifying.Go(func() {
		if err := e.verify(f.log.quit); err != nil {
			f.fail(err)
		}
	})
}

// fail lets nothing be told any more: what is known of some item cannot be read, and whoever has asked for it went on
// without.
func (f *Frontier) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil {
		f.failed = err
	}
	f.tell()
}

// segments are the files, in the order in which they were written.
func (e *earlier) segments() []segment {
	all := append([]segment(nil), e.bases...)
	for s := e.oldest; s <= e.to.segment() && e.to.offset() > segmentHead; s++ {
		all = append(all, s)
	}
	return all
}

func (e *earlier) path(s segment) string { return filepath.Join(e.dir, s.file()) }

func (e *earlier) size() (n int64) {
	for _, s := range e.segments() {
		if info, err := os.Stat(e.path(s)); err == nil {
			n += info.Size()
		}
	}
	return n
}

// verify reads frame by frame until quit is closed. A file that is gone has been compacted meanwhile, frame by frame, too:
// that all are there was seen on opening.
func (e *earlier) verify(quit <-chan struct{}) error {
	var reached position // the end of the log before
	for _, s := range e.segments() {
		select {
		case <-quit:
			return nil
		default:
		}
		data, err := e.read(s)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("disk: verify %q: %w", e.path(s), err)
		}
		reached, err = e.verifySegment(s, data, reached)
		if otherVersion(err) {
			return fmt.Errorf("disk: %q: %w", e.path(s), err)
		}
		if err != nil {
			return &DamageError{e.path(s), reached.offset(), err}
		}
		if s&bases != 0 {
			reached = 0 // what is written in logs follows no base
		}
	}
	return nil
}

// read reads what is asked for of a segment.
func (e *earlier) read(s segment) ([]byte, error) {
	f, err := os.Open(e.path(s))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if s == e.to.segment() {
		size = min(size, e.to.offset())
	}
	if int64(cap(e.buf)) < size {
		e.buf = make([]byte, size)
	}
	e.buf = e.buf[:size]
	_, err = io.ReadFull(f, e.buf)
	return e.buf, err
}

var (
	errEnd     = errors.New("the file ends too early")
	errForeign = errors.New("the file belongs to another frontier")
)

// verifySegment answers the end of a segment that follows one which ends at follows, or where it is damaged.
func (e *earlier) verifySegment(s segment, data []byte, follows position) (position, error) {
	if k, err := cutHead(data, s); err != nil {
		return at(s, 0), err
	} else if k != e.key {
		return at(s, 0), errForeign
	}
	next, last := at(s, segmentHead), kind(0)
	for next.offset() < int64(len(data)) {
		k, _, body, n, err := cutFrame(data[next.offset():])
		if err != nil {
			return next, err
		}
		if k == kindMark {
			var m mark
			if err := read(body, m.code); err != nil {
				return next, err
			} else if follows != 0 && m.follows != follows {
				return next, errGap
			}
		}
		last = k
		next += position(n)
		follows = next
	}
	if s&bases != 0 && last != kindMark || s == e.to.segment() && next != e.to {
		return next, errEnd
	}
	return next, nil
}
