package compare

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"

	"github.com/thresher-crawler/thresher/focus/replay"
)

// task is one topic of one web, ready to be measured.
type task struct {
	*graph
	topic    replay.Topic
	seeds    []int
	examples []int
	relevant []bool // by page
	bare     []bool // by page: nobody has labelled it
	scope    []bool // by page
	near     []bool // by page: can be reached from the seeds inside the scope and the depth, the seeds themselves too
	met      []bool // the same of all that a crawl may fetch, by page and dead link
	reach    []bool // by page: can be reached from the seeds inside the scope; start pages, examples and what has no label are not counted
	total    int    // relevant pages in reach
	pages    int    // pages in reach
	blank    int    // pages that may be fetched and that nobody has labelled
	depth    int    // how many links from the start pages it may be; 0 means any
}

// drawing says how example pages are drawn, and start pages.
type drawing struct {
	examples int
	seed     uint64
	start    bool // the examples are start pages too, beside those of the topic
	starts   int  // so many start pages are drawn, and those of the topic are none; 0 leaves it at those
}

// newTask finds start pages, relevant pages and what can be reached within a depth (0: any).
func newTask(g *graph, t replay.Topic, d drawing, depth int) (*task, error) {
	k := &task{graph: g, topic: t, depth: depth}
	if err := k.label(); err != nil {
		return nil, err
	}
	if err := k.drawExamples(d.examples, d.seed); err != nil {
		return nil, err
	}
	if d.starts > 0 {
		if err := k.drawSeeds(d.starts, d.seed); err != nil {
			return nil, err
		}
	} else if err := k.findSeeds(); err != nil && !(d.start && len(k.topic.Seeds) == 0) {
		return nil, err
	}
	if d.start {
		k.seeds = append(k.seeds, slices.DeleteFunc(slices.Clone(k.examples), func(n int) bool { return slices.Contains(k.seeds, n) })...)
	}
	k.findReach()
	if k.total == 0 {
		return nil, fmt.Errorf("web %s, topic %s: no relevant page can be reached from the start pages", g.web.Name(), t.Name)
	}
	return k, nil
}

// label finds out which pages are in scope, and which are relevant: by the labels of the web, or by the jury where it
// has none.
func (k *task) label() error {
	relevant, err := regexp.Compile(k.topic.Relevant)
	if err != nil {
		return fmt.Errorf("web %s, topic %s: relevant: %w", k.web.Name(), k.topic.Name, err)
	}
	scope, err := regexp.Compile(k.topic.Scope)
	if err != nil {
		return fmt.Errorf("web %s, topic %s: scope: %w", k.web.Name(), k.topic.Name, err)
	}
	k.relevant, k.scope, k.bare = make([]bool, len(k.address)), make([]bool, len(k.address)), make([]bool, len(k.address))
	judged := k.web.Labelled() == 0 && k.jury != nil
	for n, address := range k.address {
		line, ok := k.web.Labels(address)
		k.bare[n] = !ok && !judged
		k.scope[n] = k.topic.Scope == "" || ok && scope.MatchString(line)
		switch {
		case !k.scope[n]:
		case judged:
			k.relevant[n] = k.jury.relevant(k.graph, n)
		default:
			k.relevant[n] = ok && relevant.MatchString(line)
		}
	}
	return nil
}

// unsaid tells whether a page is in no sum, since nobody has labelled it.
func (k *task) unsaid(n int) bool { return k.bare[n] && k.web.Unknown() }

// silent is how many pages may be fetched and are in no sum for that reason.
func (k *task) silent() int {
	if k.web.Unknown() {
		return k.blank
	}
	return 0
}

// bareness is what pages without a label mean for the figures.
func (k *task) bareness() string {
	if k.web.Unknown() {
		return "nobody has labelled them, so that they are fetched and in no figure (thresher label asks about some)"
	}
	return "nobody has labelled them, and they count as not relevant ('unlabelled: unknown' in web.yaml leaves them out of all figures)"
}

func (k *task) findSeeds() error {
	for _, s := range k.topic.Seeds {
		recorded, ok := k.web.Has(s)
		if !ok {
			return fmt.Errorf("web %s, topic %s: start page %s is not in the web", k.web.Name(), k.topic.Name, s)
		}
		k.seeds = append(k.seeds, k.number[recorded])
	}
	if len(k.seeds) == 0 {
		return fmt.Errorf("web %s, topic %s has no start pages", k.web.Name(), k.topic.Name)
	}
	return nil
}

