// Package webs answers one question: which drawn web does the program bring along? thresher demo crawls it on a machine
// that has nothing but the binary.
package webs

import "embed"

// Quickstart holds the recorded web of the quickstart, below quickstart/.
//
//go:embed quickstart
var Quickstart embed.FS
