//go:build unix

package main

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
	"testing"
)

// TestAClosedTerminalInterrupts: it is heard like Ctrl-C, but by those that nohup keeps from hearing of it.
func TestAClosedTerminalInterrupts(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("these tests are not to hear of a terminal that is closed")
	}
	interrupted(t, syscall.SIGHUP)
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	if slices.Contains(endings(), os.Signal(syscall.SIGHUP)) {
		t.Error("a closed terminal is heard of where that is to be ignored")
	}
}
