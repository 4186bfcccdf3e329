package compare

import (
	"container/heap"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// floors are the yardsticks of a task: what chance, patience and foreknowledge would reach. They walk the graph only.
type floors struct {
	fetches                  int // that crawls and yardsticks are measured over
	breadth, oracle, oracle2 measure.Sequence
	randomAUC                float64   // of the mean of random crawls
	chance                   []float64 // their mean curve
}

// floors are the yardsticks of crawls that may make so many fetches that count.
func (k *task) floors(most int) floors {
	f := floors{fetches: min(most, k.fetches())}
	f.randomAUC, f.chance = k.random(f.fetches)
	f.breadth, f.oracle = k.byBreadth(), k.byTruth()
	f.oracle2 = k.counted(k.walk(falling, k.twoHops))
	return f
}

// byBreadth is breadth-first.
func (k *task) byBreadth() measure.Sequence {
	return k.counted(k.walk(fixed, func(int32, *walk) float64 { return 0 }))
}

// byTruth is the oracle of one step: whoever knows the label of a page as soon as it is found.
func (k *task) byTruth() measure.Sequence {
	return k.counted(k.walk(fixed, func(n int32, _ *walk) float64 { return truth(k.known(n)) }))
}

// twoHops is the promise of a page to one who knows its label and those of the pages it links to: a relevant page comes
// first, and among the others the one that leads to most relevant pages nobody has found yet.
func (k *task) twoHops(n int32, w *walk) float64 {
	behind := 0
	for _, t := range k.out[n] {
		if k.right(t) && !w.found[t] {
			behind++
		}
	}
	ahead := float64(behind) / float64(behind+4) // below 1, and more is better
	return 2*truth(k.known(n)) + ahead
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// start is the promise of start pages: they come before everything.
const start = 1e9

// walk is a crawl over the graph alone.
type walk struct {
	found []bool
	queue waiting
}

// A promise is fixed when it is made, or it may fall while its page waits, and is asked for again when the page comes up.
const (
	fixed   = false
	falling = true
)

// counted is a walk as measuring sees it.
func (k *task) counted(walked []int32) measure.Sequence {
	s := measure.Sequence{Total: k.total, Reach: k.pages}
	for _, n := range walked {
		if k.counts(n) {
			s.Relevant = append(s.Relevant, k.right(n))
		}
	}
	return s
}

// walk crawls all that can be fetched, the highest promise first and the earlier found among equals, and answers the pages in the order
// in which they were fetched, start pages among them.
func (k *task) walk(again bool, promise func(int32, *walk) float64) (walked []int32) {
	w := &walk{found: make([]bool, len(k.out))}
	order := 0
	find := func(n int32, promise float64) {
		w.found[n] = true
		heap.Push(&w.queue, pending{n, promise, order})
		order++
	}
	for _, n := range k.seeds {
		if !w.found[n] {
			find(int32(n), start)
		}
	}
	for w.queue.Len() > 0 {
		p := heap.Pop(&w.queue).(pending)
		if again && p.promise < start {
			if now := promise(p.page, w); now < p.promise && w.queue.Len() > 0 && now < w.queue[0].promise {
				p.promise = now
				heap.Push(&w.queue, p)
				continue
			}
		}
		walked = append(walked, p.page)
		for _, t := range k.out[p.page] {
			if !w.found[t] && k.met[t] {
				find(t, promise(t, w))
			}
		}
	}
	return walked
}

// pending is a page that was found and not fetched.
type pending struct {
	page    int32
	promise float64
	order   int
}

type waiting []pending

func (w waiting) Len() int { return len(w) }
func (w waiting) Less(i, j int) bool {
	if w[i].promise != w[j].promise {
		return w[i].promise > w[j].promise
	}
	return w[i].order < w[j].order
}
func (w waiting) Swap(i, j int) { w[i], w[j] = w[j], w[i] }
func (w *waiting) Push(x any)   { *w = append(*w, x.(pending)) }
func (w *waiting) Pop() any {
	old := *w
	last := old[len(old)-1]
	*w = old[:len(old)-1]
	return last
}
