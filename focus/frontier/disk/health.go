package disk

import "github.com/thresher-crawler/thresher/focus/frontier"

var (
	_ frontier.Locator  = (*Frontier)(nil)
	_ frontier.Examiner = (*Frontier)(nil)
)

// Locate says at which address a host is. It is not kept.
func (f *Frontier) Locate(host, address string) {
	if f.begin() == nil {
		defer f.mu.Unlock()
		f.order.Locate(host, address)
		f.tell()
	}
}

// Health is how a host is doing. How it failed last is not kept, only how often.
func (f *Frontier) Health(host string) frontier.Health {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.order.Health(host)
}
