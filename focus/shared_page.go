package focus

import (
	"errors"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
)

// remote is a frontier on another machine as the steps see it: what they ask link by link is asked for a page at once.
type remote struct {
	*redis.Frontier
	shared *shared
	known  map[string]uint64 // the ids of the page's links, 0 of those that are new
}

var _ paging = (*remote)(nil)

// paging is a frontier that is told what a page is about to ask.
type paging interface {
	frontier.Batcher
	// ahead is told which identities will be asked for; of others nothing is known ahead.
	ahead(identities []string)
}

// Close ends this machine's part in the crawl.
func (r *remote) Close() error {
	err := r.Frontier.Close()
	return errors.Join(err, r.shared.leaveCrawl())
}

func (r *remote) ahead(identities []string) {
	r.known = make(map[string]uint64, len(identities))
	for i, id := range r.FindAll(identities) {
		r.known[identities[i]] = id
	}
}

// Find answers the id of an identity.
func (r *remote) Find(identity string) uint64 {
	if id, ok := r.known[identity]; ok {
		return id
	}
	return r.Frontier.Find(identity)
}

// lookAhead asks a frontier on another machine for all links of a page at once.
func (st *Steps) lookAhead(v *Visit) {
	p, ok := st.frontier.(paging)
	if !ok {
		return
	}
	identities := make([]string, 0, len(v.Found))
	for i := range v.Found {
		identities = append(identities, v.Found[i].Link.Identity)
	}
	p.ahead(identities)
}

// pushAtOnce pushes all admitted links of a page in one call, where the frontier is on another machine; it answers false
// where it is not. Here an address has the allowance of the link with the best score, and not the longest of all links as
// pushEach gives it (lengthen): that reads the note that waits and writes another, and between the two a machine that
// shares the crawl may raise or visit the address. It would have to be one script that knows the trail in a note.
func (st *Steps) pushAtOnce(v *Visit) bool {
	p, ok := st.frontier.(paging)
	if !ok {
		return false
	}
	var items []frontier.Item
	var places []int
	for i := range v.Found {
		if v.Found[i].Refused != "" {
			st.turnAway(&v.Found[i])
			continue
		}
		items, places = append(items, st.itemOf(v, i)), append(places, i)
	}
	pushed, err := p.PushAll(items)
	if err != nil {
		st.fail(err)
		return true
	}
	p.ahead(nil)
	for n, i := range places {
		f := &v.Found[i]
		f.ID, f.Fresh, f.Raised = pushed[n].ID, pushed[n].Fresh, pushed[n].Raised
		st.memory.Linked(f.ID, &st.evidence[i])
	}
	return true
}
