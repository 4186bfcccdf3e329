//go:build race

package page

// raced says that the race detector is on, under which costs say nothing.
const raced = true
