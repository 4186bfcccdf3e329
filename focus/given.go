package focus

import (
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
)

// A Colly program that puts an address into the queue with a score of its own means it. A page that links to the address may
// raise it; from then on its score follows what is learned, but never below what the program said, and a request stays what the
// program made it. That stands in the note that the raise brings along, and so it holds for whichever process goes on.

// given tells of an item whether its score is a Colly program's own, and what its note says otherwise: which score it had from
// one, if it had any, and its request.
func (st *Steps) given(id uint64) (own bool, n run.Note) {
	if st.crawl != nil || st.can.find == nil {
		return false, run.Note{}
	}
	item, _ := st.can.find.Get(id)
	n, err := run.ReadNote(item)
	if err != nil {
		return item.Via == 0, run.Note{}
	}
	return item.Via == 0, n
}

// remind lets a link that is about to be pushed bring along what a Colly program said of its address, which waits already.
func (st *Steps) remind(i int, item *frontier.Item) {
	id := st.evidence[i].Item
	if st.crawl != nil || st.can.rescore == nil || id == 0 {
		return
	}
	stands := st.can.rescore.Standing(id)
	if stands.State != frontier.Waiting {
		return
	}
	own, was := st.given(id)
	if own {
		was.Floor = &stands.Score
	}
	if n, err := run.ReadNote(*item); err == nil && (was.Floor != nil || was.Request != nil) {
		n.Floor, n.Request = was.Floor, was.Request
		item.Note = n.Bytes()
	}
}
