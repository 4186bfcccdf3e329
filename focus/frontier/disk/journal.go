package disk

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// file is what the journal asks of a file.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Sync() error
}

// journal is the log: frames are appended in memory, and written and made safe in batches.
//
// Nobody holds mu while the disk works: flush takes the batches, gives mu back, writes, and takes mu again. writing, which is taken
// before mu, keeps two from writing at once. A batch that is being written takes no more frames, so that a write that failed half way is
// tried again with the same bytes at the same place, and writes over what it had left there.
type journal struct {
	dir     string
	key     key
	segment int64 // the size after which a segment is full
	most    int   // bytes of a frame
	before  func() error
	open    func(path string) (file, error)
	remove  func(path string) error

	mu      sync.RWMutex
	files   map[segment]file
	gone    map[segment]struct{} // nothing refers to them any more, though they may be there for a while
	batches []*batch             // not yet safe, in order; all but the last are sealed
	spare   [][]byte             // for batches to come
	coder   pack.Coder           // kept, so that a frame takes no memory of its own
	end     position             // where the next frame goes
	full    bool                 // unless it goes into the next segment
	tally   tally
	safe    position // what is before is on the disk
	ended   position // behind the last frame that ends a transaction
	kept    position // behind the last such frame that is on the disk
	err     error    // why the last batch is not
	large   error    // of a frame that could not be read back: nothing is told any more

	flushing
}

// flushing is what writes the batches and who asks for it.
type flushing struct {
	pending atomic.Int64
	writing sync.Mutex
	dirty   chan struct{} // capacity 1: something is pending
	hurry   chan struct{} // capacity 1: too much is pending
	quit    chan struct{}
	stopped sync.WaitGroup
}

// batch is a stretch of the log that is written at once.
type batch struct {
	at     position
	bytes  []byte
	sealed bool
}

// How much may be told and not yet written: it bounds the memory that a slow disk costs, and what a crash can cost.
const (
	plentyPending  = 4 << 20  // written without waiting for the second to pass
	tooMuchPending = 64 << 20 // whoever tells something more waits until it is written
)

// A log is written in batches of about one size, so that none is copied while it grows.
const (
	batchRoom = 256 << 10                     // what a batch has to begin with
	batchFull = batchRoom / 4 * 3             // it takes no more frames, so that it seldom grows
	mostSpare = 2 * plentyPending / batchRoom // what is written, and what is told meanwhile
)

func newJournal(dir string, o *Options) *journal {
	return &journal{dir: dir, segment: o.Segment, most: o.most, before: o.BeforeSync, open: o.open, remove: o.remove,
		files: map[segment]file{}, gone: map[segment]struct{}{},
		flushing: flushing{dirty: make(chan struct{}, 1), hurry: make(chan struct{}, 1), quit: make(chan struct{})}}
}

// failure is why the journal takes no more frames, nil if it does.
func (j *journal) failure() error {
	j.mu.RLock()
	defer j.mu.RUnlock()
	if j.large != nil {
		return j.large
	}
	return j.err
}

// append adds a frame and answers where it stands. It cannot fail: what has been appended is in memory until it is
// on the disk, and who asks failure first stops appending when the disk has failed. A frame that is too large to be read
// back is left out, and is such a failure.
func (j *journal) append(k kind, commit bool, code func(*pack.Coder)) position {
	j.mu.Lock()
	defer j.mu.Unlock()
	b := j.current()
	p := j.end
	before := len(b.bytes)
	j.frame(b, k, commit, code)
	n := len(b.bytes) - before
	if n > j.most {
		b.bytes = b.bytes[:before]
		j.large = fmt.Errorf("the log of %q: %d bytes are more than a frame may have: nothing before this is lost", j.dir, n)
		return p
	}
	j.end += position(n)
	if commit {
		j.ended = j.end
	}
	j.tally.add(k, n)
	if j.pending.Add(int64(n)) > plentyPending {
		signal(j.hurry)
	}
	signal(j.dirty)
	return p
}

// frame appends a frame to a batch.
func (j *journal) frame(b *batch, k kind, commit bool, code func(*pack.Coder)) {
	j.coder.Bytes = b.bytes
	appendFrame(&j.coder, k, commit, code)
	b.bytes, j.coder.Bytes = j.coder.Bytes, nil
}

// position is where the next frame would go, and what the files hold up to there.
func (j *journal) position() (position, tally) {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return j.end, j.tally
}

// fill ends the segment, and answers where what follows begins: in the next.
func (j *journal) fill() position {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.full = true
	return at(j.end.segment()+1, segmentHead)
}

