package replay

import (
	"slices"
	"sync"
)

// What may never be asked for again must be small: only a web with so many pages at most has an index that outlives its closing, and only
// so many of them are remembered.
const (
	mostRemembered = 50_000
	websRemembered = 4
)

// lately are the indexes of the webs that were opened last. To make one, all pages have to be unpacked, and a command opens its webs
// several times: to check one, to crawl it, to crawl it once more with the strategy it is compared with, or beside another.
var lately memory

type memory struct {
	sync.Mutex
	webs []remembered // the last one first
}

// remembered is the index of a web by the sum of all bytes in its files, and their sizes. Whatever changes in a web, its index is made
// anew. Where the files lie is no matter, unless something of them could not be read, which is told by their names.
type remembered struct {
	sum      string
	archives []string
	index    *index
}

// is says whether this is the index that another one asks for.
func (r remembered) is(asked remembered) bool {
	return r.sum == asked.sum && (len(r.index.flaws) == 0 || slices.Equal(r.archives, asked.archives))
}

func (m *memory) of(asked remembered) *index {
	m.Lock()
	defer m.Unlock()
	at := slices.IndexFunc(m.webs, func(r remembered) bool { return r.is(asked) })
	if at < 0 {
		return nil
	}
	known := m.webs[at]
	m.webs = slices.Insert(slices.Delete(m.webs, at, at+1), 0, known)
	return known.index
}

func (m *memory) remember(made remembered) {
	m.Lock()
	defer m.Unlock()
	m.webs = slices.DeleteFunc(m.webs, func(r remembered) bool { return r.is(made) }) // two may have made it at once
	m.webs = slices.Insert(m.webs, 0, made)
	m.webs = slices.Delete(m.webs, min(len(m.webs), websRemembered), len(m.webs))
}
