package focus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
)

// Whoever wants something of a running crawl leaves word in its state folder; the crawl looks there every second.
const (
	fileCommand  = "command" // what it is told: pause or stop; it goes on where there is none
	fileInjected = "inject"  // addresses to be taken in, one a line; lines are only ever added
)

// CommandRun tells the crawl that runs in a folder to pause, to go on, or to stop.
func CommandRun(dir string, what frontier.Command) error {
	if _, err := ReadStanding(dir); err != nil {
		return err
	}
	running, err := isRunning(dir)
	if err != nil {
		return err
	}
	if !running {
		return fmt.Errorf("focus: no crawl is running in %s; 'thresher crawl FILE' goes on with it", dir)
	}
	path := filepath.Join(dir, fileState, fileCommand)
	if what != frontier.GoOn {
		return writeFile(path, []byte(what.String()+"\n"))
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("focus: %w", err)
	}
	return nil
}

// isRunning tells whether a process holds a run folder.
func isRunning(dir string) (bool, error) {
	if err := noFolder(dir); err != nil {
		return false, err
	}
	lock, err := disk.LockFolder(filepath.Join(dir, fileState))
	var inUse *disk.InUseError
	if errors.As(err, &inUse) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("focus: run folder %s: %w", dir, err)
	}
	return false, lock.Release()
}

// Injected is what became of addresses that were given to a run.
type Injected struct {
	Taken   int
	Refused map[string]admit.Refused // by address: those that its scope does not let in
	Known   int                      // how many of those that were taken were named twice, or known to a shared crawl already: nothing is visited twice
	Running bool                     // a crawl is there to take them; otherwise it does when it is started again
	UsedUp  string                   // why it is not started again as it is: what it was given is used up
}

// Inject gives a run addresses as start pages. The scope is that of the run.
func Inject(dir string, addresses []string) (Injected, error) {
	config, err := (&Run{Dir: dir}).wholeConfig()
	if err != nil {
		return Injected{}, err
	}
	admitted, done, err := config.admit(addresses)
	if err != nil {
		return Injected{}, err
	}
	if done.Taken > 0 {
		var lines []byte
		for i := range admitted {
			lines = append(append(lines, admitted[i].URL...), '\n')
		}
		if err := appendSafely(filepath.Join(dir, fileState, fileInjected), lines); err != nil {
			return Injected{}, err
		}
	}
	if done.Running, err = isRunning(dir); err != nil || done.Running {
		return done, err
	}
	standing, err := ReadStanding(dir)
	if standing.State == "finished" && standing.Reason != nothingMore {
		done.UsedUp = standing.Reason
	}
	return done, err
}

// admit parts addresses into those that the scope lets in and those that it refuses.
func (c *Config) admit(addresses []string) (admitted []page.Link, done Injected, err error) {
	scope := c.Scope.Rules()
	if err := scope.Compile(); err != nil {
		return nil, done, err
	}
	done.Refused = map[string]admit.Refused{}
	named := map[string]bool{}
	for _, address := range addresses {
		l := page.LinkTo(strings.TrimSpace(address))
		if u, err := url.Parse(l.URL); err != nil || u.Host == "" || strings.ContainsAny(l.URL, "\r\n") {
			done.Refused[address] = admit.RefusedAddress
		} else if refused := scope.Admit(&l, 0); refused != "" {
			done.Refused[address] = refused
		} else if named[l.Identity] {
			done.Known++
		} else {
			named[l.Identity] = true
			admitted = append(admitted, l)
		}
	}
	done.Taken = len(admitted) + done.Known
	return admitted, done, nil
}

// appendSafely adds bytes to a file, in one piece, and has the disk keep them.
func appendSafely(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("focus: write %s: %w", path, err)
	}
	return nil
}

// toInject is what was added to the list of injected addresses and not taken, up to its last whole line.
func (c *Crawler) toInject() ([]byte, error) {
	if c.keeper == nil {
		return nil, nil
	}
	path := filepath.Join(c.folder.dir, fileState, fileInjected)
	if info, err := os.Stat(path); err != nil || info.Size() <= c.ledger.Injected() {
		return nil, nil // there is nothing, or nothing new
	}
	text, err := os.ReadFile(path)
	if err != nil || int64(len(text)) < c.ledger.Injected() {
		return nil, err
	}
	text = text[c.ledger.Injected():]
	return text[:bytes.LastIndexByte(text, '\n')+1], nil
}

// takeInjected lets the addresses in that somebody added to the list, each once, whatever happens. The turn must be held,
// and no visit be in the middle of its steps.
func (c *Crawler) takeInjected() error {
	text, err := c.toInject()
	if err != nil || len(text) == 0 {
		return err
	}
	for address := range strings.Lines(string(text)) {
		if _, _, err := c.steps.Seed(strings.TrimSpace(address)); err != nil {
			return err
		}
	}
	taken := c.ledger.Injected() + int64(len(text))
	c.ledger.Happen(&ledger.Injected{UpTo: taken})
	return errors.Join(c.keep(), c.keeper.Sync())
}

// heed looks every second whether somebody wants something of the crawl, until popping is over. stop ends the crawl.
func (c *Crawler) heed(popping context.Context, stop func()) {
	if c.keeper == nil {
		return
	}
	tick := time.NewTicker(c.config.every())
	defer tick.Stop()
	for {
		select {
		case <-popping.Done():
			return
		case <-tick.C:
		}
		c.steps.turn.enterNext()
		c.steps.fail(c.takeInjected())
		c.judgeBudget()
		if c.commanded() == frontier.Pause {
			c.standStill("paused", func() bool { return c.commanded() == frontier.Pause })
		}
		c.steps.turn.leave(0)
		if c.commanded() == frontier.Stop {
			stop()
		}
	}
}

// commanded is what the crawl is told to do.
func (c *Crawler) commanded() frontier.Command {
	text, err := os.ReadFile(filepath.Join(c.folder.dir, fileState, fileCommand))
	if err != nil {
		return frontier.GoOn
	}
	return frontier.CommandOf(strings.TrimSpace(string(text)))
}

// standStill holds the turn until nothing holds the crawl up any more, or it is to end: pages under way are fetched, and
// wait; no other is begun. The time does not count.
func (c *Crawler) standStill(why string, still func() bool) {
	c.still.Store(&why)
	c.say("standing still: " + why)
	defer func() {
		c.still.Store(nil)
		c.say("going on")
	}()
	began := c.now()
	tick := time.NewTicker(c.config.every())
	defer tick.Stop()
	for still() {
		select {
		case <-c.halted:
			return
		case <-tick.C:
		}
	}
	c.ledger.Start(c.ledger.Standing().Started.Add(c.now().Sub(began)))
}

// StandsStill says why the crawl stands still; it is empty while it goes on.
func (c *Crawler) StandsStill() string {
	if why := c.still.Load(); why != nil {
		return *why
	}
	if c.shared == nil {
		return ""
	}
	if why := c.shared.awaited.Load(); why != nil {
		return *why
	}
	if c.shared.gate.isClosed() {
		return "paused"
	}
	return ""
}

// say tells whoever wants to know what happens to the crawl as a whole.
func (c *Crawler) say(line string) {
	if c.config.Told != nil {
		c.config.Told(line)
	}
}

// every is how often, on the wall, the crawl looks at what others may have changed.
func (c *Config) every() time.Duration {
	if c.look > 0 {
		return c.look
	}
	return lookEvery
}
