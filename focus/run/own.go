package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Positions of the program's sinks are committed beside the lengths of files, under names that no file below a run folder
// has: own:, the number of the sink, and the sink's own name for it.
const ownPrefix = "own:"

// Below is what was committed of the files below the run folder.
func Below(committed map[string]int64) map[string]int64 {
	files := make(map[string]int64, len(committed))
	for name, n := range committed {
		if !strings.HasPrefix(name, ownPrefix) {
			files[name] = n
		}
	}
	return files
}

// Write gives a record to all sinks.
func (w *Written) Write(r *sink.Record) error {
	write := func(s sink.Sink) error { return s.Write(r) }
	for i, s := range w.Sinks {
		if err := having(s, write); err != nil {
			return w.ofForm(i, err)
		}
	}
	for i := range w.Own {
		if err := w.own(i, write); err != nil {
			return err
		}
	}
	return nil
}

// errPanicked: a sink of the program's did, whether it gave it to the crawl or has registered its form.
var errPanicked = errors.New("it panicked")

// having has a sink do something. One that panics has not done it: that is no fault of a page, nor the end of the process.
func having[S sink.Output](s S, do func(S) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w%s: %.500v", errPanicked, panicked(), p)
		}
	}()
	return do(s)
}

// own has a sink of the program's do something.
func (w *Written) own(i int, do func(sink.Sink) error) error {
	if err := having(w.Own[i], do); err != nil {
		return fmt.Errorf("sink %d of the program: %w", i+1, err)
	}
	return nil
}

// ofForm names the sink that panicked; one that did not tells by itself what is wrong.
func (w *Written) ofForm(i int, err error) error {
	if errors.Is(err, errPanicked) && i < len(w.forms) {
		return fmt.Errorf("sink %s: %w", w.forms[i], err)
	}
	return err
}

// panicked is the line at which the function panicked that has been recovered from.
func panicked() string {
	calls := make([]uintptr, 20)
	frames := runtime.CallersFrames(calls[:runtime.Callers(3, calls)])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf(" at %s:%d", f.File, f.Line)
		}
		if !more {
			return ""
		}
	}
}

// ownLengths adds how far those sinks of the program are that can be taken back, and how long the log is then, under the name of
// the sink alone.
func (w *Written) ownLengths(all map[string]int64) {
	for i, s := range w.Own {
		if r, ok := s.(sink.Resumable); ok {
			own := fmt.Sprint(ownPrefix, i)
			all[own] = all[FileLog]
			for name, n := range r.Lengths() {
				all[own+":"+name] = n
			}
		}
	}
}

// Begin takes the sinks of the program back to nothing, where no run is kept.
func (w *Written) Begin() error { return w.cutOwn("", nil, nil) }

// cutOwn takes the sinks of the program back to what was committed of them.
func (w *Written) cutOwn(dir string, forms []crawlfile.SinkConfig, committed map[string]int64) error {
	for i, s := range w.Own {
		if s == nil {
			return fmt.Errorf("sink %d of the program is nil: focus.Into wants those that there are", i+1)
		}
		if r, ok := s.(sink.Resumable); ok {
			if err := takeBack(r, fmt.Sprint(ownPrefix, i), dir, forms, committed); err != nil {
				return fmt.Errorf("sink %d of the program: %w", i+1, err)
			}
		}
	}
	return nil
}

// takeBack takes one of them back. One that the log went on without is new to the run, or was away from it, or the run was
// repaired: it begins anew with what the harvest holds.
func takeBack(r sink.Resumable, name, dir string, forms []crawlfile.SinkConfig, committed map[string]int64) error {
	if committed[name] != committed[FileLog] {
		if err := allHarvested(dir, forms); err != nil {
			return err
		}
		if err := r.Cut(map[string]int64{}); err != nil {
			return err
		}
		return giveHarvest(dir, r)
	}
	own := under(name+":", committed)
	err := r.Cut(own)
	if err != nil && len(own) > 0 {
		err = fmt.Errorf("%w: restore what it has lost, or start over with focus.Fresh", err)
	}
	return err
}

// under is what was committed under names that begin so, by the rest of the name.
func under(prefix string, committed map[string]int64) map[string]int64 {
	all := map[string]int64{}
	for name, n := range committed {
		if name, ok := strings.CutPrefix(name, prefix); ok {
			all[name] = n
		}
	}
	return all
}

// allHarvested makes sure, before anything is taken out of a sink, that the harvest holds a whole record of each page that was kept.
// One that a repair did not find there is lost to the sink as well, or visited again.
func allHarvested(dir string, forms []crawlfile.SinkConfig) error {
	missing := map[uint64]bool{}
	err := ReadLog(filepath.Join(dir, FileLog), func(d *Decision) bool {
		missing[d.ID] = true
		return true
	}, "keep")
	if err != nil || len(missing) == 0 {
		return err
	}
	files, err := sink.HarvestFiles(dir)
	if err != nil {
		return err
	}
	chosen := slices.ContainsFunc(forms, func(f crawlfile.SinkConfig) bool { return f.To == "jsonl" && len(f.Fields) > 0 })
	if len(files) > 0 && !chosen {
		for r, err := range sink.HarvestOnce(dir) {
			if err != nil {
				return err
			}
			if !r.Time.IsZero() && r.Digest != "" { // else its fields were chosen once
				delete(missing, r.ID)
			}
		}
		if len(missing) == 0 || repaired(dir) {
			return nil
		}
	}
	return fmt.Errorf("it is new to the run, or the run went on without it, and harvest.jsonl does not hold whole records of %d pages that were kept: "+
		"start over with focus.Fresh and a jsonl sink without fields, or go on without this sink", len(missing))
}

// repaired tells whether a repair has set something aside.
func repaired(dir string) bool {
	for _, what := range []string{FileState + ".damaged*", "harvest*.jsonl.damaged"} {
		if found, _ := filepath.Glob(filepath.Join(crawlfile.GlobEscape(dir), what)); len(found) > 0 {
			return true
		}
	}
	return false
}

// giveHarvest gives a sink what the harvest holds, each page once: one whose lease lapsed on Redis may be there twice.
func giveHarvest(dir string, to sink.Sink) error {
	if files, err := sink.HarvestFiles(dir); err != nil || len(files) == 0 {
		return err
	}
	given := map[uint64]bool{}
	for r, err := range sink.HarvestOnce(dir) {
		if err == nil && !given[r.ID] {
			given[r.ID] = true
			err = to.Write(r)
		}
		if err != nil {
			return fmt.Errorf("while it is given the harvest: %w", err)
		}
	}
	return nil
}

// CrawledConfig is WholeConfig, for who makes the crawl of it again: with the forms of the harvest and the judge that it names.
func (r *Run) CrawledConfig() (crawlfile.Config, error) {
	config, err := r.WholeConfig()
	if foreign := config.Foreign(); err == nil && len(foreign) > 0 {
		err = fmt.Errorf("%s in %s: what stands there only the program that crawled knows; do this in that program, by focus.Repair or forget.Hosts",
			strings.Join(foreign, " and "), config.File)
	}
	return config, err
}
