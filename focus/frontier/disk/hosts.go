package disk

import (
	"github.com/thresher-crawler/thresher/focus/frontier"
)

var (
	_ frontier.Locator  = (*Frontier)(nil)
	_ frontier.Examiner = (*Frontier)(nil)
	_ frontier.Counter  = (*Frontier)(nil)
)

// Locate says at which address a host is. It is not kept.
func (f *Frontier) Locate(host, address string) {
	if f.begin() == nil {
		defer f.mu.Unlock()
		f.order.Locate(host, address)
		f.tell()
	}
}

// Behave takes other manners. They are not kept: whoever opens the frontier again says them again.
func (f *Frontier) Behave(m frontier.Manners) {
	if f.begin() == nil {
		defer f.mu.Unlock()
		f.order.Behave(m)
		f.tell()
	}
}

// Rests says whose turn is next, and when, where all that waits is at hosts that rest.
func (f *Frontier) Rests() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.order.Rests()
}

// Health is how a host is doing. How it failed last is not kept, only how often.
func (f *Frontier) Health(host string) frontier.Health {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.order.Health(host)
}

// Resting tells of the hosts that are not to be visited yet, by its clock. It may ask nothing of the frontier meanwhile.
func (f *Frontier) Resting(each func(host string, is frontier.Health)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.order.Resting(each)
}

// Open is how many items wait in tiers that are not held, and how many are being visited.
func (f *Frontier) Open() (waiting, leased int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.order.Open()
}
