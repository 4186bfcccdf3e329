package focus

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// A crawl that machines share leaves one run folder for each of them, and they are read as one run: item numbers are the
// crawl's. A visit whose machine was taken for dead may stand in two of them.

// Parts are the run folders right below a folder, in the order of their names.
func Parts(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var parts []string
	for _, e := range entries {
		if part := filepath.Join(dir, e.Name()); isRun(part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// OpenRuns opens the folder of a run, or one with the folders of all machines that share a crawl.
func OpenRuns(dir string) (*Run, error) {
	run, err := OpenRun(dir)
	if !errors.Is(err, os.ErrNotExist) || isRun(dir) {
		return run, err
	}
	parts := Parts(dir)
	if len(parts) == 0 {
		return nil, err
	}
	if run, err = OpenRun(parts[0]); err != nil {
		return nil, err
	}
	for _, part := range parts[1:] {
		other, err := ReadStanding(part)
		if err != nil {
			return nil, err
		}
		if other.Name != run.Standing.Name {
			return nil, fmt.Errorf("focus: %s holds runs of several crawls, %q and %q among them: name one of %s", dir,
				run.Standing.Name, other.Name, strings.Join(parts, ", "))
		}
	}
	run.Dir, run.Parts = dir, parts
	return run, nil
}

// own is a folder of the run that says what it is.
func (r *Run) own() string {
	if len(r.Parts) > 0 {
		return r.Parts[0]
	}
	return r.Dir
}

// readLogs reads the logs of several folders as one, in the order of their times.
func readLogs(dirs []string, visit func(*Decision) bool) error {
	heads, errs := make([]*Decision, len(dirs)), make([]error, len(dirs))
	nexts := make([]func() (*Decision, bool), len(dirs))
	for i, dir := range dirs {
		next, stop := iter.Pull(func(yield func(*Decision) bool) { errs[i] = ReadLog(filepath.Join(dir, fileLog), yield) })
		defer stop()
		nexts[i] = next
		heads[i], _ = next()
	}
	for {
		first := -1
		for i, d := range heads {
			if d != nil && (first < 0 || d.Time.Before(heads[first].Time)) {
				first = i
			}
		}
		if first < 0 || !visit(heads[first]) {
			return errors.Join(errs...)
		}
		heads[first], _ = nexts[first]()
	}
}
