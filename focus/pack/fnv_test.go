package pack

import (
	"hash/fnv"
	"testing"
)

// What an earlier process wrote down is found again.
func TestFNVIsThatOfTheLibrary(t *testing.T) {
	for _, text := range []string{"", "a", "http://a.example/", "旅游\x00\xff"} {
		h := fnv.New64a()
		h.Write([]byte(text))
		h.Write([]byte{0})
		if got := uint64(FNV().Text(text).Byte(0)); got != h.Sum64() {
			t.Errorf("%q: %x, want %x", text, got, h.Sum64())
		}
	}
}
