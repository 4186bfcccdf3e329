package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// state is what the files of a frontier say.
type state struct {
	dir      string
	order    *frontier.Schedule[link]
	seen     *seen
	key      key
	sums     sums
	tally    tally
	out      []frontier.Lease
	learned  []byte
	lessons  [][]byte
	end      position // behind the last frame that ends a transaction
	snapshot uint64
	bases    []segment
	oldest   segment
	inv      inventory
	from     position // where the snapshot ends, and what is replayed begins
	torn     bool     // behind the end stands what cannot be read
	readLog  func(segment) ([]byte, error)
}

// load reads the newest snapshot and the log behind it. It changes no file.
func load(dir string, m frontier.Manners) (*state, error) {
	inv, err := takeInventory(dir)
	if err != nil {
		return nil, err
	}
	st := newState(dir, m)
	st.inv = inv
	if n := len(inv.snapshots); n > 0 {
		st.snapshot = inv.snapshots[n-1]
		if err := st.readSnapshot(filepath.Join(dir, snapshotFile(st.snapshot))); err != nil {
			return nil, err
		}
	} else {
		st.order.Restore(0)
	}
	st.from = st.end
	if err := st.replay(); err != nil {
		return nil, err
	}
	return st, nil
}

func newState(dir string, m frontier.Manners) *state {
	st := &state{dir: dir, order: frontier.NewSchedule[link](m), seen: new(seen), end: at(1, segmentHead), oldest: 1}
	st.readLog = func(s segment) ([]byte, error) { return os.ReadFile(st.path(s)) }
	return st
}

// readSnapshot fills the state from a snapshot.
func (st *state) readSnapshot(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := newSnapshotReader(f)
	hashes := make(chan []uint64, 16)
	filled := make(chan struct{})
	go func() { // the table of what was seen costs as much as all the rest
		defer close(filled)
		st.fillSeen(hashes)
	}()
	err = st.readFrames(r, hashes)
	close(hashes)
	<-filled
	if otherVersion(err) {
		return fmt.Errorf("%q: %w", path, err)
	}
	if withheld := (*fs.PathError)(nil); errors.As(err, &withheld) { // the disk does not read: nobody knows whether it is damaged
		return withheld
	}
	if err != nil {
		return &DamageError{path, r.offset, err}
	}
	return nil
}

// readFrames reads a snapshot frame by frame. It must have exactly as many items and hosts as its head says.
func (st *state) readFrames(r *snapshotReader, hashes chan<- []uint64) error {
	var h head
	var hosts []frontier.HostRecord
	err := r.each(func(k kind, body []byte) (err error) {
		switch k {
		case snapHead:
			if err = readHead(body, &h); err == nil {
				st.end, st.key, st.sums, st.tally = h.at, h.key, h.sums, h.tally
				st.out, st.bases, st.oldest = h.out, h.bases, h.oldest
				st.order.Restore(h.served)
			}
		case snapLearned:
			st.learned = append(st.learned, body...)
		case snapHosts:
			n := len(hosts)
			err = read(body, func(k *pack.Coder) { codeHosts(k, &hosts) })
			for _, r := range hosts[n:] {
				st.order.RestoreHost(r)
			}
		case snapTurns:
			var turns []uint32
			if err = read(body, func(k *pack.Coder) { codeTurns(k, &turns) }); err == nil && !st.order.RestoreTurns(turns) {
				err = errFrame
			}
		case snapItems:
			err = st.restoreItems(body, hashes)
		default:
			err = errFrame
		}
		return err
	})
	if err == nil && (uint64(st.order.Count()) != h.items || uint64(len(hosts)) != h.hosts) {
		err = errFrame
	}
	return err
}

// restoreItems adds the items of a frame, and hands their hashes to the goroutine that fills the table.
func (st *state) restoreItems(body []byte, hashes chan<- []uint64) error {
	if len(body)%itemSize != 0 {
		return errFrame
	}
	hs := make([]uint64, 0, len(body)/itemSize)
	for k := (pack.Coder{Bytes: body, Read: true}); len(k.Bytes) > 0; {
		var r frontier.Record[link]
		codeRecord(&k, &r)
		if r.State == frontier.Unknown || r.State > frontier.Shelved || frontier.Check(r.Score, r.Alt) != nil || !st.order.RestoreItem(r) {
			return errFrame
		}
		hs = append(hs, r.Link.hash)
	}
	hashes <- hs
	return nil
}

// fillSeen puts the hashes of the items, which come in the order of their ids.
func (st *state) fillSeen(hashes <-chan []uint64) {
	id := uint32(0)
	for hs := range hashes {
		for _, h := range hs {
			id++
			st.seen.put(h, id)
		}
	}
}
