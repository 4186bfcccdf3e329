package disk

import (
	"bytes"
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

// appendFrame appends a frame to what was written; code describes its body, if it has one.
func appendFrame(k *pack.Coder, kind kind, commit bool, code func(*pack.Coder)) {
	start := len(k.Bytes)
	k.Bytes = append(k.Bytes, make([]byte, frameHead)...)
	if commit {
		kind |= commits
	}
	k.Byte((*byte)(&kind))
	if code != nil {
		code(k)
	}
	body := k.Bytes[start+frameHead:]
	var head [frameHead]byte
	n := binary.PutUvarint(head[:], uint64(len(body)))
	binary.LittleEndian.PutUint32(head[n:], crc32.Checksum(body, castagnoli))
	copy(k.Bytes[start:], head[:n+4])
	copy(k.Bytes[start+n+4:], body)
	k.Bytes = k.Bytes[:start+n+4+len(body)]
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

// written is what a description writes.
func written(b []byte, code func(*pack.Coder)) []byte {
	k := pack.Coder{Bytes: b}
	code(&k)
	return k.Bytes
}

// read reads a body to its end by a description.
func read(body []byte, code func(*pack.Coder)) error {
	k := pack.Coder{Bytes: body, Read: true}
	if code(&k); k.Done() != nil {
		return errFrame
	}
	return nil
}

// codeTime is a moment to the nanosecond, or the zero time.
func codeTime(k *pack.Coder, t *time.Time) {
	n := int64(math.MinInt64)
	if !t.IsZero() {
		n = t.UnixNano()
	}
	if k.Signed(&n); !k.Read {
		return
	}
	if *t = time.Unix(0, n); n == math.MinInt64 {
		*t = time.Time{}
	}
}

// codeSums is names in order, so that the same visit is always the same bytes. There are none where there is no map.
func codeSums(k *pack.Coder, sums *map[string]int64) {
	if !k.Read {
		pack.Map(k, *sums, k.Text, k.Signed)
		return
	}
	m := map[string]int64{}
	if pack.Map(k, m, k.Text, k.Signed); len(m) > 0 {
		*sums = m
	} else {
		*sums = nil
	}
}

// codeKept is bytes that stay when the body is gone. They were told even where there are none.
func codeKept(k *pack.Coder, x *[]byte) {
	if k.Blob(x); k.Read {
		*x = append([]byte{}, *x...)
	}
}

// markMagic makes the head of a batch findable behind damage.
const markMagic = "\xf1\x0dthresher-batch\x0d\xf1"

// mark is the body of kindMark.
type mark struct {
	safe    position // what is before was on the disk when the batch was begun
	follows position // the end of the batch before this one
}

func (m *mark) code(k *pack.Coder) {
	if !k.Read {
		k.Bytes = append(k.Bytes, markMagic...)
	} else if rest, ok := bytes.CutPrefix(k.Bytes, []byte(markMagic)); ok {
		k.Bytes = rest
	} else {
		k.Fail()
	}
	k.Fixed64((*uint64)(&m.safe))
	k.Fixed64((*uint64)(&m.follows))
}
