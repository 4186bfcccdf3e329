package wire

import (
	"bufio"
	"errors"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// coding undoes one content coding. Its decoder comes from a pool when the first byte is asked for, because only the
// first bytes tell whether the coding is really there.
type coding struct {
	name   string
	below  *bufio.Reader
	reader io.Reader
	give   func() // gives the decoder back
	any    bool   // something was decoded
	whole  bool   // it was decoded to its end
}

func (c *coding) Read(p []byte) (int, error) {
	if c.reader == nil {
		if err := c.open(); err != nil {
			return 0, err
		}
	}
	n, err := c.reader.Read(p)
	c.any = c.any || n > 0
	if c.any && errors.Is(err, gzip.ErrHeader) {
		err = io.EOF // what follows a gzip member and is none is padding; browsers pass over it too
	}
	c.whole = err == io.EOF
	return n, err
}

// open picks the decoder by the coding's name and the first bytes.
func (c *coding) open() error {
	head, err := c.below.Peek(4)
	if len(head) == 0 {
		return err // an empty body is whole, whatever it was said to be coded in
	}
	if !c.starts(head) {
		c.reader = c.below
		return nil
	}
	return c.take(head)
}

// starts tells whether bytes can be the start of the coding.
func (c *coding) starts(head []byte) bool {
	switch c.name {
	case "gzip":
		return len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b
	case "zstd":
		// The last one is a skippable frame.
		return len(head) == 4 && (string(head) == "\x28\xb5\x2f\xfd" || head[0]&0xf0 == 0x50 && string(head[1:]) == "\x2a\x4d\x18")
	case "br":
		// No brotli stream starts with '<': its bits would be a metadata block with the reserved bit set.
		return head[0] != '<'
	default:
		return !isMarkup(head)
	}
}

// isMarkup tells whether bytes start like "<!DOCTYPE", "<html" or "<?xml". Bare deflate has no magic number, so this
// is how a page that only claims to be deflated is known.
func isMarkup(head []byte) bool {
	letter := func(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
	return len(head) == 4 && head[0] == '<' && (letter(head[1]) || head[1] == '!' || head[1] == '?') &&
		(letter(head[2]) || head[2] == '-') && (letter(head[3]) || head[3] == '-' || head[3] == '>' || head[3] == ' ')
}

var (
	gzips   sync.Pool
	zstds   sync.Pool
	brotlis sync.Pool
	zlibs   sync.Pool
	flates  sync.Pool
)

// take gets a decoder from its pool and sets it on the bytes below.
func (c *coding) take(head []byte) (err error) {
	switch c.name {
	case "gzip":
		r, _ := gzips.Get().(*gzip.Reader)
		if r == nil {
			r = new(gzip.Reader)
		}
		c.reader, c.give = r, func() { gzips.Put(r) }
		return r.Reset(c.below)
	case "br":
		r, _ := brotlis.Get().(*brotli.Reader)
		if r == nil {
			r = new(brotli.Reader)
		}
		c.reader, c.give = r, func() {
			if c.whole { // Reset keeps what was read and not decoded yet, and would have it stand before the next body
				brotlis.Put(r)
			}
		}
		return r.Reset(c.below)
	case "zstd":
		return c.takeZstd()
	default:
		return c.takeDeflate(head)
	}
}

// maxWindow is the most memory a zstd frame may ask for: what RFC 9659 allows on the web.
const maxWindow = 8 << 20

func (c *coding) takeZstd() (err error) {
	r, _ := zstds.Get().(*zstd.Decoder)
	if r == nil {
		// One goroutine, the caller's: nothing is left running when the body is given up.
		r, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return err
		}
	}
	c.reader, c.give = r, func() {
		if r.Reset(nil) == nil {
			zstds.Put(r)
		}
	}
	return r.Reset(c.below)
}

// takeDeflate reads what RFC 9110 calls deflate, which is zlib, and what some servers send, which is bare deflate.
func (c *coding) takeDeflate(head []byte) (err error) {
	isZlib := len(head) >= 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0
	if isZlib {
		r, _ := zlibs.Get().(io.ReadCloser)
		if r == nil {
			if r, err = zlib.NewReader(c.below); err != nil {
				return err
			}
		} else if err = r.(zlib.Resetter).Reset(c.below, nil); err != nil {
			return err
		}
		c.reader, c.give = r, func() { zlibs.Put(r) }
		return nil
	}
	r, _ := flates.Get().(io.ReadCloser)
	if r == nil {
		r = flate.NewReader(c.below)
	} else if err = r.(flate.Resetter).Reset(c.below, nil); err != nil {
		return err
	}
	c.reader, c.give = r, func() { flates.Put(r) }
	return nil
}

// release gives the decoder back to its pool.
func (c *coding) release() {
	if c.give != nil {
		c.give()
		c.give, c.reader = nil, nil
	}
}
