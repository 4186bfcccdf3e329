//go:build !linux && !darwin && !windows

package main

import "os"

// forgetTyped drops what was typed on a terminal and not read; here nobody knows how.
func forgetTyped(*os.File) error { return nil }
