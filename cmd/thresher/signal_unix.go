//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// A pipe that nobody reads any more is an error where it is written to, and does not end the process: a crawl saves first.
func init() { signal.Ignore(syscall.SIGPIPE) }

// ownGroup keeps a process from what is typed on the terminal, which is meant for whoever started it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// terminate is how a service manager asks the program to end: it is heard like Ctrl-C.
const terminate = syscall.SIGTERM
