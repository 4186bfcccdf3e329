package disk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// buffers are for reading frames.
var buffers = sync.Pool{New: func() any { b := make([]byte, 1024); return &b }}

// errGone says that compaction has moved the frame elsewhere.
var errGone = errors.New("the segment is gone")

// view reads the frame at p, and checks its checksum: what has gone bad on the disk since the frontier was opened is found here. The
// body must not be used after see has returned, since its memory is used again.
func (j *journal) view(p position, see func(k kind, body []byte) error) error {
	if done, err := j.viewPending(p, see); done {
		return err
	}
	f, err := j.file(p.segment(), false)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return errGone
		}
		return err
	}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for {
		n, err := f.ReadAt(*buf, p.offset())
		if errors.Is(err, os.ErrClosed) {
			return errGone
		}
		k, _, body, _, frameErr := cutFrame((*buf)[:n])
		switch {
		case frameErr == nil:
			if err := see(k, body); err != nil {
				return j.damaged(p, err)
			}
			return nil
		case frameErr == errShort && n == len(*buf): // it may be longer than the buffer, and only then is one made that is larger
			*buf = make([]byte, 8*len(*buf))
		case err != nil && err != io.EOF:
			return fmt.Errorf("read %q: %w", filepath.Join(j.dir, p.segment().file()), err)
		default:
			return j.damaged(p, frameErr)
		}
	}
}

func (j *journal) damaged(p position, err error) error {
	return &DamageError{filepath.Join(j.dir, p.segment().file()), p.offset(), err}
}

// viewPending is view for what is not written yet.
func (j *journal) viewPending(p position, see func(k kind, body []byte) error) (bool, error) {
	j.mu.RLock()
	defer j.mu.RUnlock()
	for _, b := range j.batches {
		if p < b.at || p >= b.at+position(len(b.bytes)) {
			continue
		}
		k, _, body, _, err := cutFrame(b.bytes[p-b.at:])
		if err == nil {
			err = see(k, body)
		}
		return true, err
	}
	return false, nil
}

// file is a segment's file, opened when it is first needed and made when it may be.
func (j *journal) file(s segment, create bool) (file, error) {
	path := filepath.Join(j.dir, s.file())
	j.mu.RLock()
	f := j.files[s]
	_, gone := j.gone[s]
	j.mu.RUnlock()
	switch {
	case gone:
		return nil, fmt.Errorf("%q: %w", path, os.ErrNotExist)
	case f != nil:
		return f, nil
	}
	info, err := os.Stat(path)
	if err != nil && !create {
		return nil, err
	}
	f, openErr := j.open(path)
	if openErr != nil {
		return nil, j.failed(s, openErr)
	}
	if create && (err != nil || info.Size() <= segmentHead) { // it is new, or the disk failed when it was
		if err := j.begin(f, s); err != nil {
			f.Close()
			return nil, j.failed(s, err)
		}
	}
	return j.keep(s, f), nil
}

// begin makes a new segment. Its name is made safe, too: a file that was synced in a folder that was not may be gone after a power cut.
func (j *journal) begin(f file, s segment) error {
	if _, err := f.WriteAt(appendHead(nil, s, j.key), 0); err != nil {
		return err
	}
	return syncDir(j.dir)
}

// keep remembers an open file; if somebody was faster, theirs.
func (j *journal) keep(s segment, f file) file {
	j.mu.Lock()
	defer j.mu.Unlock()
	if other := j.files[s]; other != nil {
		f.Close()
		return other
	}
	if _, gone := j.gone[s]; gone { // whoever reads it is told that it is closed, and looks where the item stands now
		f.Close()
		return f
	}
	j.files[s] = f
	return f
}

func (j *journal) closeFiles() (err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, f := range j.files {
		err = errors.Join(err, f.Close())
	}
	clear(j.files)
	return err
}

// forget closes segments that nothing refers to any more, and removes them. The disk may take its time for that: nobody waits
// for it.
func (j *journal) forget(gone []segment) error {
	var errs error
	for _, f := range j.giveUp(gone) {
		f.Close()
	}
	for _, s := range gone {
		if err := j.remove(filepath.Join(j.dir, s.file())); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = errors.Join(errs, err)
		}
	}
	return errs
}

// giveUp lets nobody open some segments any more, and answers their files that are open.
func (j *journal) giveUp(gone []segment) (open []file) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, s := range gone {
		if f := j.files[s]; f != nil {
			open = append(open, f)
		}
		delete(j.files, s)
		j.gone[s] = struct{}{}
	}
	return open
}
