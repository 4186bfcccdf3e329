package disk

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A snapshot is a file of frames: a head, the learned state, hosts, items, an end. Head, hosts and learned state are
// those of one position of the log. The items are copied a few thousand at a time while the crawl goes on, so
// each of them is as it was at that position or later. That is enough: what the log says behind the position is
// replayed over it, and it says how an item is, not by how much it changed. The snapshot gets its name only when
// everything that may be in it is safe in the log and belongs to ended transactions.
const (
	snapHead kind = iota + 1
	snapLearned
	snapHosts
	snapItems
	snapEnd
)

const (
	itemsPerFrame = 4096
	hostsPerFrame = 4096
	itemSize      = 4*8 + 4*4 + 1
)

func snapshotFile(n uint64) string { return fmt.Sprintf("snapshot-%06d", n) }

func snapshotOf(name string) (n uint64, ok bool) {
	_, err := fmt.Sscanf(name, "snapshot-%06d", &n)
	return n, err == nil && snapshotFile(n) == name
}

// snapshots is what a frontier knows of its snapshots.
type snapshots struct {
	last     uint64    // the number of the newest
	bases    []segment // the bases that items stand in
	oldest   segment   // the first log that is still needed
	obsolete []segment // no item stands in them any more; removed after the next snapshot
	busy     bool
	stopping bool
	wake     chan struct{} // closed by stop

	group sync.WaitGroup
	mu    sync.Mutex
	err   error
}

// head is the head of a snapshot.
type head struct {
	at     position
	key    key
	served uint64
	items  int
	hosts  int
	sums   sums
	tally  tally
	out    []frontier.Lease
	bases  []segment
	oldest segment
}

func (h *head) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(append(b, logMagic...), version)
	for _, x := range []uint64{uint64(h.at), h.key[0], h.key[1], h.served, uint64(h.items), uint64(h.hosts)} {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	b = appendInt(appendInt(appendInt(b, h.sums.live.items), h.sums.live.bodies), h.sums.live.nums)
	for _, t := range h.tally {
		b = appendInt(appendInt(b, t.frames), t.bytes)
	}
	b = appendUint(appendUint(b, uint64(h.oldest)), uint64(len(h.bases)))
	for _, s := range h.bases {
		b = appendUint(b, uint64(s))
	}
	b = appendTime(b, h.sums.at)
	b = appendSums(appendSums(b, h.sums.counters), h.sums.files)
	b = appendUint(b, uint64(len(h.out)))
	for _, l := range h.out {
		b = appendTime(appendString(appendUint(b, l.ID), l.Host), l.At)
	}
	return b
}

func cutSnapHead(body []byte) (h head, err error) {
	c := &cutter{b: body}
	if string(c.take(8)) != logMagic {
		return h, errHead
	}
	if v := binary.LittleEndian.Uint16(append(c.take(2), 0, 0)); v != version {
		return h, versionError(v)
	}
	h.at, h.key, h.served = position(c.fixed64()), key{c.fixed64(), c.fixed64()}, c.fixed64()
	h.items, h.hosts = int(c.fixed64()), int(c.fixed64())
	h.sums.live = live{c.int(), c.int(), c.int()}
	for i := range h.tally {
		h.tally[i].frames, h.tally[i].bytes = c.int(), c.int()
	}
	h.oldest = segment(c.uint())
	for n := c.uint(); n > 0 && !c.bad; n-- {
		h.bases = append(h.bases, segment(c.uint()))
	}
	h.sums.at = c.time()
	h.sums.counters, h.sums.files = c.sums(), c.sums()
	for n := c.uint(); n > 0 && !c.bad; n-- {
		h.out = append(h.out, frontier.Lease{ID: c.uint(), Host: c.string(), At: c.time()})
	}
	return h, c.done()
}

// Snapshot keeps what was learned, and the order of what waits, so that the log need be replayed only from here.
// It returns at once and writes in the background; while one snapshot is being written, another is left out. An
// error of the last one is told by the next call and by Close. What is learned must be as it is between two visits.
func (f *Frontier) Snapshot(learned []byte) error {
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.Unlock()
	if err := f.snapshots.failure(); err != nil {
		return err
	}
	if f.snapshots.busy {
		return nil
	}
	f.commit()
	h := &head{key: f.key, served: f.order.Served(), items: f.order.Count(), sums: f.sums.clone(),
		out: append([]frontier.Lease(nil), f.out...), bases: f.snapshots.bases, oldest: f.snapshots.oldest}
	h.at, h.tally = f.log.position()
	hosts := f.order.HostRecords()
	h.hosts = len(hosts)
	learned = append([]byte(nil), learned...)
	f.snapshots.busy, f.snapshots.wake = true, make(chan struct{})
	f.snapshots.group.Go(func() {
		err := f.writeSnapshot(h, hosts, learned)
		if err == nil {
			err = f.compact(h)
		}
		f.snapshots.finish(f, err)
	})
	return nil
}

// Settle returns when no snapshot is being written any more, with the error of the last.
func (f *Frontier) Settle() error {
	f.snapshots.group.Wait()
	return f.snapshots.failure()
}

