// Package run answers what a run folder says: the files that a crawl writes there, and what can be read back from them. Who
// asks may do so while the crawl goes on, and on a machine that has none: nothing here knows a crawl.
//
//   - folder.go and standing.go: the folder is opened, held, taken up again or refused; how the run in it stands.
//   - log.go, meter.go, report.go: what is written for others to read, line by line and at the end.
//   - run.go, why.go, waiting.go, sites.go: what is read back.
//   - inject.go: what is left there for a crawl that runs. identity.go: which crawl it is. mend.go: what can be saved of it.
package run

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Run is a run folder, opened for reading. It may be read while the crawl goes on.
type Run struct {
	Dir      string
	Parts    []string // the folders of the machines that share the crawl; none of a run that is in Dir itself
	Standing Standing
	Strategy *rank.Strategy // nil where this version does not know it: Unknown says what of it
	Unknown  error
}

// Open opens the folder of a run. One whose strategy is of another version is opened without it: what was kept is read all the same.
func Open(dir string) (*Run, error) {
	standing, err := ReadStanding(dir)
	if err != nil {
		return nil, err
	}
	strategy, err := strategyOf(dir)
	if unknown := (unknownStrategy{}); errors.As(err, &unknown) {
		return &Run{Dir: dir, Standing: standing, Unknown: unknown}, nil
	}
	if err != nil {
		return nil, err
	}
	return &Run{Dir: dir, Standing: standing, Strategy: strategy}, nil
}

// unknownStrategy is what is wrong with a strategy.yaml that is sound, and says what this version does not know.
type unknownStrategy struct{ error }

func (u unknownStrategy) Unwrap() error { return u.error }

// strategyOf is the strategy of a run as it ran.
func strategyOf(dir string) (*rank.Strategy, error) {
	path := filepath.Join(dir, FileStrategy)
	text, err := os.ReadFile(path)
	var s *rank.Strategy
	if err == nil {
		s, err = rank.Load(path, text, rank.Factors.Reading())
	}
	if n, unread := strict.Parse(path, text); err != nil && unread == nil && n.Kind() == strict.Map {
		return nil, unknownStrategy{fmt.Errorf("run folder %s: another version of thresher wrote its strategy: %w", dir, err)}
	}
	if err != nil && !OfMachine(dir) && !withheld(err) {
		err = fmt.Errorf("run folder %s: %v; 'thresher repair --run %s' writes it again", dir, err, dir)
	}
	return s, err
}

// Log calls visit for every decision of the run, in order, until it answers false. Those of several machines are in the
// order of their times. Where decisions are named all others are passed over unread.
func (r *Run) Log(visit func(*Decision) bool, decisions ...string) error {
	if len(r.Parts) > 0 {
		return readLogs(r.Parts, visit, decisions)
	}
	return ReadLog(filepath.Join(r.Dir, FileLog), visit, decisions...)
}

