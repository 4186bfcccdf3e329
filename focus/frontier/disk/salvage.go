package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Salvaged tells what Salvage found.
type Salvaged struct {
	Items   int      // there ever were, as far as can be told
	Waiting int      // of them, those that wait again
	Lost    int      // of them, those whose address could not be read: they are given up
	Skipped int64    // bytes that could not be read
	Damage  []string // where, and what was found there
	Kept    string   // the folder that holds the damaged files now
}

// Salvage reads what can be read of the frontier in a folder that Open refuses as damaged, and puts a sound one in its
// place; the old files are kept beside it. What is lost are the frames that are damaged: an address that was found
// there is found again if some other page links to it; an outcome that stood there is told again by a second visit.
func Salvage(dir string) (Salvaged, error) {
	lock, err := LockFolder(dir)
	if err != nil {
		return Salvaged{}, err
	}
	defer lock.Release()
	inv, err := takeInventory(dir)
	if err != nil {
		return Salvaged{}, err
	}
	v := &salvage{state: newState(dir, frontier.Manners{})}
	v.inv = inv
	v.order.Restore(0)
	v.readSnapshots()
	for _, s := range append(append([]segment(nil), inv.bases...), inv.logs...) {
		if err := v.readSegment(s); err != nil {
			return v.report, err
		}
	}
	made := dir + ".new"
	if err := errors.Join(os.RemoveAll(made), os.MkdirAll(made, 0o755), v.write(made)); err != nil {
		return v.report, fmt.Errorf("disk: salvage into %q: %w", made, err)
	}
	return v.report, v.swap(made)
}

// salvage is a state that is put together from what is left.
type salvage struct {
	*state
	report Salvaged
	from   position // the position of the snapshot: what outcomes told before it is in its sums
	begun  []said   // the transaction whose end has not been seen yet
}

// readSnapshots takes sums, hosts and learned state from the newest snapshot that can be read. The items are taken
// from the log, which says all of them.
func (v *salvage) readSnapshots() {
	for i := len(v.inv.snapshots) - 1; i >= 0; i-- {
		path := filepath.Join(v.dir, snapshotFile(v.inv.snapshots[i]))
		st := newState(v.dir, frontier.Manners{})
		if err := st.readSnapshot(path); err != nil {
			v.damage(err)
			continue
		}
		v.sums, v.learned, v.from, v.out = st.sums, st.learned, st.end, st.out
		for _, h := range st.order.HostRecords() {
			v.order.RestoreHost(h)
		}
		return
	}
}

func (v *salvage) damage(err error) { v.report.Damage = append(v.report.Damage, err.Error()) }

// readSegment applies every frame of a segment that can be read.
func (v *salvage) readSegment(s segment) error {
	data, err := v.readLog(s)
	if err != nil {
		return err
	}
	if k, err := cutHead(data, s); err != nil {
		v.damage(&DamageError{v.path(s), 0, err})
	} else if v.key == (key{}) {
		v.key = k
	}
	bad := 0 // bytes skipped in a row
	for offset := min(segmentHead, len(data)); offset < len(data); {
		k, commit, body, n, err := cutFrame(data[offset:])
		if err != nil {
			if bad == 0 {
				v.damage(&DamageError{v.path(s), int64(offset), err})
			}
			bad++
			offset++
			v.report.Skipped++
			continue
		}
		bad = 0
		v.begun = append(v.begun, said{k, body, at(s, int64(offset)), n})
		offset += n
		if commit || s&bases != 0 {
			v.applyOpen()
		}
	}
	return nil
}

// applyOpen applies a transaction, or what is left of it.
func (v *salvage) applyOpen() {
	for _, x := range v.begun {
		if x.kind == kindMark {
			continue
		}
		if err := v.applyAnyway(x); err != nil {
			v.damage(&DamageError{v.path(x.at.segment()), x.at.offset(), err})
			v.report.Skipped += int64(x.size)
		}
	}
	v.begun = v.begun[:0]
}

// applyAnyway makes room for items whose own frame is lost, and does not count twice what the snapshot counted.
func (v *salvage) applyAnyway(x said) error {
	if x.kind == kindItem {
		it, err := cutItem(x.body)
		if err != nil {
			return err
		}
		return v.placeItem(&it, x.at)
	}
	if id, about := aboutItem(x); about {
		if err := v.makeRoom(id); err != nil {
			return err
		}
	}
	if x.at.segment()&bases == 0 && x.at < v.from {
		switch x.kind {
		case kindDone:
			e, err := cutEnded(x.body)
			if err == nil {
				e.counters, e.files, e.lesson = nil, nil, nil
				at, out := v.sums.at, v.out
				v.applyEnded(kindDone, &e)
				v.sums.at, v.out = at, out
			}
			return err
		case kindSums, kindPace, kindRest, kindCommit:
			return nil
		case kindLease:
			out := v.out
			defer func() { v.out = out }()
		}
	}
	return v.apply(x)
}

