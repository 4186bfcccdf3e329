// Package disk answers one question: how does a crawl go on where it was killed?
//
// Frontier is a frontier.Frontier that keeps its order in memory, in about a hundred bytes per link without a
// pointer, and its links in a log on the disk. There are three kinds of files in its folder:
//
//	log-000001 …       everything that was ever told, in order: frames with a checksum
//	base-000001 …      contents that compaction has moved out of the oldest logs
//	snapshot-000001    the order as it was at one position of the log, so that only the rest must be replayed
//
// What a visit pushes and its outcome (with counters, lesson and file lengths) are one transaction: on opening,
// whatever follows the last complete outcome is dropped, the visits that were under way are handed out first, in
// the order in which they were begun, and frontier, output files, counters and learned state agree again. A push
// that belongs to no visit (a seed, a link given by hand) is a transaction of its own. What else is told between two
// outcomes (scores, promotions, a host's pace) is kept with the second of them.
//
// The log is written and synced in batches, a second after the first thing in them was told, and the first batches of a
// process sooner.
package disk

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Options are what only this backend can be asked. The zero value is good.
type Options struct {
	// Every is how long what was told may stay in memory; 0 means a second.
	Every time.Duration
	// Clock is what Every is measured by; nil means the wall clock, whatever the clock of the manners is.
	Clock frontier.Clock
	// BeforeSync is called before a batch is written. What the outcomes in it say of the crawl's own files must be
	// on the disk when it returns. While it fails, nothing is written.
	BeforeSync func() error
	// AtOnce hands interrupted visits out again without regard to their hosts' clocks: for recorded webs, where
	// nobody is bothered and the crawl should go on as if nothing had happened.
	AtOnce bool
	// Whole lets nothing but outcomes and Commit end a transaction: a push that belongs to no visit is kept with the
	// next of them too. It is for crawls that write down files and lessons, which must agree with every push.
	Whole bool
	// Begun tells that something was kept here before: a log in which nothing can be read is damaged, and not new.
	Begun bool
	// Safe is what Safe answered once: a log that ends before is damaged, and not torn.
	Safe uint64
	// Lock is held already by who opens the folder, and stays with them.
	Lock *Lock
	// Segment is the size of a log file in bytes; 0 means 64 MiB.
	Segment int64

	open   func(path string) (file, error) // for tests of failing disks
	remove func(path string) error         // and of slow ones
	atOnce int64                           // for tests of long logs; 0 means readAtOnce
	most   int                             // for tests of large frames; 0 means maxFrame
}

func (o *Options) defaults() {
	if o.Every <= 0 {
		o.Every = time.Second
	}
	if o.Clock == nil {
		o.Clock = frontier.NewSchedule[struct{}](frontier.Manners{}).Clock()
	}
	if o.Segment <= 0 {
		o.Segment = 64 << 20
	}
	o.Segment = max(o.Segment, segmentHead+1) // room for a batch in any
	if o.atOnce == 0 {
		o.atOnce = readAtOnce
	}
	if o.most == 0 {
		o.most = maxFrame
	}
	if o.open == nil {
		o.open = func(path string) (file, error) { return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) }
	}
	if o.remove == nil {
		o.remove = os.Remove
	}
}

// Frontier is a frontier that outlives its process.
type Frontier struct {
	dir  string
	log  *journal
	lock *Lock // nil if it was opened for reading only, or the lock is another's

	mu       sync.Mutex
	order    *frontier.Schedule[link]
	seen     *seen
	door     frontier.Door
	key      key
	out      []frontier.Lease // in the order in which they were popped, the interrupted ones first
	sums     sums
	restored frontier.Restored
	atOnce   bool
	whole    bool
	closed   bool
	readOnly bool
	command  frontier.Command

	before    earlier
	verifying sync.WaitGroup
	failed    error // why nothing is told any more

	// Behind the last frame that ends a transaction there are frames (loose), some of which belong to a visit that is
	// under way (torn). committed is called when a frame ends a transaction, once.
	loose, torn bool
	committed   []func()

	snapshots snapshots
}

