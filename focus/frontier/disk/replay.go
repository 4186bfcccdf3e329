package disk

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// said is a frame of a transaction whose end has not been seen yet.
type said struct {
	kind kind
	body []byte
	at   position
	size int
}

// replay goes through the log from st.end to the last frame that ends a transaction.
func (st *state) replay() error {
	from := st.end
	if err := st.complete(from.segment()); err != nil {
		return err
	}
	reached := from // behind the last good frame
	var open []said
	s := from.segment()
	for ; slices.Contains(st.inv.logs, s); s++ {
		data, err := st.readLog(s)
		if err != nil {
			return err
		}
		bad, err := st.replaySegment(s, data, &reached, &open)
		if err != nil {
			return err
		}
		if bad != nil {
			return st.tornOrDamaged(s, data, reached, bad)
		}
	}
	if last := len(st.inv.logs) - 1; last >= 0 && st.inv.logs[last] > s {
		return st.missing(s)
	}
	return nil
}

func (st *state) path(s segment) string { return filepath.Join(st.dir, s.file()) }

func (st *state) missing(s segment) error {
	return &DamageError{st.path(s), 0, errors.New("the file is missing")}
}

// complete checks that the files are there in which the items of the snapshot stand, or the first log if there is
// none but there are later ones.
func (st *state) complete(last segment) error {
	for _, b := range st.bases {
		if !slices.Contains(st.inv.bases, b) {
			return st.missing(b)
		}
	}
	if st.snapshot == 0 && len(st.inv.bases) > 0 && !slices.Contains(st.inv.logs, 1) { // the logs went when there was one
		return &DamageError{filepath.Join(st.dir, snapshotFile(1)), 0, errors.New("the file is missing, and so is what it replaced")}
	}
	if st.snapshot == 0 && len(st.inv.logs) == 0 {
		return nil
	}
	for s := st.oldest; s <= last; s++ {
		if !slices.Contains(st.inv.logs, s) && (st.snapshot == 0 || st.hadBefore(s)) {
			return st.missing(s)
		}
	}
	return nil
}

var errGap = errors.New("what follows is missing")

// replaySegment applies the transactions of a segment behind reached. Their frames lie in open until one ends the transaction, which may be
// in a later segment; those that lie there when there is no more log were never said. bad is why it could not be read to its end.
func (st *state) replaySegment(s segment, data []byte, reached *position, open *[]said) (bad, err error) {
	if bad, err = st.checkHead(s, data); bad != nil || err != nil {
		return bad, err
	}
	bad = frames(s, data, reached, func(x said, commit bool) bool {
		if x.kind != kindMark {
			*open = append(*open, x)
		}
		if commit {
			err = st.applyAll(*open)
			*open, st.end = (*open)[:0], x.at+position(x.size)
		}
		return err == nil
	})
	return bad, err
}

// frames goes through a segment behind reached, and moves reached on, until see answers false. bad is why it could not be read
// to its end: every frame must be as it was written, and every batch follow the one before it.
func frames(s segment, data []byte, reached *position, see func(x said, commit bool) bool) (bad error) {
	next := max(*reached, at(s, segmentHead))
	if next.offset() > int64(len(data)) {
		return errShort
	}
	for next.offset() < int64(len(data)) {
		kind, commit, body, n, err := cutFrame(data[next.offset():])
		if err != nil {
			return err
		}
		if kind == kindMark {
			var m mark
			if err := read(body, m.code); err != nil {
				return err
			}
			if m.follows != *reached && *reached != at(s, segmentHead) { // in front of it is a snapshot, or nothing
				return errGap
			}
		}
		x := said{kind, body, next, n}
		next += position(n)
		if *reached = next; !see(x, commit) {
			return nil
		}
	}
	return nil
}

// checkHead reads the head of a segment, which names the format and the key.
func (st *state) checkHead(s segment, data []byte) (bad, err error) {
	bad = st.head(s, data)
	if otherVersion(bad) {
		return nil, fmt.Errorf("%q: %w", st.path(s), bad)
	}
	if bad != nil && st.hadBefore(s) { // it was safe when the snapshot was written
		return nil, &DamageError{st.path(s), 0, bad}
	}
	return bad, nil
}

// head reads the head of a segment. The first says what the key is.
func (st *state) head(s segment, data []byte) error {
	k, err := cutHead(data, s)
	switch {
	case err != nil:
		return err
	case st.key == key{}:
		st.key = k
	case st.key != k:
		return errForeign
	}
	return nil
}

