package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/ledger"
)

// progress shows how a crawl goes: a live line on a terminal, a plain line now and then elsewhere. What happens to the crawl
// as a whole, such as that it waits for Redis, is shown at once, and stays until it is over.
type progress struct {
	every  time.Duration
	screen *os.File // nil where there is no terminal
	quiet  bool     // nothing is to be shown of a crawl but what holds it up

	mu    sync.Mutex
	w     io.Writer
	noted string // the last note
}

func progressOn(w io.Writer) *progress {
	if screen := terminalOf(w); screen != nil {
		return &progress{every: 200 * time.Millisecond, screen: screen, w: w}
	}
	return &progress{every: 15 * time.Second, w: w}
}

// say shows a line. A live line is cut to the width of the terminal: one that wraps is not overwritten, but fills the screen.
func (p *progress) say(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.screen != nil {
		fmt.Fprint(p.screen, clearLine, fitted(line, p.room()))
	} else {
		fmt.Fprintln(p.w, line)
	}
}

// note shows a line that stays: what happens to a crawl is read when somebody looks. One that says the same again, such as that Redis
// is away, is not shown twice.
func (p *progress) note(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line == p.noted {
		return
	}
	p.noted = line
	if p.screen != nil {
		fmt.Fprint(p.screen, clearLine)
	}
	fmt.Fprintln(p.w, line)
}

// fitted is a line in so many columns: what is wider is cut.
func fitted(line string, room int) string {
	if columns(line) > room {
		return clip(line, room-1)
	}
	return line
}

// room is how many columns a line may take; 0 where there is no terminal that bounds it. One that fills the last column wraps on
// some terminals.
func (p *progress) room() int {
	if p.screen == nil {
		return 0
	}
	return screenWidth(p.screen) - 1
}

const clearLine = "\r\x1b[2K"

// counting shows on a terminal how far something is that takes long, in a line that is written over; elsewhere nothing.
type counting struct {
	*progress
	next  time.Time // when it is shown again
	shown bool
}

// countingOn shows nothing of what is done in a second.
func countingOn(w io.Writer) *counting {
	return &counting{progress: progressOn(w), next: time.Now().Add(time.Second)}
}

func (c *counting) show(format string, of ...any) {
	if now := time.Now(); c != nil && c.screen != nil && !now.Before(c.next) {
		c.next, c.shown = now.Add(c.every), true
		c.say(fmt.Sprintf(format, of...))
	}
}

// done clears the line.
func (c *counting) done() {
	if c.shown {
		c.say("")
		c.shown = false
	}
}

// patience is how long nothing may be heard of any page before it is said what is waited for, and quietPatience before who wants to
// hear of nothing else is told.
const (
	patience      = 10 * time.Second
	quietPatience = time.Minute
)

// follow shows how a crawl, or a round of one, stands, now and then, until it is told to stop; with it what there is to remark.
func (p *progress) follow(crawler *focus.Crawler, config focus.Config, round bool, remarks func() []string) (stop func()) {
	if p.quiet {
		return p.heed(crawler)
	}
	watch := newStopwatch(crawler.Counts().Pages, config.Web != "")
	watch.round = round
	end := p.look(crawler, watch, func() {
		config.Budget.Pages = crawler.Given() // the crawl file may have changed
		p.say(progressLine(crawler.Counts(), crawler.Waiting(), config, watch, p.room(), remarks()...))
	})
	return func() {
		end()
		if p.screen != nil {
			p.say("")
		}
	}
}

// heed shows nothing of a crawl but what holds it up.
func (p *progress) heed(crawler *focus.Crawler) (stop func()) {
	watch := newStopwatch(crawler.Counts().Pages, false)
	return p.look(crawler, watch, func() {
		for _, line := range watch.held() {
			p.note(line)
		}
	})
}

// look lets show look at a crawl now and then, until it is told to stop.
func (p *progress) look(crawler *focus.Crawler, watch *stopwatch, show func()) (stop func()) {
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
				awaited, rests := crawler.Awaits()
				if !p.quiet { // who wants to hear of nothing else need not know of pauses, which are usual
					awaited = strings.Join(slices.DeleteFunc([]string{awaited, rests}, func(s string) bool { return s == "" }), "; ")
				}
				watch.see(crawler.Counts().Pages, awaited, time.Now())
				show()
			} else {
				watch.last = time.Now() // nobody waits for a page
			}
		}
	}()
	return func() {
		close(done)
		<-gone
	}
}

