package redis

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// longest is the longest wait between two looks whether Redis is back.
const longest = 30 * time.Second

// grace is how long a Redis that is away is waited for by who has to go (GiveUp), and quiet how long an answer is then: not
// less than the client itself waits for one.
const (
	grace = 1500 * time.Millisecond
	quiet = 3 * time.Second
)

// ErrAway: Redis did not answer who had to go (GiveUp).
var ErrAway = errors.New("no answer from Redis, which was not waited for any longer: what was under way waits again when its lease lapses")

var errSilent = errors.New("no answer from Redis")

// GiveUp lets nobody wait any longer for a Redis that does not answer: after a moment whoever asks it is told ErrAway. One
// that answers goes on to be asked.
func (f *Frontier) GiveUp() {
	f.leaving.Do(func() { time.AfterFunc(f.grace, func() { close(f.left) }) })
}

// hasLeft tells that nobody waits for Redis any longer.
func (f *Frontier) hasLeft() bool {
	select {
	case <-f.left:
		return true
	default:
		return false
	}
}

// insist does something until Redis has answered, the frontier is closed, or nobody may wait any longer.
func insist[T any](f *Frontier, do func(context.Context) (T, error)) (T, error) {
	var none T
	w := waiter{f: f}
	defer w.leaves()
	for wait := f.o.Poll; ; wait = min(2*wait, longest) {
		if f.hasLeft() && f.missed() {
			return none, f.at(ErrAway)
		}
		answer, err := once(f, do)
		if !w.isAway(err) {
			if f.isClosed() && errors.Is(err, context.Canceled) {
				err = frontier.ErrClosed
			}
			return answer, f.refusal(err)
		}
		ring := time.NewTimer(wait) // on the wall, whatever clock the crawl goes by: nothing moves that one meanwhile
		select {
		case <-ring.C:
		case <-f.left:
		case <-f.stop.Done():
			return none, frontier.ErrClosed
		}
		ring.Stop()
	}
}

// once does something once. A machine that cannot be reached says nothing for a long time: who has to go does not wait for
// that either.
func once[T any](f *Frontier, do func(context.Context) (T, error)) (T, error) {
	type reply struct {
		answer T
		err    error
	}
	replied := make(chan reply, 1)
	go func() {
		answer, err := do(f.stop)
		replied <- reply{answer, err}
	}()
	select {
	case r := <-replied:
		return r.answer, r.err
	case <-f.left:
	}
	ring := time.NewTimer(f.quiet)
	defer ring.Stop()
	select {
	case r := <-replied:
		return r.answer, r.err
	case <-ring.C:
		var none T
		return none, errSilent
	}
}

// missed tells that Redis did not answer when it was last asked.
func (f *Frontier) missed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.away
}

// waiter is one who may have to wait for Redis.
type waiter struct {
	f       *Frontier
	refused bool // by a Redis that answers
}

// isAway tells that an error is about reaching Redis, and not an answer. Whoever is interested hears when that changes. A Redis that
// is full answers all who read: it is well again when nobody waits any more of those whom it refused.
func (w *waiter) isAway(err error) bool {
	away, f := isAway(err), w.f
	var answer goredis.Error
	f.mu.Lock()
	w.holds(away && errors.As(err, &answer))
	changed := away != f.away && (away || err == nil && f.refused == 0)
	if changed {
		f.away = away
	}
	f.mu.Unlock()
	if changed && f.o.Away != nil {
		f.o.Away(advised(err))
	}
	return away
}

// leaves is called when nobody waits here any more, whatever came of it.
func (w *waiter) leaves() {
	w.f.mu.Lock()
	defer w.f.mu.Unlock()
	w.holds(false)
}

func (w *waiter) holds(refused bool) {
	switch {
	case refused && !w.refused:
		w.f.refused++
	case w.refused && !refused:
		w.f.refused--
	}
	w.refused = refused
}

func isAway(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return false
	}
	for _, final := range []error{frontier.ErrClosed, frontier.ErrEmpty, frontier.ErrHeld, frontier.ErrIdle, frontier.ErrNotLeased,
		ErrGone, ErrOlder, errItem, errLane, goredis.Nil, goredis.ErrClosed} {
		if errors.Is(err, final) {
			return false
		}
	}
	var answer goredis.Error
	return !errors.As(err, &answer) || passing(answer) != nil
}

// ailment is what a Redis says that answers and cannot do what it is asked for the time being, and what that means.
type ailment struct{ says, means string }

// ailments come and go. A script that was refused for one of them has done nothing.
var ailments = []ailment{
	{"OOM", "Redis is full: raise its maxmemory"},
	{"MISCONF", "Redis cannot write to its disk, and so takes nothing: see its log, and whether the disk is full"},
	{"NOREPLICAS", "Redis has fewer replicas than it wants: bring them back, or lower its min-replicas-to-write"},
	{"READONLY", "this Redis is a replica and takes nothing: name the master in the address, unless it is about to become one"},
	{"LOADING", "Redis reads its data back"},
	{"MASTERDOWN", "this Redis is a replica that has lost its master"},
	{"CLUSTERDOWN", "the cluster does not have all its slots: see to the servers that are missing"},
	{"TRYAGAIN", "the cluster moves its slots"},
	{"BUSY", "Redis is busy with a script of somebody else"},
	{"max number of clients", "Redis has all the connections it takes: raise its maxclients"},
}

// passing is the ailment that an answer tells of; nil if it tells of none. Of a script, older servers say first that it failed,
// and of several commands at once that they were discarded.
func passing(answer error) *ailment {
	said := answer.Error()
	for i := range ailments {
		a := &ailments[i]
		if strings.HasPrefix(said, a.says) || strings.Contains(said, "-"+a.says+" ") || strings.Contains(said, ": "+a.says+" ") ||
			strings.HasPrefix(said, "ERR "+a.says) {
			return a
		}
	}
	return nil
}

// advised is an error with what it means in front, or what to do about it behind, where that is known of an answer.
func advised(err error) error {
	var answer goredis.Error
	if !errors.As(err, &answer) {
		return err
	}
	if a := passing(answer); a != nil {
		return fmt.Errorf("%s (%w)", a.means, err)
	}
	return remedied(err)
}

// refusal is an error that nobody waits for the end of. Of an answer it says whose it is, and what to do about it.
func (f *Frontier) refusal(err error) error {
	var answer goredis.Error
	if !errors.As(err, &answer) || errors.Is(err, goredis.Nil) {
		return err
	}
	return f.at(advised(err))
}
