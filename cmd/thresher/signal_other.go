//go:build !unix

package main

import "os"

// terminate is how the program is asked to end where there is no SIGTERM.
var terminate = os.Interrupt
