//go:build unix

package main

import "syscall"

// terminate is how a service manager asks the program to end: it is heard like Ctrl-C.
const terminate = syscall.SIGTERM
