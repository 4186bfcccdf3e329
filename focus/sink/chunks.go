package sink

import (
	"io"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// chunks are bytes that wait to be written, in pieces of one size: what waits while a disk is slow need not be copied to grow.
type chunks struct {
	list []*[]byte
	size int // of all of them
}

const chunkSize = 4 * pending

// spare are chunks that have been written, for whichever file needs one next.
var spare = pack.Rooms{Most: chunkSize}

// add takes bytes in.
func (c *chunks) add(p []byte) {
	c.size += len(p)
	for len(p) > 0 {
		if n := len(c.list); n == 0 || len(*c.list[n-1]) == chunkSize {
			b := spare.Take()
			if *b == nil {
				*b = make([]byte, 0, chunkSize)
			}
			c.list = append(c.list, b)
		}
		last := c.list[len(c.list)-1]
		n := min(len(p), chunkSize-len(*last))
		*last, p = append(*last, p[:n]...), p[n:]
	}
}

// writeTo writes them to their place, one behind the other.
func (c *chunks) writeTo(w io.WriterAt, at int64) error {
	for _, b := range c.list {
		n, err := w.WriteAt(*b, at)
		if err != nil {
			return err
		}
		at += int64(n)
	}
	return nil
}

// give gives them up: nobody reads them any more.
func (c *chunks) give() {
	for _, b := range c.list {
		spare.Give(b)
	}
	*c = chunks{}
}
