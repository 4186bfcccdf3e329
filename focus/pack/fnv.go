package pack

// FNV1a is a hash of 64 bits that is the same in every process (FNV-1a, as in hash/fnv), for what is written down. Who knows it can
// make two texts one: it is for counts and marks, and not for what must be told apart.
type FNV1a uint64

// FNV is the hash of nothing.
func FNV() FNV1a { return 14695981039346656037 }

// Text goes on with a text.
func (h FNV1a) Text(s string) FNV1a {
	for i := range len(s) {
		h = h.Byte(s[i])
	}
	return h
}

// Byte goes on with a byte.
func (h FNV1a) Byte(b byte) FNV1a { return (h ^ FNV1a(b)) * 1099511628211 }