// drawSeeds draws start pages by seed, from the pages of the scope that link to others. Start pages are in no sum.
func (k *task) drawSeeds(n int, seed uint64) error {
	var pool []int
	for i, links := range k.links {
		if k.scope[i] && len(links) > 0 && !slices.Contains(k.examples, i) {
			pool = append(pool, i)
		}
	}
	if len(pool) < n {
		return fmt.Errorf("web %s, topic %s: %d start pages are to be drawn, and %d pages link to others", k.web.Name(), k.topic.Name, n, len(pool))
	}
	r := rand.New(rand.NewPCG(seed, startDraws))
	r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	k.seeds = pool[:n]
	slices.Sort(k.seeds)
	return nil
}

// startDraws keeps the draws of start pages apart from those of examples.
const startDraws = 1 << 32

// drawExamples draws example pages by seed, from the relevant pages or from where the topic says.
func (k *task) drawExamples(n int, seed uint64) error {
	if n == 0 {
		return nil
	}
	from := cmp.Or(k.topic.ExamplesFrom, k.topic.Relevant)
	e, err := regexp.Compile(from)
	if err != nil {
		return fmt.Errorf("web %s, topic %s: examples_from: %w", k.web.Name(), k.topic.Name, err)
	}
	var pool []int
	for i, address := range k.address {
		line, ok := k.web.Labels(address)
		if ok && e.MatchString(line) || k.web.Labelled() == 0 && k.relevant[i] {
			if _, err := k.read.Page(address); err == nil {
				pool = append(pool, i)
			}
		}
	}
	if len(pool) < n {
		return fmt.Errorf("web %s, topic %s: %d example pages are wanted and there are %d", k.web.Name(), k.topic.Name, n, len(pool))
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(pool))))
	r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	k.examples = pool[:n]
	slices.Sort(k.examples)
	return nil
}

// far is how many links from the start pages everything is, breadth first; -1 of what cannot be reached. A link is followed to where
// it may be.
func (k *task) far(links [][]int32, may func(int32) bool) []int {
	far := make([]int, len(links))
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
		if k.depth > 0 && far[n] == k.depth {
			continue
		}
		for _, t := range links[n] {
			if far[t] < 0 && may(t) {
				far[t] = far[n] + 1
				queue = append(queue, int(t))
			}
		}
	}
	return far
}

// findReach finds what can be reached, and what a crawl may fetch: dead links, too, where it meets them, and all of the web where
// nothing holds it inside the scope.
func (k *task) findReach() {
	far := k.far(k.links, func(n int32) bool { return k.scope[n] })
	k.near, k.reach = make([]bool, len(k.address)), make([]bool, len(k.address))
	for n := range far {
		k.near[n] = far[n] >= 0
		if far[n] > 0 && !slices.Contains(k.examples, n) && !k.unsaid(n) {
			k.reach[n] = true
			k.pages++
			if k.relevant[n] {
				k.total++
			}
		}
	}
	k.met = k.near
	if k.rules.dead() {
		met := k.far(k.out, func(n int32) bool { return k.rules.AsCrawl || int(n) >= len(k.address) || k.scope[n] })
		k.met = make([]bool, len(met))
		for n := range met {
			k.met[n] = met[n] >= 0
		}
	}
	for n, bare := range k.bare {
		if bare && k.met[n] && !slices.Contains(k.seeds, n) && (k.web.Unknown() || k.reach[n]) {
			k.blank++
		}
	}
}

// counts tells whether what a crawl fetches is in its sum: a page that can be reached, or a dead link; as a crawl goes all but the
// start pages and what has no label.
func (k *task) counts(n int32) bool {
	switch {
	case int(n) >= len(k.address):
		return true
	case k.rules.AsCrawl:
		return !k.unsaid(int(n)) && !slices.Contains(k.seeds, int(n))
	}
	return k.reach[n]
}

// fetches is how many fetches that count a crawl can make.
func (k *task) fetches() (n int) {
	for i, met := range k.met {
		if met && k.counts(int32(i)) {
			n++
		}
	}
	return n
}

// known tells whether what is labelled there is relevant.
func (k *task) known(n int32) bool { return int(n) < len(k.address) && k.relevant[n] }

// right tells whether a fetch that counts is of a relevant page.
func (k *task) right(n int32) bool { return k.known(n) && k.reach[n] }
