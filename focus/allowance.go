package focus

import (
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
)

// lengthen gives a link the allowance of the best trail to its address, as fish-search and tunnelling ask for: the better
// trail may be the one with the lower score. An address that waits with a shorter allowance, and with a score that the link
// does not raise, gets another note and keeps its place.
func (st *Steps) lengthen(i int, item *frontier.Item) {
	if st.can.find == nil || st.strategy.Admit.Tunnel.Depth < 0 || st.evidence[i].Item == 0 {
		return
	}
	known, state := st.can.find.Get(st.evidence[i].Item)
	was, err := run.ReadNote(known)
	if state != frontier.Waiting || err != nil || !was.Ranked {
		return
	}
	found := st.trails[i].Allowance
	switch raises := item.Tier < known.Tier || item.Tier == known.Tier && item.Score > known.Score; {
	case raises && was.Trail.Allowance > found:
		n, err := run.ReadNote(*item)
		if err == nil {
			n.Trail.Allowance = was.Trail.Allowance
			item.Note = n.Bytes()
		}
	case !raises && found > was.Trail.Allowance && st.can.rescore != nil:
		was.Trail.Allowance = found
		st.fail(st.can.rescore.Rescore(known.ID, known.Score, known.Alt, known.Numbers, was.Bytes()))
	}
}
