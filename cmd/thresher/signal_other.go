//go:build !unix && !windows

package main

import (
	"os"
	"syscall"
)

// endings ask the program to end.
func endings() []os.Signal { return []os.Signal{os.Interrupt} }

// ownGroup says nothing more of a process here.
func ownGroup() *syscall.SysProcAttr { return nil }

// endBy ends the process.
func endBy(os.Signal) { os.Exit(exitFailed) }
