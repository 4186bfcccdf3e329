package compare

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"sync"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
)

// graph is a recorded web as measuring sees it: who links to whom, inside the web.
type graph struct {
	web     *replay.Web
	shelf   *focus.Shelf
	address []string       // recorded addresses, in the order of the recording
	number  map[string]int // their numbers
	links   [][]int32      // targets inside the web, in the order of the page, each once
}

// openGraph reads every page of a web once. With dead links kept, links that leave the web stay on the pages; otherwise
// only those are left that lead to a recorded page, under its recorded address.
func openGraph(web *replay.Web, deadLinks bool) (*graph, error) {
	g := &graph{web: web, number: map[string]int{}}
	for address := range web.Addresses() {
		g.number[address] = len(g.address)
		g.address = append(g.address, address)
	}
	g.shelf = focus.NewShelf(web, func(p *page.Page) { inside(web, p, deadLinks) })
	g.links = make([][]int32, len(g.address))
	var workers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for n := range next {
				g.links[n] = g.targets(n)
			}
		})
	}
	for n := range g.address {
		next <- n
	}
	close(next)
	workers.Wait()
	if len(g.address) == 0 {
		return nil, fmt.Errorf("compare: web %s has no pages", web.Name())
	}
	return g, nil
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
	p, err := g.shelf.Page(g.address[n])
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

// task is one topic of one web, ready to be measured.
type task struct {
	*graph
	topic    replay.Topic
	seeds    []int
	examples []int
	relevant []bool // by page
	scope    []bool // by page
	reach    []bool // by page: can be reached from the seeds inside the scope; start pages and examples are not counted
	total    int    // relevant pages in reach
	pages    int    // pages in reach
}

// newTask finds start pages, relevant pages and what can be reached within a depth (0: any).
func newTask(g *graph, t replay.Topic, examples, depth int, seed uint64, startAtExamples bool) (*task, error) {
	k := &task{graph: g, topic: t, relevant: make([]bool, len(g.address)), scope: make([]bool, len(g.address))}
	relevant, err := regexp.Compile(t.Relevant)
	if err != nil {
		return nil, fmt.Errorf("compare: web %s, topic %s: relevant: %w", g.web.Name(), t.Name, err)
	}
	scope, err := regexp.Compile(t.Scope)
	if err != nil {
		return nil, fmt.Errorf("compare: web %s, topic %s: scope: %w", g.web.Name(), t.Name, err)
	}
	labelled := 0
	for n, address := range g.address {
		line, ok := g.web.Labels(address)
		if ok {
			labelled++
		}
		k.scope[n] = t.Scope == "" || ok && scope.MatchString(line)
		k.relevant[n] = ok && relevant.MatchString(line) && k.scope[n]
	}
	if labelled == 0 {
		return nil, fmt.Errorf("compare: web %s has no labels; label its pages in labels.tsv (address, tab, labels)", g.web.Name())
	}
	if err := k.drawExamples(examples, seed); err != nil {
		return nil, err
	}
	if startAtExamples {
		k.seeds = slices.Clone(k.examples)
	} else if err := k.findSeeds(); err != nil {
		return nil, err
	}
	k.findReach(depth)
	if k.total == 0 {
		return nil, fmt.Errorf("compare: web %s, topic %s: no relevant page can be reached from the start pages", g.web.Name(), t.Name)
	}
	return k, nil
}

func (k *task) findSeeds() error {
	for _, s := range k.topic.Seeds {
		recorded, ok := k.web.Has(s)
		if !ok {
			return fmt.Errorf("compare: web %s, topic %s: start page %s is not in the web", k.web.Name(), k.topic.Name, s)
		}
		k.seeds = append(k.seeds, k.number[recorded])
	}
	if len(k.seeds) == 0 {
		return fmt.Errorf("compare: web %s, topic %s has no start pages", k.web.Name(), k.topic.Name)
	}
	return nil
}

// drawExamples draws example pages by seed, from the relevant pages or from where the topic says.
func (k *task) drawExamples(n int, seed uint64) error {
	if n == 0 {
		return nil
	}
	from := k.topic.ExamplesFrom
	if from == "" {
		from = k.topic.Relevant
	}
	e, err := regexp.Compile(from)
	if err != nil {
		return fmt.Errorf("compare: web %s, topic %s: examples_from: %w", k.web.Name(), k.topic.Name, err)
	}
	var pool []int
	for i, address := range k.address {
		if line, ok := k.web.Labels(address); ok && e.MatchString(line) {
			if _, err := k.shelf.Page(address); err == nil {
				pool = append(pool, i)
			}
		}
	}
	if len(pool) < n {
		return fmt.Errorf("compare: web %s, topic %s: %d example pages are wanted and there are %d", k.web.Name(), k.topic.Name, n, len(pool))
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(pool))))
	r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	k.examples = pool[:n]
	slices.Sort(k.examples)
	return nil
}

// findReach walks from the start pages, breadth first.
func (k *task) findReach(depth int) {
	k.reach = make([]bool, len(k.address))
	far := make([]int, len(k.address))
	for i := range far {
		far[i] = -1
	}
	var queue []int
	for _, s := range k.seeds {
		if far[s] < 0 {
			far[s] = 0
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if depth > 0 && far[n] == depth {
			continue
		}
		for _, t := range k.links[n] {
			if far[t] < 0 && k.scope[t] {
				far[t] = far[n] + 1
				queue = append(queue, int(t))
			}
		}
	}
	for n := range far {
		if far[n] > 0 && !slices.Contains(k.examples, n) {
			k.reach[n] = true
			k.pages++
			if k.relevant[n] {
				k.total++
			}
		}
	}
}
