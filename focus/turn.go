package focus

import (
	"sync"
)

// turnstile lets one visit at a time through steps 4 to 9. With tickets it lets them through in the order of the
// tickets, whichever worker is there first; a ticket of 0 takes the next free turn.
type turnstile struct {
	mu   sync.Mutex
	free *sync.Cond
	busy bool
	next uint64 // the ticket whose turn it is
	soon int    // how many wait that go before all tickets
}

func newTurnstile() *turnstile {
	t := &turnstile{next: 1}
	t.free = sync.NewCond(&t.mu)
	return t
}

// enter waits for the turn of a ticket.
func (t *turnstile) enter(ticket uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.busy || t.soon > 0 || (ticket != 0 && ticket != t.next) {
		t.free.Wait()
	}
	t.busy = true
}

// enterNext waits for the turn that is running to end, and goes before all tickets.
func (t *turnstile) enterNext() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.soon++
	for t.busy {
		t.free.Wait()
	}
	t.soon--
	t.busy = true
}

// leave ends the turn of a ticket.
func (t *turnstile) leave(ticket uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy = false
	if ticket != 0 {
		t.next = ticket + 1
	}
	t.free.Broadcast()
}
