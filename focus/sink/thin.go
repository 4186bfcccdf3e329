package sink

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// leftAfter is how much of its room the pages for a second look take when the least likely ones were removed: so much that it is
// seldom done.
const leftAfter = .75

// Of foreign pages one of so many goes last: a second look has to know what foreign pages look like.
const spareForeign = 16

// worth is how likely a second look wants a page: of two the one with the lower class goes first, then the less relevant one, then the
// later one.
type worth struct {
	class     int8
	size      int32
	relevance float64
}

// thin removes the least likely pages: the others are written anew behind those that are there, in their order, and the files that
// held them before are to go (see Sweep).
func (l *Looks) thin() error {
	if err := l.Sync(); err != nil {
		return err
	}
	names, err := l.series.list(l.dir)
	if err != nil {
		return fmt.Errorf("thin out the pages for a second look: %w", err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(l.gone, name) })
	if !l.known { // an earlier process has written them
		l.all = l.all[:0]
		if err := l.lines(names, func(line []byte) error {
			w, err := l.worthOf(line)
			l.all = append(l.all, w)
			return err
		}); err != nil {
			return err
		}
		l.known = true
	}
	stays := staying(l.all, int64(leftAfter*float64(l.Most)))
	if err := l.next(); err != nil {
		return err
	}
	at, left := 0, l.all[:0]
	if err := l.lines(names, func(line []byte) error {
		if at++; !stays[at-1] {
			return nil
		}
		left = append(left, l.all[at-1])
		return l.put(line)
	}); err != nil {
		return err
	}
	l.all = left
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		l.lengths[name] = 0
	}
	l.gone = append(l.gone, names...)
	l.short.Store(true)
	return nil
}

// staying tells of each page whether it stays, where so many bytes may.
func staying(all []worth, room int64) []bool {
	order := make([]int32, len(all))
	for at := range order {
		order[at] = int32(at)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(all[b].class, all[a].class), cmp.Compare(all[b].relevance, all[a].relevance), cmp.Compare(a, b))
	})
	stays := make([]bool, len(all))
	for _, at := range order {
		if room -= int64(all[at].size); room < 0 {
			break
		}
		stays[at] = true
	}
	return stays
}

// worthOf reads off the beginning of a line how likely its page is wanted.
func (l *Looks) worthOf(line []byte) (worth, error) {
	rest, ok := bytes.CutPrefix(line, []byte(lookBegins))
	number, _, more := bytes.Cut(rest, []byte(","))
	relevance, err := strconv.ParseFloat(string(number), 64)
	if !ok || !more || err != nil {
		var s Seen
		if err := s.UnmarshalJSON(line); err != nil {
			return worth{}, fmt.Errorf("pages for a second look: %w", err)
		}
		relevance = s.Record.Relevance // it stands behind blanks that a repair has left
	}
	return l.worth(relevance, [][]byte{line}, len(line)), nil
}

// worth is how likely a page is wanted of which a line in pieces tells.
func (l *Looks) worth(relevance float64, line [][]byte, n int) worth {
	w := worth{size: int32(n), class: 2, relevance: relevance}
	if relevance < .9*l.Threshold {
		var begins [128]byte // what it begins with tells it from others
		n := 0
		for _, p := range line {
			n += copy(begins[n:], p)
		}
		if w.class = 0; Key(string(begins[:n]))%spareForeign == 0 {
			w.class = 1
		}
	}
	return w
}

// lines visits the lines of files. A line is valid until the next.
func (l *Looks) lines(names []string, visit func(line []byte) error) error {
	in := longLines{Reader: bufio.NewReaderSize(nil, 1<<20)}
	for _, name := range names {
		f, err := os.Open(filepath.Join(l.dir, name))
		if err != nil {
			return err
		}
		in.Reset(f)
		for err == nil {
			var line []byte
			if line, err = in.next(); err == nil && !isBlank(line) {
				err = visit(line)
			}
		}
		f.Close()
		if !errors.Is(err, io.EOF) {
			return err
		}
	}
	return nil
}

// Thinned tells of files that are to go. They do when it is safe that what was written in their place is there: until then a crash
// takes the crawl back to them.
func (l *Looks) Thinned() bool { return l != nil && len(l.gone) > 0 }

// Sweep removes the files that are to go.
func (l *Looks) Sweep() error {
	for _, name := range l.gone {
		if err := os.Remove(filepath.Join(l.dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	l.gone = nil
	return nil
}