func (s *snapshots) finish(f *Frontier, err error) {
	s.mu.Lock()
	if err != errStopped {
		s.err = err
	}
	s.mu.Unlock()
	f.mu.Lock()
	s.busy = false
	f.mu.Unlock()
}

// failure is why the last snapshot was not written. It is told once: the next may succeed.
func (s *snapshots) failure() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err, s.err = s.err, nil
	return err
}

var errStopped = errors.New("disk: the frontier was closed before the snapshot was complete")

func (f *Frontier) writeSnapshot(h *head, hosts []frontier.HostRecord, learned []byte) error {
	number := f.snapshots.last + 1
	path := filepath.Join(f.dir, snapshotFile(number))
	err := f.fillSnapshot(path+".new", h, hosts, learned)
	if err == nil {
		err = f.awaitCommit()
	}
	if err == nil {
		err = f.log.flush()
	}
	if err == nil {
		if err = os.Rename(path+".new", path); err == nil {
			err = syncDir(f.dir)
		}
	}
	if err != nil {
		os.Remove(path + ".new")
		if err == errStopped {
			return err
		}
		return fmt.Errorf("disk: snapshot %q: %w", path, err)
	}
	f.snapshots.last = number
	os.Remove(filepath.Join(f.dir, snapshotFile(number-1)))
	return f.removeObsolete()
}

func (f *Frontier) fillSnapshot(path string, h *head, hosts []frontier.HostRecord, learned []byte) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	w := &snapshotWriter{w: bufio.NewWriterSize(out, 1<<20)}
	w.frame(snapHead, h.append)
	w.frame(snapLearned, func(b []byte) []byte { return append(b, learned...) })
	for len(hosts) > 0 {
		n := min(hostsPerFrame, len(hosts))
		w.frame(snapHosts, func(b []byte) []byte { return appendHosts(b, hosts[:n]) })
		hosts = hosts[n:]
	}
	records := make([]frontier.Record[link], itemsPerFrame)
	for id := 1; id <= h.items && w.err == nil; id += itemsPerFrame {
		n := min(itemsPerFrame, h.items-id+1)
		f.mu.Lock()
		f.order.Records(uint64(id), records[:n])
		f.mu.Unlock()
		w.frame(snapItems, func(b []byte) []byte { return appendRecords(b, records[:n]) })
	}
	w.frame(snapEnd, nil)
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

// stop lets a snapshot be finished, unless it waits for the end of a visit, which will not come any more.
func (s *snapshots) stop(f *Frontier) {
	f.mu.Lock()
	if !s.stopping {
		s.stopping = true
		if s.wake != nil {
			close(s.wake)
		}
	}
	f.mu.Unlock()
	s.group.Wait()
}

type snapshotWriter struct {
	w   *bufio.Writer
	buf []byte
	err error
}

func (w *snapshotWriter) frame(k kind, fill func([]byte) []byte) {
	if w.err == nil {
		w.buf = appendFrame(w.buf[:0], k, false, fill)
		_, w.err = w.w.Write(w.buf)
	}
}

func appendHosts(b []byte, hosts []frontier.HostRecord) []byte {
	for _, h := range hosts {
		b = appendTime(appendString(b, h.Name), h.Next)
		b = appendUint(appendUint(appendInt(b, int64(h.Pace)), uint64(h.Fails)), h.Turn)
	}
	return b
}

func cutHosts(body []byte, see func(frontier.HostRecord)) error {
	c := &cutter{b: body}
	for len(c.b) > 0 {
		r := frontier.HostRecord{Name: c.string(), Next: c.time(), Pace: time.Duration(c.int())}
		r.Fails, r.Turn = int(c.uint()), c.uint()
		if !c.bad {
			see(r)
		}
	}
	return c.done()
}

func appendRecords(b []byte, rs []frontier.Record[link]) []byte {
	le := binary.LittleEndian
	for i := range rs {
		r := &rs[i]
		b = le.AppendUint64(b, r.Link.hash)
		b = le.AppendUint64(b, uint64(r.Link.base))
		b = le.AppendUint64(b, uint64(r.Link.body))
		b = le.AppendUint64(b, uint64(r.Link.nums))
		b = le.AppendUint32(b, r.Host)
		b = le.AppendUint32(b, r.Tier)
		b = le.AppendUint32(b, math.Float32bits(r.Score))
		b = le.AppendUint32(b, math.Float32bits(r.Alt))
		b = append(b, byte(r.State))
	}
	return b
}

func cutRecord(b []byte) (r frontier.Record[link]) {
	le := binary.LittleEndian
	r.Link = link{le.Uint64(b), position(le.Uint64(b[8:])), position(le.Uint64(b[16:])), position(le.Uint64(b[24:]))}
	r.Host, r.Tier = le.Uint32(b[32:]), le.Uint32(b[36:])
	r.Score, r.Alt = math.Float32frombits(le.Uint32(b[40:])), math.Float32frombits(le.Uint32(b[44:]))
	r.State = frontier.State(b[48])
	return r
}
