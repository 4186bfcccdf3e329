//go:build !(linux || darwin || freebsd)

package focus

import (
	"errors"
)

// freeBytes cannot tell here.
func freeBytes(string) (uint64, error) { return 0, errors.ErrUnsupported }
