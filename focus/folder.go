package focus

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/whole"
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
	fileSafe     = "safe"          // below state: how far its journal was on the disk
	fileLock     = "lock"          // below state: held while the run goes on
)

// Standing is how a run stands, as its folder says.
type Standing struct {
	Name        string    `json:"name"`
	State       string    `json:"state"` // running, finished or interrupted
	Reason      string    `json:"reason,omitempty"`
	Strategy    string    `json:"strategy"`
	Fingerprint string    `json:"fingerprint"`     // of the strategy
	Model       string    `json:"model,omitempty"` // of the file of topic.model
	Started     time.Time `json:"started"`
	Ended       time.Time `json:"ended,omitzero"`
	Pages       int       `json:"pages"`
	Relevant    int       `json:"relevant"`
	Kept        int       `json:"kept"`
	Waiting     int       `json:"waiting"`
}

// standingForm is a standing as it is written down. Sum is the checksum of what it is without; files without one are taken
// at their word.
type standingForm struct {
	Format int `json:"format"`
	Standing
	Sum string `json:"sum,omitempty"`
}

func (f standingForm) sum() string {
	f.Sum = ""
	text, _ := json.Marshal(f) // plain values: it cannot fail
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(text))
}

// standingFormat changes when a standing, or the folder around it, is read otherwise. Where none is said it is the first.
const standingFormat = 1

// folder is the run folder of a crawl: opened, locked, and written to.
type folder struct {
	dir      string
	lock     *disk.Lock
	standing Standing
	before   *Standing // how the run stood that is gone on with; nil where there was none
	safe     func() uint64
}

// openFolder makes or opens a run folder, and holds it for this process.
func openFolder(dir string, standing Standing) (*folder, error) {
	if err := noFolder(dir); err != nil {
		return nil, fmt.Errorf("%w; give another with --store DIR", err)
	}
	state := filepath.Join(dir, fileState)
	if err := os.MkdirAll(state, 0o755); err != nil {
		return nil, fmt.Errorf("focus: run folder %s: %w; give another with --store DIR", dir, err)
	}
	lock, err := disk.LockFolder(state)
	var inUse *disk.InUseError
	switch {
	case errors.As(err, &inUse):
		return nil, &folderInUse{dir, inUse}
	case err != nil:
		return nil, fmt.Errorf("focus: run folder %s: %w; it must be a folder that can be written to", dir, err)
	}
	whole.Clear(dir)
	whole.Clear(state)
	return &folder{dir: dir, lock: lock, standing: standing}, nil
}

// noFolder tells of a file where the folder of a run should be, or one on the way to it.
func noFolder(dir string) error {
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("focus: %s is a file, want the folder of a run", at)
		}
		if err == nil || at == filepath.Dir(at) {
			return nil
		}
	}
}

// folderInUse tells of a run folder that another process holds.
type folderInUse struct {
	dir string
	*disk.InUseError
}

func (e *folderInUse) Error() string {
	return fmt.Sprintf("focus: run folder %s: in use by process %s; stop that crawl first, or give another folder with --store DIR", e.dir, e.Process)
}

// admit looks at what the folder holds. A run of this very crawl is gone on with, unless fresh clears it away; anything
// else is refused.
func (f *folder) admit(fresh bool, yaml []byte, strategy *rank.Strategy) error {
	before, err := ReadStanding(f.dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return f.foreign()
	case err != nil && fresh:
		return f.clear()
	case err != nil:
		return err
	case before.Name != f.standing.Name:
		return fmt.Errorf("focus: run folder %s holds a run of the crawl %q, not of %q; give another with --store DIR", f.dir, before.Name, f.standing.Name)
	case fresh, f.unbegun(&before):
		return f.clear()
	}
	changed, err := f.changed(before, yaml, strategy)
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		return fmt.Errorf("focus: run folder %s holds a run of another crawl: %s; put it back to go on, start over with --fresh, or give another folder with --store DIR",
			f.dir, strings.Join(changed, "; "))
	}
	f.before = &before
	f.standing.Started = before.Started
	return nil
}

