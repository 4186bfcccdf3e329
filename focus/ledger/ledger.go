// Package ledger answers one question: what was counted?
//
// A Ledger is what a crawl counts and remembers, beside what its topic, its strategy's memory and its selection learn.
// An Event is the only way to change it. Whatever happens is written down as it is applied (Told), and whoever goes on
// with the crawl, or has a part in it, applies it again (Again): the same events make the same ledger. State and Restore
// are the whole of it, so that not all events need be kept. It knows neither crawler nor page.
//
// It serves steps 1, 5, 6, 7 and 9 of the journey (see package focus).
package ledger

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/robots"
)

// rememberRefused bounds how many refused addresses are told apart, and how many that were looked at for traps. Beyond that an
// address that is refused again counts again, and one that was looked at is asked about again.
const rememberRefused = 1 << 21

// Ledger is the books of one crawl. Events are applied by one page at a time, the one that has the turn. That page may read
// whatever it likes without the lock, since nobody else writes; everybody else may ask for Counts, IsFinished and Hosts alone,
// which take it.
type Ledger struct {
	// Robots is what the hosts' robots.txt files say; nil where nobody asks for them.
	Robots *robots.Keeper
	// Keeps writes every event down for Told.
	Keeps bool
	// Shared says that lessons come from other machines, too: what is this machine's alone is not taken from them.
	Shared bool

	mu       sync.RWMutex // events are applied under it; others than the page that has the turn read under it
	counts   Counts
	hosts    map[string]Host
	failures map[string]int      // visits in a row that failed, by host
	finished map[uint64]struct{} // requests that need not be made any more

	relevant map[uint64]float32  // relevance of fetched pages, by item
	refused  map[uint64]struct{} // addresses that were refused, by hash
	looked   map[uint64]bool     // addresses that were looked at for traps, by hash
	tries    map[uint64]int      // failed visits of items that wait again
	out      map[uint64]*Popped  // visits under way
	stale    int                 // links in a row that were put back
	putBack  uint64              // the last of them, until the next lesson says that it was scored again
	planted  bool                // the start pages wait
	later    bool                // it counts as begun later than it was told to have
	injected int64               // how far the list of injected addresses was taken
	told     []byte              // the events since the last time somebody asked
	room     []byte              // what they were told in
}

// ErrDamaged is the error of what was not written here, or not to its end.
var ErrDamaged = errors.New("the crawl's own books end too early or make no sense")

// New is a ledger in which nothing stands.
func New() *Ledger {
	return &Ledger{
		counts: Counts{Refused: admit.Tally{}, Dropped: admit.Tally{}}, hosts: map[string]Host{}, failures: map[string]int{},
		finished: map[uint64]struct{}{}, relevant: map[uint64]float32{}, refused: map[uint64]struct{}{}, looked: map[uint64]bool{},
		tries: map[uint64]int{}, out: map[uint64]*Popped{},
	}
}

// Record applies an event, and writes it down where somebody keeps the ledger. The turn must be held: the events are told in the
// order in which they were applied, and in another order they may come to another ledger.
func (l *Ledger) Record(e Event) {
	l.apply(e)
	if l.Keeps {
		k := pack.Coder{Bytes: append(l.told, e.kind())}
		e.code(&k)
		l.told = k.Bytes
	}
}

func (l *Ledger) apply(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.apply(l)
}

// Told appends the events since it was last asked, and forgets them: whoever asks must keep them. What it answers is good until
// somebody takes the room for the next (see Room).
func (l *Ledger) Told(b []byte) []byte {
	if l.later && l.planted && !l.Shared { // else a process that is killed leaves the time that was not to count to the next one
		l.Record(&Planted{Began: l.counts.Started})
	}
	l.later = false
	b = append(b, l.told...)
	l.told = l.told[:0]
	if l.room = b; cap(b) > mostRoom {
		l.room = nil // a long lesson is rare
	}
	return b
}

const mostRoom = 1 << 20

// Room is where the next lesson may be written: in the place of the last one, which nobody reads any more.
func (l *Ledger) Room() []byte {
	pack.Spoil(l.room)
	return l.room[:0]
}

// Again applies the events that a lesson tells of. It writes nothing down: who told the lesson has.
func (l *Ledger) Again(told []byte) error {
	l.putBack = 0 // what the lesson before put back had been scored again when this one was told
	k := pack.Coder{Bytes: told, Read: true}
	for len(k.Bytes) > 0 {
		e := newEvent(k.Bytes[0])
		if e == nil {
			return ErrDamaged
		}
		k.Bytes = k.Bytes[1:]
		if e.code(&k); k.Bad {
			return ErrDamaged
		}
		if _, own := e.(*Injected); own && l.Shared {
			continue // it may be another machine's list
		}
		l.apply(e)
	}
	return nil
}

// Counts are what was counted so far. It may be asked for at any time.
func (l *Ledger) Counts() Counts {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.counts.clone()
}

// Standing is what was counted so far, for the page that has the turn: it goes on changing, and must not be changed.
func (l *Ledger) Standing() *Counts { return &l.counts }

// Start sets when the crawl began, by its clock: the time that it was away, or stood still, does not count.
func (l *Ledger) Start(at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.later = l.later || !at.Equal(l.counts.Started)
	l.counts.Started = at
}

