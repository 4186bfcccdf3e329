package index

import "sync/atomic"

// Progress is how far the making of an index is: first pages are read, then they are indexed.
type Progress struct {
	Read    int `json:"read"`
	Indexed int `json:"indexed"`
	Of      int `json:"of"` // pages are to be indexed; 0 as long as they are read
}

type progress struct{ read, indexed, of atomic.Int64 }

// Progress is how far an update is that is under way, or came.
func (c *Collection) Progress() Progress {
	p := &c.progress
	return Progress{int(p.read.Load()), int(p.indexed.Load()), int(p.of.Load())}
}

func (p *progress) begin() {
	p.read.Store(0)
	p.indexed.Store(0)
	p.of.Store(0)
}
