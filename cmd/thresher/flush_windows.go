package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// forgetTyped drops what was typed on a terminal and not read.
func forgetTyped(terminal *os.File) error {
	return windows.FlushConsoleInputBuffer(windows.Handle(terminal.Fd()))
}
