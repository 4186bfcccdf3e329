package junk

import "github.com/thresher-crawler/thresher/focus/pack"

// What a dozen visits have shown may be untrue of all others: they were asked while a site was being mended, or are the oldest of it, or who
// asked was not let in yet. So a few addresses are refused for what has been learned, and then one is visited all the same. While that has not
// shown the same as those before, no more are refused, and then twice as many: what is untrue costs few pages, and what is true few visits.
const (
	onTrust  = 4    // addresses that are refused before the first one is visited all the same
	mostAsks = 4096 // addresses refused of which each counts once, however often it is found; of more it makes no difference
)

// rule is by what addresses are refused that nobody has looked at.
type rule struct {
	refused, upheld kind // addresses that were, and how often one that was visited all the same has shown that they may be
}

func ruleOf(words ...string) rule {
	of := kindOf(words...)
	return rule{of, kind(pack.FNV1a(of).Text("upheld").Byte(0))}
}

// trusted is how many addresses a rule may refuse as yet.
func (w *TrapWatch) trusted(r rule) int { return onTrust << min(w.met(r.upheld), 30) }

// refuses tells whether an address is to be refused for all of some rules, and counts it where it is.
func (w *TrapWatch) refuses(address string, rules ...rule) bool {
	for _, r := range rules {
		if w.met(r.refused) >= w.trusted(r) {
			return false
		}
	}
	asked, young := kindOf("refused", address), false
	if w.met(asked) > 0 {
		return true
	}
	for _, r := range rules {
		w.count(r.refused)
		young = young || w.met(r.refused) < mostAsks
	}
	if young {
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
