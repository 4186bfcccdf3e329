package warc

import "encoding/binary"

// The least that a gzip member is long, and the most that Filler makes one.
const (
	leastMember = 20
	mostFiller  = 60_000
)

// Filler is n bytes of gzip members that hold nothing: put in the place of bytes that cannot be read, they leave every
// record where it is. It is nil where n is too little for a member.
func Filler(n int64) []byte {
	if n < leastMember {
		return nil
	}
	out := make([]byte, 0, n)
	for left := n; left > 0; left = n - int64(len(out)) {
		size := min(left, mostFiller)
		if rest := left - size; 0 < rest && rest < leastMember {
			size -= leastMember
		}
		out = appendEmpty(out, int(size))
	}
	return out
}

// appendEmpty appends a gzip member of a size that holds nothing. Its head is as long as it must be: gzip leaves room there
// for what programs want to say.
func appendEmpty(out []byte, size int) []byte {
	const hasExtra, hasName, unknownSystem = 4, 8, 255
	flags, more := byte(0), []byte(nil)
	switch spare := size - leastMember; {
	case spare == 1:
		flags, more = hasName, []byte{0} // a name without letters
	case spare > 1:
		flags, more = hasExtra, make([]byte, spare)
		binary.LittleEndian.PutUint16(more, uint16(spare-2))
		if spare >= 6 { // one entry, under the initials of this program
			copy(more[2:], "TH")
			binary.LittleEndian.PutUint16(more[4:], uint16(spare-6))
		}
	}
	out = append(out, 0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, unknownSystem)
	out = append(out, more...)
	return append(out, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0) // an empty block, and the sum and the length of nothing
}
