package compare

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/learn"
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
	out     [][]int32               // the same, with those that leave the web among them where a crawl meets these; their numbers come after the pages'
	rules   Rules
	size    []int64              // of each page, in bytes as recorded
	jury    *jury                // labels the pages of a web without labels; nil without one
	strolls map[string][][]int32 // random crawls, by where they start and how far they go
}

// openGraph reads every page of a web once. Where crawls meet dead links, links that leave the web stay on the pages; otherwise
// only those are left that lead to a recorded page, under its recorded address.
func openGraph(web *replay.Web, rules Rules) (*graph, error) {
	g := graphOf(web, rules.dead())
	g.rules = rules
	g.links, g.size = make([][]int32, len(g.address)), make([]int64, len(g.address))
	leave := make([][]link, len(g.address))
	learn.Each(len(g.address), func(n int) { leave[n], g.size[n] = g.targets(n), g.read.Size(g.address[n]) })
	g.join(leave)
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

// link is a link of a page: to a page by its number, or out of the web, to an address.
type link struct {
	to   int
	dead string
}

// targets are what a page links to, each once. What is recorded but no page has none.
func (g *graph) targets(n int) (targets []link) {
	p, err := g.read.Page(g.address[n])
	if err != nil {
		return nil
	}
	seen := map[link]bool{{to: n}: true}
	for i := range p.Links {
		l := link{dead: p.Links[i].Identity}
		if t, ok := g.number[p.Links[i].URL]; ok {
			l = link{to: t}
		} else if g.rules.AsCrawl && page.Binary(p.Links[i].URL) {
			continue // as a crawl goes it is refused by its ending, and takes no fetch
		}
		if !seen[l] {
			seen[l] = true
			targets = append(targets, l)
		}
	}
	return targets
}

// join makes the links of a graph of those of its pages, and numbers the addresses that no page was recorded under.
func (g *graph) join(links [][]link) {
	dead := map[string]int{}
	g.out = make([][]int32, len(links))
	for n := range links {
		for _, l := range links[n] {
			if l.dead == "" {
				g.links[n] = append(g.links[n], int32(l.to))
			} else if _, met := dead[l.dead]; !met {
				dead[l.dead] = len(links) + len(dead)
			}
		}
		for _, l := range links[n] {
			if l.dead != "" {
				l.to = dead[l.dead]
			}
			g.out[n] = append(g.out[n], int32(l.to))
		}
	}
	g.out = append(g.out, make([][]int32, len(dead))...)
}