// hadBefore tells whether a part of a segment was safe when the snapshot was written.
func (st *state) hadBefore(s segment) bool { return st.snapshot > 0 && at(s, segmentHead) < st.end }

// tornOrDamaged decides what a bad frame behind reached is: the torn end of a batch that was being written when the
// process ended, or damage of what had been safe. The marks of later batches say how far the log was safe.
func (st *state) tornOrDamaged(s segment, data []byte, reached position, bad error) error {
	where := max(reached, at(s, 0))
	if bad == errGap {
		where = reached
	} else if st.head(s, data) != nil {
		where = at(s, 0)
	}
	damage := &DamageError{st.path(where.segment()), where.offset(), bad}
	if int64(len(data)) < st.end.offset() && st.hadBefore(s) {
		return damage // the snapshot was written when all this was safe
	}
	for _, later := range st.inv.logs {
		if later < s {
			continue
		}
		if later > s {
			var err error
			if data, err = st.readLog(later); err != nil {
				return err
			}
		}
		if markBeyond(data, reached) {
			return damage
		}
	}
	st.torn = true
	return nil
}

// markBeyond finds a mark that says that more than p was safe.
func markBeyond(data []byte, p position) bool {
	const before = 1 + 4 + 1 // length, checksum, kind
	for from := 0; ; {
		i := bytes.Index(data[from:], []byte(markMagic))
		if i < 0 {
			return false
		}
		if start := from + i - before; start >= 0 {
			if k, _, body, _, err := cutFrame(data[start:]); err == nil && k == kindMark {
				var m mark
				if read(body, m.code) == nil && m.safe > p {
					return true
				}
			}
		}
		from += i + 1
	}
}

var errUnknownItem = errors.New("the frame is about an item that there is not")

// tidy cuts off what follows the last transaction, and removes what is left of unfinished work. It is the first that changes a file, when
// everything has been read and compared; what cannot be read is safe under another name before it is cut off here.
func (st *state) tidy() error {
	files, err := os.ReadDir(st.dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		s, isSegment := segmentOf(f.Name())
		path := filepath.Join(st.dir, f.Name())
		switch {
		case isSegment && s&bases == 0 && s > st.end.segment(): // behind the end of what can be read
			if info, serr := f.Info(); serr == nil && info.Size() > segmentHead {
				err = setAside(path, 0, info.Size())
			}
			fallthrough
		case isSegment && !st.needs(s) || unfinished(f.Name()) || st.superseded(f.Name()):
			if err == nil {
				err = os.Remove(path)
			}
		}
		if err != nil {
			return err
		}
	}
	path := st.path(st.end.segment())
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil && info.Size() > st.end.offset() && st.torn {
		err = setAside(path, st.end.offset(), info.Size())
	}
	if err == nil && st.end.offset() == segmentHead { // not one transaction: it is begun anew, head and all
		if err = os.Remove(path); err == nil {
			return nil
		}
	}
	if err == nil && info.Size() > st.end.offset() {
		err = os.Truncate(path, st.end.offset())
	}
	if err == nil {
		err = syncFile(path)
	}
	if err != nil {
		return fmt.Errorf("cut off what no outcome ends: %w", err)
	}
	return nil
}

// setAside keeps the end of a file that cannot be read under a name that says so: what a process was writing when it was
// killed, or what the disk has made of its last words.
func setAside(path string, from, to int64) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s.unread-at-%d", path, from)
	for n := 2; ; n++ {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			name = fmt.Sprintf("%s.unread-at-%d-%d", path, from, n)
			continue
		}
		if err != nil {
			return err
		}
		_, err = f.Write(data[from:min(to, int64(len(data)))])
		return errors.Join(err, f.Sync(), f.Close())
	}
}

// needs tells whether a segment is referred to by the snapshot, or replayed behind it.
func (st *state) needs(s segment) bool {
	if s&bases != 0 {
		return slices.Contains(st.bases, s)
	}
	return st.oldest <= s && s <= st.end.segment()
}

// superseded tells of a snapshot that is not the newest: the process was killed before it could remove it.
func (st *state) superseded(name string) bool {
	n, ok := snapshotOf(name)
	return ok && n != st.snapshot
}

// syncFile makes sure that what is about to be relied on is on the disk.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
