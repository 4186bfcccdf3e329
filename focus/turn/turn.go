// Package turn answers one question: whose turn is it, and where does the time of a page go?
//
// Workers fetch and prepare pages side by side; one page at a time has the turn, in which everything is decided that other
// pages may change. A Turn lets them through, and a Clock sums up what each stage of their way takes.
package turn

import "sync"

// Turn lets one visit at a time through. With tickets it lets them through in the order of the tickets, whichever worker is
// there first; a ticket of 0 takes the next free turn. Every ticket must enter and leave, whatever became of its visit: the one
// after it waits for that.
type Turn struct {
	Clock

	mu   sync.Mutex
	free *sync.Cond
	busy bool
	next uint64 // the ticket whose turn it is
	soon int    // how many wait that go before all tickets
}

// New makes a turn that is free, and whose first ticket is 1.
func New() *Turn {
	t := &Turn{next: 1}
	t.free = sync.NewCond(&t.mu)
	return t
}

// Enter waits for the turn of a ticket.
func (t *Turn) Enter(ticket uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.busy || t.soon > 0 || (ticket != 0 && ticket != t.next) {
		t.free.Wait()
	}
	t.busy = true
}

// EnterNext waits for the turn that is running to end, and goes before all tickets. It is for whoever looks at the clock or at a
// person's orders: over a recorded web the next ticket may be long in coming, and on the live one there is always somebody waiting.
func (t *Turn) EnterNext() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.soon++
	for t.busy {
		t.free.Wait()
	}
	t.soon--
	t.busy = true
}

// Expected tells that somebody waits who goes before all tickets: the next turn is theirs.
func (t *Turn) Expected() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.soon > 0
}

// Leave ends the turn of a ticket. Everybody who waits is woken, as each waits for a ticket of its own.
func (t *Turn) Leave(ticket uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy = false
	if ticket != 0 {
		t.next = ticket + 1
	}
	t.free.Broadcast()
}
