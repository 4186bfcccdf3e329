package junk

import "github.com/thresher-crawler/thresher/focus/pack"

// What a dozen visits have shown may be untrue of all others: they were asked while a site was being mended, or are the oldest of it, or who
// asked was not let in yet. So a few addresses are refused for what has been learned, and then one is visited all the same. While that has not
// shown the same as those before, no more are refused, and then twice as many: what is untrue costs few pages, and what is true few visits.
const (
	onTrust  = 4    // addresses that are refused before the first one is visited all the same
	many     = 4    // pages that were shown by which it is no single one that a site shows for a while in the place of all
	mostAsks = 4096 // addresses refused of which each counts once, however often it is found; of more it makes no difference
)

// rule is by what addresses are refused that nobody has looked at.
type rule struct {
	refused, upheld kind    // addresses that were, and how often one that was visited all the same has shown that they may be
	shown           kind    // pages that visits of them have shown
	rests           [5]kind // on which it rests that they are; 0 for fewer
}

func ruleOf(words ...string) rule {
	of := kindOf(words...)
	return rule{refused: of, upheld: kind(pack.FNV1a(of).Text("upheld").Byte(0)), shown: shownBy(of)}
}

// on is a rule that rests on the counts of some kinds.
func (r rule) on(kinds ...kind) rule {
	copy(r.rests[:], kinds)
	return r
}

// used keeps from being forgotten what a rule rests on by which an address is refused that was not before.
func (w *TrapWatch) used(r rule) {
	for _, k := range append(r.rests[:], r.upheld, r.shown) {
		if w.met(k) > 0 {
			w.use(k)
		}
	}
}

// shownBy is the kind of pages that addresses of a kind have shown.
func shownBy(of kind) kind { return kind(pack.FNV1a(of).Text("shown").Byte(0)) }

// shows is told which page the visit of such an address has shown, by which it is known.
func (w *TrapWatch) shows(r rule, page string) {
	if shown := kind(pack.FNV1a(r.refused).Text(page).Byte(0)); w.met(shown) == 0 {
		w.count(shown)
		w.count(r.shown)
	}
}

// trusted is how many addresses a rule may refuse as yet: of those that come back if it is untrue, and if that many pages are unlikely to be all of
// one outage, four times as many each time.
func (w *TrapWatch) trusted(r rule) int {
	by := w.met(r.upheld)
	if w.hasShelf(r) && w.met(r.shown) >= many {
		by *= 2
	}
	return onTrust << min(by, 30)
}

// refuses tells whether an address is to be refused for all of some rules, and counts it where it is.
func (w *TrapWatch) refuses(a *parts, rules ...rule) bool {
	asked, young := kindOf("refused", a.address), false
	known := w.met(asked) > 0
	if a.item != 0 && w.met(toLookAt(a.item)) > 0 {
		return false
	}
	for _, r := range rules {
		if w.met(r.refused) < w.trusted(r) || known && a.waits {
			continue
		}
		if a.item == 0 || !w.isLookedAt(r) {
			w.lookAt(begun, r.refused, a.item)
			return false
		}
	}
	a.later = true
	for _, r := range rules {
		if a.item != 0 {
			w.shelve(putThere, r.refused, a.item)
		}
		if !known {
			w.used(r)
			w.count(r.refused)
		}
		n := w.met(r.refused)
		young, a.later = young || n < mostAsks, a.later && n <= mostLater
	}
	if young && !known {
		w.count(asked)
	}
	return true
}

// uphold is told that a visit has shown what a rule says. Of those that are under way together one counts.
func (w *TrapWatch) uphold(r rule) {
	if w.met(r.refused) >= w.trusted(r) {
		w.count(r.upheld)
	}
}

// CheckWaiting is Check of an address that has passed and not been visited yet, now that more is known of its host: not how many of a kind
// there are counts, but what visits have shown of it. Item is its number in the frontier, where it may come back by (Back); 0 is none.
func (w *TrapWatch) CheckWaiting(address string, item uint64) string {
	a, ok := w.parts(address)
	if !ok {
		return ""
	}
	a.waits, a.item = true, item
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.learned(&a, pathSegments(a.path), queryKeys(a.query))
}

// learned looks at what visits have shown of such addresses.
func (w *TrapWatch) learned(a *parts, segments, keys []string) string {
	if reason := w.inSession(a, segments); reason != "" {
		return reason
	}
	if reason := w.inIdle(a); reason != "" {
		return reason
	}
	return w.inBarren(a, keys)
}
