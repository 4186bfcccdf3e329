package run

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/page"
)

// Whoever wants something of a running crawl leaves word in its state folder; the crawl looks there every second.
const (
	FileCommand  = "command"  // what it is told: pause or stop; it goes on where there is none
	FileInjected = "inject"   // addresses to be taken in, one a line; lines are only ever added
	FileUnderway = "underway" // the visits under way, and what processes died over; gone after a crawl that ended by itself and set nothing aside
)

// Command tells the crawl that runs in a folder to pause, to go on, or to stop.
func Command(dir string, what frontier.Command) error {
	if _, err := ReadStanding(dir); err != nil {
		return err
	}
	running, err := isRunning(dir)
	if err != nil {
		return err
	}
	if !running {
		return fmt.Errorf("no crawl is running in %s; 'thresher crawl FILE' goes on with it", dir)
	}
	path := filepath.Join(dir, FileState, FileCommand)
	if what != frontier.GoOn {
		return WriteFile(path, []byte(Sealed(what.String())))
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Commanded is what the crawl of a folder, or of a round of its run, is told to do. It goes on where that cannot be read: whoever told it sees that it did not
// hear, and tells it again.
func Commanded(dir string) frontier.Command {
	said := frontier.GoOn
	if _, err := EachSealed(filepath.Join(told(dir), FileState, FileCommand), 0, func(line string) { said = frontier.CommandOf(line) }); err != nil {
		return frontier.GoOn
	}
	return said
}

// isRunning tells whether a process holds a run folder.
func isRunning(dir string) (bool, error) {
	lock, err := hold(dir)
	if errors.Is(err, os.ErrNotExist) && orphaned(dir) {
		return false, nil // its state is gone, and nobody writes one
	}
	if err != nil || lock == nil {
		return err == nil, err
	}
	return false, lock.Release()
}

// hold holds a run folder for this process. There is no lock where another one holds it.
func hold(dir string) (*disk.Lock, error) {
	if err := crawlfile.NoFolder(dir); err != nil {
		return nil, err
	}
	lock, err := disk.LockFolder(filepath.Join(dir, FileState))
	var inUse *disk.InUseError
	if errors.As(err, &inUse) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("run folder %s: %w", dir, err)
	}
	return lock, nil
}

// Injected is what became of addresses that were given to a run.
type Injected struct {
	Taken   int
	Refused map[string]admit.Refused // by address: those that its scope does not let in
	Known   int                      // how many of those that were taken were named twice, were visited before, or are known to a shared crawl already: nothing is visited twice
	Running bool                     // a crawl is there to take them; otherwise it does when it is started again
	UsedUp  string                   // why it is not started again as it is: what it was given is used up
}

// Inject gives a run addresses as start pages. The scope is that of the run.
func Inject(dir string, addresses []string) (Injected, error) {
	config, err := (&Run{Dir: dir}).WholeConfig()
	if err != nil {
		return Injected{}, err
	}
	orders, err := ReadOrders(dir)
	if err != nil {
		return Injected{}, err
	}
	admitted, done, err := Admit(&config, &orders, addresses)
	if err != nil {
		return Injected{}, err
	}
	if done.Taken > 0 {
		var lines []byte
		for i := range admitted {
			lines = append(lines, Sealed(admitted[i].URL)...)
		}
		if err := done.visited(dir, admitted); err != nil {
			return Injected{}, err
		}
		if err := AppendSafely(filepath.Join(dir, FileState, FileInjected), lines); err != nil {
			return Injected{}, err
		}
	}
	standing, err := ReadStanding(dir)
	if err == nil {
		done.Running, err = isRunning(dir)
	}
	finished := standing.State == "finished"
	if done.Running = done.Running && !finished; err != nil || done.Running { // a round of a finished crawl visits what it has planned
		return done, err
	}
	most, _ := Raised(dir, config.Budget.Pages)
	raised := crawlfile.EndedBy(standing.Reason) == "pages" && most > standing.Pages // since it ended
	if finished && standing.Reason != NothingMore && !raised {
		done.UsedUp = standing.Reason
	}
	return done, err
}

// visited counts those of the addresses that the log of a run has as visited, or refused in their turn. What killed the crawl is visited again.
func (done *Injected) visited(dir string, admitted []page.Link) error {
	asked := map[string]bool{}
	for i := range admitted {
		asked[admitted[i].URL] = true
	}
	err := ReadLog(filepath.Join(dir, FileLog), func(d *Decision) bool {
		if asked[d.URL] && d.Reason != admit.RefusedKiller {
			delete(asked, d.URL)
			done.Known++
		}
		return len(asked) > 0
	}, Visits...)
	if errors.Is(err, os.ErrNotExist) { // 'thresher repair' writes it anew
		return nil
	}
	return err
}

// Admit parts addresses into those that the scope and a person's orders let in and those that they refuse.
func Admit(c *crawlfile.Config, orders *Orders, addresses []string) (admitted []page.Link, done Injected, err error) {
	scope := c.Scope.Rules()
	if err := scope.Compile(); err != nil {
		return nil, done, err
	}
	done.Refused = map[string]admit.Refused{}
	named := map[string]bool{}
	for _, address := range addresses {
		l := page.LinkTo(strings.TrimSpace(address))
		u, err := url.Parse(l.URL)
		if err != nil || u.Host == "" || strings.ContainsAny(l.URL, "\r\n") || l.Host == "" && (u.Scheme == "http" || u.Scheme == "https") {
			done.Refused[address] = admit.RefusedAddress
		} else if refused := scope.Admit(&l, 0); refused != "" {
			done.Refused[address] = refused
		} else if orders.KeepOut(l.URL) {
			done.Refused[address] = admit.RefusedBlocked
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

// AppendSafely adds bytes to a file, in one piece, and has the disk keep them.
func AppendSafely(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
