package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// The files of a run folder. Sinks add their own.
const (
	FileCrawl    = "crawl.yaml"    // the crawl file as it ran
	FileStrategy = "strategy.yaml" // the strategy as it ran
	FileLog      = "crawl.log"     // one line per decision
	FileMeter    = "meter.csv"     // how the crawl stood after each page
	FileReport   = "report.html"   // the same for people, made at the end
	FileState    = "state"         // what a run needs to go on
	FileRun      = "run.json"      // below state: how the run stands
	fileSafe     = "safe"          // below state: how far its journal was on the disk, and how long the log was by then
	FileLock     = "lock"          // below state: held while the run goes on
)

// Folder is the run folder of a crawl: opened, locked, and written to.
type Folder struct {
	Dir      string
	lock     *disk.Lock
	standing Standing
	Before   *Standing // how the run stood that is gone on with; nil where there was none
	journal  journal   // nil where what is told is kept elsewhere when the call returns
	settled  int64     // how long the log is with what is committed
	told     toldOf
	crawl    []byte // the crawl file of the crawl that goes on here
}

// journal is what a frontier says of its own.
type journal interface {
	Safe() uint64 // how far it is on the disk
	Told() uint64 // how far it has been told
}

// toldOf is how far a journal had been told, and how long the log was then.
type toldOf struct {
	journal uint64
	log     int64
}

// settle hears how long the log is with all that the frontier has been told. What of it is on the disk is known a while later.
func (f *Folder) settle(log int64) {
	if f.journal == nil {
		f.settled = log
		return
	}
	safe := f.journal.Safe()
	if safe >= f.told.journal {
		f.settled = max(f.settled, f.told.log)
		f.told = toldOf{f.journal.Told(), log}
	}
	if safe >= f.told.journal {
		f.settled = max(f.settled, f.told.log)
	}
}

// Committed is how many bytes of the log of a run are committed, as it was written down last; false where nobody has: then all
// that is there.
func Committed(dir string) (log int64, ok bool) {
	text, err := os.ReadFile(filepath.Join(dir, FileState, fileSafe))
	if fields := strings.Fields(string(text)); err == nil && len(fields) == 2 {
		log, err = strconv.ParseInt(fields[1], 10, 64)
		return log, err == nil
	}
	return 0, false
}

// OpenFolder makes or opens a run folder, and holds it for this process.
func OpenFolder(dir string, standing Standing) (*Folder, error) {
	if err := crawlfile.NoFolder(dir); err != nil {
		return nil, fmt.Errorf("%w; give another with --store DIR", err)
	}
	state := filepath.Join(dir, FileState)
	if err := foreign(dir); err != nil { // before anything is made in it
		if _, locked := os.Lstat(filepath.Join(state, FileLock)); errors.Is(locked, os.ErrNotExist) {
			return nil, err
		}
	} // else it is asked again when it is held: a run that another process begins holds its folder before it writes into it
	err := os.MkdirAll(filepath.Dir(dir), 0o755)
	if err == nil {
		err = os.MkdirAll(state, 0o700) // pages, and what was sent for them, are nobody else's to read
	}
	if err != nil {
		return nil, fmt.Errorf("run folder %s: %w; give another with --store DIR", dir, err)
	}
	lock, err := disk.LockFolder(state)
	var inUse *disk.InUseError
	switch {
	case errors.As(err, &inUse):
		return nil, &InUseError{dir, inUse}
	case err != nil:
		return nil, fmt.Errorf("run folder %s: %w; it must be a folder that can be written to", dir, err)
	}
	if err := settled(dir, true); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	whole.Clear(dir)
	whole.Clear(state)
	if path, err := filepath.Abs(standing.File); err == nil && standing.File != "" {
		standing.File = path // the next command may be given elsewhere
	}
	return &Folder{Dir: dir, lock: lock, standing: standing}, nil
}

// InUseError tells of a run folder that another process holds.
type InUseError struct {
	dir string
	*disk.InUseError
}

func (e *InUseError) Error() string {
	return fmt.Sprintf("run folder %s: in use by process %s; stop that crawl first, or give another folder with --store DIR", e.dir, e.Process)
}

