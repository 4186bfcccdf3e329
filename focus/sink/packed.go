package sink

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// packed compresses bodies, one after the other, into the same bytes.
type packed struct {
	out bytes.Buffer
	in  *gzip.Writer
}

// pack is what it comes to, valid until the next.
func (p *packed) pack(body []byte) []byte {
	p.out.Reset()
	if p.in == nil {
		p.in, _ = gzip.NewWriterLevel(&p.out, gzip.BestSpeed) // a level that there is
	} else {
		p.in.Reset(&p.out)
	}
	p.in.Write(body) // into memory: cannot fail
	p.in.Close()
	return p.out.Bytes()
}

// unpack is the body again.
func unpack(text []byte) ([]byte, error) {
	in, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	body, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	return body, nil
}
