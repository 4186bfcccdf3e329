package frontier

import (
	"bytes"
	"encoding/binary"
)

// packed begins a note that holds a request: its length follows, the request itself, and what a ranking keeps there.
const packed = "\x00colly.Request\x00"

// PackNote makes a Note that begins with what a queue writes down of a request.
func PackNote(request []byte) []byte {
	note := binary.AppendUvarint([]byte(packed), uint64(len(request)))
	return append(note, request...)
}

// SplitNote parts the Note of an item into what a queue has written down of a request, if it is more than an address, and
// what a ranking keeps there. Whoever gives a waiting item another note puts the first in front of it again.
func SplitNote(note []byte) (request, rest []byte) {
	sized, ok := bytes.CutPrefix(note, []byte(packed))
	if !ok {
		return nil, note
	}
	length, n := binary.Uvarint(sized)
	if n <= 0 || length > uint64(len(sized)-n) {
		return note, nil // damaged: reading the request says so
	}
	end := len(packed) + n + int(length)
	return note[:end:end], note[end:]
}

// RequestIn is what PackNote was given, by what SplitNote answers first.
func RequestIn(request []byte) []byte {
	if len(request) < len(packed) {
		return nil
	}
	sized := request[len(packed):]
	_, n := binary.Uvarint(sized)
	return sized[max(n, 0):]
}

// VisitKey is where, in what a request carries along, the visit of a queue stands: a Visiting.
const VisitKey = "thresher.queue"

// Visiting is a visit that knows the item it visits. A Visit in a callback shares what its request carries along, and is one
// deeper than Depth, with which Colly is asked for the item; ended is called when all callbacks have been. Refuse says that its request
// was aborted and why no further one may be made: the item waits on.
type Visiting interface {
	Visits() Item
	Depth() int
	OnEnd(ended func())
	Refuse(why error)
}

// Opening lets links go that are held back, and answers whether any were: whoever runs what waits, and was told ErrHeld, asks it
// for another try. It stands in the Context of a collector under OpeningKey.
type Opening func() (again bool)

// OpeningKey is where an Opening stands.
type OpeningKey struct{}
