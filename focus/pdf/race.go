//go:build race

package pdf

// raced says that the race detector is on, which maps more than any bound lets it.
const raced = true
