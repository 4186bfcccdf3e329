package focus

import (
	"fmt"
	"os"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/study"
)

// Flaws are what of a crawl's recorded web cannot be read. The web is read through for it, which takes some seconds
// where it is large; a crawl without one has none. The error is of a web, or of an experience (learn.from), that the crawl
// could not begin with.
func Flaws(c *Config, s *rank.Strategy) ([]strict.Problem, error) {
	learned, err := study.Begin(c, s)
	if err != nil {
		return nil, err
	}
	if c.Web == "" {
		return nil, nil
	}
	web, err := replay.Open(c.Web)
	if err != nil {
		return nil, err
	}
	defer web.Close()
	if learned != nil {
		if err := learned.StrangeTo(web, c.Learn.From); err != nil {
			return nil, err
		}
	}
	return flawsOf(web), nil
}

func flawsOf(web *replay.Web) []strict.Problem {
	var problems []strict.Problem
	for _, f := range web.Flaws() {
		problems = append(problems, strict.Problem{File: f.File, Want: f.String()})
	}
	return problems
}

// flaws are those of the web that is crawled, and of what is taken over from an earlier crawl.
func (c *Crawler) flaws() []string {
	var said []string
	if c.web != nil {
		for _, p := range flawsOf(c.web) {
			said = append(said, p.String())
		}
	}
	if c.earlier != nil {
		for _, p := range flawsOf(c.earlier) {
			if since := c.config.Fetch.Since; run.Is(since) {
				p.Want += fmt.Sprintf("; 'thresher repair --run %s' names the pages", since)
			}
			said = append(said, p.String())
		}
	}
	return said
}

// Warnings are what a person should know before the crawl begins: variables of the environment that no key is named
// after, and what of a recorded web, or of an earlier run, cannot be read.
func (c *Crawler) Warnings() []string {
	var said []string
	for _, p := range crawlfile.UnknownEnvironment(os.Environ()) {
		said = append(said, p.String())
	}
	return append(said, c.flaws()...)
}
