package main

import (
	"os"
	"syscall"
)

// terminate is how the program is asked to end where there is no SIGTERM.
var terminate = os.Interrupt

// ownGroup keeps a process from what is typed on the terminal, which is meant for whoever started it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
