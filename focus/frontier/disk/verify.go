package disk

import (
	"errors"
	"fmt"
)

var (
	errEnd     = errors.New("the file ends too early")
	errForeign = errors.New("the file belongs to another frontier")
)

// earlier are the files of which a part stands in front of the snapshot, in the order in which they were written.
func (st *state) earlier() []segment {
	all := append([]segment(nil), st.bases...)
	for s := st.oldest; st.snapshot > 0 && at(s, segmentHead) < st.from; s++ {
		all = append(all, s)
	}
	return all
}

// verify compares what stands in front of the snapshot with its checksums. It is not replayed, and the items are read there
// when their turn comes, hours after the crawl began or never: damage must not be met so late.
func (st *state) verify() error {
	var reached position // in bases, and in logs that follow one
	for _, s := range st.earlier() {
		data, err := st.readLog(s)
		if err != nil {
			return err
		}
		if s == st.from.segment() {
			data = data[:min(int64(len(data)), st.from.offset())]
		}
		if s&bases != 0 || s == st.oldest {
			reached = at(s, segmentHead)
		}
		err = st.verifySegment(s, data, &reached)
		if otherVersion(err) {
			return fmt.Errorf("%q: %w", st.path(s), err)
		}
		if err != nil {
			return &DamageError{st.path(s), max(reached, at(s, 0)).offset(), err}
		}
	}
	return nil
}

// verifySegment goes through all frames of a segment. One that compaction wrote must end with its mark, and the log up to the snapshot
// must be as long as it was when that was written: a file that ends early has no bad frame.
func (st *state) verifySegment(s segment, data []byte, reached *position) error {
	if err := st.head(s, data); err != nil {
		*reached = at(s, 0)
		return err
	}
	last := kind(0)
	err := frames(s, data, reached, func(x said, _ bool) bool { last = x.kind; return true })
	if err == nil && (s&bases != 0 && last != kindMark || s == st.from.segment() && *reached != st.from) {
		return errEnd
	}
	return err
}
