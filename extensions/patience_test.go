//go:build !race

package extensions_test

import "time"

// raced: this is a test without the race detector.
const raced = false

// patience is how long a good server may take.
const patience = 1500 * time.Millisecond
