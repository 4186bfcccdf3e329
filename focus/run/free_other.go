//go:build !(linux || darwin || freebsd || windows)

package run

import (
	"errors"
)

// Free cannot tell here.
func Free(string) (uint64, error) { return 0, errors.ErrUnsupported }
