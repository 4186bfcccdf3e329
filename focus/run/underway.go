package run

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus/whole"
)

// A page can end the process that reads it, and a crawl that begins where it was killed would fetch that page first, for
// ever. So what is under way is written down while it is: whoever starts next knows what the process died over. What was
// under way at two deaths in a row is visited alone; what was alone at the third is set aside.
//
// A visit is known here by the address that is asked for: that of its link, or of the robots.txt that stands before it.

// The deaths in a row from which on a visit is made alone, and is not made at all. One death may have had any reason; of those that
// were under way at two, one is suspect; what the process dies over alone is beyond doubt.
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
	signRests = '^' // not an address: a host is left alone (Rest)
)

// mostUnderway is how long the file may grow, in bytes, before it is written anew with what still matters.
const mostUnderway = 1 << 20

// Underway keeps what is under way. A nil one keeps nothing.
type Underway struct {
	path  string
	sync  func() error // makes all that the frontier was told safe
	alone sync.RWMutex // held by every visit; for writing by one that is made alone

	mu     sync.Mutex
	file   *os.File // nil until the first visit begins: who fetched nothing dies of nothing
	size   int
	rests  *rests          // nil where nobody here knows how hosts are doing
	now    map[string]int  // how many visits are under way for an address
	deaths map[string]int  // each time that it was visited since it was survived
	aside  map[string]bool // what is set aside, and whether that has been told
	err    error           // why the file cannot be written
}

// OpenUnderway finds out what an earlier process died over. Where leases have to lapse before a link comes back, deaths are in a
// row whatever else the process died over before it visited the link again.
func OpenUnderway(dir string, sync func() error, lapses bool) (*Underway, error) {
	u := &Underway{path: filepath.Join(dir, FileState, FileUnderway), sync: sync,
		now: map[string]int{}, deaths: map[string]int{}, aside: map[string]bool{}}
	left, before := map[string]int{}, map[string]int{}
	_, err := EachSealed(u.path, 0, func(line string) {
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

// Begin notes that a visit of a host is under way, until the function it answers is called; made tells whether a request was. It
// waits while another is made alone, and where this one is to be alone, until no other is left.
func (u *Underway) Begin(name, host string) (end func(made bool)) {
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
	u.say(signBegun, name, "")
	return func(made bool) {
		if made {
			u.say(signEnded, name, u.rests.of(host))
		} else {
			u.say(signLate, name, "")
		}
		release()
	}
}

// deadly tells of a visit that is to be made alone.
func (u *Underway) deadly(name string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.deaths[name] >= deathsAlone
}

// say writes down that a visit begins or has ended, and what is to be said with it.
func (u *Underway) say(sign byte, name, also string) {
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
	line := Sealed(string(sign)+" "+name) + also
	u.size += len(line)
	_, u.err = u.file.WriteString(line)
}

// rewrite writes the file anew, in one step. u.mu must be held.
func (u *Underway) rewrite() error {
	text := u.text()
	for _, name := range slices.Sorted(maps.Keys(u.now)) {
		text = append(text, strings.Repeat(Sealed(string(signBegun)+" "+name), u.now[name])...)
	}
	text = append(text, u.rests.all()...)
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
func (u *Underway) text() (text []byte) {
	for _, name := range slices.Sorted(maps.Keys(u.deaths)) {
		text = append(text, Sealed(strings.Repeat(string(signDied), u.deaths[name])+" "+name)...)
	}
	for _, name := range slices.Sorted(maps.Keys(u.aside)) {
		sign := signAside
		if u.aside[name] {
			sign = signTold
		}
		text = append(text, Sealed(string(sign)+" "+name)...)
	}
	return text
}

// replace puts a text in the place of the file. u.mu must be held.
func (u *Underway) replace(text []byte) error {
	if u.file != nil {
		u.file.Close() // every line of it was handed to the system when it was written
		u.file = nil
	}
	return whole.Note(u.path, text)
}

// note keeps the first error.
func (u *Underway) note(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.err == nil {
		u.err = err
	}
}

// IsAside tells of an address that is set aside, and whether that was told.
func (u *Underway) IsAside(name string) (aside, told bool) {
	if u == nil {
		return false, false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	told, aside = u.aside[name]
	return aside, told
}

// IsAnyAside tells whether one of them is set aside.
func (u *Underway) IsAnyAside(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { aside, _ := u.IsAside(name); return aside })
}

// Told notes that it stands in log and counts that an address is set aside.
func (u *Underway) Told(name string) error { return u.change(func() { u.aside[name] = true }) }

// Forgive lets addresses be visited that were set aside.
func (u *Underway) Forgive(names ...string) error {
	return u.change(func() {
		for _, name := range names {
			delete(u.aside, name)
		}
	})
}

// change changes what is set aside, in the file as well.
func (u *Underway) change(how func()) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	how()
	return u.rewrite()
}

// Died tells whether an earlier process died over something.
func (u *Underway) Died() bool { return len(u.deaths) > 0 }

// Close says that the process has ended by itself: nobody died, so nothing counts as a death in a row. What is set aside remains so.
func (u *Underway) Close() error {
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

// Abandon lets go of the file and leaves it as it is: the next process finds what this one found.
func (u *Underway) Abandon() {
	if u != nil && u.file != nil {
		u.file.Close()
	}
}
