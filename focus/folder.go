package focus

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The files of a run folder. Sinks add their own.
const (
	fileCrawl    = "crawl.yaml"    // the crawl file as it ran
	fileStrategy = "strategy.yaml" // the strategy as it ran
	fileLog      = "crawl.log"     // one line per decision
	fileMeter    = "meter.csv"     // how the crawl stood after each page
	fileReport   = "report.html"   // the same for people, made at the end
	fileState    = "state"         // what a run needs to go on
	fileRun      = "run.json"      // below state: how the run stands
	fileLock     = "lock"          // below state: held while the run goes on
)

// Standing is how a run stands, as its folder says.
type Standing struct {
	Name        string    `json:"name"`
	State       string    `json:"state"` // running, finished or interrupted
	Reason      string    `json:"reason,omitempty"`
	Strategy    string    `json:"strategy"`
	Fingerprint string    `json:"fingerprint"` // of the strategy
	Started     time.Time `json:"started"`
	Ended       time.Time `json:"ended,omitzero"`
	Pages       int       `json:"pages"`
	Relevant    int       `json:"relevant"`
	Kept        int       `json:"kept"`
	Waiting     int       `json:"waiting"`
}

// folder is the run folder of a crawl: opened, locked, and written to.
type folder struct {
	dir      string
	lock     *os.File
	standing Standing
}

// openFolder makes or opens a run folder. A folder that holds a run is refused unless fresh clears it away.
func openFolder(dir string, standing Standing, fresh bool) (*folder, error) {
	if err := os.MkdirAll(filepath.Join(dir, fileState), 0o755); err != nil {
		return nil, fmt.Errorf("focus: run folder %s: %w; give another with --store DIR", dir, err)
	}
	lock, err := lockFile(filepath.Join(dir, fileState, fileLock))
	if err != nil {
		return nil, fmt.Errorf("focus: run folder %s: %w", dir, err)
	}
	f := &folder{dir: dir, lock: lock, standing: standing}
	if err := f.admit(fresh); err != nil {
		lock.Close()
		return nil, err
	}
	return f, nil
}

// admit looks at what the folder holds.
func (f *folder) admit(fresh bool) error {
	before, err := ReadStanding(f.dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return f.foreign()
	case err != nil:
		return err
	case before.Name != f.standing.Name:
		return fmt.Errorf("focus: run folder %s holds a run of the crawl %q, not of %q; give another with --store DIR", f.dir, before.Name, f.standing.Name)
	case fresh:
		return f.clear()
	case before.State == "finished":
		return fmt.Errorf("focus: run folder %s holds a finished run (%s); start over with --fresh, or give another with --store DIR", f.dir, before.Reason)
	}
	return fmt.Errorf("focus: run folder %s holds a run that was interrupted after %d pages; start over with --fresh, or give another with --store DIR", f.dir, before.Pages)
}

// written are patterns of the files that a run writes into its folder.
var written = []string{fileCrawl, fileStrategy, fileLog, "harvest*.jsonl", "harvest*.csv", "pages-*.warc.gz", fileMeter, fileReport}

// foreign refuses a folder that is not a run's, and holds files where a run would write its own.
func (f *folder) foreign() error {
	for _, pattern := range written {
		names, err := filepath.Glob(filepath.Join(globEscape(f.dir), pattern))
		if err != nil {
			return fmt.Errorf("focus: run folder %s: %w", f.dir, err)
		}
		for _, name := range names {
			if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
				return fmt.Errorf("focus: run folder %s is not the folder of a run, and holds %s; give another with --store DIR", f.dir, filepath.Base(name))
			}
		}
	}
	return nil
}

// clear removes what a run wrote, and nothing else.
func (f *folder) clear() error {
	for _, pattern := range append(slices.Clone(written), filepath.Join(fileState, "*")) {
		names, err := filepath.Glob(filepath.Join(globEscape(f.dir), pattern))
		if err != nil {
			return fmt.Errorf("focus: clear run folder %s: %w", f.dir, err)
		}
		for _, name := range names {
			if filepath.Base(name) == fileLock {
				continue
			}
			if err := os.RemoveAll(name); err != nil {
				return fmt.Errorf("focus: clear run folder %s: %w", f.dir, err)
			}
		}
	}
	return nil
}

// globEscape takes a path literally inside a pattern.
func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// begin writes down what runs.
func (f *folder) begin(crawl, strategy []byte) error {
	for name, text := range map[string][]byte{fileCrawl: crawl, fileStrategy: strategy} {
		if err := writeFile(filepath.Join(f.dir, name), text); err != nil {
			return err
		}
	}
	f.standing.State = "running"
	return f.stand()
}

// note writes down how far the run is, for whoever finds it after a crash.
func (f *folder) note(c *Counts, waiting int) error {
	s := &f.standing
	s.Pages, s.Relevant, s.Kept, s.Waiting = c.Pages, c.Relevant, c.Kept, waiting
	return f.stand()
}

// end writes down how the run ended.
func (f *folder) end(state, reason string, c *Counts, waiting int) error {
	s := &f.standing
	s.State, s.Reason, s.Ended = state, reason, c.Now
	s.Pages, s.Relevant, s.Kept, s.Waiting = c.Pages, c.Relevant, c.Kept, waiting
	return f.stand()
}

func (f *folder) stand() error {
	text, err := json.MarshalIndent(f.standing, "", "  ")
	if err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	return writeFile(filepath.Join(f.dir, fileState, fileRun), append(text, '\n'))
}

// close lets another process have the folder.
func (f *folder) close() error { return f.lock.Close() }

// writeFile writes a file beside its place and moves it there, so that it is whole or not there.
func writeFile(path string, text []byte) error {
	aside := path + "~"
	if err := os.WriteFile(aside, text, 0o644); err != nil {
		return fmt.Errorf("focus: write %s: %w", path, err)
	}
	if err := os.Rename(aside, path); err != nil {
		return fmt.Errorf("focus: write %s: %w", path, err)
	}
	return nil
}

// ReadStanding reads how the run in a folder stands.
func ReadStanding(dir string) (Standing, error) {
	path := filepath.Join(dir, fileState, fileRun)
	text, err := os.ReadFile(path)
	if err != nil {
		return Standing{}, fmt.Errorf("focus: %s is not a run folder: %w", dir, err)
	}
	var s Standing
	if err := json.Unmarshal(text, &s); err != nil {
		return Standing{}, fmt.Errorf("focus: %s is damaged: %w; start over with --fresh", path, err)
	}
	return s, nil
}
