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

// view reads the frame at p. The body must not be used after see has returned.
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
		case frameErr == errShort && n == len(*buf):
			*buf = make([]byte, 8*len(*buf))
		case err != nil && err != io.EOF:
			return fmt.Errorf("disk: read %q: %w", filepath.Join(j.dir, p.segment().file()), err)
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