// Continue looks at what the folder holds. A run of this very crawl is continued, or deleted where fresh asks for that; anything
// else is refused.
func (f *Folder) Continue(fresh bool, yaml []byte, strategy *rank.Strategy) error {
	f.crawl = yaml
	before, err := ReadStanding(f.Dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return foreign(f.Dir)
	case err != nil && fresh:
		return f.clear()
	case err != nil:
		return err
	case before.Name != f.standing.Name:
		return fmt.Errorf("run folder %s holds a run of the crawl %q, not of %q; give another with --store DIR", f.Dir, before.Name, f.standing.Name)
	case fresh, f.unbegun(&before):
		return f.clear()
	}
	changed, err := f.changed(before, yaml, strategy)
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		return &AnotherError{f.Dir, strings.Join(changed, "; ")}
	}
	f.Before = &before
	f.standing.Started = before.Started
	return f.sound()
}

// AnotherError says that a run folder holds a run of another crawl.
type AnotherError struct {
	Dir     string
	Changed string // what makes it another one
}

func (e *AnotherError) Error() string {
	return fmt.Sprintf("run folder %s holds a run of another crawl: %s; put it back to go on, start over with --fresh, or give another folder with --store DIR", e.Dir, e.Changed)
}

// unbegun tells of a run that could not even write down what it is: its disk was full.
func (f *Folder) unbegun(before *Standing) bool {
	if before.Pages > 0 || hasJournal(f.Dir) || f.holds("harvest*") || hasVisited(f.Dir) {
		return false
	}
	for _, name := range []string{FileCrawl, FileStrategy} {
		if _, err := os.Stat(filepath.Join(f.Dir, name)); errors.Is(err, os.ErrNotExist) {
			return true
		}
	}
	return false
}

// begun tells of a run that has fetched something: its frontier cannot be empty.
func (f *Folder) begun() bool {
	return f.Before != nil && (f.Before.Pages > 0 || f.holds("harvest*") || hasVisited(f.Dir))
}

// safeBefore is how far the journal was safe when that was written down last; 0 where nobody has, or it cannot be read: then
// the journal is taken at its word.
func safeBefore(dir string) uint64 {
	text, err := os.ReadFile(filepath.Join(dir, FileState, fileSafe))
	if err != nil {
		return 0
	}
	said, _, _ := strings.Cut(string(text), " ")
	n, _ := strconv.ParseUint(said, 10, 64)
	return n
}

// hasVisited tells of a run that has fetched anything. Before that nothing is lost with its frontier, which is written down
// before the first fetch, and after the start pages are in the log.
func hasVisited(dir string) (visited bool) {
	err := ReadLog(filepath.Join(dir, FileLog), func(d *Decision) bool {
		visited = d.Decision != "push" && d.Decision != "refuse"
		return !visited
	})
	return visited || err != nil && !errors.Is(err, os.ErrNotExist)
}

// holds tells whether a file of the folder that fits one of the patterns has anything in it.
func (f *Folder) holds(patterns ...string) bool {
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(f.Dir), pattern))
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

// stateGone: the run has fetched pages, and the frontier knows of no link. Going on would begin it anew, over its own results.
func (f *Folder) stateGone(pages int) error {
	return fmt.Errorf("run folder %s holds a run of %d pages or more, and nothing to go on with: its state is gone, or an older version began it; give another folder with --store DIR, or start over with --fresh, which deletes what was harvested",
		f.Dir, pages)
}

// FinishedError: the run of a folder came to its end, and would end again at once.
type FinishedError struct {
	Dir  string
	Over string // why it would end
}

func (e *FinishedError) Error() string {
	return fmt.Sprintf("run folder %s holds a finished run (%s); give it a larger budget or a wider scope to go on, start over with --fresh, or give another with --store DIR", e.Dir, e.Over)
}

// unknown: Redis knows of nothing that this machine harvested: its pages would stand beside others of the same ids.
func (f *Folder) unknown() error {
	crawl, machine := filepath.Split(filepath.Clean(f.Dir))
	return fmt.Errorf("run folder %s: Redis knows of nothing that was harvested here: the crawl was begun anew elsewhere, or Redis came back with older data or none, or its address is another than before; put that right, or move the folder away (mv '%s' '%s'), and the machine begins a new one; what it harvested can be read there",
		f.Dir, f.Dir, filepath.Clean(crawl)+"-"+machine)
}

