package focus

import (
	"errors"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/rank"
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
	p := st.can.far
	if p == nil {
		return
	}
	identities := make([]string, 0, len(v.Found))
	for i := range v.Found {
		identities = append(identities, v.Found[i].Link.Identity)
	}
	p.ahead(identities)
}

// reach is the allowance of a trail, for a frontier that keeps the longest of all links to an address by itself: between two
// questions of this machine another one may raise or visit it.
var reach = redis.Reach{
	Of: func(note []byte) (int16, bool) {
		trail, _, err := rank.ParseTrail(note)
		return trail.Allowance, err == nil
	},
	With: func(note []byte, allowance int16) []byte {
		trail, rest, err := rank.ParseTrail(note)
		if err != nil {
			return note
		}
		trail.Allowance = allowance
		return append(trail.Append(nil), rest...)
	},
}

// pushAtOnce pushes all admitted links of a page in one call, where the frontier is on another machine; it answers false
// where it is not. That an address has the longest allowance of all links to it is the frontier's matter there (reach).
func (st *Steps) pushAtOnce(v *Visit) bool {
	p := st.can.far
	if p == nil {
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
