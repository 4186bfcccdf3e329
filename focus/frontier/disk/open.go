package disk

import "github.com/thresher-crawler/thresher/focus/frontier"

var _ frontier.Counter = (*Frontier)(nil)

// Open is how many items wait in tiers that are not held, and how many are being visited.
func (f *Frontier) Open() (waiting, leased int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.order.Open()
}
