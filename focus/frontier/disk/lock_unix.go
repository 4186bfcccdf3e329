//go:build unix

package disk

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// TryLock holds a file, or on Unix a folder, for as long as it is open, and does not wait: busy tells that another process, or another
// opening of the file, holds it.
func TryLock(f *os.File) (busy bool, err error) {
	err = throughSignals(func() error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) })
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock %q: %w", f.Name(), err)
	}
	return false, nil
}

// throughSignals does again what a signal has interrupted, as happens with locks of file systems that ask a server for them.
func throughSignals(do func() error) error {
	for {
		if err := do(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
