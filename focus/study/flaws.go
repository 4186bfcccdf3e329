package study

import (
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Flaws are what of a crawl's recorded web cannot be read. The web is read through for it, which takes some seconds
// where it is large; a crawl without one has none. The error is of a web, or of an experience (learn.from), that the crawl
// could not begin with.
func Flaws(c *crawlfile.Config, s *rank.Strategy) ([]strict.Problem, error) {
	learned, err := Begin(c, s)
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
	return FlawsOf(web), nil
}

// FlawsOf are what of a recorded web cannot be read.
func FlawsOf(web *replay.Web) []strict.Problem {
	var problems []strict.Problem
	for _, f := range web.Flaws() {
		problems = append(problems, strict.Problem{File: f.File, Want: f.String()})
	}
	return problems
}
