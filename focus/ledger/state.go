package ledger

import (
	"maps"
	"slices"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/robots"
)

// State appends the whole ledger.
func (l *Ledger) State(b []byte) []byte {
	k := coder{b: b}
	l.code(&k)
	return k.b
}

// Restore takes back a state in the place of what stood here.
func (l *Ledger) Restore(state []byte) error {
	k := coder{b: state, read: true}
	l.code(&k)
	return k.done()
}

// code writes the whole ledger, or reads it.
func (l *Ledger) code(k *coder) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k.counts(&l.counts)
	codeMap(k, l.hosts, k.text, func(h *Host) { k.int(&h.Pages); k.int(&h.Relevant) })
	codeMap(k, l.relevant, k.uint, k.float32)
	codeMap(k, l.refused, k.key, func(*struct{}) {})
	codeMap(k, l.looked, k.key, k.yes)
	codeMap(k, l.finished, k.key, func(*struct{}) {})
	codeMap(k, l.tries, k.uint, k.int)
	codeMap(k, l.failures, k.text, k.int)
	k.int(&l.stale)
	k.yes(&l.planted)
	k.int64(&l.injected)
	keeper := l.Robots
	if keeper == nil {
		keeper = NewKeeper() // what a crawl knew that obeyed them is read, and not used
	}
	codeRobots(k, keeper)
	l.codeOut(k, keeper)
}

// codeRobots is what is known of robots.txt files: all rules, each once, and which of them each host has.
func codeRobots(k *coder, keeper *robots.Keeper) {
	var all []*robots.Rules
	at := map[*robots.Rules]int{}
	if !k.read {
		all = keeper.Held()
		for i, rules := range all {
			at[rules] = i
		}
	}
	codeList(k, &all, func(r **robots.Rules) { codeRules(k, r) })
	if k.read {
		keeper.Forget()
	}
	codeMap(k, keeper.Hosts, k.text, func(h **robots.Host) {
		if k.read {
			*h = &robots.Host{}
		}
		n := at[(*h).Rules()]
		if k.int(&n); k.read && 0 <= n && n < len(all) {
			keeper.Give(*h, all[n])
		} else if k.read {
			k.bad = true
		}
		k.time(&(*h).Expires)
		k.int(&(*h).Tries)
	})
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

func codeRules(k *coder, rules **robots.Rules) {
	var b []byte
	if !k.read {
		b, _ = (*rules).MarshalBinary() // it cannot fail
	}
	if k.bytes(&b); k.read && !k.bad {
		*rules = &robots.Rules{}
		k.bad = (*rules).UnmarshalBinary(b) != nil
	}
}

// codeOut is the visits that are under way, and the robots.txt they wait for: several may wait for the same.
func (l *Ledger) codeOut(k *coder, keeper *robots.Keeper) {
	var asked []*robots.Flight
	if !k.read {
		for _, id := range slices.Sorted(maps.Keys(l.out)) {
			if a := l.out[id].Asks; a != nil && !slices.Contains(asked, a) {
				asked = append(asked, a)
			}
		}
	}
	codeList(k, &asked, func(a **robots.Flight) {
		if k.read {
			*a = robots.NewFlight("")
		}
		k.text(&(*a).Origin)
		k.yes(&(*a).Learned)
		k.int64((*int64)(&(*a).Wait))
		k.int64((*int64)(&(*a).Delay))
	})
	codeMap(k, l.out, k.uint, func(p **Popped) {
		if k.read {
			*p = &Popped{}
		}
		(*p).code(k)
		n := uint64(slices.Index(asked, (*p).Asks) + 1)
		if k.uint(&n); k.read && 0 < n && n <= uint64(len(asked)) {
			(*p).Asks = asked[n-1]
		}
	})
	if k.read {
		for _, a := range asked {
			if a.Sitemaps = a.Learned; !a.Learned {
				keeper.Flights[a.Origin] = a
			}
		}
	}
}
