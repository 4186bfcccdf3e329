package frontier

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Gate is closed while nothing may be popped. It is open at first.
type Gate struct {
	mu     sync.Mutex
	why    string    // it is closed; empty while it is open
	said   string    // what whoever looks was told of that
	shut   time.Time // since when it is closed, by the clock of who looks
	held   []hold
	opened chan struct{} // closed when the gate opens
}

// hold is why somebody holds a gate closed, and whether it still is so.
type hold struct {
	why   string
	still func() bool
}

// Hold closes the gate for as long as still answers true to who looks, and others hold it. It answers true.
func (g *Gate) Hold(why string, still func() bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = append(slices.DeleteFunc(g.held, func(h hold) bool { return h.why == why }), hold{why, still})
	if g.why == "" {
		g.set(why)
	}
	return true
}

// Look closes or opens the gate, now: all are paused or not, and whoever holds it still does or not. It answers what there is to say of
// that which was not said at the last look, and when it opens how long it was closed.
func (g *Gate) Look(paused bool, now time.Time) (say string, closed time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = slices.DeleteFunc(g.held, func(h hold) bool { return !h.still() })
	why := ""
	switch {
	case paused:
		why = "paused"
	case len(g.held) > 0:
		why = g.held[0].why
	}
	g.set(why)
	switch was := g.said; {
	case why == was:
	case why == "":
		say, closed = "going on", now.Sub(g.shut)
	case was == "":
		g.shut = now
		fallthrough
	default:
		say = "standing still: " + why
	}
	g.said = why
	return say, closed
}

// set closes the gate, or opens it where there is no reason to. g.mu must be held.
func (g *Gate) set(why string) {
	switch was := g.why; {
	case was == "" && why != "":
		g.opened = make(chan struct{})
	case was != "" && why == "":
		close(g.opened)
	}
	g.why = why
}

// Why says why the gate is closed; it is empty while it is open.
func (g *Gate) Why() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.why
}

// Pass waits while the gate is closed, and answers false when ctx is done.
func (g *Gate) Pass(ctx context.Context) bool {
	g.mu.Lock()
	closed, opened := g.why != "", g.opened
	g.mu.Unlock()
	if closed {
		select {
		case <-opened:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// Awaits is whose answer is waited for, where that is known, or else that all that waits is at hosts which other machines visit. The
// other thing it says is that all that waits is at hosts that rest.
func Awaits(f Frontier, answer string) (_, rests string) {
	if f, ok := f.(interface{ Rests() string }); ok {
		rests = f.Rests()
	}
	if shared, ok := f.(interface{ Elsewhere() string }); ok && answer == "" {
		return shared.Elsewhere(), rests
	}
	return answer, rests
}
