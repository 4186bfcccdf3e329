package ledger

import (
	"maps"
	"slices"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/robots"
)

// State appends the whole ledger.
func (l *Ledger) State(b []byte) []byte {
	k := pack.Coder{Bytes: b}
	l.code(&k)
	return k.Bytes
}

// Restore takes back a state in the place of what stood here.
func (l *Ledger) Restore(state []byte) error {
	k := pack.Coder{Bytes: state, Read: true}
	l.code(&k)
	if k.Done() != nil {
		return ErrDamaged
	}
	return nil
}

// code writes the whole ledger, or reads it.
func (l *Ledger) code(k *pack.Coder) {
	l.mu.Lock()
	defer l.mu.Unlock()
	codeCounts(k, &l.counts)
	pack.Map(k, l.hosts, k.Text, func(h *Host) { k.Int(&h.Pages); k.Int(&h.Relevant) })
	pack.Map(k, l.relevant, k.Number, k.Bits32)
	pack.Map(k, l.refused, k.Fixed64, func(*struct{}) {})
	pack.Map(k, l.looked, k.Fixed64, k.Yes)
	pack.Map(k, l.finished, k.Fixed64, func(*struct{}) {})
	pack.Map(k, l.tries, k.Number, k.Int)
	pack.Map(k, l.failures, k.Text, k.Int)
	k.Int(&l.stale)
	k.Yes(&l.planted)
	k.Signed(&l.injected)
	keeper := l.Robots
	if keeper == nil {
		keeper = NewKeeper() // what a crawl knew that obeyed them is read, and not used
	}
	codeRobots(k, keeper)
	l.codeOut(k, keeper)
	k.Int(&l.counts.Spared)
	k.Signed(&l.counts.SparedBytes)
}

// codeRobots is what is known of robots.txt files: all rules, each once, and which of them each host has.
func codeRobots(k *pack.Coder, keeper *robots.Keeper) {
	var all []*robots.Rules
	at := map[*robots.Rules]int{}
	if !k.Read {
		all = keeper.Held()
		for i, rules := range all {
			at[rules] = i
		}
	}
	pack.List(k, &all, func(r **robots.Rules) { codeRules(k, r) })
	if k.Read {
		keeper.Forget()
	}
	pack.Map(k, keeper.Hosts, k.Text, func(h **robots.Host) {
		if k.Read {
			*h = &robots.Host{}
		}
		n := at[(*h).Rules()]
		if k.Int(&n); k.Read && 0 <= n && n < len(all) {
			keeper.Give(*h, all[n])
		} else if k.Read {
			k.Bad = true
		}
		k.Time(&(*h).Expires)
		k.Int(&(*h).Tries)
	})
}

// codeCounts is all that was counted, but for the time it is now.
func codeCounts(k *pack.Coder, c *Counts) {
	for _, n := range []*int{&c.Pages, &c.Relevant, &c.Kept, &c.Redirects, &c.Retries, &c.Failed, &c.Links, &c.Fresh} {
		k.Int(n)
	}
	k.Signed(&c.Bytes)
	k.Time(&c.Started)
	for _, t := range []admit.Tally{c.Refused, c.Dropped} {
		pack.Map(k, t, func(r *admit.Refused) { k.Text((*string)(r)) }, k.Int)
	}
	pack.List(k, &c.Curve, func(p *Point) { k.Int(&p.Pages); k.Int(&p.Relevant) })
	pack.List(k, &c.Best, func(f *Find) { k.Text(&f.URL); k.Text(&f.Title); k.Float64(&f.Relevance) })
	pack.List(k, &c.recent, k.Yes)
}

func codeRules(k *pack.Coder, rules **robots.Rules) {
	var b []byte
	if !k.Read {
		b, _ = (*rules).MarshalBinary() // it cannot fail
	}
	if k.Blob(&b); k.Read && !k.Bad {
		*rules = &robots.Rules{}
		k.Bad = (*rules).UnmarshalBinary(b) != nil
	}
}

// codeOut is the visits that are under way, and the robots.txt they wait for: several may wait for the same.
func (l *Ledger) codeOut(k *pack.Coder, keeper *robots.Keeper) {
	var asked []*robots.Flight
	if !k.Read {
		for _, id := range slices.Sorted(maps.Keys(l.out)) {
			if a := l.out[id].Asks; a != nil && !slices.Contains(asked, a) {
				asked = append(asked, a)
			}
		}
	}
	// Each robots.txt is written once, and the visits name it by its place in that list; 0 is none. Read back, those that wait for the
	// same one share it again, and one fetch serves them all.
	pack.List(k, &asked, func(a **robots.Flight) {
		if k.Read {
			*a = robots.NewFlight("")
		}
		k.Text(&(*a).Origin)
		k.Yes(&(*a).Terms)
		k.Yes(&(*a).Learned)
		k.Signed((*int64)(&(*a).Wait))
		k.Signed((*int64)(&(*a).Delay))
	})
	pack.Map(k, l.out, k.Number, func(p **Popped) {
		if k.Read {
			*p = &Popped{}
		}
		(*p).code(k)
		n := uint64(slices.Index(asked, (*p).Asks) + 1)
		if k.Number(&n); k.Read && 0 < n && n <= uint64(len(asked)) {
			(*p).Asks = asked[n-1]
		}
	})
	if k.Read {
		for _, a := range asked {
			if a.Sitemaps = a.Learned || a.Terms; !a.Learned {
				keeper.Flights[a.Asks()] = a
			}
		}
	}
}
