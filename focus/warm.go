package focus

import (
	"fmt"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/study"
)

// warm reads what the crawl begins with, before anything of an earlier run is touched.
func (c *Crawler) warm(strategy *rank.Strategy) (err error) {
	if c.learned, err = study.Begin(&c.config, strategy); err != nil || c.learned == nil {
		return err
	}
	if web := c.recorded(); web != nil {
		return c.learned.StrangeTo(web, c.config.Learn.From)
	}
	return nil
}

// prepare readies the memory of the strategy: its size, and what it begins with.
func (c *Crawler) prepare(strategy *rank.Strategy) error {
	m := c.steps.memory
	m.Bound(c.config.Learn.Keep)
	m.Serve(strategy)
	if c.learned == nil {
		return nil
	}
	if err := m.Begin(c.learned.Learned, c.config.Learn.Trust); err != nil {
		return fmt.Errorf("focus: learn.from %s: %w", c.config.Learn.From, err)
	}
	return nil
}

// webName is the name of the recorded web that is crawled, empty for the live one.
func (c *Crawler) webName() string {
	if web := c.recorded(); web != nil {
		return web.Name()
	}
	return ""
}

// saveExperience writes what the strategy has learned into the run folder, if it has learned anything.
func (c *Crawler) saveExperience(counts *ledger.Counts) error {
	learned := c.steps.memory.Experience()
	if c.folder == nil || learned == nil {
		return nil
	}
	own, err := study.SourceOf(c.config.Name, c.recorded(), c.folder.Dir)
	if err != nil {
		return err
	}
	e := study.Experience{Crawl: c.config.Name, Web: c.webName(), Strategy: c.steps.strategy.Name, Pages: counts.Pages, Relevant: counts.Relevant, Learned: learned, Sources: []study.Source{own}}
	if c.learned != nil {
		e.Sources = append(e.Sources, c.learned.Sources...)
	}
	return e.Save(filepath.Join(c.folder.Dir, crawlfile.FileExperience))
}

// recorded is the recorded web that is crawled; nil for the live one.
func (c *Crawler) recorded() *replay.Web {
	if c.with.pages != nil {
		return c.with.pages.Web
	}
	return c.web
}
