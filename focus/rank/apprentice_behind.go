package rank

import (
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// visited is a page that was fetched, as far as an apprentice learns later what lay behind it.
type visited struct {
	finder    uint64 // the page that was the first to link to it; 0 where none was
	relevance float32
	x, words  learn.Vector // of its address, as they were when it was fetched; empty for a start page
	best      []child      // the best that was found on it first
	taught    float64      // what was last taught of it
}

// child is an address that a page was the first to link to, and what it is worth: what is hoped for of it, and once it was
// fetched, what it came to.
type child struct {
	item  uint64
	value float32
}

// visitedKept is how many visited pages go on learning what lies behind them. What was hoped for three links on is known, or
// forgotten, long before so many others were fetched.
const visitedKept = 20_000

// visit keeps a page that is fetched, once: one that was forgotten meanwhile may come again. The one that was fetched longest ago
// makes room.
func (p *apprentice) visit(item uint64, v *visited) {
	if p.visited[item] != nil {
		at := slices.Index(p.order, item)
		p.order = slices.Delete(p.order, at, at+1)
	}
	if len(p.order) == visitedKept {
		delete(p.visited, p.order[0])
		p.order = p.order[1:]
	}
	p.visited[item], p.order = v, append(p.order, item)
}

// credit tells the pages on the way to one that was fetched what it came to: the page where its link was found first, the
// page where that one's was found first, and so on. Truth takes the place of what was hoped for.
func (p *apprentice) credit(item, finder uint64, relevance float64) {
	value := relevance
	for hop := range p.Hops {
		page := p.visited[finder]
		if page == nil {
			return
		}
		page.set(child{item, float32(value)}, p.Best)
		if behind := page.behind(p.Best); hop == 0 || math.Abs(behind-page.taught) > .05 {
			p.teach(page, behind)
		}
		value = max(float64(page.relevance), p.Fade*page.behind(p.Best))
		item, finder = finder, page.finder
	}
}

// teach lets the second head learn what lies behind a page; one with much behind it counts more.
func (p *apprentice) teach(page *visited, behind float64) {
	hoped := unit(p.future.Score(page.x) + p.future.Score(page.words))
	p.move(p.future, page.x, page.words, (1+p.Riches*behind)*(hoped-behind))
	page.taught = behind
}

// told teaches what lies behind the page that was fetched last, as far as its links tell. They have all been told by now.
func (p *apprentice) told() {
	if page := p.visited[p.page]; page != nil {
		p.teach(page, page.behind(p.Best))
	}
}

// behind is the mean of the best children; where there are fewer, the others are worth nothing.
func (v *visited) behind(best int) float64 {
	sum := 0.0
	for _, c := range v.best {
		sum += float64(c.value)
	}
	return sum / float64(best)
}

// offer takes a child among the best, if it is one of them and is not there yet.
func (v *visited) offer(c child, best int) {
	if slices.ContainsFunc(v.best, func(had child) bool { return had.item == c.item }) {
		return
	}
	if len(v.best) < best {
		v.best = append(v.best, c)
		return
	}
	least := 0
	for i := range v.best {
		if v.best[i].value < v.best[least].value {
			least = i
		}
	}
	if c.value > v.best[least].value {
		v.best[least] = c
	}
}

// set says what a child came to.
func (v *visited) set(c child, best int) {
	for i := range v.best {
		if v.best[i].item == c.item {
			v.best[i] = c
			return
		}
	}
	v.offer(c, best)
}

// moved lets a child go by another address. One that is among the best under both counts once.
func (p *apprentice) moved(finder, from, to uint64) {
	page := p.visited[finder]
	if page == nil {
		return
	}
	at := slices.IndexFunc(page.best, func(c child) bool { return c.item == from })
	switch {
	case at < 0:
	case slices.ContainsFunc(page.best, func(c child) bool { return c.item == to }):
		page.best = slices.Delete(page.best, at, at+1)
	default:
		page.best[at].item = to
	}
}
