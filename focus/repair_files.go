package focus

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// Short is a file of a run that is shorter than it was: what it has lost, nobody has.
type Short struct {
	Name        string
	Have, Ought int64 // bytes: up to the end of its last whole record, and those that were there
}

// measure looks how long the files of a run are. A file that has lost its end is whole up to its last whole record.
func (done *Repaired) measure(dir string, ought map[string]int64) (map[string]int64, error) {
	have := map[string]int64{}
	for _, name := range slices.Sorted(maps.Keys(ought)) {
		have[name] = ought[name]
		path := filepath.Join(dir, name)
		if reaches(path, ought[name]) {
			continue
		}
		length, _, err := sink.Whole(path)
		if err != nil {
			return nil, err
		}
		if length >= ought[name] {
			continue // what is damaged is not its end
		}
		have[name] = length
		done.Short = append(done.Short, Short{name, length, ought[name]})
	}
	return have, done.findMissing(dir, have)
}

// reaches tells whether a file is as long as it was told to be; one of lines must also end one there.
func reaches(path string, length int64) bool {
	f, err := os.Open(path)
	if err != nil {
		return length == 0 && errors.Is(err, os.ErrNotExist)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < length || length == 0 || filepath.Ext(path) != ".jsonl" {
		return err == nil && info.Size() >= length
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], length-1)
	return err == nil && last[0] == '\n'
}

// findMissing finds the pages that were kept and are in the harvest no more: its records are in the order of the log.
func (done *Repaired) findMissing(dir string, have map[string]int64) error {
	i := slices.IndexFunc(done.Short, func(s Short) bool { return strings.HasPrefix(s.Name, "harvest") })
	if i < 0 {
		return nil
	}
	cut := done.Short[i].Name
	before, after := 0, 0 // records in front of the gap, and behind it
	for name := range have {
		if !strings.HasPrefix(name, "harvest") || filepath.Ext(name) != filepath.Ext(cut) {
			continue
		}
		_, records, err := sink.Whole(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if len(name) < len(cut) || len(name) == len(cut) && name <= cut {
			before += records
		} else {
			after += records
		}
	}
	var kept []string
	err := readAnyway(filepath.Join(dir, fileLog), func(d *Decision) bool {
		if d.Decision == "keep" {
			kept = append(kept, d.URL)
		}
		return true
	})
	if err != nil {
		return err
	}
	if gap := len(kept) - after; gap > before {
		done.Missing = kept[before:gap]
	}
	return nil
}

// mendFiles cuts files that have lost their end back to what is whole, and makes those anew that are gone: the sinks of
// the run go on with them.
func (done *Repaired) mendFiles(dir string) error {
	for _, s := range done.Short {
		f, err := os.OpenFile(filepath.Join(dir, s.Name), os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return fmt.Errorf("focus: %w", err)
		}
		if err := errors.Join(f.Truncate(s.Have), f.Sync(), f.Close()); err != nil {
			return fmt.Errorf("focus: cut back %s: %w", f.Name(), err)
		}
	}
	return nil
}
