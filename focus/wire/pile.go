package wire

import (
	"bytes"
	"io"
	"math/bits"
	"net/http"
	"sync"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// A pile keeps the bytes of a body in the order in which they come, in parts: as it grows nothing is copied, and no more is held than
// has come. The sizes of parts double up to mostPart.
type pile struct {
	parts [][]byte
	lent  bool // the first part is somebody else's
}

const (
	leastPart = 4 << 10
	mostPart  = 256 << 10
)

// parts that were copied into one piece and are free again, by size.
var free [7]sync.Pool // 4 KB to 256 KB

// ofSize is where free parts of a size are; nil of one that no part has grown to by doubling.
func ofSize(size int) *sync.Pool {
	if size < leastPart || size > mostPart || size&(size-1) != 0 {
		return nil
	}
	return &free[bits.Len(uint(size/leastPart))-1]
}

// newPart is an empty part.
func newPart(size int) []byte {
	if p := ofSize(size); p != nil {
		if part, ok := p.Get().(*[]byte); ok {
			return (*part)[:0]
		}
	}
	return make([]byte, 0, size)
}

// room is where the next bytes go.
func (p *pile) room() *[]byte {
	if n := len(p.parts); n > 0 && len(p.parts[n-1]) < cap(p.parts[n-1]) {
		return &p.parts[n-1]
	}
	size := leastPart
	if n := len(p.parts); n > 0 {
		size = min(2*cap(p.parts[n-1]), mostPart)
	}
	p.parts = append(p.parts, newPart(size))
	return &p.parts[len(p.parts)-1]
}

// expect makes room for a body of which size bytes are announced. Who announces many may send few.
func (p *pile) expect(size int64) {
	if len(p.parts) == 0 && size > 0 {
		room := leastPart
		for int64(room) < min(size, mostPart) {
			room *= 2
		}
		p.parts = append(p.parts, newPart(room))
	}
}

func (p *pile) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		part := p.room()
		n := copy((*part)[len(*part):cap(*part)], rest)
		*part, rest = (*part)[:len(*part)+n], rest[n:]
	}
	return len(b), nil
}

// ReadFrom takes in all that a reader has.
func (p *pile) ReadFrom(r io.Reader) (read int64, err error) {
	for {
		part := p.room()
		n, err := r.Read((*part)[len(*part):cap(*part)])
		*part = (*part)[:len(*part)+n]
		read += int64(n)
		if err == io.EOF {
			return read, nil
		}
		if err != nil {
			return read, err
		}
	}
}

// Bytes are all of them in one piece, which the pile is from then on.
func (p *pile) Bytes() []byte {
	if len(p.parts) == 0 {
		return nil
	}
	if len(p.parts) > 1 || !p.lent {
		whole := bytes.Join(p.parts, nil) // which does not empty first what it will fill
		p.release()
		p.parts = [][]byte{whole}
	}
	p.lent = true // to whoever asked
	return p.parts[0]
}

func (p *pile) size() (size int) {
	for _, part := range p.parts {
		size += len(part)
	}
	return size
}

// release lets go of all parts: others may use them.
func (p *pile) release() {
	for n, part := range p.parts {
		if free := ofSize(cap(part)); free != nil && !(n == 0 && p.lent) {
			pack.Spoil(part[:cap(part)])
			free.Put(&part)
		}
	}
	p.parts, p.lent = nil, false
}

// orElse answers have if the pile holds the same bytes, and lets go of them, or if it holds none; else the pile's.
func (p *pile) orElse(have []byte) []byte {
	switch size := p.size(); {
	case size == 0:
		return have
	case size != len(have):
		return p.Bytes()
	}
	rest := have
	for _, part := range p.parts {
		if !bytes.Equal(part, rest[:len(part)]) {
			return p.Bytes()
		}
		rest = rest[len(part):]
	}
	p.release()
	return have
}

// HandOver has the body of an answer handed over when its first byte is asked for: whole, and in memory of its own, no larger than it
// is. Whoever reads it finds nothing left. One that breaks off is not handed over: who reads it is told why.
func HandOver(resp *http.Response, to func(body []byte)) {
	if resp.Body != nil {
		resp.Body = &handed{ReadCloser: resp.Body, to: to}
	}
}

// handed is a body that is somebody else's.
type handed struct {
	io.ReadCloser
	to func([]byte)
}

func (h *handed) Read([]byte) (int, error) {
	if h.to == nil {
		return 0, io.EOF
	}
	var p pile
	if _, err := p.ReadFrom(h.ReadCloser); err != nil {
		p.release()
		return 0, err
	}
	h.to(p.Bytes())
	h.to = nil
	return 0, io.EOF
}
