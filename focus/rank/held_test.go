package rank

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// TestAnAddressTakesLittle: what an apprentice remembers of an address that waits, found on a page of eighty links to others; and what
// it takes to write that down where there is room for it.
func TestAnAddressTakesLittle(t *testing.T) {
	const pages, most = 500, 800
	s, p := schooled(t, "apprentice"), eightyLinks()
	m := p.memory
	crawl(s, m, 1, 0, 50) // weights and words, which all share
	room := func() uint64 {
		var u runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&u)
		return u.HeapAlloc
	}
	links, before := slices.Clone(p.page.Links), room()
	for n := range pages {
		address := fmt.Sprintf("http://site%d.example/%d.html", n%50, n)
		*p = told{page: &page.Page{URL: address, Blocks: p.page.Blocks, Links: slices.Clone(links)}, anchors: p.anchors, around: p.around, memory: m}
		for i := range links {
			item := n*len(links) + i
			p.page.Links[i].URL = fmt.Sprintf("http://site%d.example/section%d/%d.html", item%50, item%7, item)
			e := p.link(i)
			e.Parent, e.Item = uint64(10_000+n), uint64(100_000+item)
			s.Score(e, nil)
			m.Linked(e.Item, e)
		}
	}
	took := float64(room()-before) / float64(pages*len(links))
	if t.Logf("%.0f bytes an address", took); took > most {
		t.Errorf("%.0f bytes an address; there may be %d", took, most)
	}
	state := m.State()
	with := append(make([]byte, 0, len(state)+len(state)/8), "before"...)
	if n := testing.AllocsPerRun(1, func() { m.AppendState(with) }); n > 10 {
		t.Errorf("%v allocations to write down %d bytes", n, len(state))
	}
	if !slices.Equal(m.AppendState(with)[len("before"):], state) {
		t.Error("what is appended is not the state")
	}
}
