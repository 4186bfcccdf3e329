package run

import "github.com/thresher-crawler/thresher/focus/admit"

// Ended are the links of a log whose visits have ended, each with whether it may wait once more.
type Ended map[uint64]bool

// Hear tells of a decision that it ends a visit, and the first of its link: two machines may have visited it, where one had been given up.
// What was refused for what has turned out to be untrue waits again, and its next visit is the first.
func (e Ended) Hear(d *Decision) (first bool) {
	switch d.Decision {
	case "push":
		if e[d.ID] {
			delete(e, d.ID)
		}
	case "keep", "drop":
		if _, ended := e[d.ID]; !ended {
			e[d.ID] = ComesBack(d.Reason)
			return true
		}
	}
	return false
}

// ComesBack tells of a reason for which a link was not visited that the link may wait again later.
func ComesBack(r admit.Refused) bool {
	return r.Kind() == admit.RefusedTrap || r.Kind() == admit.RefusedKiller
}
