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
	Items    int      // there ever were, as far as can be told
	Waiting  int      // of them, those that wait again
	Recalled int      // of them, those whose address only the witness knew
	Lost     int      // of them, those whose address nobody knows: they are given up
	Finished int      // of them, those that would wait if the witness did not know that they were visited
	Skipped  int64    // bytes that could not be read
	Damage   []string // where, and what was found there
	Kept     string   // the folder that holds the damaged files now
}

// Account is what a witness knows of the links of a frontier.
type Account struct {
	// Items are those that were asked for, by id. Their scores and tiers count only where no snapshot tells them.
	Items map[uint64]frontier.Item
	// Finished are items whose visits have ended.
	Finished map[uint64]bool
	// Files are what the crawl's own files are to be cut back to; nil leaves it at what the frontier knew.
	Files map[string]int64
}

// Witness knows of a frontier's links what stood in damaged files: a crawl that writes down what it finds. It is asked
// once, of a frontier that may be read until it answers.
type Witness func(Remains) (Account, error)

// Remains are what could be read of a damaged frontier.
type Remains struct {
	Lost  []uint64                                      // items whose address cannot be read
	Files map[string]int64                              // what the crawl's own files had grown to at the last outcome that can be read
	Read  func(id uint64) (it frontier.Item, err error) // an item that is not lost
}

// Salvage reads what can be read of the frontier in a folder that Open refuses as damaged, and puts a sound one in its
// place; the old files are kept beside it. Where a snapshot can be read, every item stands as it stood there, whatever is
// missing of the log before. An address that stood in a damaged frame is asked of the witness, which may be nil;
// otherwise it is found again if some other page links to it. An outcome that stood there is told again by a second
// visit, unless the witness knows of the first.
func Salvage(dir string, witness Witness) (Salvaged, error) {
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
	if err := v.readSnapshots(); err != nil {
		return v.report, err
	}
	if err := v.readAll(); err != nil {
		return v.report, err
	}
	if err := v.ask(witness); err != nil {
		return v.report, err
	}
	if v.order.Count() == 0 {
		return v.report, fmt.Errorf("disk: salvage %q: no link can be read in it: begin the crawl afresh", dir)
	}
	made := dir + madeSuffix
	if err := errors.Join(os.RemoveAll(made), os.MkdirAll(made, 0o755), v.write(made)); err != nil {
		return v.report, fmt.Errorf("disk: salvage into %q: %w", made, err)
	}
	return v.report, v.swap(made)
}

// salvage is a state that is put together from what is left.
type salvage struct {
	*state
	report Salvaged
	from   position                 // the position of the snapshot: what outcomes told before it is in its sums
	then   *frontier.Schedule[link] // how the items stood there; nil if there is no snapshot, or they stand so
	begun  []said                   // the transaction whose end has not been seen yet
	stood  int                      // how many items the snapshot knew
	told   map[uint64]frontier.Item // what the witness knows of those that cannot be read
}

// readSnapshots takes sums, hosts and learned state from the newest snapshot that can be read. The items are taken
// from the log, which says all of them. One of another format is an error: nothing is put in its place.
func (v *salvage) readSnapshots() error {
	for i := len(v.inv.snapshots) - 1; i >= 0; i-- {
		path := filepath.Join(v.dir, snapshotFile(v.inv.snapshots[i]))
		st := newState(v.dir, frontier.Manners{})
		err := st.readSnapshot(path)
		if otherVersion(err) {
			return err
		}
		if err != nil {
			v.damage(err)
			continue
		}
		v.sums, v.learned, v.from, v.out, v.then = st.sums, st.learned, st.end, st.out, st.order
		v.stood, v.key = st.order.Count(), st.key
		for _, h := range st.order.HostRecords() {
			v.order.RestoreHost(h)
		}
		return nil
	}
	return nil
}

// readAll applies all that can be read, and lets the items stand as the snapshot says when its position is reached.
func (v *salvage) readAll() error {
	reached, next := at(1, 0), segment(0) // behind what there is, and the log that comes next
	for _, s := range v.inv.bases {
		if err := v.readSegment(s); err != nil {
			return err
		}
	}
	for _, s := range v.inv.logs {
		if next > 0 && s != next {
			v.damage(v.missing(next))
		}
		if s > v.from.segment() {
			v.stand()
		}
		if err := v.readSegment(s); err != nil {
			return err
		}
		info, err := os.Stat(v.path(s))
		if err != nil {
			return fmt.Errorf("disk: %w", err)
		}
		reached, next = at(s, info.Size()), s+1
	}
	if reached < v.from {
		v.damage(fmt.Errorf("disk: the log ends at byte %d of %q, and had reached byte %d of %q", reached.offset(), v.path(reached.segment()), v.from.offset(), v.path(v.from.segment())))
	}
	v.stand()
	return nil
}

// stand lets all items stand as the snapshot says.
func (v *salvage) stand() {
	if v.then == nil {
		return
	}
	v.applyOpen()
	records := make([]frontier.Record[link], v.then.Count())
	v.then.Records(1, records)
	if err := v.grow(uint64(len(records))); err != nil {
		v.damage(err)
		return
	}
	for i, r := range records {
		id := uint64(i + 1)
		v.order.Set(id, r.Tier, r.Score, r.Alt)
		v.order.RestoreState(id, r.State)
	}
	v.then = nil
}

func (v *salvage) damage(err error) { v.report.Damage = append(v.report.Damage, err.Error()) }

// readSegment applies every frame of a segment that can be read.
func (v *salvage) readSegment(s segment) error {
	data, err := v.readLog(s)
	if err != nil {
		return err
	}
	if k, err := cutHead(data, s); otherVersion(err) {
		return fmt.Errorf("disk: %q: %w", v.path(s), err)
	} else if err != nil {
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
		if s&bases == 0 && at(s, int64(offset)) >= v.from {
			v.stand()
		}
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
		id = cut(x.body).Number()
	}
	return id, id > 0
}

// lostInARow is how many items in a row are believed to be lost: a number beyond is no item's.
const lostInARow = 1 << 20

// makeRoom adds items without an address up to an id that a frame names.
func (v *salvage) makeRoom(id uint64) error {
	if id > uint64(v.order.Count())+lostInARow {
		return errUnknownItem
	}
	return v.grow(id)
}

// grow adds items without an address up to an id.
func (v *salvage) grow(id uint64) error {
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
