package wire

import "io"

// A pile keeps the bytes of a body in the order in which they come, in parts: as it grows nothing is copied, and no more is held than
// has come. The sizes of parts double up to mostPart.
type pile struct{ parts [][]byte }

const (
	leastPart = 4 << 10
	mostPart  = 256 << 10
)

// room is where the next bytes go.
func (p *pile) room() *[]byte {
	if n := len(p.parts); n > 0 && len(p.parts[n-1]) < cap(p.parts[n-1]) {
		return &p.parts[n-1]
	}
	size := leastPart
	if n := len(p.parts); n > 0 {
		size = min(2*cap(p.parts[n-1]), mostPart)
	}
	p.parts = append(p.parts, make([]byte, 0, size))
	return &p.parts[len(p.parts)-1]
}

// expect makes room for a body of which size bytes are announced. Who announces many may send few.
func (p *pile) expect(size int64) {
	if len(p.parts) == 0 && size > 0 {
		p.parts = append(p.parts, make([]byte, 0, min(size, mostPart)))
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
	if len(p.parts) > 1 {
		size := 0
		for _, part := range p.parts {
			size += len(part)
		}
		whole := make([]byte, 0, size)
		for n, part := range p.parts {
			whole = append(whole, part...)
			p.parts[n] = nil
		}
		p.parts = [][]byte{whole}
	}
	return p.parts[0]
}
