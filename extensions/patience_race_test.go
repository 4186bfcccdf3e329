//go:build race

package extensions_test

import "time"

// raced: this is a test with the race detector.
const raced = true

// patience is how long a good server may take: the race detector makes everything slow.
const patience = 4 * time.Second
