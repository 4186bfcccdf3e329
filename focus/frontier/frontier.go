// Package frontier answers one question: what comes next, and when?
//
// There are only a few types. An Item is a link that waits. A Frontier keeps items in order and each host's
// clock beside them: Pop hands over the most promising item whose host may be visited now. An Outcome tells
// how a visit ended and sets the host's next turn.
//
// The order is (Tier ascending, Score descending, order of arrival). Politeness lives here, per host, and never
// in a sleeping worker. It serves steps 1 and 9 of the journey (see package focus).
package frontier

import (
	"context"
	"errors"
	"time"
)

// Item is a link that waits to be visited, or was. ID is given by Push, counts from 1 and never changes.
// Numbers (the explanation of Score) and Note are opaque to every frontier.
type Item struct {
	ID       uint64
	URL      string    // the address as it was written, without its fragment: what is fetched
	Identity string    // the canonical form: what the address is known by; empty means URL
	Host     string    // whose clock it obeys
	Via      uint64    // the item on whose page it was found; 0 for a seed
	Depth    uint16    // links away from a seed
	Tier     uint32    // lower tiers come first, whatever the score
	Score    float32   // higher comes first
	Alt      float32   // the score in the second lane
	Numbers  []float32 // the score's explanation, as decided when it was scored
	Note     []byte    // what the ranking carries along
}

// Held is the first of the tiers that are held: an item in it waits, but is not handed over until Promote has
// moved it to a tier below. Selections by rounds and generations gather their links there.
const Held uint32 = 1 << 31

// State says where an item stands.
type State uint8

// The states of an item, in the order of its life.
const (
	Unknown  State = iota // no such item
	Waiting               // pushed, not popped
	Leased                // popped, not done
	Finished              // done
	Dropped               // given up without a visit; pushed again, it waits again
	Shelved               // given up without a visit; pushed again, it stays so: it waits again when it is told to (Shelver)
)

// Begun tells of an item that its visit has begun or is over, or is not wanted: pushing it again changes nothing.
func (s State) Begun() bool { return s == Leased || s == Finished || s == Shelved }

// Outcome is what is told of a leased item when its visit has ended.
type Outcome struct {
	// Again gives the item back unfinished: it waits again, not before the host's next turn.
	Again bool
	// Shelved gives the item up, as it is not to be visited for what may turn out to be untrue: see Shelver.
	Shelved bool
	// Score replaces the item's score when it is given back; NaN keeps it.
	Score float32
	// Idle tells that the host was not visited (a rule refused the item): its clock stays as it is.
	Idle bool
	// Wait is how long the host is left alone from now on; 0 means the frontier's usual delay.
	Wait time.Duration
	// Took is how long the visit took, for delays that adapt.
	Took time.Duration
	// Failed counts against the host; Why says how it failed, for whoever asks after the host's health.
	Failed bool
	Why    string
	// Counters, Lesson and Files are kept by frontiers that persist, in the same frame as the outcome:
	// what the crawl counted in this visit (they add up), what the strategy learned (opaque, and the caller's again
	// when the frontier has answered), how long each output file is by now.
	Counters map[string]int64
	Lesson   []byte
	Files    map[string]int64
}

// Errors a caller branches on.
var (
	// ErrEmpty: nothing waits and nothing is leased. The crawl is over.
	ErrEmpty = errors.New("the frontier is empty")
	// ErrIdle: nothing can be handed over before an outcome is told: what waits is behind the hosts that
	// are being visited, or nothing waits while leases are out. Only TryPop answers it.
	ErrIdle = errors.New("the frontier is idle")
	// ErrHeld: nothing is leased, and all that waits is in held tiers: promote some of it.
	ErrHeld = errors.New("all that waits is held")
	// ErrClosed: the frontier was closed.
	ErrClosed = errors.New("the frontier is closed")
	// ErrNotLeased: an outcome was told of an item that nobody visits (any more: its lease may have expired).
	ErrNotLeased = errors.New("the item is not leased")
)

// Frontier keeps the links that wait. All methods may be called concurrently.
type Frontier interface {
	// Push adds an item, or raises a waiting item of the same identity (never lowers it). It answers the item's
	// id and whether it is new. It is a raise if the tier is lower, or the same and the score higher; it takes
	// the new Numbers, Note, Via and Depth with it. Alt becomes the higher of both in any case. What is leased
	// or finished stays as it is. Numbers and Note are copied. A score that is not finite is refused.
	Push(Item) (id uint64, fresh bool, err error)
	// Pop leases the best item of the lane (0 by Score, 1 by Alt) whose host is ready. It waits, without
	// spinning, until there is one, and ends with ErrEmpty, ErrHeld, ErrClosed or the context's error.
	// The item's Numbers and Note are the frontier's: read them, do not write them.
	Pop(ctx context.Context, lane int) (Item, error)
	// Done ends a lease and sets the host's next turn.
	Done(id uint64, o Outcome) error
	// Len is the number of items that wait.
	Len() int
	// Close gives up what the frontier holds. What it persisted can be opened again.
	Close() error
}

// Trier is a Frontier that answers at once: with an item, with ErrEmpty, ErrHeld, ErrIdle (tell an outcome
// first) or ErrClosed, or with the time at which the next host will be ready. It is how virtual time pops.
type Trier interface {
	TryPop(lane int) (item Item, ready time.Time, err error)
}

// Finder looks items up.
type Finder interface {
	// Find answers the id of an identity, 0 if it was never pushed.
	Find(identity string) uint64
	// Get answers an item and its state.
	Get(id uint64) (Item, State)
}

