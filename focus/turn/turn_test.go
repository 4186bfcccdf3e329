package turn

import (
	"slices"
	"sync"
	"testing"
)

// Whoever is there first, turns come in the order of the tickets.
func TestTurnsComeInTheOrderOfTickets(t *testing.T) {
	turn := New()
	var order []uint64
	var all sync.WaitGroup
	for ticket := uint64(50); ticket > 0; ticket-- {
		all.Go(func() {
			turn.Enter(ticket)
			order = append(order, ticket)
			turn.Leave(ticket)
		})
	}
	all.Wait()
	if len(order) != 50 || !slices.IsSorted(order) {
		t.Errorf("the order was %v", order)
	}
}

func TestTurnWithoutATicketIsExclusive(t *testing.T) {
	turn := New()
	n := 0
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			turn.Enter(0)
			n++
			turn.Leave(0)
		})
	}
	all.Wait()
	if n != 100 {
		t.Errorf("counted %d, want 100", n)
	}
}
