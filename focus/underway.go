package focus

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// A page can end the process that reads it, and a crawl that begins where it was killed would fetch that page first, for
// ever. So what is under way is written down while it is: whoever starts next knows what the process died over. What was
// under way at two deaths in a row is visited alone; what was alone at the third is set aside.
//
// A visit is known here by the address that is asked for: that of its link, or of the robots.txt that stands before it.

// The deaths in a row from which on a visit is made alone, and is not made at all.
const (
	deathsAlone = 2
	deathsAside = 3
)

// The signs before the addresses in the file. A visit that begins and one that ends add a line; the rest is written at
// the start.
const (
	signBegun = '+'
	signEnded = '-'
	signLate  = '~' // it was given back before a request was made
	signDied  = '!' // it was under way when the process died; one sign for each time it was visited since it was survived
	signAside = '#' // it is set aside
	signTold  = '=' // and that stands in the crawl's log and counts
)

// mostUnderway is how long the file may grow before it is written anew.
const mostUnderway = 1 << 20

// underway keeps what is under way. A nil one keeps nothing.
type underway struct {
	path  string
	sync  func() error // makes all that the frontier was told safe
	alone sync.RWMutex // held by every visit; for writing by one that is made alone

	mu     sync.Mutex
	file   *os.File // nil until the first visit begins: who fetched nothing dies of nothing
	size   int
	now    map[string]int  // how many visits are under way for an address
	deaths map[string]int  // each time that it was visited since it was survived
	aside  map[string]bool // what is set aside, and whether that has been told
	err    error           // why the file cannot be written
}

// openUnderway finds out what an earlier process died over. Where leases have to lapse before a link comes back, deaths are in a
// row whatever else the process died over before it visited the link again.
func openUnderway(dir string, sync func() error, lapses bool) (*underway, error) {
	u := &underway{path: filepath.Join(dir, run.FileState, run.FileUnderway), sync: sync,
		now: map[string]int{}, deaths: map[string]int{}, aside: map[string]bool{}}
	left, before := map[string]int{}, map[string]int{}
	_, err := run.EachSealed(u.path, 0, func(line string) {
		sign, name, ok := strings.Cut(line, " ")
		if !ok || sign == "" {
			return
		}
		switch sign[0] {
		case signBegun:
			left[name]++
		case signEnded:
			if left[name]--; left[name] == 0 {
				delete(before, name)
			}
		case signLate:
			left[name]--
		case signDied:
			before[name] = len(sign)
		case signAside, signTold:
			u.aside[name] = sign[0] == signTold
		}
	})
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(left, func(_ string, n int) bool { return n <= 0 })
	if lapses {
		maps.Copy(u.deaths, before)
	}
	for name := range left {
		u.deaths[name] = before[name] + 1
		if u.deaths[name] >= deathsAside && len(left) == 1 {
			u.aside[name] = false
			delete(u.deaths, name)
		}
	}
	return u, nil
}

// begin notes that a visit is under way, until the function it answers is called; made tells whether a request was. It waits
// while another is made alone, and where this one is to be alone, until no other is left.
func (u *underway) begin(name string) (end func(made bool)) {
	if u == nil || name == "" {
		return func(bool) {}
	}
	release := u.alone.RUnlock
	if u.deadly(name) {
		u.alone.Lock()
		release = u.alone.Unlock
		u.note(u.sync()) // if the process dies now, the next one must know the link to set it aside
	} else {
		u.alone.RLock()
	}
	u.say(signBegun, name)
	return func(made bool) {
		if made {
			u.say(signEnded, name)
		} else {
			u.say(signLate, name)
		}
		release()
	}
}

// deadly tells of a visit that is to be made alone.
func (u *underway) deadly(name string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.deaths[name] >= deathsAlone
}

// say writes down that a visit begins or has ended.
func (u *underway) say(sign byte, name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if sign == signBegun {
		u.now[name]++
	} else if u.now[name]--; u.now[name] == 0 {
		delete(u.now, name)
		if sign == signEnded {
			delete(u.deaths, name) // it has been survived
		}
	}
	if u.err != nil {
		return
	}
	if u.file == nil || u.size > mostUnderway {
		u.err = u.rewrite()
		return
	}
	line := run.Sealed(string(sign) + " " + name)
	u.size += len(line)
	_, u.err = u.file.WriteString(line)
}

