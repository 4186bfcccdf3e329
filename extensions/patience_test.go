//go:build !race

package extensions_test

import "time"

// patience is how long a good server may take.
const patience = 1500 * time.Millisecond
