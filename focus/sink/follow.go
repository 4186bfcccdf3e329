package sink

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
)

// Line is one line of the harvest, and where it stands.
type Line struct {
	File   string // its name below the run folder
	Offset int64
	Text   []byte // without the end of the line; its bytes are written over by the next line
}

// Follow reads the lines of a harvest that stand behind a position in each of its files: what was kept since. It ends
// before a line that is still being written. Lines may be empty: Repair leaves such where one could not be read.
func Follow(dir string, from map[string]int64) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		names, err := PageFiles(dir)
		if err != nil {
			yield(Line{}, err)
			return
		}
		for _, name := range names {
			if !followFile(dir, name, from[name], yield) {
				return
			}
		}
	}
}

// followFile reads whole lines from an offset on. A line that has no end yet is being written, and is left for the next time.
func followFile(dir, name string, offset int64, yield func(Line, error) bool) bool {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return yield(Line{}, fmt.Errorf("follow harvest: %w", err))
	}
	defer f.Close()
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return yield(Line{}, fmt.Errorf("follow harvest: %w", err))
	}
	in := longLines{Reader: bufio.NewReaderSize(f, 256<<10)}
	for {
		line, err := in.next()
		if err == io.EOF {
			return true
		}
		if err != nil {
			return yield(Line{}, fmt.Errorf("follow harvest: %s at byte %d: %w", f.Name(), offset, err))
		}
		if !yield(Line{name, offset, line[:len(line)-1]}, nil) {
			return false
		}
		offset += int64(len(line))
	}
}

// PageFiles are the files of pages that may be kept: those of the harvest, and then kept.jsonl where a second look has
// written one. A page may stand in both. Of a run whose pages were visited again kept.jsonl has the latest of each, and is all.
func PageFiles(dir string) ([]string, error) {
	if _, again := visitedAgain(dir); again && HasKept(dir) {
		return []string{FileKept}, nil
	}
	names, err := HarvestFiles(dir)
	if err == nil && HasKept(dir) {
		names = append(names, FileKept)
	}
	return names, err
}

// Overtaken tells of a file of a harvest that what later visits found stands in the place of.
func Overtaken(path string) bool {
	_, harvest := jsonl.number(filepath.Base(path))
	_, again := visitedAgain(filepath.Dir(path))
	return harvest && again && HasKept(filepath.Dir(path))
}

// HarvestFiles are the names of the files of a harvest, in order; none where nothing was kept yet.
func HarvestFiles(dir string) ([]string, error) { return listed(jsonl, dir) }

// Archives are the names of the WARC files of a run folder, in order; none where the run has no warc sink.
func Archives(dir string) ([]string, error) { return listed(archives, dir) }

func listed(s series, dir string) ([]string, error) {
	names, err := s.list(dir)
	if err != nil {
		return nil, fmt.Errorf("read run folder: %w", err)
	}
	return names, nil
}
