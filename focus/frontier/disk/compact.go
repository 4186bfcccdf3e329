package disk

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// A log of which half is of no use any more is rewritten: each item as it is, in a frame of its own, in files beside the log
// (bases). The snapshot that is written then lets the items stand there, and once it has its name, the files before go. A
// frontier that is killed meanwhile comes back from those, and a base that no snapshot names is removed on opening.

// rewritten is what was written.
type rewritten struct {
	f     *Frontier
	from  position   // what was told before is in it
	items []position // where each item stands now, by its id
	made  []segment
	bytes int64

	out   *os.File
	w     *bufio.Writer
	at    position
	frame pack.Coder
}

// leastCompacted is the part of a segment below which a log is short enough as it is.
const leastCompacted = 4

// worthCompacting tells whether at least half of the files is of no use any more.
func (f *Frontier) worthCompacting(h *head) bool {
	total, waste := h.tally.waste(h.sums.live)
	return total >= f.log.segment/leastCompacted && waste >= total/2
}

// rewrite writes the items that there were at the head's position, as they are now, and makes the head one of what was
// written. The log of what is told meanwhile begins there.
func (f *Frontier) rewrite(h *head) (*rewritten, error) {
	r := &rewritten{f: f, from: h.at, items: make([]position, 0, h.items)}
	next := bases + 1
	if n := len(h.bases); n > 0 {
		next = h.bases[n-1] + 1
	}
	if err := f.log.flush(); err != nil { // bases without a log and a snapshot are damage
		return r, r.failed(err)
	}
	records := make([]frontier.Record[link], itemsPerFrame)
	for id := uint64(1); id <= h.items; id += itemsPerFrame {
		n := min(itemsPerFrame, h.items-id+1)
		f.mu.Lock()
		f.order.Records(id, records[:n])
		f.mu.Unlock()
		for i := range records[:n] {
			if err := r.write(&next, id+uint64(i), &records[i]); err != nil {
				return r, r.failed(err)
			}
		}
	}
	if err := errors.Join(r.end(), syncDir(f.dir)); err != nil {
		return r, r.failed(err)
	}
	h.bases, h.oldest = r.made, h.at.segment()
	h.tally, h.sums.live = tally{}, live{items: int64(h.items)}
	h.tally[kindItem].frames, h.tally[kindItem].bytes = int64(h.items), r.bytes
	return r, nil
}

// write writes an item, into the next file if the last is full.
func (r *rewritten) write(next *segment, id uint64, record *frontier.Record[link]) error {
	it, err := r.f.read(record.Link)
	if err != nil {
		return err
	}
	if r.out == nil || r.at.offset() >= r.f.log.segment {
		if err := r.begin(*next); err != nil {
			return err
		}
		*next++
	}
	it.ID, it.Tier, it.Score, it.Alt = id, record.Tier, record.Score, record.Alt
	r.items = append(r.items, r.at)
	r.frame.Bytes = r.frame.Bytes[:0]
	appendFrame(&r.frame, kindItem, false, func(k *pack.Coder) { codeItem(k, &it) })
	n := len(r.frame.Bytes)
	r.at += position(n)
	r.bytes += int64(n)
	_, err = r.w.Write(r.frame.Bytes)
	return err
}

// begin ends the file before and makes another, with the key of the frontier in its head.
func (r *rewritten) begin(s segment) error {
	if err := r.end(); err != nil {
		return err
	}
	out, err := create(filepath.Join(r.f.dir, s.file()))
	if err != nil {
		return err
	}
	r.out, r.w = out, bufio.NewWriterSize(out, 1<<20)
	r.made = append(r.made, s)
	r.at = at(s, segmentHead)
	_, err = r.w.Write(appendHead(nil, s, r.f.key))
	return err
}

// end makes a file safe. A mark at its end tells of one that is whole.
func (r *rewritten) end() error {
	if r.out == nil {
		return nil
	}
	r.frame.Bytes = r.frame.Bytes[:0]
	appendFrame(&r.frame, kindMark, false, (&mark{r.at, r.at}).code)
	_, err := r.w.Write(r.frame.Bytes)
	err = errors.Join(err, r.w.Flush(), r.out.Sync(), r.out.Close())
	r.out = nil
	return err
}

func (r *rewritten) failed(err error) error {
	return fmt.Errorf("compact the log in %q: %w: it stays as it is", r.f.dir, err)
}

// abandon removes what was written: no snapshot names it.
func (r *rewritten) abandon() {
	if r.out != nil {
		r.out.Close()
	}
	for _, s := range r.made {
		os.Remove(filepath.Join(r.f.dir, s.file()))
	}
}

// stand is where an item stands that stood at l: in what was written, and in what was told of it since. A raise or numbers from before
// the rewriting are in the frame that was written; those after it are still in the log, and still count.
func (r *rewritten) stand(id uint64, l link) link {
	if r == nil || id > uint64(len(r.items)) {
		return l
	}
	l.base = r.items[id-1]
	for _, p := range []*position{&l.body, &l.nums} {
		if p.segment()&bases != 0 || *p < r.from {
			*p = 0
		}
	}
	return l
}

// takeOver lets the items stand where the snapshot says that they do, and removes the files in which none stands any more. The
// snapshot has its name by now: a process that dies in here leaves files that nobody refers to, and the next one removes them.
func (r *rewritten) takeOver(h *head) error {
	f := r.f
	var gone []segment
	for first := uint64(1); first <= h.items; first += itemsPerFrame {
		f.mu.Lock()
		for id := first; id < min(first+itemsPerFrame, h.items+1); id++ {
			l := f.order.Link(id)
			now := r.stand(id, *l)
			f.sums.live.move(l, &now)
			*l = now
		}
		f.mu.Unlock()
	}
	f.mu.Lock()
	gone = append(gone, f.snapshots.bases...)
	for s := f.snapshots.oldest; s < h.oldest; s++ {
		gone = append(gone, s)
	}
	f.snapshots.bases, f.snapshots.oldest = h.bases, h.oldest
	f.mu.Unlock()
	f.log.retally(&h.before, &h.tally)
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
