package focus

import "github.com/thresher-crawler/thresher/focus/frontier"

// A Colly program that puts an address into the queue with a score of its own means it. A page that links to the address may
// raise it; from then on its score follows what is learned, but never below what the program said. That stands in the note that
// the raise brings along, and so it holds for whichever process goes on.

// given tells of an item whether its score is a Colly program's own, and otherwise which it had from one, nil if it had none.
func (st *Steps) given(id uint64) (own bool, floor *float32) {
	f, ok := st.frontier.(frontier.Finder)
	if st.crawl != nil || !ok {
		return false, nil
	}
	item, _ := f.Get(id)
	if item.Via == 0 {
		return true, nil
	}
	n, err := readNote(item)
	if err != nil {
		return false, nil
	}
	return false, n.floor
}

// remind lets a link that is about to be pushed bring along what a Colly program said of its address, which waits already.
func (st *Steps) remind(i int, item *frontier.Item) {
	id := st.evidence[i].Item
	f, ok := st.frontier.(frontier.Rescorer)
	if st.crawl != nil || !ok || id == 0 {
		return
	}
	stands := f.Standing(id)
	if stands.State != frontier.Waiting {
		return
	}
	own, floor := st.given(id)
	if own {
		floor = &stands.Score
	}
	if n, err := readNote(*item); err == nil && floor != nil {
		n.floor = floor
		item.Note = n.bytes()
	}
}
