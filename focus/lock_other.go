//go:build !unix

package focus

import (
	"fmt"
	"os"
)

// lockFile holds a file for this process. Where the system knows no advisory locks, a file that cannot be removed is in
// use.
func lockFile(path string) (*os.File, error) {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("in use by another process: %w; stop that crawl first, or give another folder with --store DIR", err)
	}
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
}
