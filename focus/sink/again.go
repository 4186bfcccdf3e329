package sink

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
)

// A crawl that goes round again (package again) leaves the files of the first time as they are, and writes beside them, below
// FolderAgain: the pages that have changed or are new, in a harvest and in pages for a second look as those of the run, and when
// each page was there. Harvest and ReadLooks read both as one: the latest of each page.
const (
	FolderAgain = "again"
	FileVisited = "visits.jsonl"
)

// Visited is a line of visits.jsonl, as far as it says something of a record.
type Visited struct {
	ID  uint64 `json:"id"`
	Out bool   `json:"out,omitempty"` // it must not be kept any more
	Visits
}

// ReadVisited reads what later visits say of pages, by number; nothing of a run that was visited once.
func ReadVisited(dir string) (map[uint64]Visited, error) {
	path := filepath.Join(dir, FolderAgain, FileVisited)
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := map[uint64]Visited{}
	for in := json.NewDecoder(bufio.NewReaderSize(f, 1<<16)); ; {
		var v Visited
		if err := in.Decode(&v); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all[v.ID] = v
	}
}

// newest reads pages of a run, each as the latest visit found it: in the place of the first, and those that were not there then
// behind them. of is the number of a page, and say tells it what its visits say.
func newest[P any](dir string, first, later iter.Seq2[P, error], record func(P) *Record) iter.Seq2[P, error] {
	of := func(p P) uint64 { return record(p).ID }
	return func(yield func(P, error) bool) {
		visited, err := ReadVisited(dir)
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
	_, err := os.Stat(filepath.Join(below, FileVisited))
	return below, err == nil
}

// Revised tells whether what is kept of a run is another than what its crawl kept: by a second look, or since its pages were visited again.
func Revised(dir string) bool {
	_, again := visitedAgain(dir)
	return again || HasKept(dir)
}

func harvestAgain(dir string, first iter.Seq2[*Record, error]) iter.Seq2[*Record, error] {
	below, ok := visitedAgain(dir)
	if !ok {
		return first
	}
	return newest(dir, first, maybe(jsonl, below, Harvest), func(r *Record) *Record { return r })
}

func looksAgain(dir string, first iter.Seq2[*Seen, error]) iter.Seq2[*Seen, error] {
	below, ok := visitedAgain(dir)
	if !ok {
		return first
	}
	return newest(dir, first, maybe(looks, below, ReadLooks), func(s *Seen) *Record { return s.Record })
}

// maybe reads files of a series, if there are any.
func maybe[P any](s series, dir string, read func(string) iter.Seq2[P, error]) iter.Seq2[P, error] {
	if names, err := s.list(dir); err == nil && len(names) == 0 {
		return func(func(P, error) bool) {}
	}
	return read(dir)
}