var (
	_ frontier.Frontier = (*Frontier)(nil)
	_ frontier.Trier    = (*Frontier)(nil)
	_ frontier.Finder   = (*Frontier)(nil)
	_ frontier.Rescorer = (*Frontier)(nil)
	_ frontier.Holder   = (*Frontier)(nil)
	_ frontier.Pacer    = (*Frontier)(nil)
	_ frontier.Renewer  = (*Frontier)(nil)
	_ frontier.Keeper   = (*Frontier)(nil)
	_ frontier.Batcher  = (*Frontier)(nil)
)

// link is where the parts of an item stand in the log. It holds no pointer.
type link struct {
	hash uint64
	base position // the address, and what was told with it
	body position // the last raise, 0 if there was none
	nums position // the last numbers since then, 0 if there were none
}

// Open opens the frontier in a folder, or makes one there. The folder is locked until Close.
func Open(dir string, m frontier.Manners, o Options) (*Frontier, error) {
	o.defaults()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("disk: make the frontier's folder: %w", err)
	}
	var own *Lock
	if o.Lock == nil {
		var err error
		if own, err = LockFolder(dir); err != nil {
			return nil, err
		}
	}
	f, err := open(dir, m, &o)
	if err != nil {
		if own != nil {
			own.Release()
		}
		return nil, err
	}
	f.lock = own
	f.log.run(o.Clock, o.Every)
	return f, nil
}

func open(dir string, m frontier.Manners, o *Options) (*Frontier, error) {
	st, err := load(dir, m)
	if err != nil {
		return nil, err
	}
	if o.Begun && st.order.Count() == 0 {
		return nil, &DamageError{st.path(1), 0, errNothing}
	}
	if err := st.reaches(o.Safe); err != nil {
		return nil, err
	}
	long := st.before.size() > o.atOnce
	if !long {
		err = st.before.verify(nil)
	}
	if err == nil {
		err = st.tidy()
	}
	if err != nil {
		return nil, err
	}
	if st.key == (key{}) {
		if st.key, err = newKey(); err != nil {
			return nil, err
		}
	}
	f := st.frontier(newJournal(dir, o), o.AtOnce)
	f.whole = o.Whole
	f.noteRests()
	if long {
		f.verifyBeside()
	}
	return f, nil
}

var (
	errNothing = errors.New("nothing of what was kept can be read")
	errCut     = errors.New("what follows was safe, and cannot be read any more")
)

func newKey() (key, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return key{}, fmt.Errorf("disk: %w", err)
	}
	return keyOf(b[:]), nil
}

// noteRests writes down how long the hosts of the interrupted visits rest.
func (f *Frontier) noteRests() {
	for _, l := range f.out {
		next := f.order.NextTurn(l.Host)
		f.log.append(kindRest, false, (&hosted{name: l.Host, until: next}).rest)
		f.told(false, false)
	}
}

// OpenReadOnly reads the frontier in a folder as it was told up to the last batch, even while a crawl runs there.
// Nothing can be pushed to it or popped from it.
func OpenReadOnly(dir string) (*Frontier, error) { return OpenReadOnlyAfter(dir, 0) }

// OpenReadOnlyAfter is OpenReadOnly of a log that is known to be as long as Safe answered once.
func OpenReadOnlyAfter(dir string, safe uint64) (*Frontier, error) {
	var o Options
	o.defaults()
	o.open = func(path string) (file, error) { return os.Open(path) }
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("disk: %w", err)
	}
	var st *state
	var err error
	for range 5 { // the crawl may be replacing a snapshot
		if st, err = load(dir, frontier.Manners{}); err == nil || !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	if err == nil {
		err = st.reaches(safe)
	}
	if err != nil {
		return nil, err
	}
	f := st.frontier(newJournal(dir, &o), false)
	f.readOnly = true
	return f, nil
}

