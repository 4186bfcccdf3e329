package disk

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// A snapshot is a file of frames: a head, the learned state, hosts, items, and an end with the checksum of them all. Head,
// hosts and learned state are those of one position of the log. The items are copied a few thousand at a time while the crawl goes on, so
// each of them is as it was at that position or later. That is enough: what the log says behind the position is
// replayed over it, and it says how an item is, not by how much it changed. The snapshot gets its name only when
// everything that may be in it is safe in the log and belongs to ended transactions, and when it has been read through as it
// stands on the disk: the one before it goes then.
const (
	snapHead kind = iota + 1
	snapLearned
	snapHosts
	snapItems
	snapEnd
	snapTurns // only where hosts have a share
)

const (
	itemsPerFrame = 4096
	hostsPerFrame = 4096
	learnedFrame  = 1 << 20 // bytes of what was learned: whoever reads or writes it holds one
	itemSize      = 4*8 + 4*4 + 1
)

func snapshotFile(n uint64) string { return fmt.Sprintf("snapshot-%06d", n) }

func snapshotOf(name string) (n uint64, ok bool) {
	_, err := fmt.Sscanf(name, "snapshot-%06d", &n)
	return n, err == nil && snapshotFile(n) == name
}

// snapshots is what a frontier knows of its snapshots.
type snapshots struct {
	last     uint64        // the number of the newest
	bases    []segment     // the bases that items stand in
	oldest   segment       // the first log that is still needed
	running  chan struct{} // closed when the snapshot that is being written is finished; nil if there is none
	wake     chan struct{} // closed by stop
	stopping bool
	damage   func(path string) error // for tests of disks that lie; nil without

	mu  sync.Mutex
	err error
}

// Snapshot keeps what was learned, and the order of what waits, so that the log need be replayed only from here.
// It returns at once and writes in the background; while one snapshot is being written, another is left out. An
// error of the last one is told by the next call and by Close. What is learned must be as it is between two visits, and it is not
// copied: nobody may change it any more.
func (f *Frontier) Snapshot(learned []byte) error {
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.Unlock()
	if err := f.snapshots.failure(); err != nil {
		return err
	}
	if f.snapshots.running != nil {
		return nil
	}
	f.commit()
	f.restored.Learned, f.restored.Lessons = nil, nil // they may be large, and what is learned now contains them
	h := &head{key: f.key, served: f.order.Served(), items: uint64(f.order.Count()), sums: f.sums.clone(),
		out: append([]frontier.Lease(nil), f.out...), bases: f.snapshots.bases, oldest: f.snapshots.oldest}
	h.at, h.tally = f.log.position()
	if h.compact = f.worthCompacting(h); h.compact {
		h.at, h.before = f.log.fill(), h.tally
	}
	h.turns = f.order.Turns()
	hosts := f.order.HostRecords()
	h.hosts = uint64(len(hosts))
	f.snapshots.running, f.snapshots.wake = make(chan struct{}), make(chan struct{})
	go func() {
		f.finishSnapshot(f.writeSnapshot(h, hosts, learned))
	}()
	return nil
}

// Settle returns when no snapshot is being written any more, with the error of the last.
func (f *Frontier) Settle() error {
	f.mu.Lock()
	running := f.snapshots.running
	f.mu.Unlock()
	if running != nil {
		<-running
	}
	return f.snapshots.failure()
}

// finishSnapshot keeps the error for whoever asks next. That the frontier was closed meanwhile is none: the snapshot before is there.
func (f *Frontier) finishSnapshot(err error) {
	f.snapshots.mu.Lock()
	if err != errStopped {
		f.snapshots.err = err
	}
	f.snapshots.mu.Unlock()
	f.mu.Lock()
	close(f.snapshots.running)
	f.snapshots.running = nil
	f.mu.Unlock()
}

// failure is why the last snapshot was not written. It is told once: the next may succeed.
func (s *snapshots) failure() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err, s.err = s.err, nil
	return err
}

var errStopped = errors.New("the frontier was closed before the snapshot was complete")

