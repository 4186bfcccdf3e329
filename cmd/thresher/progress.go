package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/thresher-crawler/thresher/focus"
)

// progress shows how a crawl goes: a live line on a terminal, a plain line now and then elsewhere. What happens to the crawl
// as a whole, such as that it waits for Redis, is shown at once, and stays until it is over.
type progress struct {
	every time.Duration
	live  bool

	mu sync.Mutex
	w  io.Writer
}

func progressOn(w io.Writer) *progress {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &progress{every: 200 * time.Millisecond, live: true, w: w}
	}
	return &progress{every: 15 * time.Second, w: w}
}

// say shows a line.
func (p *progress) say(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live {
		fmt.Fprint(p.w, clearLine, line)
	} else {
		fmt.Fprintln(p.w, line)
	}
}

const clearLine = "\r\x1b[2K"

// follow shows how a crawl stands, now and then, until it is told to stop.
func (p *progress) follow(crawler *focus.Crawler, config focus.Config) (stop func()) {
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(p.every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if crawler.StandsStill() == "" { // otherwise why was said, and nothing has changed since
				p.say(progressLine(crawler.Counts(), crawler.Waiting(), config))
			}
		}
	}()
	return func() {
		close(done)
		<-gone
		if p.live {
			p.say("")
		}
	}
}

// progressLine says in one line how a crawl stands.
func progressLine(c focus.Counts, waiting int, config focus.Config) string {
	elapsed := c.Now.Sub(c.Started).Seconds()
	line := fmt.Sprintf("%d pages, %d relevant, harvest %.1f %% (last 500: %.1f %%), %d waiting",
		c.Pages, c.Relevant, 100*c.Harvest(), 100*c.Recent(), waiting)
	if elapsed > 0 && c.Pages > 0 {
		rate := float64(c.Pages) / elapsed
		line += fmt.Sprintf(", %.1f pages/s", rate)
		if left := config.Budget.Pages - c.Pages; left > 0 {
			line += ", " + duration(time.Duration(float64(left)/rate*float64(time.Second))) + " left"
		}
	}
	return line
}
