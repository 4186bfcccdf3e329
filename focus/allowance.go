package focus

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// lengthened is a waiting item whose trail gets a longer allowance without a better score: it is written down as a raise
// by the least there is, which is taken back. The zero value changes nothing.
type lengthened struct {
	item  frontier.Item // as it waits, with its new note
	score float32
}

// lengthen gives a link the allowance of the best trail to its address, as fish-search and tunnelling ask for: the better
// trail may be the one with the lower score. Of an address that waits with a shorter allowance and a score that the link
// does not raise, it answers what is to be written after the push.
func (st *Steps) lengthen(i int, item *frontier.Item) lengthened {
	if st.can.find == nil || st.strategy.Admit.Tunnel.Depth < 0 || st.evidence[i].Item == 0 {
		return lengthened{}
	}
	known, state := st.can.find.Get(st.evidence[i].Item)
	was, err := readNote(known)
	if state != frontier.Waiting || err != nil || len(known.Note) == len(was.request) {
		return lengthened{}
	}
	found := st.trails[i].Allowance
	switch raises := item.Tier < known.Tier || item.Tier == known.Tier && item.Score > known.Score; {
	case raises && was.trail.Allowance > found:
		n, err := readNote(*item)
		if err == nil {
			n.trail.Allowance = was.trail.Allowance
			item.Note = n.bytes()
		}
	case !raises && found > was.trail.Allowance:
		was.trail.Allowance = found
		known.Note = was.bytes()
		return lengthened{known, known.Score}
	}
	return lengthened{}
}

func (l lengthened) write(f frontier.Frontier, r frontier.Rescorer) error {
	if l.item.ID == 0 || r == nil {
		return nil
	}
	l.item.Score = math.Nextafter32(l.score, math.MaxFloat32)
	if _, _, err := f.Push(l.item); err != nil {
		return err
	}
	return r.Rescore(l.item.ID, l.score, l.item.Alt, l.item.Numbers)
}