// aboutItem is the item that a frame is about.
func aboutItem(x said) (id uint64, ok bool) {
	switch x.kind {
	case kindRaise, kindScore, kindStand, kindDrop, kindLease, kindLapse, kindDone, kindState:
		id = (&cutter{b: x.body}).uint()
	}
	return id, id > 0
}

// lostInARow is how many items in a row are believed to be lost: a number beyond is no item's.
const lostInARow = 1 << 20

// makeRoom adds items without an address up to an id.
func (v *salvage) makeRoom(id uint64) error {
	if id > uint64(v.order.Count())+lostInARow {
		return errUnknownItem
	}
	for uint64(v.order.Count()) < id {
		if _, err := v.order.Add("", 0, 0, 0, link{}); err != nil {
			return err
		}
	}
	return nil
}

func (v *salvage) placeItem(it *frontier.Item, at position) error {
	if it.ID > uint64(v.order.Count()) {
		if err := v.makeRoom(it.ID - 1); err != nil {
			return err
		}
		_, err := v.order.Add(it.Host, it.Tier, it.Score, it.Alt, link{base: at})
		return err
	}
	v.order.Link(it.ID).base = at
	return nil
}

// write writes a sound frontier into a folder.
func (v *salvage) write(dir string) error {
	var o Options
	o.defaults()
	if v.key == (key{}) {
		return errors.New("not one file has a head that can be read")
	}
	if err := v.writeLog(dir, &o); err != nil {
		return err
	}
	f, err := Open(dir, frontier.Manners{}, Options{AtOnce: true})
	if err != nil {
		return err
	}
	v.report.Items, v.report.Waiting = f.order.Count(), f.order.Len()
	if err = f.Snapshot(v.learned); err == nil {
		err = f.Settle()
	}
	if err == nil {
		f.log.append(kindSums, true, func(b []byte) []byte { return appendAllSums(b, &v.sums, v.lessons) })
	}
	return errors.Join(err, f.Close())
}

// writeLog writes every item as it is by now, hosts and leases.
func (v *salvage) writeLog(dir string, o *Options) error {
	from := &Frontier{dir: v.dir, log: newJournal(v.dir, o), order: v.order}
	defer from.log.closeFiles()
	to := newJournal(dir, o)
	to.key, to.end, to.safe = v.key, at(1, segmentHead), at(1, segmentHead)
	hosts := v.order.HostRecords()
	for id := uint64(1); id <= uint64(v.order.Count()); id++ {
		v.writeItem(from, to, id)
		if to.pending.Load() > plentyPending {
			if err := to.flush(); err != nil {
				return err
			}
		}
	}
	for _, h := range hosts {
		to.append(kindPace, false, func(b []byte) []byte { return appendHostPace(b, h.Name, h.Pace) })
		if !h.Next.IsZero() {
			to.append(kindRest, false, func(b []byte) []byte { return appendHostTime(b, h.Name, h.Next) })
		}
	}
	for _, l := range v.out {
		if st := v.order.Standing(l.ID); st.State == frontier.Leased && v.order.Link(l.ID).base != 0 {
			to.append(kindLease, false, leased{id: l.ID, at: l.At}.append)
		}
	}
	to.append(kindCommit, true, nil)
	return to.close()
}

// writeItem writes an item in one frame, and its state in another if it does not wait.
func (v *salvage) writeItem(from *Frontier, to *journal, id uint64) {
	l, st := v.order.Link(id), v.order.Standing(id)
	it, err := frontier.Item{}, errGone
	if l.base != 0 {
		it, err = from.read(*l)
	}
	if err != nil && (l.body != 0 || l.nums != 0) { // the address may still be read, if not what was told of it later
		it, err = from.read(link{base: l.base})
	}
	if err != nil {
		it = frontier.Item{URL: fmt.Sprintf("lost:%d", id)}
		st.State = frontier.Dropped
		v.report.Lost++
	} else {
		it.Tier, it.Score, it.Alt = st.Tier, st.Score, st.Alt
	}
	it.ID = id
	to.append(kindItem, false, func(b []byte) []byte { return appendItem(b, &it) })
	if st.State == frontier.Finished || st.State == frontier.Dropped {
		to.append(kindState, false, func(b []byte) []byte { return appendState(b, id, st.State) })
	}
}

// swap puts the new folder into the place of the old one.
func (v *salvage) swap(made string) error {
	kept := v.dir + ".damaged"
	for n := 2; ; n++ {
		if _, err := os.Lstat(kept); errors.Is(err, os.ErrNotExist) {
			break
		}
		kept = fmt.Sprintf("%s.damaged-%d", v.dir, n)
	}
	if err := os.Rename(v.dir, kept); err != nil {
		return fmt.Errorf("disk: salvage: %w", err)
	}
	v.report.Kept = kept
	if err := os.Rename(made, v.dir); err != nil {
		return fmt.Errorf("disk: salvage: %w: the sound files are in %q", err, made)
	}
	return syncDir(filepath.Dir(v.dir))
}
