package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// write writes a sound frontier into a folder.
func (v *salvage) write(dir string) error {
	var o Options
	o.defaults()
	if v.key == (key{}) { // no head can be read; addresses are hashed anew when the log is opened
		var err error
		if v.key, err = newKey(); err != nil {
			return err
		}
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

// old reads items where they stand in the damaged files.
func (v *salvage) old(o *Options) *Frontier {
	return &Frontier{dir: v.dir, log: newJournal(v.dir, o), order: v.order}
}

// ask asks the witness for what cannot be read any more.
func (v *salvage) ask(witness Witness) error {
	if witness == nil {
		return nil
	}
	var o Options
	o.defaults()
	from := v.old(&o)
	defer from.log.closeFiles()
	var lost []uint64
	for id := uint64(1); id <= uint64(v.order.Count()); id++ {
		if _, err := v.item(from, id); err != nil {
			lost = append(lost, id)
		}
	}
	account, err := witness(Remains{lost, v.sums.files, func(id uint64) (frontier.Item, error) {
		if !v.known(id) {
			return frontier.Item{}, errUnknownItem
		}
		return v.item(from, id)
	}})
	if err != nil {
		return err
	}
	v.told = account.Items
	if account.Files != nil {
		v.sums.files = account.Files
	}
	for id := uint64(1); id <= uint64(v.order.Count()); id++ {
		if now := v.order.Standing(id).State; account.Finished[id] && (now == frontier.Waiting || now == frontier.Leased) {
			v.order.RestoreState(id, frontier.Finished)
			v.out = withoutLease(v.out, id)
			v.report.Finished++
		}
	}
	return nil
}

// writeLog writes every item as it is by now, hosts and leases.
func (v *salvage) writeLog(dir string, o *Options) error {
	from := v.old(o)
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
		if st := v.order.Standing(l.ID); st.State == frontier.Leased && v.addressed(l.ID) {
			to.append(kindLease, false, leased{id: l.ID, at: l.At}.append)
		}
	}
	to.append(kindCommit, true, nil)
	return to.close()
}

// item is what can be read of an item.
func (v *salvage) item(from *Frontier, id uint64) (frontier.Item, error) {
	l := v.order.Link(id)
	if l.base == 0 {
		return frontier.Item{}, errGone
	}
	it, err := from.read(*l)
	if err != nil && (l.body != 0 || l.nums != 0) { // the address may still be read, if not what was told of it later
		it, err = from.read(link{base: l.base})
	}
	return it, err
}

// addressed tells whether an item is not lost, as far as can be told without reading it.
func (v *salvage) addressed(id uint64) bool {
	_, remembered := v.told[id]
	return remembered || v.order.Link(id).base != 0
}

// writeItem writes an item in one frame, and its state in another if it does not wait.
func (v *salvage) writeItem(from *Frontier, to *journal, id uint64) {
	st := v.order.Standing(id)
	it, err := v.item(from, id)
	recalled, remembered := v.told[id]
	switch {
	case err == nil:
		it.Tier, it.Score, it.Alt = st.Tier, st.Score, st.Alt
	case remembered:
		it = recalled
		if id <= uint64(v.stood) || st.Score != 0 { // somebody told it after the push
			it.Tier, it.Score, it.Alt = st.Tier, st.Score, st.Alt
		}
		v.report.Recalled++
	default:
		it = frontier.Item{URL: fmt.Sprintf("lost:%d", id)}
		st.State = frontier.Dropped
		v.report.Lost++
	}
	it.ID = id
	to.append(kindItem, false, func(b []byte) []byte { return appendItem(b, &it) })
	if st.State == frontier.Finished || st.State == frontier.Dropped {
		to.append(kindState, false, func(b []byte) []byte { return appendState(b, id, st.State) })
	}
}

// swap puts the new folder into the place of the old one.
func (v *salvage) swap(made string) error {
	n := 1
	for ; ; n++ {
		if _, err := os.Lstat(nthKept(v.dir, n)); errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	kept := nthKept(v.dir, n)
	if err := os.Rename(v.dir, kept); err != nil {
		return fmt.Errorf("disk: salvage: %w", err)
	}
	v.report.Kept = kept
	if err := os.Rename(made, v.dir); err != nil {
		return fmt.Errorf("disk: salvage: %w: the sound files are in %q", err, made)
	}
	return syncDir(filepath.Dir(v.dir))
}
