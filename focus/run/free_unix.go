//go:build linux || darwin || freebsd

package run

import (
	"syscall"
)

// Free is how much room a program like this one has on the disk of a folder.
func Free(folder string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return uint64(max(0, s.Bavail)) * uint64(s.Bsize), nil
}