// unbegun tells of a run that could not even write down what it is: its disk was full.
func (f *folder) unbegun(before *Standing) bool {
	if before.Pages > 0 || hasJournal(f.dir) || f.holds("harvest*") || f.visited() {
		return false
	}
	for _, name := range []string{fileCrawl, fileStrategy} {
		if _, err := os.Stat(filepath.Join(f.dir, name)); errors.Is(err, os.ErrNotExist) {
			return true
		}
	}
	return false
}

// begun tells of a run that has fetched something: its frontier cannot be empty.
func (f *folder) begun() bool {
	return f.before != nil && (f.before.Pages > 0 || f.holds("harvest*") || f.visited())
}

// safeBefore is how far the journal was safe when that was written down last; 0 where nobody has, or it cannot be read: then
// the journal is taken at its word.
func (f *folder) safeBefore() uint64 {
	text, err := os.ReadFile(filepath.Join(f.dir, fileState, fileSafe))
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseUint(string(text), 10, 64)
	return n
}

// visited tells of a run that has fetched anything. Before that nothing is lost with its frontier, which is written down
// before the first fetch, and after the start pages are in the log.
func (f *folder) visited() (visited bool) {
	err := ReadLog(filepath.Join(f.dir, fileLog), func(d *Decision) bool {
		visited = d.Decision != "push" && d.Decision != "refuse"
		return !visited
	})
	return visited || err != nil && !errors.Is(err, os.ErrNotExist)
}

// holds tells whether a file of the folder that fits one of the patterns has anything in it.
func (f *folder) holds(patterns ...string) bool {
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(f.dir), pattern))
		if err != nil {
			return true
		}
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && info.Size() > 0 {
				return true
			}
		}
	}
	return false
}

func (f *folder) stateGone(pages int) error {
	return fmt.Errorf("focus: run folder %s holds a run of %d pages or more, and nothing to go on with: its state is gone, or an older version began it; give another folder with --store DIR, or start over with --fresh, which deletes what was harvested",
		f.dir, pages)
}

// goOn refuses a run that cannot be gone on with, when it is known how much of it there is. over is why it would end at
// once.
func (f *folder) goOn(items int, over string) error {
	switch {
	case f.before == nil:
		return nil
	case items == 0 && f.before.Pages > 0:
		return f.stateGone(f.before.Pages)
	case f.before.State == "finished" && over != "":
		return fmt.Errorf("focus: run folder %s holds a finished run (%s); give it a larger budget to go on, start over with --fresh, or give another with --store DIR", f.dir, over)
	}
	return nil
}

// results are patterns of the files that a run writes into its folder.
var results = []string{fileCrawl, fileStrategy, fileLog, "harvest*.jsonl", "harvest*.csv", "pages-*.warc.gz", fileMeter, fileReport}

// foreign refuses a folder that is not a run's, and holds files where a run would write its own.
func (f *folder) foreign() error {
	for _, pattern := range results {
		names, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(f.dir), pattern))
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
	if err := f.remove(filepath.Join(fileState, "*"), fileState+".new"); err != nil {
		return err
	}
	return f.clearResults()
}

// clearResults removes what a run wrote for others to read.
func (f *folder) clearResults() error { return f.remove(results...) }

func (f *folder) remove(patterns ...string) error {
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(f.dir), pattern))
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

// begin writes down what runs: first that it is a run at all, so that the folder is known as its own whatever fails then.
func (f *folder) begin(crawl, strategy []byte) error {
	f.standing.State = "running"
	if err := f.stand(); err != nil {
		return err
	}
	for name, text := range map[string][]byte{fileCrawl: crawl, fileStrategy: strategy} {
		if err := writeFile(filepath.Join(f.dir, name), text); err != nil {
			return err
		}
	}
	if err := os.Remove(filepath.Join(f.dir, fileState, fileCommand)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("focus: run folder %s: %w", f.dir, err) // it was for an earlier run
	}
	return nil
}

