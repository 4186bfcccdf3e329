package disk

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// Compaction copies what is still needed of the full logs (addresses, the last raise, the last numbers) into bases,
// frame by frame, and lets the items stand there. The old files go when a snapshot says so; until then a
// frontier that is killed comes back from them.

// part is which part of an item a frame holds.
type part uint8

const (
	partBase part = iota
	partBody
	partNums
)

func (l *link) part(p part) *position {
	return [...]*position{&l.base, &l.body, &l.nums}[p]
}

// move is a frame that stands elsewhere now.
type move struct {
	id       uint64
	part     part
	from, to position
}

// leastCompacted is the part of a segment below which a log is short enough as it is.
const leastCompacted = 4

// worthCompacting tells whether at least half of the files is of no use any more.
func (f *Frontier) worthCompacting(h *head) bool {
	total, waste := h.tally.waste(h.sums.live)
	return total >= f.log.segment/leastCompacted && waste >= total/2
}

// compact does it if it is worth while. h is the newest snapshot.
func (f *Frontier) compact(h *head) error {
	if !h.compact {
		return nil
	}
	f.mu.Lock()
	old := append([]segment(nil), f.snapshots.bases...)
	for s := f.snapshots.oldest; s <= h.at.segment(); s++ {
		old = append(old, s)
	}
	f.mu.Unlock()
	c := &compaction{f: f, next: bases + 1}
	if n := len(f.snapshots.bases); n > 0 {
		c.next = f.snapshots.bases[n-1] + 1
	}
	for _, s := range old {
		if err := c.copySegment(s); err != nil {
			c.abandon()
			return err
		}
	}
	if err := c.finish(); err != nil {
		c.abandon()
		return err
	}
	c.moveAll()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.snapshots.bases, f.snapshots.oldest = c.made, h.at.segment()+1
	f.snapshots.obsolete = append(f.snapshots.obsolete, old...)
	f.log.retally(&c.before, &c.after)
	return nil
}

// compaction is one run.
type compaction struct {
	f             *Frontier
	next          segment
	made          []segment
	out           *os.File
	w             *bufio.Writer
	at            position
	moves         []move
	before, after tally
	buf           pack.Coder
}

// found is a frame of an old segment that may be needed.
type found struct {
	id    uint64
	part  part
	at    position
	frame []byte
	state frontier.State
	live  bool
}

const foundAtOnce = 1024

func (c *compaction) copySegment(s segment) error {
	path := filepath.Join(c.f.dir, s.file())
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("disk: compact: %w", err)
	}
	var some []found
	for offset := segmentHead; offset < len(data); {
		k, _, body, n, err := cutFrame(data[offset:])
		if err != nil {
			return &DamageError{path, int64(offset), err}
		}
		if k != kindMark {
			c.before.add(k, n)
		}
		if p, ok := partOf(k); ok {
			id, _ := binary.Uvarint(body)
			some = append(some, found{id: id, part: p, at: at(s, int64(offset)), frame: data[offset : offset+n]})
		}
		offset += n
		if len(some) == foundAtOnce || offset == len(data) {
			if err := c.copyLive(some); err != nil {
				return err
			}
			some = some[:0]
		}
	}
	return nil
}

func partOf(k kind) (part, bool) {
	switch k {
	case kindItem:
		return partBase, true
	case kindRaise:
		return partBody, true
	case kindScore:
		return partNums, true
	}
	return 0, false
}

// copyLive copies the frames that items stand in.
func (c *compaction) copyLive(some []found) error {
	c.f.mu.Lock()
	for i := range some {
		x := &some[i]
		if l := c.f.order.Link(x.id); l != nil {
			x.live, x.state = *l.part(x.part) == x.at, c.f.order.Standing(x.id).State
		}
	}
	c.f.mu.Unlock()
	for _, x := range some {
		if !x.live {
			continue
		}
		to, err := c.write(kindItem+kind(x.part), x.frame)
		if err != nil {
			return err
		}
		c.moves = append(c.moves, move{x.id, x.part, x.at, to})
		if over := x.state == frontier.Finished || x.state == frontier.Dropped; over && x.part == partBase {
			c.buf.Bytes = c.buf.Bytes[:0]
			appendFrame(&c.buf, kindState, false, (&stated{x.id, x.state}).code)
			if _, err := c.write(kindState, c.buf.Bytes); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *compaction) write(k kind, frame []byte) (position, error) {
	if c.out == nil || c.at.offset() >= c.f.log.segment {
		if err := c.begin(); err != nil {
			return 0, err
		}
	}
	p := c.at
	c.at += position(len(frame))
	c.after.add(k, len(frame))
	_, err := c.w.Write(frame)
	return p, c.failed(err)
}

func (c *compaction) begin() error {
	if err := c.end(); err != nil {
		return err
	}
	out, err := create(filepath.Join(c.f.dir, c.next.file()))
	if err != nil {
		return c.failed(err)
	}
	c.out, c.w = out, bufio.NewWriterSize(out, 1<<20)
	c.made = append(c.made, c.next)
	c.at = at(c.next, segmentHead)
	c.next++
	_, err = c.w.Write(appendHead(nil, c.at.segment(), c.f.key))
	return c.failed(err)
}

// end makes a base safe. It has its name already: a base that no snapshot names is removed on opening. A mark at its end
// tells of one that is whole.
func (c *compaction) end() error {
	if c.out == nil {
		return nil
	}
	var last pack.Coder
	appendFrame(&last, kindMark, false, (&mark{c.at, c.at}).code)
	_, err := c.w.Write(last.Bytes)
	if err == nil {
		err = c.w.Flush()
	}
	if err == nil {
		err = c.out.Sync()
	}
	c.out.Close()
	c.out = nil
	return c.failed(err)
}

func (c *compaction) finish() error {
	if err := c.end(); err != nil {
		return err
	}
	return c.failed(syncDir(c.f.dir))
}

func (c *compaction) failed(err error) error {
	if err != nil {
		return fmt.Errorf("disk: compact the log in %q: %w: it stays as it is", c.f.dir, err)
	}
	return nil
}

func (c *compaction) abandon() {
	if c.out != nil {
		c.out.Close()
	}
	for _, s := range c.made {
		os.Remove(filepath.Join(c.f.dir, s.file()))
	}
}

// moveAll lets the items stand in the new files, unless they were raised or scored again meanwhile.
func (c *compaction) moveAll() {
	for some := range slices.Chunk(c.moves, foundAtOnce) {
		c.f.mu.Lock()
		for _, m := range some {
			if p := c.f.order.Link(m.id).part(m.part); *p == m.from {
				*p = m.to
			}
		}
		c.f.mu.Unlock()
	}
}

// removeObsolete removes the files in which no item stands any more, according to the snapshot just written.
func (f *Frontier) removeObsolete() error {
	f.mu.Lock()
	gone := f.snapshots.obsolete
	f.snapshots.obsolete = nil
	f.mu.Unlock()
	return f.log.forget(gone)
}

// retally takes away what the old files held and adds what the new ones hold.
func (j *journal) retally(before, after *tally) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for k := range j.tally {
		j.tally[k].frames += after[k].frames - before[k].frames
		j.tally[k].bytes += after[k].bytes - before[k].bytes
	}
}