// Redirects calls visit for every address that answered with another, and that.
func (r *Run) Redirects(visit func(from, to string)) error {
	if len(r.Parts) == 0 {
		return readRedirects(filepath.Join(r.Dir, FileLog), visit)
	}
	var errs error
	for _, part := range r.Parts {
		errs = errors.Join(errs, readRedirects(filepath.Join(part, FileLog), visit))
	}
	return errs
}

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
		if part := filepath.Join(dir, e.Name()); Is(part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// Folders are the run folder itself, or those of the machines that share the run.
func Folders(dir string) []string {
	if parts := Parts(dir); len(parts) > 0 {
		return parts
	}
	return []string{dir}
}

// NameBeside is what a run is called beside others: the last name of its folder, and with a number where that is taken.
func NameBeside(dir string, taken func(name string) bool) string {
	base := filepath.Base(filepath.Clean(dir))
	name := base
	for n := 2; taken(name); n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	return name
}

// RunsBelow are the folders right below one that hold runs, of one process or of machines that share a crawl: those begun last
// first.
func RunsBelow(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var runs []string
	begun := map[string]time.Time{}
	for _, e := range entries {
		one := filepath.Join(dir, e.Name())
		if s, _, err := StandingOf(one); err == nil {
			runs = append(runs, one)
			begun[one] = s.Started
		}
	}
	slices.SortStableFunc(runs, func(a, b string) int { return begun[b].Compare(begun[a]) })
	return runs
}

// StandingOf says how the run in a folder stands, or that of the first of the machines whose folders are below it; these are parts.
func StandingOf(dir string) (s Standing, parts []string, err error) {
	if s, err = ReadStanding(dir); !errors.Is(err, os.ErrNotExist) || Is(dir) {
		return s, nil, err
	}
	if parts = Parts(dir); len(parts) == 0 {
		return s, nil, err
	}
	if s, err = ReadStanding(parts[0]); err != nil {
		return s, parts, err
	}
	for _, part := range parts[1:] {
		other, err := ReadStanding(part)
		if err != nil {
			return s, parts, err
		}
		if other.Name != s.Name {
			return s, parts, fmt.Errorf("%s holds runs of several crawls, %q and %q among them: name one of %s", dir,
				s.Name, other.Name, strings.Join(parts, ", "))
		}
	}
	return s, parts, nil
}

// OpenAll opens the folder of a run, or one with the folders of all machines that share a crawl.
func OpenAll(dir string) (*Run, error) {
	_, parts, err := StandingOf(dir)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return Open(dir)
	}
	run, err := Open(parts[0])
	if err != nil {
		return nil, err
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
func readLogs(dirs []string, visit func(*Decision) bool, decisions []string) error {
	heads, errs := make([]*Decision, len(dirs)), make([]error, len(dirs))
	nexts := make([]func() (*Decision, bool), len(dirs))
	for i, dir := range dirs {
		next, stop := iter.Pull(func(yield func(*Decision) bool) { errs[i] = ReadLog(filepath.Join(dir, FileLog), yield, decisions...) })
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

// Config is the crawl file of the run, as it ran: neither the environment nor files that have gone since change it.
func (r *Run) Config() (crawlfile.Config, error) {
	path := filepath.Join(r.own(), FileCrawl)
	raw, err := crawlfile.ReadText(path)
	if err != nil {
		return crawlfile.Config{}, noCrawlFile(r.own(), err)
	}
	config, err := asItRan(path, raw)
	if err != nil && config.File == "" {
		err = notReadable(r.own(), err)
	}
	return config, err
}

// ConfigOf is the crawl file of the run in a folder, or of the machines whose folders are below it, as it ran.
func ConfigOf(dir string) (crawlfile.Config, error) {
	_, parts, err := StandingOf(dir)
	if err != nil {
		return crawlfile.Config{}, err
	}
	return (&Run{Dir: dir, Parts: parts}).Config()
}

// WholeConfig is Config, for who has no use for a crawl file with mistakes.
func (r *Run) WholeConfig() (crawlfile.Config, error) {
	config, err := r.Config()
	if _, mistakes := strict.Problems(err); mistakes {
		err = notReadable(r.own(), err)
	}
	return config, err
}

// notReadable says what to do where the crawl file of a run cannot be read as it stands there.
func notReadable(dir string, err error) error {
	return noCrawlFile(dir, fmt.Errorf("%v: it is damaged, or of another version", err))
}

// noCrawlFile says what to do where a run does not know what it looked for.
func noCrawlFile(dir string, err error) error {
	if withheld(err) {
		return err
	}
	return fmt.Errorf("run folder %s: %w: put the crawl file of the run there under this name, as thresher check prints it, or start over with --fresh", dir, err)
}

// asItRan reads a crawl file that a crawl has written down. A form of the harvest, or a judge, that only the program of that crawl
// knows is no mistake in it: whoever reads a run needs neither.
func asItRan(path string, raw []byte) (crawlfile.Config, error) {
	n, err := strict.Parse(path, raw)
	if err != nil {
		return crawlfile.Config{}, err
	}
	if _, named := n.Get("name"); !named {
		return crawlfile.Config{}, fmt.Errorf("%s does not say which crawl it is of", path)
	}
	c := crawlfile.Default()
	c.File = path
	problems := n.Decode(&c)
	foreign := c.Foreign()
	return c, strict.Err(slices.DeleteFunc(problems, func(p strict.Problem) bool {
		return slices.Contains(foreign, p.Path) || slices.Contains(foreign, p.Path+".to")
	}))
}