// Resume is told that the crawl goes on now, and what the clock showed when it was heard of last: the time that it was away does not
// count. Before it began nothing can have been heard of it, but by a clock that was set back.
func (l *Ledger) Resume(now, last time.Time) {
	l.Start(now.Add(min(0, l.counts.Started.Sub(last))))
}

// Settle has the beginning told by the clock as it shows the time now, which somebody may have set since. How long the crawl has run is
// measured by a clock that nobody sets, and which ends with the process.
func (l *Ledger) Settle(now time.Time) {
	if began, later := l.counts.Started, l.later; !began.IsZero() {
		l.Start(now.Add(began.Sub(now)))
		l.later = later
	}
}

// Host is what was counted of a host.
func (l *Ledger) Host(host string) Host { return l.hosts[host] }

// Given is how many pages of a host were fetched, and how many of them were relevant.
func (l *Ledger) Given(host string) (fetched, relevant int) {
	h := l.hosts[host]
	return h.Pages, h.Relevant
}

// Hosts are what was counted of all hosts, and of those that failed the last time, how often in a row. It may be asked
// for at any time.
func (l *Ledger) Hosts() (hosts map[string]Host, failing map[string]int) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return maps.Clone(l.hosts), maps.Clone(l.failures)
}

// Answering are some of the hosts that have answered more often than they failed of late, those that were visited most.
func (l *Ledger) Answering(most int) []string {
	hosts := slices.SortedFunc(maps.Keys(l.hosts), func(a, b string) int {
		return cmp.Or(cmp.Compare(l.hosts[b].Pages, l.hosts[a].Pages), cmp.Compare(a, b))
	})
	hosts = slices.DeleteFunc(hosts, func(host string) bool { return l.hosts[host].Pages <= l.failures[host] })
	return hosts[:min(len(hosts), most)]
}

// Failures are how many visits of a host failed in a row.
func (l *Ledger) Failures(host string) int { return l.failures[host] }

// Silent tells whether a host has failed as often in a row as it was visited at all, or nearly so.
func (l *Ledger) Silent(host string) bool {
	failures := l.failures[host]
	return failures > 0 && l.hosts[host].Pages <= failures
}

// Relevance is how relevant the page of an item was, if it was fetched.
func (l *Ledger) Relevance(id uint64) (relevance float32, fetched bool) {
	relevance, fetched = l.relevant[id]
	return relevance, fetched
}

// IsFinished tells whether a request need not be made any more. It may be asked for at any time.
func (l *Ledger) IsFinished(request uint64) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	_, done := l.finished[request]
	return done
}

// WasRefused tells whether an address was refused before, by its hash.
func (l *Ledger) WasRefused(address uint64) bool {
	_, known := l.refused[address]
	return known
}

// WasLookedAt tells whether an address was looked at for traps before, and whether it is one.
func (l *Ledger) WasLookedAt(address uint64) (trap, known bool) {
	trap, known = l.looked[address]
	return trap, known
}

// Tries are how many visits of an item failed that waits again.
func (l *Ledger) Tries(id uint64) int { return l.tries[id] }

// Out is how the visit of an item began that is under way; nil if it is not.
func (l *Ledger) Out(id uint64) *Popped { return l.out[id] }

// Lose forgets that a visit is under way: it is another machine's.
func (l *Ledger) Lose(id uint64) { delete(l.out, id) }

// LoseOthers forgets the visits under way that are not among those that were leased.
func (l *Ledger) LoseOthers(leased func(id uint64) bool) {
	maps.DeleteFunc(l.out, func(id uint64, _ *Popped) bool { return !leased(id) })
}

// Stale is how many links in a row were put back: the crawl bounds that, or it might put back for ever.
func (l *Ledger) Stale() int { return l.stale }

// PutBackLast is the item that was put back and, as far as the lessons tell, not scored again; 0 if none was.
func (l *Ledger) PutBackLast() uint64 { return l.putBack }

// Planted tells whether the start pages wait.
func (l *Ledger) Planted() bool { return l.planted }

// Injected is how many bytes of the list of injected addresses were taken.
func (l *Ledger) Injected() int64 { return l.injected }

// Anew lets by put another ledger in the place of this one. What is this machine's own stays: its visits under way, what
// they wait for, when the crawl began for it, and how far its list of addresses was taken.
func (l *Ledger) Anew(by func() error) error {
	out, began, injected := l.out, l.counts.Started, l.injected
	l.out = map[uint64]*Popped{}
	var asked map[string]*robots.Flight
	if l.Robots != nil {
		asked, l.Robots.Flights = l.Robots.Flights, map[string]*robots.Flight{}
	}
	err := by()
	l.out, l.injected = out, injected
	if l.Robots != nil {
		l.Robots.Flights = asked
	}
	l.Start(began)
	return err
}

const (
	robotsTries = 3       // answers that say nothing, before a host's pages are refused
	robotsHosts = 100_000 // hosts that are remembered
)

// NewKeeper is what a ledger keeps of robots.txt files, before any was read.
func NewKeeper() *robots.Keeper { return robots.NewKeeper(robotsTries, robotsHosts) }
