package focus

import (
	"sync"
)

// slow is where robots.txt files are waited for, and hosts that failed the last time: who does not answer keeps no worker
// from the others.
type slow struct {
	crew   *sync.WaitGroup
	places chan struct{} // one for each that waits
}

// slowPlaces is how many hosts that may not answer are waited for at the same time, for each worker.
const slowPlaces = 4

// run does what may be slow in a place of its own, or answers false where all places are taken.
func (s slow) run(ask func()) bool {
	select {
	case s.places <- struct{}{}:
	default:
		return false
	}
	s.crew.Go(func() {
		defer func() { <-s.places }()
		ask()
	})
	return true
}
