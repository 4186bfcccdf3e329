package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// forgetTyped drops what was typed on a terminal and not read.
func forgetTyped(terminal *os.File) error {
	return unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCFLUSH, 1) // FREAD: what comes in
}