// writeSnapshot writes a snapshot, and compacts the log where that is worth while. A process may be killed between any two of its steps:
// files are safe before a snapshot names them, a snapshot has been read back before it has its name, and what it replaces goes last.
func (f *Frontier) writeSnapshot(h *head, hosts []frontier.HostRecord, learned []byte) error {
	number := f.snapshots.last + 1
	path := filepath.Join(f.dir, snapshotFile(number))
	var anew *rewritten
	var err error
	if h.compact {
		anew, err = f.rewrite(h)
	}
	if err == nil {
		err = f.fillSnapshot(path+".new", h, hosts, learned, anew)
	}
	if err == nil && f.snapshots.damage != nil {
		err = f.snapshots.damage(path + ".new")
	}
	if err == nil {
		err = checkSnapshot(path + ".new")
	}
	if err == nil {
		err = f.awaitCommit()
	}
	if err == nil {
		err = f.log.flush()
	}
	if err == nil {
		if err = os.Rename(path+".new", path); err == nil {
			if err = syncDir(f.dir); err != nil {
				os.Remove(path) // it may name what is abandoned, and the one before it is still there
			}
		}
	}
	if err != nil {
		os.Remove(path + ".new")
		if anew != nil {
			anew.abandon()
		}
		if err == errStopped {
			return err
		}
		return fmt.Errorf("snapshot %q: %w", path, err)
	}
	f.snapshots.last = number
	os.Remove(filepath.Join(f.dir, snapshotFile(number-1)))
	if anew != nil {
		return anew.takeOver(h)
	}
	return nil
}

// fillSnapshot writes the file. The lock is held for itemsPerFrame items at a time and never while the disk is written to, so that
// the crawl goes on beside it.
func (f *Frontier) fillSnapshot(path string, h *head, hosts []frontier.HostRecord, learned []byte, anew *rewritten) error {
	out, err := create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	w := &snapshotWriter{w: bufio.NewWriterSize(out, 1<<20)}
	w.frame(snapHead, h.code)
	for some := range slices.Chunk(learned, learnedFrame) {
		w.frame(snapLearned, func(k *pack.Coder) { k.Left(&some) })
	}
	for some := range slices.Chunk(hosts, hostsPerFrame) {
		w.frame(snapHosts, func(k *pack.Coder) { codeHosts(k, &some) })
	}
	if len(h.turns) > 0 {
		w.frame(snapTurns, func(k *pack.Coder) { codeTurns(k, &h.turns) })
	}
	records := make([]frontier.Record[link], itemsPerFrame)
	for id := uint64(1); id <= h.items && w.err == nil; id += itemsPerFrame {
		n := min(itemsPerFrame, h.items-id+1)
		f.mu.Lock()
		f.order.Records(id, records[:n])
		f.mu.Unlock()
		w.frame(snapItems, func(k *pack.Coder) {
			for i := range records[:n] {
				records[i].Link = anew.stand(id+uint64(i), records[i].Link)
				codeRecord(k, &records[i])
			}
		})
	}
	w.frame(snapEnd, w.seen.code)
	if w.err == nil {
		w.err = w.w.Flush()
	}
	if w.err == nil {
		w.err = out.Sync()
	}
	return w.err
}

// awaitCommit waits until no frame that the snapshot may know of belongs to a visit that is under way.
func (f *Frontier) awaitCommit() error {
	f.mu.Lock()
	if !f.torn {
		if f.loose {
			f.commit()
		}
		f.mu.Unlock()
		return nil
	}
	if f.snapshots.stopping {
		f.mu.Unlock()
		return errStopped
	}
	committed, wake := make(chan struct{}), f.snapshots.wake
	f.committed = append(f.committed, func() { close(committed) })
	f.mu.Unlock()
	select {
	case <-committed:
		return nil
	case <-wake:
		return errStopped
	}
}

// stopSnapshot lets a snapshot be finished, unless it waits for the end of a visit, which will not come any more.
func (f *Frontier) stopSnapshot() {
	f.mu.Lock()
	if !f.snapshots.stopping {
		f.snapshots.stopping = true
		if f.snapshots.wake != nil {
			close(f.snapshots.wake)
		}
	}
	running := f.snapshots.running
	f.mu.Unlock()
	if running != nil {
		<-running
	}
}
