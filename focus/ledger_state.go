package focus

import (
	"maps"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/admit"
)

// ledger writes the whole ledger, or reads it in the place of what was there.
func (st *Steps) ledger(k *coder) {
	c := st.crawl
	st.counting.Lock()
	k.counts(&st.counts)
	st.counting.Unlock()
	codeMap(k, st.hosts, k.text, func(h *hostCount) { k.int(&h.pages); k.int(&h.relevant) })
	codeMap(k, st.relevant, k.uint, k.float32)
	codeMap(k, st.refused, k.key, func(*struct{}) {})
	codeMap(k, st.trapped, k.key, k.yes)
	st.visited.mu.Lock()
	codeMap(k, st.visited.done, k.key, func(*struct{}) {})
	st.visited.mu.Unlock()
	codeMap(k, c.tries, k.uint, k.int)
	codeMap(k, c.failures, k.text, k.int)
	k.int(&c.stale)
	k.yes(&c.planted)
	k.int64(&c.injected)
	if c.robots == nil {
		c.robots = newRobots("") // what a crawl knew that obeyed them is read, and not used
		defer func() { c.robots = nil }()
	}
	codeMap(k, c.robots.hosts, k.text, func(h **hostRobots) {
		if k.read {
			*h = &hostRobots{}
		}
		codeRules(k, &(*h).rules)
		k.time(&(*h).expires)
		k.int(&(*h).tries)
	})
	c.codeOut(k)
}

// counts are all that was counted, but for the time it is now.
func (k *coder) counts(c *Counts) {
	for _, n := range []*int{&c.Pages, &c.Relevant, &c.Kept, &c.Redirects, &c.Retries, &c.Failed, &c.Links, &c.Fresh} {
		k.int(n)
	}
	k.int64(&c.Bytes)
	k.time(&c.Started)
	for _, t := range []admit.Tally{c.Refused, c.Dropped} {
		codeMap(k, t, func(r *admit.Refused) { k.text((*string)(r)) }, k.int)
	}
	codeList(k, &c.Curve, func(p *Point) { k.int(&p.Pages); k.int(&p.Relevant) })
	codeList(k, &c.Best, func(f *Find) { k.text(&f.URL); k.text(&f.Title); k.float(&f.Relevance) })
	codeList(k, &c.recent, k.yes)
}

func codeRules(k *coder, rules **extensions.RobotsRules) {
	var b []byte
	if !k.read {
		b, _ = (*rules).MarshalBinary() // it cannot fail
	}
	if k.bytes(&b); k.read && !k.bad {
		*rules = &extensions.RobotsRules{}
		k.bad = (*rules).UnmarshalBinary(b) != nil
	}
}

// codeOut is the visits that are under way, and the robots.txt they wait for: several may wait for the same.
func (c *Crawler) codeOut(k *coder) {
	var flights []*robotsFlight
	if !k.read {
		for _, id := range slices.Sorted(maps.Keys(c.out)) {
			if f := c.out[id].flight; f != nil && !slices.Contains(flights, f) {
				flights = append(flights, f)
			}
		}
	}
	codeList(k, &flights, func(f **robotsFlight) {
		if k.read {
			*f = &robotsFlight{done: make(chan struct{})}
		}
		k.text(&(*f).origin)
		k.yes(&(*f).learned)
		wait, delay := int64((*f).wait), int64((*f).delay)
		k.int64(&wait)
		k.int64(&delay)
		(*f).wait, (*f).delay = time.Duration(wait), time.Duration(delay)
	})
	codeMap(k, c.out, k.uint, func(p **popped) {
		if k.read {
			*p = &popped{}
		}
		(*p).code(k)
		n := uint64(slices.Index(flights, (*p).flight) + 1)
		if k.uint(&n); k.read && 0 < n && n <= uint64(len(flights)) {
			(*p).flight = flights[n-1]
		}
	})
	if k.read {
		for _, f := range flights {
			if f.sitemaps = f.learned; !f.learned {
				c.robots.flights[f.origin] = f
			}
		}
	}
}
