package focus

import (
	"context"
	"sync"
	"time"
)

// slow is where hosts are waited for that may not answer, or not soon: those whose robots.txt is asked for, that failed the last
// time, or that took long. No worker waits for them, so that they keep nobody from the others.
type slow struct {
	crew   sync.WaitGroup
	places chan struct{} // one for each that waits
	most   int           // slow hosts that are visited at the same time
	after  time.Duration // what a visit may take before its host is slow

	mu     sync.Mutex
	freed  sync.Cond
	seated map[string]bool // hosts that are being visited
	known  map[string]bool // hosts whose last visit took long
}

const (
	slowPlaces = 1024 // hosts that are waited for, or wait for a seat, without a worker
	slowPart   = 4    // of the time in which an answer must begin: who takes longer is slow
	slowKnown  = 1 << 14
)

func newSlow(workers int, answer time.Duration) *slow {
	s := &slow{places: make(chan struct{}, slowPlaces), most: max(1, workers/2), after: answer / slowPart,
		seated: map[string]bool{}, known: map[string]bool{}}
	s.freed.L = &s.mu
	return s
}

// run does what may be slow in a place of its own, or answers false where all places are taken.
func (s *slow) run(ask func()) bool {
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

// sit waits until a page of a slow host may be fetched: a host has one seat, and all of them together at most half as many as
// there are workers. It answers false where the wait was given up. Who has sat gets up.
func (s *slow) sit(ctx context.Context, host string) bool {
	defer context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.freed.Broadcast()
	})()
	s.mu.Lock()
	defer s.mu.Unlock()
	for ctx.Err() == nil && (s.seated[host] || len(s.seated) >= s.most) {
		s.freed.Wait()
	}
	if ctx.Err() != nil {
		return false
	}
	s.seated[host] = true
	return true
}

func (s *slow) getUp(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.seated, host)
	s.freed.Broadcast()
}

// knows tells whether a host took long the last time.
func (s *slow) knows(host string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[host]
}

// saw notes how long a visit of a host took.
func (s *slow) saw(host string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if took < s.after {
		delete(s.known, host)
		return
	}
	if len(s.known) >= slowKnown {
		clear(s.known) // each is met again, and costs a worker once
	}
	s.known[host] = true
}
