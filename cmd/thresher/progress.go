package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/ledger"
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

// say shows a line. A live line is cut to the width of the terminal: one that wraps is not overwritten, but fills the screen.
func (p *progress) say(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live {
		fmt.Fprint(p.w, clearLine, clip(line, p.room()))
	} else {
		fmt.Fprintln(p.w, line)
	}
}

// room is how many columns a line may take; 0 where there is no terminal that bounds it.
func (p *progress) room() int {
	if f, ok := p.w.(*os.File); ok && p.live {
		if wide, _, err := term.GetSize(int(f.Fd())); err == nil && wide > 0 {
			return wide - 1 // a line that fills the last column wraps on some terminals
		}
	}
	return narrow - 1
}

// narrow is the width of a terminal that does not tell its own.
const narrow = 80

const clearLine = "\r\x1b[2K"

// follow shows how a crawl stands, now and then, until it is told to stop; with it what there is to remark.
func (p *progress) follow(crawler *focus.Crawler, config focus.Config, remarks func() []string) (stop func()) {
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
				columns := 0
				if p.live {
					columns = p.room()
				}
				p.say(progressLine(crawler.Counts(), crawler.Waiting(), config, columns, remarks()...))
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

// remarks are what a line of progress says beside the figures: what was remarked of the crawl before it began, terms that do no
// work, and that likely pages are left out of the second look.
func remarks(crawler *focus.Crawler, before string, terms *termWatch) []string {
	var all []string
	if before != "" {
		all = append(all, before)
	}
	all = append(all, terms.short()...)
	if crawler.LooksFull() {
		all = append(all, "second_look_bytes used up")
	}
	return all
}

// progressLine says in one line how a crawl stands. Where it has to fit into so many columns, what matters least is left out;
// 0 is as long as it takes.
func progressLine(c ledger.Counts, waiting int, config focus.Config, columns int, remarks ...string) string {
	line := fmt.Sprintf("%d pages, %d relevant", c.Pages, c.Relevant)
	for _, part := range append(progressParts(c, waiting, config), remarks...) {
		if columns == 0 || len(line)+len(", ")+len(part) <= columns {
			line += ", " + part
		}
	}
	return line
}

// progressParts are what a line of progress says beside the pages, in the order in which it is said.
func progressParts(c ledger.Counts, waiting int, config focus.Config) []string {
	parts := []string{
		fmt.Sprintf("harvest %.1f %% (last 500: %.1f %%)", 100*c.Harvest(), 100*c.Recent()),
		fmt.Sprintf("%d waiting", waiting),
	}
	elapsed := c.Now.Sub(c.Started).Seconds()
	if elapsed <= 0 || c.Pages == 0 {
		return parts
	}
	rate := float64(c.Pages) / elapsed
	if left := config.Budget.Pages - c.Pages; left > 0 {
		parts = append(parts, duration(time.Duration(float64(left)/rate*float64(time.Second)))+" left")
	}
	return append(parts, fmt.Sprintf("%.1f pages/s", rate))
}
