package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// forgetTyped drops what was typed on a terminal and not read.
func forgetTyped(terminal *os.File) error {
	return unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
