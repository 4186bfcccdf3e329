package frontier

import (
	"sync"
	"time"
)

// Wall is the clock on the wall.
type Wall struct{}

// Now is the time.
func (Wall) Now() time.Time { return time.Now() }

// After is a timer that rings once; what it answers stops it.
func (Wall) After(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// Manual is a Clock that stands still until it is told to go on: the clock of virtual time and of tests.
type Manual struct {
	mu     sync.Mutex
	change sync.Cond
	now    time.Time
	timers map[*alarm]struct{}
}

// alarm is one call of After that has not gone off.
type alarm struct {
	at   time.Time
	ring chan time.Time
}

// NewManual is a clock that shows the time given.
func NewManual(now time.Time) *Manual {
	m := &Manual{now: now, timers: map[*alarm]struct{}{}}
	m.change.L = &m.mu
	return m
}

// Now is the time the clock shows.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// Advance moves the clock on.
func (m *Manual) Advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(m.now.Add(d))
}

// Set moves the clock to a time, unless it shows a later one already.
func (m *Manual) Set(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(t)
}

func (m *Manual) set(t time.Time) {
	if t.Before(m.now) {
		return
	}
	m.now = t
	for a := range m.timers {
		if !a.at.After(t) {
			delete(m.timers, a)
			a.ring <- t
		}
	}
	m.change.Broadcast()
}

// After is a channel on which the time is sent once the clock has been moved on by d.
func (m *Manual) After(d time.Duration) (<-chan time.Time, func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := &alarm{at: m.now.Add(d), ring: make(chan time.Time, 1)}
	if d <= 0 {
		a.ring <- m.now
		return a.ring, func() {}
	}
	m.timers[a] = struct{}{}
	m.change.Broadcast()
	return a.ring, func() { m.forget(a) }
}

func (m *Manual) forget(a *alarm) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.timers, a)
	m.change.Broadcast()
}

// Timers is how many calls of After have neither gone off nor been given up.
func (m *Manual) Timers() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.timers)
}

// AwaitTimers returns when somebody waits for the clock, n at least: a test moves the clock on only then.
func (m *Manual) AwaitTimers(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.timers) < n {
		m.change.Wait()
	}
}
