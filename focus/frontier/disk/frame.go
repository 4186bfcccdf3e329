package disk

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"time"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// A frame is what the log is made of:
//
//	length of kind and body (uvarint) · CRC-32C of kind and body (4 bytes) · kind (1 byte) · body
//
// Every frame says how something is from now on, not by how much it changed: a frame read twice does no harm.
// The exception is what an outcome counted; the snapshot's counters are those of its exact position.
type kind byte

const (
	kindItem   kind = iota + 1 // a new item
	kindRaise                  // an item pushed again: standing, via, depth, numbers, note
	kindScore                  // new scores with their numbers
	kindStand                  // a new tier and new scores
	kindDrop                   // an item that waits no more
	kindLease                  // an item popped
	kindLapse                  // a lease that ran out
	kindDone                   // an outcome, with all that is kept of the visit
	kindPace                   // a host's own delay
	kindRest                   // a host's next turn
	kindMark                   // the head of each batch: how far the log was safe when it was begun
	kindCommit                 // the end of a transaction that no outcome ends, perhaps with files and a lesson
	kindState                  // an item's state, written where the frames that led to it are left out
	kindSums                   // all that was counted, and lessons, written where the outcomes are left out
	kinds                      // how many there are
)

// commits is set in the kind of a frame that ends a transaction: on opening, what follows the last of them is
// taken as never said.
const commits = 1 << 7

const (
	frameHead = binary.MaxVarintLen32 + 4
	maxFrame  = 1 << 30
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendFrame appends a frame whose body fill appends.
func appendFrame(b []byte, k kind, commit bool, fill func([]byte) []byte) []byte {
	start := len(b)
	b = append(b, make([]byte, frameHead)...)
	if commit {
		k |= commits
	}
	b = append(b, byte(k))
	if fill != nil {
		b = fill(b)
	}
	body := b[start+frameHead:]
	var head [frameHead]byte
	n := binary.PutUvarint(head[:], uint64(len(body)))
	binary.LittleEndian.PutUint32(head[n:], crc32.Checksum(body, castagnoli))
	copy(b[start:], head[:n+4])
	copy(b[start+n+4:], body)
	return b[:start+n+4+len(body)]
}

var (
	errShort = errors.New("the frame is cut off")
	errCRC   = errors.New("the frame's checksum does not match")
	errFrame = errors.New("the frame is not one")
)

// cutFrame reads the frame at the head of b: its kind, its body, and its length as a whole.
func cutFrame(b []byte) (k kind, commit bool, body []byte, n int, err error) {
	size, w := binary.Uvarint(b)
	switch {
	case w == 0:
		return 0, false, nil, 0, errShort
	case w < 0 || size == 0 || size > maxFrame:
		return 0, false, nil, 0, errFrame
	case uint64(len(b)) < uint64(w)+4+size:
		return 0, false, nil, 0, errShort
	}
	body = b[w+4 : w+4+int(size)]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(b[w:]) {
		return 0, false, nil, 0, errCRC
	}
	k, commit = kind(body[0])&^commits, body[0]&commits != 0
	if k == 0 || k >= kinds {
		return 0, false, nil, 0, errFrame
	}
	return k, commit, body[1:], w + 4 + int(size), nil
}

// A cutter takes a body apart, and knows what else is written in one.
type cutter struct{ pack.Reader }

func cut(body []byte) *cutter { return &cutter{pack.Reader{Left: body}} }

// bytes is a length and as many bytes; nil if there are none.
func (c *cutter) bytes() []byte { return append([]byte(nil), c.Bytes()...) }

func (c *cutter) time() time.Time { return moment(c.Signed()) }

// done is an error unless the body was exactly what was taken from it.
func (c *cutter) done() error {
	if !c.Whole() {
		return errFrame
	}
	return nil
}

func appendUint(b []byte, x uint64) []byte { return binary.AppendUvarint(b, x) }
func appendInt(b []byte, x int64) []byte   { return binary.AppendVarint(b, x) }

func appendFloat(b []byte, x float32) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
}

func appendString[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// appendTime keeps a moment to the nanosecond, and the zero time.
func appendTime(b []byte, t time.Time) []byte { return appendInt(b, instant(t)) }

// instant is a moment as a number, and moment what it is of.
func instant(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixNano()
}

func moment(n int64) time.Time {
	if n == math.MinInt64 {
		return time.Time{}
	}
	return time.Unix(0, n)
}
