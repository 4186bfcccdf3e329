package frontiertest

import (
	"math"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// standing is an item's score as a number that is lower the earlier the item comes: what the bits of a float are when
// they are read as an integer. A host that has had more than its share is put back by a sixteenth of the way to half
// the score.
func (m *model) standing(it *modelItem, lane int) uint32 {
	score := [2]float32{it.Score, it.Alt}[lane]
	x := math.Float32bits(score)
	switch {
	case score == 0:
		x = 1<<31 - 1
	case x>>31 == 0:
		x = 1<<31 - 1 - x
	}
	if m.manners.Share > 0 && float64(m.lately(it.Host)) > 100*m.manners.Share {
		x += 1 << 19
	}
	return x
}

// lately is how many of the last visits were of a host.
func (m *model) lately(host string) (n int) {
	for _, h := range m.recent {
		if h == host {
			n++
		}
	}
	return n
}

// crowded tells whether the address of a host has all the visits it may have.
func (m *model) crowded(host string) bool {
	at := m.address[host]
	if at == "" || m.manners.PerIP == 0 {
		return false
	}
	out := 0
	for name, h := range m.hosts {
		if m.address[name] == at {
			out += h.out
		}
	}
	return out >= m.manners.PerIP
}

// awaited goes through all items for the best that is to be waited for, and says until when at most: zero if what is
// ready is good enough.
func (m *model) awaited(ready *modelItem, lane int) time.Time {
	patience := m.manners.Patience
	var best *modelItem
	var until time.Time
	for _, it := range m.items {
		h := m.host(it.Host)
		if it.state != frontier.Waiting || it.Tier >= frontier.Held || m.isReturned(it) || best != nil && !m.before(it, best, lane) {
			continue
		}
		end := h.ready()
		if h.out >= m.seats(h) {
			end = h.since.Add(patience)
			if max(m.manners.Delay, h.pace) > patience {
				continue
			}
		}
		if end.After(m.now) && !end.After(m.now.Add(patience)) {
			best, until = it, end
		}
	}
	if best == nil || best.Tier > ready.Tier {
		return time.Time{}
	}
	if worse := int64(m.standing(ready, lane)) - int64(m.standing(best, lane)); best.Tier == ready.Tier && worse <= int64(m.manners.Steps()) {
		return time.Time{}
	}
	return until
}
