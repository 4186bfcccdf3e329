package sink

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/shell"
)

// A crawl that goes round again (package again) leaves the files of the first time as they are, and writes beside them, below
// FolderAgain: the pages that have changed or are new, in a harvest and in pages for a second look as those of the run, and when
// each page was there. Harvest and ReadLooks read both as one: the latest of each page.
const (
	FolderAgain = "again"
	FileVisited = "visits.jsonl"
	FileLinks   = "links.json" // of addresses, and which round was taken in last
	FilePlan    = "plan.json"  // of the round that is under way
)

// Visited is a line of visits.jsonl, as far as it says something of a record.
type Visited struct {
	ID  uint64 `json:"id"`
	Out bool   `json:"out,omitempty"` // it must not be kept any more
	Visits
}

// FilesAgain is what a round leaves when it is taken in, in the order in which it is written: the last makes it part of the run.
var FilesAgain = []string{jsonl.name(0), looks.name(0), FileVisited, FileLinks}

// WholeAgain tells which of the files that rounds have left is gone, of those that are named; nil where none is, or no round was taken
// in yet.
func WholeAgain(dir string, names ...string) error {
	isThere := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, FolderAgain, name))
		return !errors.Is(err, os.ErrNotExist)
	}
	if !isThere(FileLinks) && (firstRound(dir) || !slices.ContainsFunc(FilesAgain, isThere)) {
		return nil
	}
	for _, name := range names {
		if !isThere(name) {
			return AgainCured(dir, fmt.Errorf("%s is gone, which later visits have written", filepath.Join(dir, FolderAgain, name)))
		}
	}
	return nil
}

// firstRound tells of a first round that is under way.
func firstRound(dir string) bool {
	var plan struct{ Round int }
	text, err := os.ReadFile(filepath.Join(dir, FolderAgain, FilePlan))
	return err == nil && json.Unmarshal(text, &plan) == nil && plan.Round == 1
}

// AgainCured says what helps where something that later visits have left cannot be read. What the disk does not read is no damage.
func AgainCured(dir string, err error) error {
	if withheld := (*fs.PathError)(nil); errors.As(err, &withheld) {
		return err
	}
	return fmt.Errorf("%w: 'thresher repair --run %s' goes on with what is left", err, shell.Word(dir))
}

// EachVisited reads the lines of visits.jsonl; there are none of a run that was visited once.
func EachVisited[V any](dir string, take func(*V)) error {
	path := filepath.Join(dir, FolderAgain, FileVisited)
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return WholeAgain(dir, FileVisited)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	for in := json.NewDecoder(bufio.NewReaderSize(f, 1<<16)); ; {
		v := new(V)
		if err := in.Decode(v); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return AgainCured(dir, fmt.Errorf("%s: %w", path, err))
		}
		take(v)
	}
}

// readVisited reads what later visits say of pages, by number.
func readVisited(dir string) (map[uint64]Visited, error) {
	all := map[uint64]Visited{}
	err := EachVisited(dir, func(v *Visited) { all[v.ID] = *v })
	return all, err
}

// newest reads pages of a run, each as the latest visit found it: in the place of the first, with the way by which the crawl came to
// it, and those that were not there then behind them. of is the number of a page, and say tells it what its visits say.
func newest[P any](dir string, first, later iter.Seq2[P, error], record func(P) *Record) iter.Seq2[P, error] {
	of := func(p P) uint64 { return record(p).ID }
	return func(yield func(P, error) bool) {
		visited, err := readVisited(dir)
		var none P
		if err != nil {
			yield(none, err)
			return
		}
		put := func(p P) bool {
			v, said := visited[of(p)]
			if v.Out {
				return true
			}
			if said {
				record(p).Visits = v.Visits
			}
			return yield(p, nil)
		}
		changed, order, found := map[uint64]P{}, []uint64{}, map[string]bool{}
		for p, err := range later {
			if err != nil {
				yield(none, err)
				return
			}
			changed[of(p)] = p
			order = append(order, of(p))
			found[record(p).URL] = true
		}
		for p, err := range first {
			if err != nil {
				yield(none, err)
				return
			}
			if later, ok := changed[of(p)]; ok {
				delete(changed, of(p))
				record(later).Way = record(p).Way // a round goes straight to it
				p = later
			} else if found[record(p).URL] {
				continue // the crawl, gone on with, has come to what was found meanwhile
			}
			if !put(p) {
				return
			}
		}
		for _, id := range order {
			if p, ok := changed[id]; ok && !put(p) {
				return
			}
		}
	}
}

// visitedAgain is the folder of what a run was visited again for; ok tells that it was.
func visitedAgain(dir string) (below string, ok bool) {
	below = filepath.Join(dir, FolderAgain)
	for _, name := range []string{FileVisited, FileLinks} {
		if _, err := os.Stat(filepath.Join(below, name)); err == nil {
			return below, true
		}
	}
	return below, false
}

// VisitedAgain tells whether pages of a run were visited again.
func VisitedAgain(dir string) bool {
	_, again := visitedAgain(dir)
	return again
}

// Revised tells whether what is kept of a run is another than what its crawl kept: by a second look, or since its pages were visited again.
func Revised(dir string) bool {
	return VisitedAgain(dir) || HasKept(dir)
}

func harvestAgain(dir string, first iter.Seq2[*Record, error]) iter.Seq2[*Record, error] {
	below, ok := visitedAgain(dir)
	if !ok {
		return first
	}
	return newest(dir, first, later(jsonl, below, Harvest), func(r *Record) *Record { return r })
}

func looksAgain(dir string, as scan, first iter.Seq2[*Seen, error]) iter.Seq2[*Seen, error] {
	below, ok := visitedAgain(dir)
	if !ok {
		return first
	}
	return newest(dir, first, later(looks, below, func(below string) iter.Seq2[*Seen, error] { return readLooks(below, as) }), func(s *Seen) *Record { return s.Record })
}

// later reads files of a series that rounds have left, if there are any.
func later[P any](s series, below string, read func(string) iter.Seq2[P, error]) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		var none P
		names, err := s.list(below)
		if err == nil && len(names) == 0 {
			if err = WholeAgain(filepath.Dir(below), s.name(0)); err == nil {
				return
			}
		}
		if err != nil {
			yield(none, err)
			return
		}
		read(below)(yield)
	}
}
