package main

import (
	"os"
	"syscall"
)

// endings ask the program to end: Ctrl-C, and, for which the runtime says SIGTERM, a window that is closed and the end of the session.
func endings() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// ownGroup keeps a process from what is typed on the terminal, which is meant for whoever started it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endBy ends the process.
func endBy(os.Signal) { os.Exit(exitFailed) }
