package ledger

import (
	"bytes"
	"crypto/sha256"
	"time"

	"github.com/thresher-crawler/thresher/extensions"
)

// Robots is what the hosts' robots.txt files say, by origin, and which of them are being asked for. It is asked and told
// while the turn is held, so that what is known at a pop does not depend on who was faster.
//
// Hosts with the same rules share them, and all rules together are bounded: the longest go first, and are asked for again
// when they are needed.
type Robots struct {
	hosts map[string]*hostRobots
	asked map[string]*Asked
	rules map[[sha256.Size]byte]*sharedRules
	size  int // bytes of all rules
}

// sharedRules are rules that so many hosts have.
type sharedRules struct {
	*extensions.RobotsRules
	digest [sha256.Size]byte
	size   int
	hosts  int
}

// NewRobots knows of no robots.txt yet.
func NewRobots() *Robots {
	return &Robots{hosts: map[string]*hostRobots{}, asked: map[string]*Asked{}, rules: map[[sha256.Size]byte]*sharedRules{}}
}

// hostRobots is what is known of one host.
type hostRobots struct {
	rules   *sharedRules
	expires time.Time
	tries   int // answers in a row that said nothing
}

// Asked is a robots.txt that is being asked for. Several items of one host wait for the same.
type Asked struct {
	Origin      string
	Learned     bool // the answer was taken: what follows is what it said
	Wait, Delay time.Duration

	// Carry is what whoever asks keeps with it. It is not written down.
	Carry any
}

const (
	robotsWait  = 15 * time.Second // before the second try; four times as long before the third
	robotsTries = 3                // answers that say nothing, before the host's pages are refused
	robotsHosts = 100_000          // hosts that are remembered
	robotsSize  = 32 << 20         // bytes of all rules that are remembered
)

// Origin is the scheme and host that a robots.txt speaks for.
func Origin(address string) string { return extensions.RobotsOrigin(address) }

// Valid tells whether the rules of an origin are known and may be used still: otherwise they are to be asked for.
func (r *Robots) Valid(origin string, now time.Time) bool {
	h, known := r.hosts[origin]
	return known && !now.After(h.expires)
}

// Rules are those of an origin, nil if they are not known. They never change.
func (r *Robots) Rules(origin string) *extensions.RobotsRules {
	if h := r.hosts[origin]; h != nil && h.rules != nil {
		return h.rules.RobotsRules
	}
	return nil
}

// Tries are how many answers of an origin in a row said nothing.
func (r *Robots) Tries(origin string) int {
	if h := r.hosts[origin]; h != nil {
		return h.tries
	}
	return 0
}

// Ask is the robots.txt of an origin as it is being asked for, now or already.
func (r *Robots) Ask(origin string) *Asked {
	a := r.asked[origin]
	if a == nil {
		a = &Asked{Origin: origin}
		r.asked[origin] = a
	}
	return a
}

// Why is what is known of an origin whose robots.txt could not be had.
func (r *Robots) Why(origin string) string {
	if h := r.hosts[origin]; h != nil && h.rules != nil {
		_, said := h.rules.Allowed("/")
		return said
	}
	return "robots.txt"
}

// take remembers what the robots.txt of an origin says. It answers how long the host is to be left alone, and the delay it
// asks for.
func (r *Robots) take(origin string, rules *extensions.RobotsRules, now time.Time) (wait, delay time.Duration) {
	h := r.hosts[origin]
	if h == nil {
		if len(r.hosts) >= robotsHosts {
			r.forget(now)
		}
		h = &hostRobots{}
		r.hosts[origin] = h
	}
	r.give(h, rules)
	h.expires = now.Add(rules.Life())
	r.bound(h.rules)
	if !rules.Unreachable() {
		h.tries = 0
		return 0, rules.Delay()
	}
	if h.tries++; h.tries >= robotsTries {
		return 0, 0 // what is waiting is refused now, and links found later ask again
	}
	h.expires = now // asked again when the host has its next turn
	return min(rules.Life(), robotsWait<<(2*(h.tries-1))), 0
}

// landed tells all who wait for the robots.txt of an origin that it was read.
func (r *Robots) landed(origin string, wait, delay time.Duration) {
	if a := r.asked[origin]; a != nil {
		a.Learned, a.Wait, a.Delay = true, wait, delay
		delete(r.asked, origin)
	}
}

// forget makes room by dropping what has expired, and everything if nothing has.
func (r *Robots) forget(now time.Time) {
	for at, h := range r.hosts {
		if now.After(h.expires) {
			r.drop(at)
		}
	}
	if len(r.hosts) >= robotsHosts {
		for at := range r.hosts {
			r.drop(at)
		}
	}
}

// give lets a host have rules, which it may share with others.
func (r *Robots) give(h *hostRobots, rules *extensions.RobotsRules) {
	r.takeBack(h)
	b, _ := rules.MarshalBinary() // it cannot fail
	digest := sha256.Sum256(b)
	s := r.rules[digest]
	if s == nil {
		s = &sharedRules{RobotsRules: rules, digest: digest, size: rules.Size()}
		r.rules[digest] = s
		r.size += s.size
	}
	s.hosts++
	h.rules = s
}

// takeBack takes a host's rules away; those that no host has any more are gone.
func (r *Robots) takeBack(h *hostRobots) {
	s := h.rules
	if h.rules = nil; s == nil {
		return
	}
	if s.hosts--; s.hosts == 0 {
		delete(r.rules, s.digest)
		r.size -= s.size
	}
}

// drop forgets a host.
func (r *Robots) drop(origin string) {
	r.takeBack(r.hosts[origin])
	delete(r.hosts, origin)
}

// bound lets the longest rules go while all together are too many, but for those that were just read.
func (r *Robots) bound(fresh *sharedRules) {
	for r.size > robotsSize {
		var longest *sharedRules
		for _, s := range r.rules {
			if s != fresh && (longest == nil || s.size > longest.size || s.size == longest.size && bytes.Compare(s.digest[:], longest.digest[:]) < 0) {
				longest = s
			}
		}
		if longest == nil {
			return
		}
		for at, h := range r.hosts {
			if h.rules == longest {
				r.drop(at)
			}
		}
	}
}
