package sink

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
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
	class     int
	relevance float64
	at, size  int
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
	var all []worth
	if err := l.lines(names, func(line []byte) error {
		w, err := l.worthOf(line)
		w.at = len(all)
		all = append(all, w)
		return err
	}); err != nil {
		return err
	}
	stays := staying(all, int64(leftAfter*float64(l.Most)))
	if err := l.next(); err != nil {
		return err
	}
	at := 0
	if err := l.lines(names, func(line []byte) error {
		if at++; !stays[at-1] {
			return nil
		}
		return l.put(line)
	}); err != nil {
		return err
	}
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
	slices.SortFunc(all, func(a, b worth) int {
		return cmp.Or(cmp.Compare(b.class, a.class), cmp.Compare(b.relevance, a.relevance), cmp.Compare(a.at, b.at))
	})
	stays := make([]bool, len(all))
	for _, w := range all {
		if room -= int64(w.size); room < 0 {
			break
		}
		stays[w.at] = true
	}
	return stays
}

// worthOf reads off the beginning of a line how likely its page is wanted.
func (l *Looks) worthOf(line []byte) (worth, error) {
	w := worth{size: len(line), class: 2}
	rest, ok := bytes.CutPrefix(line, []byte(lookBegins))
	number, _, more := bytes.Cut(rest, []byte(","))
	var err error
	if w.relevance, err = strconv.ParseFloat(string(number), 64); !ok || !more || err != nil {
		var s Seen
		if err := json.Unmarshal(line, &s); err != nil {
			return w, fmt.Errorf("pages for a second look: %w", err)
		}
		w.relevance = s.Record.Relevance // a line of an older version
	}
	if w.relevance < .9*l.Threshold {
		if w.class = 0; Key(string(line))%spareForeign == 0 {
			w.class = 1
		}
	}
	return w, nil
}

// lines visits the lines of files.
func (l *Looks) lines(names []string, visit func(line []byte) error) error {
	for _, name := range names {
		f, err := os.Open(filepath.Join(l.dir, name))
		if err != nil {
			return err
		}
		in := bufio.NewReaderSize(f, 256<<10)
		for err == nil {
			var line []byte
			if line, err = in.ReadBytes('\n'); err == nil {
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
