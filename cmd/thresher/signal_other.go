//go:build !unix && !windows

package main

import (
	"os"
	"syscall"
)

// terminate is how the program is asked to end where there is no SIGTERM.
var terminate = os.Interrupt

// ownGroup says nothing more of a process here.
func ownGroup() *syscall.SysProcAttr { return nil }