// rewrite writes the file anew, in one step. u.mu must be held.
func (u *underway) rewrite() error {
	text := u.text()
	for _, name := range slices.Sorted(maps.Keys(u.now)) {
		text = append(text, strings.Repeat(run.Sealed(string(signBegun)+" "+name), u.now[name])...)
	}
	if err := u.replace(text); err != nil {
		return err
	}
	file, err := os.OpenFile(u.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	u.file, u.size = file, len(text)
	return nil
}

// text is what is known of earlier processes. u.mu must be held.
func (u *underway) text() (text []byte) {
	for _, name := range slices.Sorted(maps.Keys(u.deaths)) {
		text = append(text, run.Sealed(strings.Repeat(string(signDied), u.deaths[name])+" "+name)...)
	}
	for _, name := range slices.Sorted(maps.Keys(u.aside)) {
		sign := signAside
		if u.aside[name] {
			sign = signTold
		}
		text = append(text, run.Sealed(string(sign)+" "+name)...)
	}
	return text
}

// replace puts a text in the place of the file. u.mu must be held.
func (u *underway) replace(text []byte) error {
	if u.file != nil {
		u.file.Close() // every line of it was handed to the system when it was written
		u.file = nil
	}
	return whole.Note(u.path, text)
}

// note keeps the first error.
func (u *underway) note(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.err == nil {
		u.err = err
	}
}

// isAside tells of an address that is set aside, and whether that was told.
func (u *underway) isAside(name string) (aside, told bool) {
	if u == nil {
		return false, false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	told, aside = u.aside[name]
	return aside, told
}

// told notes that it stands in log and counts that an address is set aside.
func (u *underway) told(name string) error { return u.change(func() { u.aside[name] = true }) }

// forgive lets addresses be visited that were set aside.
func (u *underway) forgive(names ...string) error {
	return u.change(func() {
		for _, name := range names {
			delete(u.aside, name)
		}
	})
}

// change changes what is set aside, in the file as well.
func (u *underway) change(how func()) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	how()
	return u.rewrite()
}

// close says that the process has ended by itself.
func (u *underway) close() error {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	clear(u.deaths)
	err := u.err
	if text := u.text(); len(text) > 0 {
		return errors.Join(err, u.replace(text))
	}
	if u.file != nil {
		u.file.Close()
		u.file = nil
	}
	if gone := os.Remove(u.path); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// abandon lets go of the file and leaves it as it is: the next process finds what this one found.
func (u *underway) abandon() {
	if u != nil && u.file != nil {
		u.file.Close()
	}
}

// warmUp loads, where a process has died, what reading a first page loads: dictionaries take a second, in which whoever is
// killed for reasons of its own seems to die over the page that happens to be first.
func (c *Crawler) warmUp() {
	if len(c.underway.deaths) > 0 {
		c.steps.topic.Cut(study.Document(page.Parse([]byte("<p>wind 风力发电"), "http://example.org/", c.steps.reading)))
	}
}

// robotsOf is the address of the robots.txt that speaks for an address.
func robotsOf(address string) string { return robots.Origin(address) + "/robots.txt" }

// under is what a job asks for, and empty where it asks for nothing: it was refused, or waits for another's answer.
func (j *job) under() string {
	switch {
	case j.visit.Refused != "" || j.visit.Err != nil || j.robots != nil && !j.first:
		return ""
	case j.robots != nil:
		return j.robots.Origin + "/robots.txt"
	}
	return j.visit.Item.Known()
}

// setAside gives up a link that has killed the process each time, or whose robots.txt has: it is refused, and does not
// wait any more. If a page that links to it lets it wait again, it is given up without another word; if somebody has
// injected it since, it is visited. The turn must be held, and no visit be in the middle of its steps.
func (c *Crawler) setAside(item frontier.Item) bool {
	name, robots := item.Known(), robotsOf(item.URL)
	aside, told := c.underway.isAside(name)
	if !aside && c.ledger.Robots != nil {
		aside, _ = c.underway.isAside(robots)
	}
	if !aside || c.can.tiers == nil {
		return false
	}
	if told && item.Via == 0 {
		c.steps.fail(c.underway.forgive(name, robots))
		return false
	}
	delete(c.interrupted, item.ID)
	err := c.frontier.Done(item.ID, frontier.Outcome{Again: true, Idle: true, Score: item.Score})
	if errors.Is(err, frontier.ErrNotLeased) { // it is another machine's by now
		return true
	}
	c.steps.fail(errors.Join(err, c.can.tiers.Drop(item.ID)))
	if !told {
		v := c.visitOf(item)
		v.Refused, v.Time = admit.RefusedKiller, c.now()
		c.steps.dismiss(v)
	}
	c.ledger.Record(&ledger.Ended{ID: item.ID})
	c.steps.fail(c.keep())
	if c.keeper != nil && !told && c.steps.err == nil {
		c.steps.fail(errors.Join(c.keeper.Sync(), c.underway.told(name)))
	}
	return true
}
