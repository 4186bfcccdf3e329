package focus

import "sync"

// aside is where robots.txt files are waited for, and hosts that failed the last time: who does not answer keeps no
// worker from the others.
type aside struct {
	crew   *sync.WaitGroup
	places chan struct{} // one for each that waits
}

// robotsAside is how many hosts may be waited for aside, for each worker.
const robotsAside = 4

// run does something aside, or answers false where all places are taken.
func (a aside) run(ask func()) bool {
	select {
	case a.places <- struct{}{}:
	default:
		return false
	}
	a.crew.Go(func() {
		defer func() { <-a.places }()
		ask()
	})
	return true
}
