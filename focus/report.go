package focus

import (
	"errors"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Report is how a crawl ended.
type Report struct {
	Name     string
	Strategy string
	Folder   string
	Reason   string // why it stopped
	Finished bool   // it came to its end; false if it was stopped or failed before
	Counts   Counts
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
		reason = "nothing more to visit"
	}
	r := Report{
		Name: c.config.Name, Strategy: c.steps.strategy.Name, Folder: c.config.Store,
		Reason: reason, Counts: c.Counts(), Waiting: c.frontier.Len(), Wall: time.Since(c.began), Panics: panics, Notes: append(c.steps.topic.Notes(), c.flaws()...),
	}
	r.Finished = c.steps.err == nil && reason != stoppedByUser && !c.cutShort
	state := "finished"
	if !r.Finished {
		state = "interrupted"
	}
	return r, errors.Join(c.steps.err, c.writeReport(&r), c.close(state))
}

// close saves what is saved at the end and lets everything go.
func (c *Crawler) close(state string) error {
	counts := c.Counts()
	waiting := c.frontier.Len()
	var errs []error
	for _, s := range c.steps.sinks {
		errs = append(errs, s.Close())
	}
	errs = append(errs, c.steps.log.Close(), c.steps.gauge.Close(), c.saveExperience(&counts))
	if c.folder != nil {
		errs = append(errs, c.folder.end(state, c.reason, &counts, waiting))
	}
	if err := c.frontier.Close(); !errors.Is(err, frontier.ErrClosed) {
		errs = append(errs, err)
	}
	errs = append(errs, c.figures.Close())
	c.carrier.CloseIdleConnections()
	if c.recorder != nil {
		errs = append(errs, c.recorder.Close())
	}
	if c.web != nil {
		errs = append(errs, c.web.Close())
	}
	if c.folder != nil {
		errs = append(errs, c.folder.close())
	}
	return errors.Join(errs...)
}