// current is the batch that takes frames; a new one begins with a mark, in a new segment if the last one is full. What the mark says was
// safe then is how a log that was damaged is told from one whose end was being written when the process ended (tornOrDamaged).
func (j *journal) current() *batch {
	full := j.full || j.end.offset() >= j.segment
	if n := len(j.batches); n > 0 {
		last := j.batches[n-1]
		if last.sealed = last.sealed || full || len(last.bytes) >= batchFull; !last.sealed {
			return last
		}
	}
	m := mark{safe: j.safe, follows: j.end}
	if full {
		j.full = false
		j.end = at(j.end.segment()+1, segmentHead)
	}
	b := &batch{at: j.end}
	if n := len(j.spare); n > 0 {
		b.bytes, j.spare = j.spare[n-1][:0], j.spare[:n-1]
	} else {
		b.bytes = make([]byte, 0, batchRoom)
	}
	j.frame(b, kindMark, false, m.code)
	j.end += position(len(b.bytes))
	j.pending.Add(int64(len(b.bytes)))
	j.batches = append(j.batches, b)
	return b
}

// signal leaves word in a channel with room for one; word that is there already stands for this one, too.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// flush writes what is pending and makes it safe. If it fails the journal takes no more frames; calling it again
// tries once more to write the same bytes to the same place.
func (j *journal) flush() error {
	j.writing.Lock()
	defer j.writing.Unlock()
	j.mu.Lock()
	// Where the last transaction ends is read together with the batches: what is appended while they are written may end another.
	todo, ended := append([]*batch(nil), j.batches...), j.ended
	for _, b := range todo {
		b.sealed = true
	}
	j.mu.Unlock()
	if len(todo) == 0 {
		return nil
	}
	err := j.write(todo)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err = err; err != nil {
		return err
	}
	j.kept = ended
	for _, b := range todo {
		j.pending.Add(-int64(len(b.bytes)))
		j.safe = b.at + position(len(b.bytes))
		if cap(b.bytes) <= 2*batchRoom && len(j.spare) < mostSpare { // one that has grown much beyond is rare
			j.spare = append(j.spare, b.bytes)
		}
	}
	j.batches = slices.Delete(j.batches, 0, len(todo))
	return nil
}

// write writes batches to their places and syncs each segment once. The crawl's own files come first: a log that tells of bytes
// which those files do not have would be refused when it is opened, whereas bytes that no log tells of are cut off.
func (j *journal) write(todo []*batch) error {
	if j.before != nil {
		if err := j.before(); err != nil {
			return fmt.Errorf("the log of %q waits for the crawl's own files: %w", j.dir, err)
		}
	}
	for i, b := range todo {
		f, err := j.file(b.at.segment(), true)
		if err != nil {
			return err
		}
		if _, err := f.WriteAt(b.bytes, b.at.offset()); err != nil {
			return j.failed(b.at.segment(), err)
		}
		if i == len(todo)-1 || todo[i+1].at.segment() != b.at.segment() {
			if err := f.Sync(); err != nil {
				return j.failed(b.at.segment(), err)
			}
		}
	}
	return nil
}

// failed says what to do about an error of the disk.
func (j *journal) failed(s segment, err error) error {
	hint := "nothing before this is lost; start the crawl again when the disk works"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		hint = "the disk is full: make room; the crawl goes on from here"
	}
	return fmt.Errorf("write %q: %w: %s", filepath.Join(j.dir, s.file()), err, hint)
}

// soon is how much less than usual the first batch of a process waits. Each batch after it waits twice as long as the
// one before, up to what is usual: a crawl that is killed soon after its start, again and again, gets on all the same.
const soon = 64

// run writes what is pending, a while after the first of it has been told.
func (j *journal) run(clock frontier.Clock, every time.Duration) {
	j.stopped.Go(func() {
		for wait := every / soon; ; wait = min(2*wait, every) {
			select {
			case <-j.dirty:
			case <-j.quit:
				return
			}
			ring, giveUp := clock.After(wait)
			select {
			case <-ring:
			case <-j.hurry:
			case <-j.quit:
				giveUp()
				return
			}
			giveUp()
			j.flush() // an error is kept, and told to whoever appends next
		}
	})
}

// close writes what is pending, and a last mark that says so. An error does not keep it from closing.
func (j *journal) close() error {
	close(j.quit)
	j.stopped.Wait()
	err := j.flush()
	j.mu.Lock()
	marked := err == nil && j.files[j.end.segment()] != nil
	if marked {
		j.current()
	}
	j.mu.Unlock()
	if marked {
		err = j.flush()
	}
	return errors.Join(err, j.closeFiles())
}
