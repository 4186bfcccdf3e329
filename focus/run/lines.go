package run

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync"
	"syscall"
)

// WholeLines are the lines of a file, each with its end. A last one that has no end is still being written, or was cut off.
func WholeLines(from io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for in := bufio.NewReaderSize(from, 1<<16); ; {
			line, err := in.ReadBytes('\n')
			if err == io.EOF || !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// lineFile is a file that lines are added to. It knows how long it is with those that are not written yet, so that a
// crash can be cut back to any of its lines. It may be used by many goroutines at once.
type lineFile struct {
	mu     sync.Mutex
	file   *os.File
	buf    []byte
	length int64 // with what is in buf
	failed error // the first failure; what comes after it would leave a gap
}

// openLines opens a file at its end, or makes it.
func openLines(path string) (*lineFile, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &lineFile{file: f, length: info.Size()}, nil
}

// linesPending is how much is gathered before it is written.
const linesPending = 64 << 10

func (l *lineFile) add(line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed != nil {
		return l.failed
	}
	l.buf = append(l.buf, line...)
	l.length += int64(len(line))
	if len(l.buf) < linesPending {
		return nil
	}
	return l.hand()
}

// hand hands what is gathered to the system. The lock must be held.
func (l *lineFile) hand() error {
	if l.failed != nil || len(l.buf) == 0 {
		return l.failed
	}
	if _, err := l.file.WriteAt(l.buf, l.length-int64(len(l.buf))); err != nil {
		return l.fail(err)
	}
	l.buf = l.buf[:0]
	return nil
}

func (l *lineFile) fail(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	l.failed = fmt.Errorf("write %s: %w", l.file.Name(), err)
	return l.failed
}

// Size is how long the file is, with what is not written yet.
func (l *lineFile) Size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.length
}

// Flush hands the lines to the system.
func (l *lineFile) Flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.hand()
}

// Sync flushes, and has the disk keep it. The disk is waited for without the lock: writing goes on.
func (l *lineFile) Sync() error {
	if err := l.Flush(); err != nil {
		return err
	}
	if err := l.file.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) { // EINVAL: a file of a kind that has no disk
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.fail(err)
	}
	return nil
}

// Close writes what is gathered, and closes the file.
func (l *lineFile) Close() error {
	err := l.Flush()
	if cerr := l.file.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("close %s: %w", l.file.Name(), cerr)
	}
	return err
}
