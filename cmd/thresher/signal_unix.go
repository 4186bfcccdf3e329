//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// A pipe that nobody reads any more is an error where it is written to, and does not end the process: a crawl saves first.
func init() { signal.Ignore(syscall.SIGPIPE) }

// ownGroup keeps a process from what is typed on the terminal, which is meant for whoever started it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endings ask the program to end: Ctrl-C, a service manager, and a terminal that is closed, but where nobody is to hear of that (nohup).
func endings() []os.Signal {
	heard := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		heard = append(heard, syscall.SIGHUP)
	}
	return heard
}

// endBy ends the process by a signal, so that a loop of a shell that started it ends, too.
func endBy(s os.Signal) {
	signal.Reset(s)
	syscall.Kill(syscall.Getpid(), s.(syscall.Signal))
	select {} // until it is heard
}
