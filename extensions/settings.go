package extensions

import (
	"cmp"
	"fmt"
	"time"
)

// setting is a value that the program set, or the default where it set none. One below zero is a mistake in the program.
func setting[T ~int | ~int64](name string, value, preset T) T {
	if value < 0 {
		panic(fmt.Sprintf("extensions.%s is %v: want a value above 0, or 0 for the default", name, value))
	}
	return cmp.Or(value, preset)
}

// clock is the program's, or that on the wall.
func clock(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}
