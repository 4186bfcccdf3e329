package sink

import (
	"bufio"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/whole"
)

// FileKept is the file of a run folder in which what a second look keeps stands whole.
const FileKept = "kept.jsonl"

// HasKept tells whether a second look has said what is kept of a run.
func HasKept(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, FileKept))
	return err == nil && info.Mode().IsRegular()
}

// Kept reads what is kept of a run: what the second look keeps, where there was one, else the harvest.
func Kept(dir string) iter.Seq2[*Record, error] {
	if !HasKept(dir) {
		return Harvest(dir)
	}
	return func(yield func(*Record, error) bool) { harvestFile(filepath.Join(dir, FileKept), false, yield) }
}

// KeptBriefly is Kept for who wants to know which pages are kept, and not what they say: text and Markdown are passed over.
func KeptBriefly(dir string) iter.Seq2[*Record, error] {
	if !HasKept(dir) {
		return harvestAgain(dir, harvestOnce(dir, true))
	}
	return func(yield func(*Record, error) bool) { harvestFile(filepath.Join(dir, FileKept), true, yield) }
}

// KeptPlaces visits what Kept reads, and tells where each record stands. An error ends it.
func KeptPlaces(dir string, visit func(*Record, Place)) error {
	kept := harvestPlaces(dir)
	if HasKept(dir) {
		kept = placesIn(dir, []string{FileKept})
	} else if below, ok := visitedAgain(dir); ok {
		kept = newest(dir, kept, later(jsonl, below, harvestPlaces), func(p placed) *Record { return p.record })
	}
	for p, err := range kept {
		if err != nil {
			return err
		}
		visit(p.record, p.at)
	}
	return nil
}

// placed is a record and where it stands.
type placed struct {
	record *Record
	at     Place
}

func harvestPlaces(dir string) iter.Seq2[placed, error] {
	names, err := HarvestFiles(dir)
	if err != nil {
		return func(yield func(placed, error) bool) { yield(placed{}, err) }
	}
	return placesIn(dir, names)
}

func placesIn(dir string, names []string) iter.Seq2[placed, error] {
	return func(yield func(placed, error) bool) {
		for _, name := range names {
			if !placedFile(filepath.Join(dir, name), false, func(r *Record, at Place, err error) bool { return yield(placed{r, at}, err) }) {
				return
			}
		}
	}
}

// WriteKept writes kept.jsonl of a run of which no second look is taken: all that is kept.
func WriteKept(dir string) error {
	return ReplaceKept(dir, func(put func(*Record) error) error {
		for r, err := range Harvest(dir) {
			if err == nil {
				err = put(r)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// ReplaceKept writes kept.jsonl of a run: the records that fill puts. What was there before stays until the new one is whole.
func ReplaceKept(dir string, fill func(put func(*Record) error) error) (err error) {
	path := filepath.Join(dir, FileKept)
	file, err := os.CreateTemp(dir, whole.Beside+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
			err = fmt.Errorf("%s: %w", path, err)
		}
	}()
	out := bufio.NewWriterSize(file, 256<<10)
	encoder, err := NewEncoder(out, "jsonl", nil)
	if err != nil {
		return err
	}
	if err = fill(encoder.Encode); err != nil {
		return err
	}
	if err = errors.Join(out.Flush(), file.Sync(), file.Close()); err != nil {
		return err
	}
	return whole.Replace(file.Name(), path)
}
