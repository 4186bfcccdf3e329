//go:build !(linux || darwin || windows)

package pdf

import "syscall"

// What else ends a process from outside.
const terminate, hangUp = syscall.SIGTERM, syscall.SIGHUP

// confine can bound nothing here: guard and whoever opened the room do.
func confine(uint64) error { return nil }

// apart says nothing more of a process here.
func apart() *syscall.SysProcAttr { return nil }
