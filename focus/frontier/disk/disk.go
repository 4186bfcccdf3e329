// Package disk answers one question: how does a crawl go on where it was killed?
//
// Frontier is a frontier.Frontier that keeps its order in memory, in about a hundred bytes per link without a
// pointer, and its links in a log on the disk. There are three kinds of files in its folder:
//
//	log-000001 …       everything that was ever told, in order: frames with a checksum
//	base-000001 …      what was still needed of logs that were rewritten
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
	"errors"
	"sync"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

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

	failed error // why nothing is told any more

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

// Restored is what was found when the frontier was opened. What had been learned, which may be much, is let go of with the first
// Snapshot.
func (f *Frontier) Restored() frontier.Restored {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.restored
}

var errReadOnly = errors.New("the frontier was opened for reading only")

// begin takes the lock for somebody who is about to tell something, or answers why nothing can be told; then the lock is not held.
// What the disk is too slow for is written before the lock is taken, so that nobody waits for both.
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

// told keeps account of what ends a transaction and what waits for that. It is called for every frame, after it was appended: a
// snapshot gets its name only where nothing of a visit under way is in it, since that may yet be dropped (awaitCommit).
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

// Told is how far the log goes with what has been told, up to the last transaction in it: once Safe is as far, that is on the disk.
func (f *Frontier) Told() uint64 {
	f.log.mu.RLock()
	defer f.log.mu.RUnlock()
	return uint64(f.log.ended)
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
	if f.loose && !f.torn && !f.readOnly && f.failed == nil { // such as scores that were told since the last outcome: they are whole
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
