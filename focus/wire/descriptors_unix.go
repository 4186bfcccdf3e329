//go:build linux || darwin || freebsd

package wire

import "syscall"

// openFiles is how many files this process may have open; 0 where that is not known.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}
