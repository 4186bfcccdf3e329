package focus

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/turn"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// Report is how a crawl ended.
type Report struct {
	Name     string
	Strategy string
	Folder   string
	Reason   string // why it stopped
	Finished bool   // it came to its end; false if it was stopped or failed before
	Counts   ledger.Counts
	Waiting  int           // links that were left
	Wall     time.Duration // time on the wall; Counts.Now - Counts.Started is the crawl's own
	Times    turn.Times    // where the time went, by stages of a page's way
	Panics   []string      // panics of callbacks, with their pages
	Drifts   []topic.Drift // how far the centres of the topic moved, where it has some
	Notes    []string      // what a person should know of the topic, of a recorded web and of callbacks, before relying on what was kept
}

// report closes the crawl and tells how it ended.
func (c *Crawler) report() (Report, error) {
	c.mu.Lock()
	reason, panics := c.reason, c.panics
	c.mu.Unlock()
	if reason == "" {
		reason = run.NothingMore
	}
	r := Report{
		Name: c.config.Name, Strategy: c.steps.strategy.Name, Folder: c.config.Store,
		Reason: reason, Counts: c.Counts(), Waiting: c.Waiting(), Wall: time.Since(c.began), Panics: panics, Drifts: c.steps.topic.Drifts(), Notes: slices.Concat(c.steps.topic.Notes(), c.ground.Flaws(), c.steps.unheard.Notes()),
	}
	r.Times = c.steps.turn.Times()
	r.Times.Wall, r.Times.Workers = r.Wall, c.config.Polite.Parallel
	if c.steps.results.Looks.Full() {
		r.Notes = append(r.Notes, fmt.Sprintf("second_look_bytes (%v) was used up, and the least likely pages were removed from those for the second look: give it more in the crawl file", c.config.SecondLookBytes))
	}
	r.Finished = c.steps.err == nil && reason != run.StoppedByUser && reason != stoppedByCommand
	state := "finished"
	if !r.Finished {
		state = "interrupted"
	}
	closed := c.close(state)
	r.Finished = r.Finished && sink.OnlyUnsent(closed)
	return r, run.DiskTrouble(c.config.Store, errors.Join(c.steps.err, closed, c.writeReport()))
}

// LooksFull tells that the least likely pages were removed from those for the second look, because second_look_bytes was used up.
func (c *Crawler) LooksFull() bool { return c.steps.results.Looks.Full() }

// writeReport writes the report for people into the run folder, which is closed.
func (c *Crawler) writeReport() error {
	if c.folder == nil {
		return nil
	}
	return watch.WriteReport(c.folder.Dir)
}

// saveAll keeps what was told last, and all that was learned. After an error that is left out: what was kept before is
// sound, and what was in the middle of its steps is the next run's.
func (c *Crawler) saveAll() error {
	if c.keeper == nil || c.steps.err != nil {
		return nil
	}
	if err := c.keep(); err != nil {
		return err
	}
	return c.takeSnapshot()
}

// close saves what is saved at the end and lets everything go. The folder is the last: as long as it is locked, no other process
// can go on with the run.
func (c *Crawler) close(state string) error {
	c.steps.visited.End()
	counts, waiting := c.Counts(), c.Waiting()
	errs := []error{c.saveAll()}
	if err := c.frontier.Close(); !errors.Is(err, frontier.ErrClosed) { // it syncs the files: they are closed after it
		errs = append(errs, err)
	}
	errs = append(errs, c.steps.results.Close(), c.saveExperience(&counts))
	if c.folder != nil {
		if state == "finished" && !sink.OnlyUnsent(errors.Join(errs...)) { // what is not safe is visited again: a round must not be taken in without it
			state = "interrupted"
		}
		errs = append(errs, c.folder.End(state, c.reason, &counts, waiting, c.written.Load().Told()))
	}
	errs = append(errs, c.underway.Close(), c.figures.Close(), c.ground.Close())
	if c.folder != nil {
		errs = append(errs, c.folder.Close())
	}
	return errors.Join(errs...)
}

// Warnings are what a person should know before the crawl begins: variables of the environment that no key is named
// after, and what of a recorded web, or of an earlier run, cannot be read.
func (c *Crawler) Warnings() []string {
	var said []string
	for _, p := range crawlfile.UnknownEnvironment(os.Environ()) {
		said = append(said, p.String())
	}
	return append(said, c.ground.Flaws()...)
}
