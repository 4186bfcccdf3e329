package disk

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/thresher-crawler/thresher/focus/pack"
)

type snapshotWriter struct {
	w    *bufio.Writer
	buf  pack.Coder
	seen whole
	err  error
}

func (w *snapshotWriter) frame(k kind, code func(*pack.Coder)) {
	if w.err == nil {
		w.buf.Bytes = w.buf.Bytes[:0]
		appendFrame(&w.buf, k, false, code)
		w.seen.add(w.buf.Bytes)
		_, w.err = w.w.Write(w.buf.Bytes)
	}
}

// whole is how many bytes stand in front of the end of a snapshot, and their checksum: the end says it.
type whole struct {
	size int64
	sum  uint32
}

func (w *whole) add(frame []byte) {
	w.size += int64(len(frame))
	w.sum = crc32.Update(w.sum, castagnoli, frame)
}

func (w *whole) code(k *pack.Coder) { k.Signed(&w.size); k.Fixed32(&w.sum) }

var errWhole = errors.New("frames of the file are missing or not in their places")

// check compares with what the end says.
func (w *whole) check(end []byte) error {
	if !bytes.Equal(end, written(nil, w.code)) {
		return errWhole
	}
	return nil
}

// checkSnapshot reads a snapshot through that was just written. Its end says how much was written, and with what checksum.
func checkSnapshot(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := newSnapshotReader(f)
	if err := r.each(func(kind, []byte) error { return nil }); err != nil {
		return fmt.Errorf("it was not written as it should be, at byte %d: %w", r.offset, err)
	}
	return nil
}

// snapshotReader reads frames one by one.
type snapshotReader struct {
	r      *bufio.Reader
	left   int64 // bytes of the file that were not read
	buf    []byte
	offset int64 // of the frame that is read
	size   int
	seen   whole
}

func newSnapshotReader(f *os.File) *snapshotReader {
	r := &snapshotReader{}
	if info, err := f.Stat(); err == nil {
		r.left = info.Size()
	}
	r.r = bufio.NewReaderSize(f, int(min(r.left, 1<<20))) // of most crawls little is read
	return r
}

// each goes through all frames but the end, of which the first is the head.
func (r *snapshotReader) each(see func(k kind, body []byte) error) error {
	for first := true; ; first = false {
		k, body, err := r.next()
		switch {
		case first && (err != nil || k != snapHead):
			return errors.Join(errHead, err)
		case err != nil:
			return err
		case k == snapEnd:
			return r.seen.check(body)
		case !first && k == snapHead:
			return errFrame
		}
		r.seen.add(r.buf)
		if err := see(k, body); err != nil {
			return err
		}
	}
}

// next reads a frame. The body is good until the next call.
func (r *snapshotReader) next() (kind, []byte, error) {
	r.offset += int64(r.size)
	head, err := r.r.Peek(frameHead)
	if err != nil && err != io.EOF {
		return 0, nil, err
	}
	if len(head) == 0 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	size, w := binary.Uvarint(head)
	if w <= 0 || size == 0 || size > maxFrame {
		return 0, nil, errFrame
	}
	r.size = w + 4 + int(size)
	if r.left -= int64(r.size); r.left < 0 { // no room is made for what the file cannot hold
		return 0, nil, io.ErrUnexpectedEOF
	}
	if r.size > cap(r.buf) {
		r.buf = make([]byte, 0, r.size)
	}
	r.buf = r.buf[:r.size]
	if _, err := io.ReadFull(r.r, r.buf); err == io.EOF {
		return 0, nil, io.ErrUnexpectedEOF
	} else if err != nil {
		return 0, nil, err
	}
	k, _, body, _, err := cutFrame(r.buf)
	return k, body, err
}
