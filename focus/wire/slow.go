package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// Slow is where hosts are waited for that may not answer, or not soon: those whose robots.txt is asked for, that failed the last
// time, or that took long. No worker waits for them, so that they keep nobody from the others.
type Slow struct {
	crew   sync.WaitGroup
	visits chan func()   // to those of the crew that have made one, and wait for another
	places chan struct{} // one for each that waits
	most   int           // slow hosts that are visited at the same time
	after  time.Duration // what a visit may take before its host is slow

	mu     sync.Mutex
	freed  sync.Cond
	seated map[string]bool // hosts that are being visited
	known  map[string]bool // hosts whose last visit took long
}

const (
	slowPlaces = 1024    // hosts that are waited for, or wait for a seat, without a worker
	slowPart   = 8       // of the time in which an answer must begin: who takes longer is slow
	slowKnown  = 1 << 14 // hosts that are remembered for having been slow, so that a crawl of the whole web does not remember them all
)

// NewSlow is for so many workers, and hosts of which an answer must begin within a time.
func NewSlow(workers int, answer time.Duration) *Slow {
	s := &Slow{visits: make(chan func()), places: make(chan struct{}, slowPlaces), most: max(1, workers/2), after: answer / slowPart,
		seated: map[string]bool{}, known: map[string]bool{}}
	s.freed.L = &s.mu
	return s
}

// errSlow: a page is long in coming, and slow hosts have all the seats that they may have.
var errSlow = errors.New("its host is slow, and all seats of slow hosts are taken")

// Run does what may be slow in a place of its own, or answers false where all places are taken.
func (s *Slow) Run(ask func()) bool {
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

// Sit waits until a page of a slow host may be fetched: a host has one seat, and all of them together at most half as many as
// there are workers. It answers false where the wait was given up. Who has sat gets up.
func (s *Slow) Sit(ctx context.Context, host string) bool {
	defer context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.freed.Broadcast()
	})()
	s.mu.Lock()
	defer s.mu.Unlock()
	for ctx.Err() == nil && !s.free(host) {
		s.freed.Wait()
	}
	if ctx.Err() != nil {
		return false
	}
	s.seated[host] = true
	return true
}

// Wait waits until nobody waits for a host any more. Nobody is to be attended to after it.
func (s *Slow) Wait() {
	close(s.visits)
	s.crew.Wait()
}

// free tells whether a host may sit down. s.mu must be held.
func (s *Slow) free(host string) bool { return !s.seated[host] && len(s.seated) < s.most }

// GetUp frees the seat of a host.
func (s *Slow) GetUp(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.seated, host)
	s.freed.Broadcast()
}

// Knows tells whether a host took long the last time.
func (s *Slow) Knows(host string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[host]
}

// Saw notes how long a visit of a host took.
func (s *Slow) Saw(host string, took time.Duration) {
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

// Asking is a page that a host is asked for. While a worker waits for it, it is not known yet whether the host is slow: one that
// keeps the worker for as long as a slow host does is taken for one while the page is on its way. It gets a seat, and the worker
// goes on to other pages; where no seat is free the page is given up, and goes back to wait for one.
type Asking struct {
	Slow  *Slow
	Host  string
	moved chan struct{} // closed when it has a seat; nil where no worker waits
	sat   bool          // it had one before it was asked for

	// What follows is guarded by the lock of Slow, as a seat is given, and a page given up, by whoever comes first: the timer, or the
	// end of the answer.
	took                  time.Duration // from the request to the end of the answer
	seated, over, givenUp bool
}

// Attend makes a visit, and returns when it has been made or the worker is not needed for it any more.
func (s *Slow) Attend(a *Asking, visit func()) {
	a.moved = make(chan struct{})
	made := make(chan struct{})
	s.begin(func() {
		defer close(made)
		visit()
	})
	select {
	case <-made:
	case <-a.moved:
	}
}

// begin lets one of the crew make a visit. Who has made one is asked first: a new one would have to grow its stack for every page.
func (s *Slow) begin(visit func()) {
	select {
	case s.visits <- visit:
	default:
		first := visit
		s.crew.Go(func() {
			first()
			first = nil // it holds a page
			for visit := range s.visits {
				visit()
			}
		})
	}
}

// Sits is told where the page has a seat before it is asked for: the worker is not needed for it.
func (a *Asking) Sits() {
	a.sat = true
	if a.moved != nil {
		close(a.moved)
	}
}

// RoundTrip makes the request.
func (a *Asking) RoundTrip(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	ctx, giveUp := context.WithCancelCause(r.Context())
	end := a.begin(giveUp)
	resp, err := next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		end()
		if a.GivenUp() {
			err = errSlow
		}
		return nil, err
	}
	resp.Body = &arriving{resp.Body, a, end}
	return resp, nil
}

// begin is called with the request; what it answers, when all of the answer has come, or nothing more will.
func (a *Asking) begin(giveUp context.CancelCauseFunc) (end func()) {
	began := time.Now()
	timer := func() bool { return true }
	if a.moved != nil && !a.sat {
		timer = time.AfterFunc(a.Slow.after, func() { a.tooLong(giveUp) }).Stop
	}
	return sync.OnceFunc(func() {
		timer()
		giveUp(nil)
		a.Slow.mu.Lock()
		a.over, a.took = true, time.Since(began)
		sat := a.seated
		a.Slow.mu.Unlock()
		if sat {
			a.Slow.GetUp(a.Host)
		}
	})
}

// tooLong is called when the page has kept the worker for as long as only a slow host does.
func (a *Asking) tooLong(giveUp context.CancelCauseFunc) {
	s := a.Slow
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case a.over:
	case s.free(a.Host):
		s.seated[a.Host], a.seated = true, true
		close(a.moved)
	default:
		a.givenUp = true
		giveUp(errSlow)
	}
}

// GivenUp tells whether the page has to be asked for once more.
func (a *Asking) GivenUp() bool {
	if a == nil {
		return false
	}
	a.Slow.mu.Lock()
	defer a.Slow.mu.Unlock()
	return a.givenUp
}

// Took is how long it took from the request to the end of the answer.
func (a *Asking) Took() time.Duration {
	a.Slow.mu.Lock()
	defer a.Slow.mu.Unlock()
	return a.took
}

// arriving is the body of an answer that is waited for.
type arriving struct {
	io.ReadCloser
	asking *Asking
	end    func()
}

// Read reads on. What has come of a page that was given up counts for nothing: layers below keep what they have of a body that
// breaks off.
func (b *arriving) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil {
		return n, nil
	}
	if b.end(); b.asking.GivenUp() { // and if it was not, it will not be any more
		return 0, errSlow
	}
	return n, err
}

func (b *arriving) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