// stopwatch tells how long a crawl has taken on the wall, whatever its own clock says, and for how long no page has come.
type stopwatch struct {
	virtual          bool // the crawl's own clock is that of a recorded web
	round            bool // of visits made again: a page that its host says is as it was is not judged anew
	before, pages    int  // when it began, and now
	began, last, now time.Time
	awaited          string // whose answer is waited for
	told             bool   // by held, since the last page
}

func newStopwatch(pages int, virtual bool) *stopwatch {
	at := time.Now()
	return &stopwatch{virtual: virtual, before: pages, pages: pages, began: at, last: at, now: at}
}

func (w *stopwatch) see(pages int, awaited string, now time.Time) {
	if pages != w.pages {
		w.pages, w.last, w.told = pages, now, false
	}
	w.awaited, w.now = awaited, now
}

// waits says for what a crawl waits that has fetched nothing for a while.
func (w *stopwatch) waits() []string {
	if still := w.now.Sub(w.last); still >= patience && w.awaited != "" {
		return []string{fmt.Sprintf("nothing for %s: %s", duration(still.Truncate(time.Second)), w.awaited)}
	}
	return nil
}

// held is waits of a crawl that has fetched nothing for long, once until a page comes.
func (w *stopwatch) held() []string {
	if w.told || w.now.Sub(w.last) < quietPatience {
		return nil
	}
	said := w.waits()
	w.told = len(said) > 0
	return said
}

// rate is how many pages a second are fetched on the wall.
func (w *stopwatch) rate() float64 {
	return float64(w.pages-w.before) / max(w.now.Sub(w.began).Seconds(), 1e-3)
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
// 0 is as long as it takes. What a crawl waits for comes first, and is cut where it alone is too long.
func progressLine(c ledger.Counts, waiting int, config focus.Config, watch *stopwatch, room int, remarks ...string) string {
	pages := plural(c.Pages)
	if !watch.round {
		pages += fmt.Sprintf(", %d relevant", c.Relevant)
	}
	parts := slices.Concat(watch.waits(), []string{pages}, progressParts(c, waiting, config, watch), remarks)
	line := parts[0]
	if room > 0 {
		line = fitted(line, room)
	}
	for _, part := range parts[1:] {
		if room == 0 || columns(line)+len(", ")+columns(part) <= room {
			line += ", " + part
		}
	}
	return line
}

// progressParts are what a line of progress says beside the pages, in the order in which it is said.
func progressParts(c ledger.Counts, waiting int, config focus.Config, watch *stopwatch) []string {
	var parts []string
	if !watch.round {
		parts = append(parts, fmt.Sprintf("harvest %.1f %% (last 500: %.1f %%)", 100*c.Harvest(), 100*c.Recent()))
	}
	parts = append(parts, fmt.Sprintf("%d waiting", waiting))
	elapsed := c.Now.Sub(c.Started).Seconds()
	if elapsed <= 0 || c.Pages == 0 {
		return parts
	}
	rate := float64(c.Pages) / elapsed
	if watch.virtual {
		rate = watch.rate()
	}
	if left, bounded := timeLeft(c, config, watch, rate); bounded {
		parts = append(parts, duration(left)+" left")
	}
	parts = append(parts, fmt.Sprintf("%.1f pages/s", rate))
	if watch.virtual {
		parts = append(parts, bothTimes(c.Now.Sub(c.Started), watch.now.Sub(watch.began)))
	}
	return parts
}

// timeLeft is when the budget ends a crawl at this rate, by its pages or by its time, whichever comes first.
func timeLeft(c ledger.Counts, config focus.Config, watch *stopwatch, rate float64) (left time.Duration, bounded bool) {
	if pages := config.Budget.Pages - c.Pages; pages > 0 && rate > 0 {
		left, bounded = time.Duration(float64(pages)/rate*float64(time.Second)), true
	}
	given := config.Budget.Time.Duration()
	if given <= 0 {
		return left, bounded
	}
	took := c.Now.Sub(c.Started)
	byTime := max(0, given-took)
	if watch.virtual {
		byTime = time.Duration(float64(byTime) * watch.now.Sub(watch.began).Seconds() / took.Seconds())
	}
	if !bounded || byTime < left {
		left = byTime
	}
	return left, true
}

// bothTimes is how long a crawl over a recorded web took: there, where answers took what they took when they were recorded and
// hosts were waited for, and here.
func bothTimes(there, here time.Duration) string {
	return fmt.Sprintf("%s of recorded time (%s here)", duration(there), duration(here))
}
