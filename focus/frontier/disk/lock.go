package disk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// InUseError says that another process has the frontier open.
type InUseError struct {
	Dir     string
	Process string // its number, empty if it has not written it yet
}

func (e *InUseError) Error() string {
	who := "another process"
	if e.Process != "" {
		who = "process " + e.Process
	}
	return fmt.Sprintf("the frontier in %q is in use by %s: wait until it has ended, or stop it", e.Dir, who)
}

// Lock is held as long as a frontier is open; the system gives it up for a process that was killed. The file it is on
// stays, with the number of the last process.
type Lock struct{ f *os.File }

// LockFolder holds the folder of a frontier for this process, which may then open it with Options.Lock. An
// *InUseError says that another has it.
func LockFolder(dir string) (*Lock, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the folder cannot be locked: %w", err)
	}
	busy, err := TryLock(f)
	switch {
	case busy:
		var b [32]byte
		n, _ := f.ReadAt(b[:], 0)
		err = &InUseError{dir, strings.TrimSpace(string(b[:n]))}
	case err == nil:
		err = writeProcess(f)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Lock{f}, nil
}

// writeProcess leaves the number of this process in the file for whoever finds it locked. The lock does not depend on it.
func writeProcess(f *os.File) error {
	err := f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt(fmt.Appendln(nil, os.Getpid()), 0)
	}
	if err != nil {
		return fmt.Errorf("the folder cannot be locked: %w", err)
	}
	return nil
}

// Release lets another process have the folder.
func (l *Lock) Release() error { return l.f.Close() }
