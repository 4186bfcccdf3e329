package focus

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// Gone is a part of a WARC file of a run that cannot be read, and is left out of it now.
type Gone struct {
	File     string
	From, To int64 // bytes of the file
	Why      string
}

// mendArchives takes out of the WARC files of a run what cannot be read, up to the next record that can, and keeps it beside
// them. A file stays as long as it is, and every record where it is. ought is as in mendHarvest.
func (done *Repaired) mendArchives(dir string, ought map[string]int64) error {
	before := len(done.Gone)
	paths, err := mendEach(dir, "pages-*.warc.gz", ought, func(path string, length int64) error {
		gaps, err := sink.Gaps(path, length)
		if err == nil && len(gaps) > 0 {
			err = done.fill(path, gaps)
		}
		return err
	})
	if err != nil || len(done.Gone) == before && done.Ended == "" {
		return err
	}
	return done.findUnarchived(dir, paths)
}

// fill keeps parts of a WARC file beside it, and puts members that hold nothing in their places.
func (done *Repaired) fill(path string, gaps []warc.Gap) error {
	if err := done.mark(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	defer f.Close()
	aside, err := os.OpenFile(path+".damaged", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	for _, g := range gaps {
		_, cerr := io.Copy(aside, io.NewSectionReader(f, g.From, g.To-g.From))
		err = errors.Join(err, cerr)
	}
	if err = errors.Join(err, aside.Sync(), aside.Close()); err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	for _, g := range gaps {
		if _, err := f.WriteAt(warc.Filler(g.To-g.From), g.From); err != nil {
			return fmt.Errorf("focus: mend %s: %w", path, err)
		}
		done.Gone = append(done.Gone, Gone{path, g.From, g.To, g.Why.Error()})
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("focus: mend %s: %w", path, err)
	}
	done.GoneAside = append(done.GoneAside, f.Name()+".damaged")
	return nil
}

// findUnarchived finds the pages that were kept, and are in none of the WARC files.
func (done *Repaired) findUnarchived(dir string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	there := map[string]bool{}
	for _, path := range paths {
		if err := sink.Exchanges(path, func(address string) { there[address] = true }); err != nil {
			return err
		}
	}
	return readAnyway(filepath.Join(dir, fileLog), func(d *Decision) bool {
		if d.Decision == "keep" && !there[d.URL] && !slices.Contains(done.Unarchived, d.URL) {
			done.Unarchived = append(done.Unarchived, d.URL)
		}
		return true
	})
}
