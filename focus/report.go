package focus

import (
	"errors"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
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
	Panics   []string      // panics of callbacks, with their pages
	Notes    []string      // what a person should know of the topic, and of a recorded web, before relying on what was kept
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
		Reason: reason, Counts: c.Counts(), Waiting: c.Waiting(), Wall: time.Since(c.began), Panics: panics, Notes: append(c.steps.topic.Notes(), c.flaws()...),
	}
	r.Finished = c.steps.err == nil && reason != run.StoppedByUser
	state := "finished"
	if !r.Finished {
		state = "interrupted"
	}
	return r, diskTrouble(c.config.Store, errors.Join(c.steps.err, c.writeReport(&r), c.close(state)))
}

// writeReport writes the report for people into the run folder.
func (c *Crawler) writeReport(r *Report) error {
	if c.folder == nil {
		return nil
	}
	hosts, _ := c.ledger.Hosts()
	return c.folder.WriteReport(&run.Ending{Name: r.Name, Strategy: r.Strategy, Reason: r.Reason, Counts: r.Counts, Hosts: hosts, Waiting: r.Waiting, Chinese: c.config.Chinese()})
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

// close saves what is saved at the end and lets everything go.
func (c *Crawler) close(state string) error {
	counts := c.Counts()
	waiting := c.Waiting()
	var errs []error
	errs = append(errs, c.saveAll())
	if err := c.frontier.Close(); !errors.Is(err, frontier.ErrClosed) { // it syncs the files: they are closed after it
		errs = append(errs, err)
	}
	for _, s := range c.steps.sinks {
		errs = append(errs, s.Close())
	}
	errs = append(errs, c.steps.looks.Close())
	errs = append(errs, c.steps.log.Close(), c.steps.gauge.Close(), c.saveExperience(&counts))
	if c.folder != nil {
		errs = append(errs, c.folder.End(state, c.reason, &counts, waiting))
	}
	errs = append(errs, c.underway.close(), c.figures.Close())
	c.carrier.CloseIdleConnections()
	if c.recorder != nil {
		errs = append(errs, c.recorder.Close())
	}
	for _, w := range []*replay.Web{c.web, c.earlier} {
		if w != nil {
			errs = append(errs, w.Close())
		}
	}
	if c.folder != nil {
		errs = append(errs, c.folder.Close())
	}
	return errors.Join(errs...)
}
