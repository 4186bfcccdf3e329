package sink

import (
	"fmt"
	"os"
	"path/filepath"
)

// Cut takes the files of a run folder back to the lengths that were committed: longer files are cut, and files of sinks
// that were begun after the last commit, which lengths does not name, are removed. A file that is shorter than its
// committed length, or gone, has lost finished pages: that is an error, and then nothing is touched.
func Cut(dir string, lengths map[string]int64) error {
	for name, want := range lengths {
		if !filepath.IsLocal(name) || want < 0 {
			return fmt.Errorf("cut back %q to %d bytes: want a file below the run folder, and a length", name, want)
		}
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if os.IsNotExist(err) && want == 0 {
			continue
		}
		if err != nil {
			return fmt.Errorf("cut back: %d bytes of finished pages are gone: %w: restore the file, or begin afresh", want, err)
		}
		if info.Size() < want {
			return fmt.Errorf("cut back %s: it holds %d bytes, %d were committed: finished pages are missing: restore the file, or begin afresh",
				path, info.Size(), want)
		}
	}
	for name, want := range lengths {
		if err := os.Truncate(filepath.Join(dir, name), want); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("cut back: %w", err)
		}
	}
	for _, s := range everySeries {
		if err := s.removeBut(dir, lengths); err != nil {
			return fmt.Errorf("cut back: %w", err)
		}
	}
	return nil
}

// removeBut removes the files of a series that were never committed, and those that are to go.
func (s series) removeBut(dir string, committed map[string]int64) error {
	found, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range found {
		if _, ok := s.number(f.Name()); !ok {
			continue
		}
		if length, ok := committed[f.Name()]; ok && (length > 0 || !s.thinned) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	return nil
}
