package disk

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// lockAt is a byte that nothing is written to: what is locked here cannot be read by others.
const lockAt = 1 << 20

// TryLock holds a file, or on Unix a folder, for as long as it is open, and does not wait: busy tells that another process, or another
// opening of the file, holds it.
func TryLock(f *os.File) (busy bool, err error) {
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{Offset: lockAt})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock %q: %w", f.Name(), err)
	}
	return false, nil
}
