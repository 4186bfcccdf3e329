package compare

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/study"
)

// graph is a recorded web as measuring sees it: who links to whom, inside the web.
type graph struct {
	web     *replay.Web
	dir     string // where it is
	read    *study.Pages
	mu      sync.Mutex
	readAs  map[string]*study.Pages // by what is set of how pages are read
	address []string                // recorded addresses, in the order of the recording
	number  map[string]int          // their numbers
	links   [][]int32               // targets inside the web, in the order of the page, each once
	size    []int64                 // of each page, in bytes as recorded
	jury    *jury                   // labels the pages of a web without labels; nil without one
	strolls map[string][][]int32    // random crawls, by where they start and how far they go
}

// openGraph reads every page of a web once. With dead links kept, links that leave the web stay on the pages; otherwise
// only those are left that lead to a recorded page, under its recorded address.
func openGraph(web *replay.Web, deadLinks bool) (*graph, error) {
	g := graphOf(web, deadLinks)
	g.links, g.size = make([][]int32, len(g.address)), make([]int64, len(g.address))
	var workers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for n := range next {
				g.links[n], g.size[n] = g.targets(n), g.read.Size(g.address[n])
			}
		})
	}
	for n := range g.address {
		next <- n
	}
	close(next)
	workers.Wait()
	if len(g.address) == 0 {
		return nil, fmt.Errorf("web %s has no pages", web.Name())
	}
	return g, nil
}

// graphOf numbers the pages of a web. They are read when they are asked for.
func graphOf(web *replay.Web, deadLinks bool) *graph {
	g := &graph{web: web, number: map[string]int{}, readAs: map[string]*study.Pages{}, strolls: map[string][][]int32{}}
	for address := range web.Addresses() {
		g.number[address] = len(g.address)
		g.address = append(g.address, address)
	}
	g.read = study.NewPages(web, func(p *page.Page) { inside(web, p, deadLinks) })
	g.read.Clock(threadTime)
	return g
}

// pagesOf are the pages as a crawl reads them: once for all that read them alike.
func (g *graph) pagesOf(c *focus.Config) (*study.Pages, error) {
	usual := focus.Default()
	if c.Context == usual.Context && reflect.DeepEqual(c.Reading, usual.Reading) {
		return g.read, nil
	}
	how, err := c.PageOptions()
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key := fmt.Sprint(c.Context, c.Reading)
	if g.readAs[key] == nil {
		g.readAs[key] = g.read.As(how)
	}
	return g.readAs[key], nil
}

// forgetWords lets go of the words that pages were cut into.
func (g *graph) forgetWords() {
	g.read.ForgetWords()
	for _, pages := range g.readAs {
		pages.ForgetWords()
	}
}

// inside gives the links of a page the addresses their targets were recorded under.
func inside(web *replay.Web, p *page.Page, deadLinks bool) {
	p.Links = slices.DeleteFunc(p.Links, func(l page.Link) bool {
		_, ok := web.Has(l.URL)
		return !ok && !deadLinks
	})
	for i := range p.Links {
		l := &p.Links[i]
		if recorded, ok := web.Has(l.URL); ok {
			l.URL, l.Identity, l.Host = recorded, recorded, page.Host(recorded)
		}
	}
}

// targets are the pages inside the web that a page links to. What is recorded but no page has none.
func (g *graph) targets(n int) []int32 {
	p, err := g.read.Page(g.address[n])
	if err != nil {
		return nil
	}
	seen := map[int]bool{n: true}
	var targets []int32
	for i := range p.Links {
		if t, ok := g.number[p.Links[i].URL]; ok && !seen[t] {
			seen[t] = true
			targets = append(targets, int32(t))
		}
	}
	return targets
}