// frontier is a frontier in the state that was loaded.
func (st *state) frontier(j *journal, atOnce bool) *Frontier {
	j.key, j.end, j.safe, j.tally = st.key, st.end, st.end, st.tally
	j.ended, j.kept = st.end, st.end
	st.order.Build(st.out, atOnce, st.sums.at)
	f := &Frontier{dir: st.dir, log: j, order: st.order, seen: st.seen, key: st.key, sums: st.sums,
		out: slices.Clone(st.out), atOnce: atOnce, door: frontier.Door{Clock: st.order.Clock()}, before: st.before}
	f.snapshots = snapshots{last: st.snapshot, bases: st.bases, oldest: st.oldest}
	f.restored = frontier.Restored{Items: st.order.Count(), Waiting: st.order.Len(), At: st.sums.at,
		Counters: st.sums.counters, Files: st.sums.files, Learned: st.learned, Lessons: st.lessons, Leases: st.out}
	f.sums = st.sums.clone()
	f.order.Lapsed = f.lapsed
	return f
}

// Restored is what was found when it was opened. After the first Snapshot it is without what was learned before.
func (f *Frontier) Restored() frontier.Restored {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.restored
}

var errReadOnly = errors.New("disk: the frontier was opened for reading only")

// begin takes the lock, and answers why nothing can be told.
func (f *Frontier) begin() error {
	if f.log.pending.Load() > tooMuchPending {
		if err := f.log.flush(); err != nil {
			return err
		}
	}
	f.mu.Lock()
	err := f.log.failure()
	switch {
	case f.closed:
		err = frontier.ErrClosed
	case f.readOnly:
		err = errReadOnly
	case f.failed != nil:
		err = f.failed
	}
	if err != nil {
		f.mu.Unlock()
	}
	return err
}

// told keeps account of what ends a transaction and what waits for that.
func (f *Frontier) told(commit, visit bool) {
	if !commit {
		f.loose, f.torn = true, f.torn || visit || f.whole
		return
	}
	f.loose, f.torn = false, false
	for _, do := range f.committed {
		do()
	}
	f.committed = nil
}

// tell lets those who wait know that something has changed.
func (f *Frontier) tell() {
	if f.door.Waiting() == 0 {
		return
	}
	_, ready, err := f.order.Next(0, f.order.Clock().Now())
	if f.closed {
		err = frontier.ErrClosed
	} else if f.failed != nil {
		err = f.failed
	}
	f.door.Tell(ready, err)
}

// Sync returns when everything told so far is on the disk, as far as it belongs to ended visits. After an error of
// the disk it tries again; once it succeeds, the frontier goes on.
func (f *Frontier) Sync() error {
	if f.readOnly {
		return errReadOnly
	}
	return f.log.flush()
}

// Safe is how far the log is on the disk, up to the last transaction in it. Whoever writes it down somewhere else can tell later that its end is gone (see
// Options.Safe).
func (f *Frontier) Safe() uint64 {
	f.log.mu.RLock()
	defer f.log.mu.RUnlock()
	return uint64(f.log.kept)
}

// reaches tells of a log whose end is gone: safe is what Safe answered once.
func (st *state) reaches(safe uint64) error {
	if st.end < position(safe) {
		return &DamageError{st.path(st.end.segment()), st.end.offset(), errCut}
	}
	return nil
}

// Close writes what is pending and gives up the folder. What a visit told that has not ended is dropped.
func (f *Frontier) Close() error {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return nil
	}
	if f.loose && !f.torn && !f.readOnly && f.failed == nil {
		f.commit()
	}
	f.closed = true
	f.tell()
	f.mu.Unlock()
	if f.readOnly {
		return f.log.closeFiles()
	}
	f.stopSnapshot()
	err := f.log.close()
	f.verifying.Wait()
	if err == nil {
		err = f.snapshots.failure()
	}
	if f.lock != nil {
		f.lock.Release()
	}
	return err
}

// Commit ends a transaction that no outcome ends, with a lesson and with what the crawl's own files have grown to.
// Nothing may be told of a visit that has begun to tell and not ended.
func (f *Frontier) Commit(lesson []byte, files map[string]int64) error {
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.Unlock()
	c := committed{files, lesson}
	f.log.append(kindCommit, true, c.code)
	f.told(true, false)
	f.sums.add(&ended{at: f.sums.at, files: files})
	return nil
}

// commit ends a transaction.
func (f *Frontier) commit() {
	f.log.append(kindCommit, true, nil)
	f.told(true, false)
}