// note writes down how far the run is, for whoever finds it after a crash.
func (f *folder) note(c *ledger.Counts, waiting int) error {
	s := &f.standing
	s.Pages, s.Relevant, s.Kept, s.Waiting = c.Pages, c.Relevant, c.Kept, waiting
	return f.stand()
}

// end writes down how the run ended.
func (f *folder) end(state, reason string, c *ledger.Counts, waiting int) error {
	s := &f.standing
	s.State, s.Reason, s.Ended = state, reason, c.Now
	s.Pages, s.Relevant, s.Kept, s.Waiting = c.Pages, c.Relevant, c.Kept, waiting
	return f.stand()
}

func (f *folder) stand() error {
	if f.safe != nil {
		if err := writeFile(filepath.Join(f.dir, fileState, fileSafe), strconv.AppendUint(nil, f.safe(), 10)); err != nil {
			return err
		}
	}
	form := standingForm{Format: standingFormat, Standing: f.standing}
	form.Sum = form.sum()
	text, err := json.MarshalIndent(form, "", "  ")
	if err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	return writeFile(filepath.Join(f.dir, fileState, fileRun), append(text, '\n'))
}

// Close lets another process have the folder.
func (f *folder) Close() error { return f.lock.Release() }

// writeFile writes a file of a run folder, in one step.
func writeFile(path string, text []byte) error {
	if err := whole.Note(path, text); err != nil {
		return fmt.Errorf("focus: write %s: %w", path, err)
	}
	return nil
}

// ReadStanding reads how the run in a folder stands. It is os.ErrNotExist where there is no run.
func ReadStanding(dir string) (Standing, error) {
	if err := noFolder(dir); err != nil {
		return Standing{}, err
	}
	path := filepath.Join(dir, fileState, fileRun)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) && !orphaned(dir) {
		return Standing{}, fmt.Errorf("focus: %s is not a run folder: %w", dir, err)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return Standing{}, fmt.Errorf("focus: run folder %s: %w", dir, err)
	}
	if other := otherFormat(text, standingFormat); other != nil {
		return Standing{}, fmt.Errorf("focus: %s: %w", path, other)
	}
	var form standingForm
	if err == nil {
		err = json.Unmarshal(text, &form)
	}
	s := form.Standing
	if err == nil && s.State == "" {
		err = errors.New("it does not say how the run stands")
	}
	if err == nil && form.Sum != "" && form.Sum != form.sum() {
		err = errors.New("its checksum does not match")
	}
	if err != nil && ofMachine(dir) {
		return Standing{}, fmt.Errorf("focus: %s is damaged: %v; %s", path, err, moveAway(dir))
	}
	if err != nil {
		return Standing{}, fmt.Errorf("focus: %s is damaged: %v; 'thresher repair --run %s' writes it again, --fresh starts over", path, err, dir)
	}
	return s, nil
}

// otherFormat tells of an object of JSON that says it is of a later format, whatever else it says.
func otherFormat(object []byte, reads int) error {
	var says struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(object, &says); err != nil || says.Format <= reads {
		return nil
	}
	return pack.Version(says.Format, reads)
}

// newer tells of an error that what a later thresher wrote is met with.
func newer(err error) bool {
	var other *pack.VersionError
	return errors.As(err, &other) && other.Newer()
}

// orphaned tells of a folder with a run that does not say how it stands.
func orphaned(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileCrawl))
	return err == nil && (hasJournal(dir) || (&folder{dir: dir}).visited())
}

// hasJournal tells of a folder in which a frontier has told anything.
func hasJournal(dir string) bool {
	logs, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(filepath.Join(dir, fileState)), "log-*"))
	return err == nil && len(logs) > 0
}
