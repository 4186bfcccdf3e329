//go:build !(linux || darwin)

package pdf

// confine can bound nothing here: guard and whoever opened the room do.
func confine(uint64) error { return nil }