// MayGoOn refuses a run that cannot be gone on with, when it is known how much of it there is. over is why it would end at
// once.
func (f *Folder) MayGoOn(r *frontier.Restored, over string) error {
	switch {
	case f.Before == nil:
		return nil
	case len(r.Files) == 0 && OfMachine(f.Dir) &&
		(r.Items == 0 && f.Before.Pages > 0 || r.Items > 0 && (f.holds("harvest*") || hasVisited(f.Dir))):
		return f.unknown()
	case r.Items == 0 && f.Before.Pages > 0:
		return f.stateGone(f.Before.Pages)
	case f.Before.State == "finished" && over != "":
		return &FinishedError{f.Dir, over}
	}
	return nil
}

// Begin writes down what runs, the crawl that Continue was asked for: first that it is a run at all, so that the folder is known as its
// own whatever fails then.
func (f *Folder) Begin(strategy []byte) error {
	f.standing.State = "running"
	if err := f.stand(); err != nil {
		return err
	}
	for name, text := range map[string][]byte{FileCrawl: f.crawl, FileStrategy: strategy} {
		if err := WriteFile(filepath.Join(f.Dir, name), text); err != nil {
			return err
		}
	}
	// What was for an earlier run is over: a command, and what a second look said, which is said anew when this run ends.
	if err := f.remove(filepath.Join(FileState, FileCommand), sink.FileKept); err != nil {
		return err
	}
	return unlook(f.Dir)
}

// Untell takes back what the run was told: whoever goes on with it means it.
func (f *Folder) Untell() error { return f.remove(filepath.Join(FileState, FileCommand)) }

// Note writes down how far the run is, for whoever finds it after a crash, and whoever watches it. log is how long the log is
// with all that the frontier has been told.
func (f *Folder) Note(c *ledger.Counts, waiting int, log int64) error {
	s := &f.standing
	f.settle(log)
	s.Pages, s.Relevant, s.Kept, s.Waiting = c.Pages, c.Relevant, c.Kept, waiting
	return f.stand()
}

// End writes down how the run ended.
func (f *Folder) End(state, reason string, c *ledger.Counts, waiting int, log int64) error {
	s := &f.standing
	f.settle(log)
	s.State, s.Reason, s.Ended = state, reason, c.Now
	s.Pages, s.Relevant, s.Kept, s.Waiting = c.Pages, c.Relevant, c.Kept, waiting
	return f.stand()
}

// stand writes down how the run stands, and beside it how far journal and log are safe. That comes first: it may say less than is true,
// and never more.
func (f *Folder) stand() error {
	var safe uint64
	if f.journal != nil {
		safe = f.journal.Safe()
	}
	if f.journal != nil || f.settled > 0 {
		if err := WriteFile(filepath.Join(f.Dir, FileState, fileSafe), fmt.Appendf(nil, "%d %d", safe, f.settled)); err != nil {
			return err
		}
	}
	form := standingForm{Format: standingFormat, Standing: f.standing}
	form.Sum = form.sum()
	text, err := json.MarshalIndent(form, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(f.Dir, FileState, FileRun), append(text, '\n'))
}

// Frontier opens the frontier below the folder, with the settings that go without saying there.
func (f *Folder) Frontier(m frontier.Manners, o disk.Options) (*disk.Frontier, error) {
	o.Whole, o.Begun, o.Safe, o.Lock = true, f.begun(), safeBefore(f.Dir), f.lock
	opened, err := disk.Open(filepath.Join(f.Dir, FileState), m, o)
	if err != nil {
		return nil, err
	}
	files := opened.Restored().Files
	if f.Before != nil && f.Before.Reason == Repaired {
		more, err := putBack(f.Dir, files)
		if err == nil && len(more) > 0 { // which would be cut off
			err = fmt.Errorf("%s: 'thresher repair --run %s' takes in what was put back", more[0], f.Dir)
		}
		if err != nil {
			return nil, errors.Join(err, opened.Close())
		}
	}
	f.journal, f.settled = opened, files[FileLog]
	return opened, nil
}

// Close lets another process have the folder, and those read what is new in it who may read the rest.
func (f *Folder) Close() error {
	share(f.Dir)
	return f.lock.Release()
}

// WriteFile writes a file of a run folder, in one step.
func WriteFile(path string, text []byte) error {
	if err := whole.Note(path, text); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
