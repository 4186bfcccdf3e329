package selection

import (
	"cmp"
	"math"
	"math/rand/v2"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// The operators that breed addresses.
const (
	byCrossover = "crossover"
	bySurvival  = "survival" // nobody bred it anew: it waited, and is fit enough
	byChance    = "chance"   // it is not, and mutation drew it
	byDirectory = "directory"
	byRoot      = "root"
)

// child is an address that waits and is fit enough for the next generation.
type child struct {
	item    uint64
	numbers []float32 // that explain its fitness
	lineage
}

// A Mutant is an address made up from that of a page.
type Mutant struct {
	Address string
	lineage
}

// parent is a page of the population on its way to breed.
type parent struct {
	individual
	importance float64
}

// breed makes the next generation: links by crossover, the fittest first; what mutation draws from those that wait; and by
// mutation directories and roots.
func (g *genetic) breed(waiting []uint64) ([]child, []Mutant) {
	parents := g.parents()
	children := g.cross(parents[:g.part(len(parents), g.Pc)])
	if g.Rest == "waits" {
		children = append(children, g.survivors(waiting, children)...)
	}
	slices.SortStableFunc(children, func(a, b child) int { return cmp.Compare(b.Fit, a.Fit) })
	var mutants []Mutant
	if g.Mutate != "waiting" {
		mutants = g.mutants(g.mutating(parents))
	}
	if g.Mutate == "addresses" {
		return g.cut(children, len(mutants)), mutants
	}
	size := cmp.Or(g.Size, max(len(g.Bred), len(g.Population), 1))
	by := g.part(size, g.Pm)
	children = g.cut(children, by+len(mutants))
	if g.Size > 0 {
		by = max(by, size-len(children)-len(mutants))
	}
	return append(children, g.drawn(by, waiting, children)...), mutants
}

// cut leaves the fittest where a generation has a size, and place for those that mutation brings.
func (g *genetic) cut(children []child, mutants int) []child {
	if g.Size == 0 {
		return children
	}
	return children[:min(len(children), max(g.Size-mutants, 0))]
}

// survivors are links that wait since an earlier generation, or stand on a page that does not breed, and are fit enough.
func (g *genetic) survivors(waiting []uint64, but []child) []child {
	var fit []child
	for _, id := range without(waiting, but) {
		c := child{item: id, lineage: lineage{By: bySurvival, Fit: g.frontier.Standing(id).Score}}
		merged, ok := g.from(0, id)
		if ok {
			c.Fit, c.numbers = merged[0], merged
		}
		if float64(c.Fit) > g.Fit0 {
			item, _ := g.frontier.Get(id)
			if c.Parent = item.Via; !ok {
				c.numbers = item.Numbers
			}
			fit = append(fit, c)
		}
	}
	return fit
}

// drawn are n links that wait and were not chosen, those first that are not fit enough: mutation gives them a chance.
func (g *genetic) drawn(n int, waiting []uint64, but []child) []child {
	pool := without(waiting, but)
	if n = min(n, len(pool)); n == 0 {
		return nil
	}
	importance, _ := g.memory.Importance(pool, g.Damping, g.Surfer)
	order := g.lots().Perm(len(pool))
	if g.MutateFrom != "random" {
		slices.Sort(order) // of the same importance those that waited best come first
	}
	unfit := func(i int) int {
		if float64(g.frontier.Standing(pool[i]).Score) > g.Fit0 {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(order, func(a, b int) int {
		of := 0
		switch g.MutateFrom {
		case "top":
			of = cmp.Compare(importance[b], importance[a])
		case "bottom":
			of = cmp.Compare(importance[a], importance[b])
		}
		return cmp.Or(cmp.Compare(unfit(a), unfit(b)), of)
	})
	drawn := make([]child, n)
	for i, at := range order[:n] {
		item, _ := g.frontier.Get(pool[at])
		drawn[i] = child{item.ID, item.Numbers, lineage{By: byChance, Parent: item.Via, Importance: importance[at], Fit: item.Score}}
	}
	return drawn
}

// without are the ids that are not those of children.
func without(ids []uint64, children []child) []uint64 {
	taken := make(map[uint64]bool, len(children))
	for _, c := range children {
		taken[c.item] = true
	}
	var left []uint64
	for _, id := range ids {
		if !taken[id] {
			left = append(left, id)
		}
	}
	return left
}

// cross lets pages give their links to the next generation. A link of several pages is the child of the one that makes it
// fittest, by what all links to it that were seen say together.
func (g *genetic) cross(crossed []parent) []child {
	best := map[uint64]child{}
	var order []uint64
	offer := func(p *parent, partner uint64, link gene, gain float32) {
		known, ok := best[link.Item]
		if !ok {
			order = append(order, link.Item)
		}
		numbers, merged := g.from(cmp.Or(partner, p.Item), link.Item)
		if !merged {
			numbers = link.numbers()
		}
		numbers[0] += gain
		if link.Fit = numbers[0]; !ok || link.Fit > known.Fit {
			best[link.Item] = child{link.Item, numbers, lineage{By: byCrossover, Parent: p.Item, Partner: partner,
				Importance: p.importance, Fit: link.Fit, Gain: gain}}
		}
	}
	if g.Crossover == "pairs" {
		crossPairs(crossed, g.lots(), offer)
	} else {
		for i := range crossed {
			for _, link := range crossed[i].Links {
				offer(&crossed[i], 0, link, 0)
			}
		}
	}
	var children []child
	for _, item := range order {
		c := best[item]
		if g.frontier.Standing(item).State == frontier.Waiting && float64(c.Fit) > g.Fit0 {
			children = append(children, c)
		}
	}
	return children
}

// parents are the pages that breed, the most important first. Where none is important enough all do: p0 parts the pages of
// a generation, and does not end the crawl.
func (g *genetic) parents() []parent {
	items := make([]uint64, len(g.Population))
	for i, in := range g.Population {
		items[i] = in.Item
	}
	importance, known := g.memory.Importance(items, g.Damping, g.Surfer)
	var parents, important []parent
	for i, in := range g.Population {
		p := parent{in, importance[i]}
		if parents = append(parents, p); p.importance >= g.P0 {
			important = append(important, p)
		}
	}
	if g.Parents == "important" && known >= g.Known && len(important) > 0 {
		parents = important
	}
	slices.SortStableFunc(parents, func(a, b parent) int { return cmp.Compare(b.importance, a.importance) })
	return parents
}

// part is how many of m a share is: rounded down, but one at least, so that small generations breed too.
func (g *genetic) part(m int, share float64) int {
	if m == 0 || share == 0 {
		return 0
	}
	return min(m, max(1, int(math.Floor(share*float64(m)+1e-9))))
}

// mutating are the pages whose addresses mutate.
func (g *genetic) mutating(parents []parent) []parent {
	n := g.part(len(parents), g.Pm)
	switch g.MutateFrom {
	case "bottom":
		return parents[len(parents)-n:]
	case "random":
		var drawn []parent
		for _, i := range g.lots().Perm(len(parents))[:n] {
			drawn = append(drawn, parents[i])
		}
		return drawn
	}
	return parents[:n]
}

// crossPairs lets neighbours exchange a random half of their links: what a page is given counts by the relevance of
// that page. An odd one out keeps its own.
func crossPairs(parents []parent, lots *rand.Rand, offer func(p *parent, partner uint64, link gene, gain float32)) {
	give := func(from, to *parent) {
		for n, i := range lots.Perm(len(from.Links)) {
			link := from.Links[i]
			if n < len(from.Links)/2 {
				offer(to, from.Item, link, float32(to.Relevance-from.Relevance))
			} else {
				offer(from, 0, link, 0)
			}
		}
	}
	for i := 0; i < len(parents); i += 2 {
		if i+1 == len(parents) {
			for _, link := range parents[i].Links {
				offer(&parents[i], 0, link, 0)
			}
			return
		}
		give(&parents[i], &parents[i+1])
		give(&parents[i+1], &parents[i])
	}
}

// mutants are the directories above the pages, and the roots of their hosts: no link leads there, and they are as fit
// as the page.
func (g *genetic) mutants(parents []parent) []Mutant {
	var made []Mutant
	for _, p := range parents {
		if !(p.Relevance > g.Fit0) {
			continue
		}
		item, _ := g.frontier.Get(p.Item)
		for _, m := range mutate(item.URL) {
			m.Parent, m.Importance, m.Fit = p.Item, p.importance, float32(p.Relevance)
			if !slices.ContainsFunc(made, func(x Mutant) bool { return x.Address == m.Address }) {
				made = append(made, m)
			}
		}
	}
	return made
}

// mutate is the directory above an address, and the root of its host.
func mutate(address string) []Mutant {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil
	}
	root := u.Scheme + "://" + u.Host + "/"
	up := Mutant{root, lineage{By: byRoot}}
	dir := path.Dir(strings.TrimSuffix(u.EscapedPath(), "/")) // a slash that is written %2F parts nothing
	if dir == "/" || dir == "." {
		return []Mutant{up}
	}
	return []Mutant{{root + strings.Trim(dir, "/") + "/", lineage{By: byDirectory}}, up}
}
