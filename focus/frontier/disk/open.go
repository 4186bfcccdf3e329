package disk

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Open opens the frontier in a folder, or makes one there. The folder is locked until Close.
func Open(dir string, m frontier.Manners, o Options) (*Frontier, error) {
	o.defaults()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the frontier's folder: %w", err)
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

// open loads the state, and changes files only when everything has been read and compared (tidy): a folder that is refused as damaged
// is left as it was found, for repair to read.
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
	if err := st.verify(); err != nil {
		return nil, err
	}
	if err := st.tidy(); err != nil {
		return nil, err
	}
	if st.key == (key{}) {
		if st.key, err = newKey(); err != nil {
			return nil, err
		}
	}
	f := st.frontier(newJournal(dir, o), o.AtOnce)
	f.whole = o.Whole
	return f, nil
}

var (
	errNothing = errors.New("nothing of what was kept can be read")
	errCut     = errors.New("what follows was safe, and cannot be read any more")
)

func newKey() (key, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return key{}, err
	}
	return keyOf(b[:]), nil
}

// OpenReadOnly reads the frontier in a folder as it was told up to the last batch, even while a crawl runs there.
// Nothing can be pushed to it or popped from it.
func OpenReadOnly(dir string) (*Frontier, error) {
	return openReadOnly(dir, func(*state) error { return nil })
}

// Examine is OpenReadOnly of a log that is known to be as long as Safe answered once, and reads through what stands in front
// of the snapshot, as Open does.
func Examine(dir string, safe uint64) (*Frontier, error) {
	return openReadOnly(dir, func(st *state) error { return errors.Join(st.reaches(safe), st.verify()) })
}

// openReadOnly reads what is there beside a crawl that may be running, which it neither locks nor hinders.
func openReadOnly(dir string, check func(*state) error) (*Frontier, error) {
	var o Options
	o.defaults()
	o.open = func(path string) (file, error) { return os.Open(path) }
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	var st *state
	var err error
	for range 5 { // the crawl may be replacing a snapshot
		if st, err = load(dir, frontier.Manners{}); err == nil || !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	if err == nil {
		err = check(st)
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
		out: slices.Clone(st.out), atOnce: atOnce, door: frontier.Door{Clock: st.order.Clock()}}
	f.snapshots = snapshots{last: st.snapshot, bases: st.bases, oldest: st.oldest}
	f.restored = frontier.Restored{Items: st.order.Count(), Waiting: st.order.Len(), At: st.sums.at,
		Counters: st.sums.counters, Files: st.sums.files, Learned: st.learned, Lessons: st.lessons, Leases: st.out}
	f.sums = st.sums.clone()
	f.order.Lapsed = f.lapsed
	return f
}