// Rescorer changes the scores of waiting items, up or down, and their notes: a nil note leaves the item the one it has, and
// an empty one leaves it none. Numbers and note are copied. An id that does not wait is ignored. Standing tells how an item
// stands; it is what Get knows of it without looking up its address and its note, and costs little.
type Rescorer interface {
	Standing(id uint64) Standing
	Rescore(id uint64, score, alt float32, numbers []float32, note []byte) error
}

// Holder works on whole tiers: Each visits the waiting items of a tier in order until visit answers false,
// Promote moves a waiting item to another tier with a new score, Drop forgets that it waits. An id that does
// not wait is ignored. The frontier stands still while visit runs: collect there, and act when Each has returned.
type Holder interface {
	Each(tier uint32, visit func(id uint64) bool)
	Promote(id uint64, tier uint32, score float32) error
	Drop(id uint64) error
}

// Shelver lets an item wait again that was given up for what has turned out to be untrue (Outcome.Shelved): where it stood, with all that it
// had. It answers whether it was.
type Shelver interface {
	Unshelve(id uint64) (was bool, err error)
}

// Unshelve lets items wait again as far as they were given up, and answers these. A frontier that is no Shelver has finished them.
func Unshelve(f Frontier, ids []uint64) (back []Item, err error) {
	shelver, _ := f.(Shelver)
	find, finds := f.(Finder)
	for _, id := range ids {
		if shelver == nil || !finds {
			break
		}
		was, err := shelver.Unshelve(id)
		if err != nil {
			return back, err
		}
		if was {
			item, _ := find.Get(id)
			back = append(back, item)
		}
	}
	return back, nil
}

// Renewer keeps the lease of a visit that takes its time from lapsing.
type Renewer interface {
	Renew(id uint64) error
}

// Pacer sets a host's clock apart from the usual: its delay (a robots.txt Crawl-delay), or a time before
// which it is not visited.
type Pacer interface {
	Pace(host string, delay time.Duration)
	Rest(host string, until time.Time)
}

// Behaver takes other manners while the crawl goes on: pauses that go on are as long as they would be by the new ones, unless
// they are for something else than Delay (a failure, a slow answer, a time that the host asked for). Clock, Lease and Turns
// stay what they were. On Redis, pauses that go on end as they were begun, and each machine has manners of its own.
type Behaver interface {
	Behave(m Manners)
}

// Locator is told where hosts are: those of one address share its visits (Manners.PerIP). An empty address means that
// it is not known. It is not kept when the process ends: whoever visits the host again finds it out again.
type Locator interface {
	Locate(host, address string)
}

// Examiner tells how a host is doing.
type Examiner interface {
	Health(host string) Health
}

// Health is how a host is doing.
type Health struct {
	Fails   int           // visits in a row that failed
	Next    time.Time     // it is not visited before; zero if it was never visited
	Due     bool          // Next is over; of a host that is being visited, it was when that began
	Pause   time.Duration // for so long it was to be left alone after its last visit; 0 if that was in another process
	Parked  bool          // it failed so often in a row that it is left alone for longer (Manners.Park)
	GivenUp bool          // and so often that it is tried only now and then, when it is due (Manners.GiveUp)
	Why     string        // how it failed last; empty if it did not, or that was in another process
}

// Clock tells the time and waits for it. A frontier over a recorded web is given one that nobody waits for.
type Clock interface {
	Now() time.Time
	// After is a channel that is closed or sent to when d has passed, and a function that gives it up.
	After(d time.Duration) (<-chan time.Time, func())
}

// Manners are the rules of visiting that hold for every host.
type Manners struct {
	// Delay is the time between two visits of a host, counted from the end of the first; where several may be under way
	// at the same time, between their starts, too.
	Delay   time.Duration
	PerHost int   // visits of one host at the same time, if it has not asked for a delay of its own (Pacer); 0 means 1
	PerIP   int   // visits at the same time of all hosts of one address, as far as told (Locator); 0 means no bound
	Clock   Clock // nil means the wall clock

	// Adapt makes the delay a multiple of how long the last visit took (Outcome.Took): slow hosts are spared.
	// 0 leaves it out. Backoff is the least wait after a failed visit; it doubles with every further failure
	// in a row, give or take a quarter. Neither asks for more than Ceiling; 0 means an hour.
	Adapt   float64
	Backoff time.Duration
	Ceiling time.Duration

	// Park is how many visits in a row may fail before the host is parked: it rests for ParkFor, and twice as long
	// after every further failure, though not longer than Ceiling. After GiveUp failures in a row it is given up: it rests
	// for five minutes at least before it is tried again, and nobody waits for that. Where nothing else is left its links are handed over
	// to be refused (Health says so). A start page of it that is new lets it be tried at once. 0 leaves either out.
	Park    int
	ParkFor time.Duration
	GiveUp  int

	// Share is the part of the last hundred links handed over from which on a host's links count for a little less
	// (about a twentieth), so that hosts of equal promise come before it. 0 leaves it out.
	Share float64

	// Patience is how long a far better link is waited for. A link is not handed over while one is waiting that is
	// far better (by more than Margin, or of an earlier tier) on a host that will be ready again within Patience, or
	// whose visit began less than Patience ago. While anything is ready, a link is handed over at least every two
	// Patiences. 0 hands over what is ready at once.
	Patience time.Duration
	// Margin is how many times as high as the ready link's score the waited-for link's must be, to be far better; 0
	// means 1: any better link. Among scores that are not positive, it counts steps of the same kind.
	Margin float64

	// Lease is how long an item may be out before it waits again; 0 means until Done.
	Lease time.Duration
	// Turns lets hosts whose best items are of equal tier and score take turns, instead of the order of arrival.
	Turns bool
}
