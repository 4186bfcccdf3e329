package replay

import (
	"slices"
	"sync"
)

// What may never be asked for again must be small: only a web with so many pages at most has an index that outlives its closing, and only
// so many of them are remembered.
const (
	mostRemembered = 50_000
	websRemembered = 2
)

// lately are the indexes of the webs that were opened last. To make one, all pages have to be unpacked, and a command opens its webs
// several times: to check one, to crawl it, to crawl it once more with the strategy it is compared with, or beside another.
var lately memory

type memory struct {
	sync.Mutex
	webs []remembered // the last one first
}

// remembered is the index of a web by its name: which files, and the sum of all bytes in them. Whatever changes in a web, its index is
// made anew.
type remembered struct {
	name  string
	index *index
}

func (m *memory) of(name string) *index {
	m.Lock()
	defer m.Unlock()
	at := slices.IndexFunc(m.webs, func(r remembered) bool { return r.name == name })
	if at < 0 {
		return nil
	}
	known := m.webs[at]
	m.webs = slices.Insert(slices.Delete(m.webs, at, at+1), 0, known)
	return known.index
}

func (m *memory) remember(name string, index *index) {
	m.Lock()
	defer m.Unlock()
	m.webs = slices.DeleteFunc(m.webs, func(r remembered) bool { return r.name == name }) // two may have made it at once
	m.webs = slices.Insert(m.webs, 0, remembered{name, index})
	m.webs = slices.Delete(m.webs, min(len(m.webs), websRemembered), len(m.webs))
}
