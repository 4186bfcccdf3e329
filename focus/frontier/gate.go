package frontier

import (
	"context"
	"sync"
)

// Gate is closed while nothing may be popped. It is open at first.
type Gate struct {
	mu     sync.Mutex
	closed bool
	opened chan struct{} // closed when the gate opens
}

// Set closes or opens the gate, and answers whether that is a change.
func (g *Gate) Set(closed bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if closed == g.closed {
		return false
	}
	if g.closed = closed; closed {
		g.opened = make(chan struct{})
	} else {
		close(g.opened)
	}
	return true
}

// Closed tells whether it is.
func (g *Gate) Closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// Pass waits while the gate is closed, and answers false when ctx is done.
func (g *Gate) Pass(ctx context.Context) bool {
	g.mu.Lock()
	closed, opened := g.closed, g.opened
	g.mu.Unlock()
	if closed {
		select {
		case <-opened:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}
