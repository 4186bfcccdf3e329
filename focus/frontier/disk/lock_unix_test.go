//go:build unix

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestALockThatWasInterruptedIsTaken: and one that another opening of the file holds is not.
func TestALockThatWasInterruptedIsTaken(t *testing.T) {
	signals := []error{syscall.EINTR, &os.PathError{Err: syscall.EINTR}, syscall.EIO}
	if err := throughSignals(func() (err error) {
		err, signals = signals[0], signals[1:]
		return err
	}); !errors.Is(err, syscall.EIO) || len(signals) > 0 {
		t.Errorf("%v, and %v are left", err, signals)
	}
	path := filepath.Join(t.TempDir(), "lock")
	var held []bool
	for range 2 {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		busy, err := TryLock(f)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, !busy)
	}
	if !held[0] || held[1] {
		t.Errorf("who opened it holds it: %v", held)
	}
}
