package focus

import (
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
)

// pushEach pushes the admitted links of a page, each with the longest allowance of all links to its address: all at once,
// but for those that callbacks have added, which may be links of the page too and find it then as if it had come before.
func (st *Steps) pushEach(v *Visit) {
	var a arrivals
	for i := range v.Found {
		f := &v.Found[i]
		if f.Refused != "" {
			st.turnAway(f)
			continue
		}
		if f.hop == run.HopUser {
			st.pushArrivals(v, &a)
		}
		item := st.itemOf(v, i)
		st.remind(i, &item)
		st.lengthen(i, &item)
		a.items, a.places = append(a.items, item), append(a.places, i)
	}
	st.pushArrivals(v, &a)
}

// arrivals are admitted links of a page that are about to be pushed.
type arrivals struct {
	items  []frontier.Item
	places []int // among the links of the page
}

// pushArrivals pushes links and forgets them.
func (st *Steps) pushArrivals(v *Visit, a *arrivals) {
	if len(a.items) == 0 {
		return
	}
	pushed, err := st.pushAll(a.items)
	st.fail(err)
	for n := range pushed {
		i := a.places[n]
		f := &v.Found[i]
		f.ID, f.Fresh, f.Raised = pushed[n].ID, pushed[n].Fresh, pushed[n].Raised
		st.memory.Linked(f.ID, &st.evidence[i])
	}
	*a = arrivals{}
}

// pushAll pushes the links of a page, all at once where the frontier can.
func (st *Steps) pushAll(items []frontier.Item) ([]frontier.Pushed, error) {
	if st.can.batch != nil {
		return st.can.batch.PushAll(items)
	}
	pushed := make([]frontier.Pushed, len(items))
	for i := range items {
		p := &pushed[i]
		var err error
		if p.ID, p.Fresh, err = st.frontier.Push(items[i]); err != nil {
			return nil, err
		}
		p.Raised = !p.Fresh && st.cameBy(p.ID, items[i].Via)
	}
	return pushed, nil
}

// cameBy tells whether a waiting item is now reached by the links of that page: a better way than the one before.
func (st *Steps) cameBy(id, via uint64) bool {
	if st.can.find == nil {
		return false
	}
	item, state := st.can.find.Get(id)
	return state == frontier.Waiting && item.Via == via
}
