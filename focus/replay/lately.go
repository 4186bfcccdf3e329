package replay

import "sync"

// mostRemembered is how many pages a web may have for its index to outlive its closing: what may never be asked for again must
// be small.
const mostRemembered = 50_000

// lately is the index of the web that was opened last. To make one, all pages have to be unpacked, and a command opens its web
// several times: to check it, to crawl it, to crawl it once more with the strategy it is compared with.
var lately memory

type memory struct {
	sync.Mutex
	name  string // which files, and the sum of all bytes in them: whatever changes in a web, its index is made anew
	index *index
}

func (m *memory) of(name string) *index {
	m.Lock()
	defer m.Unlock()
	if m.name != name {
		return nil
	}
	return m.index
}

func (m *memory) remember(name string, index *index) {
	m.Lock()
	defer m.Unlock()
	m.name, m.index = name, index
}
