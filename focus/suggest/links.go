package suggest

import (
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/winnow"
)

// A term is looked for in links as well as on pages, and of some things that are asked of a link its weight makes no difference:
// a word which says little of pages can spoil the order in which links are followed. Whether it does, the links of the crawl
// tell: those that say it have led to sure pages, or to foreign ones.
const (
	mostCalled = 32 // wordings of the links to a page that are looked at
	leastLed   = 2  // sure pages that links with a word led to at least, for it to be proven
	surelyLed  = 2  // standard deviations by which they did so more often than to foreign ones
)

// callings are what the links to each page say, a line each, every wording once.
func callings(pages []winnow.Page) []string {
	at := map[uint64]int{}
	for i := range pages {
		for _, k := range pages[i].Keys {
			if _, twice := at[k]; !twice {
				at[k] = i
			}
		}
	}
	said := make([][]string, len(pages))
	for from := range pages {
		for _, l := range pages[from].Links {
			to, ok := at[l.To]
			if ok && to != from && len(said[to]) < mostCalled && l.Anchor != "" && !slices.Contains(said[to], l.Anchor) {
				said[to] = append(said[to], l.Anchor)
			}
		}
	}
	all := make([]string, len(pages))
	for i, lines := range said {
		all[i] = strings.Join(lines, "\n")
	}
	return all
}

// follow counts the pages of either side that links lead to, and those that links lead to which say a candidate.
func (s *sides) follow(all []reading, list []candidate) {
	at := places(list)
	stamp := make([]int, len(list))
	for n := range all {
		called := all[n].called
		if s.of[n] == 0 || len(called) == 0 {
			continue
		}
		side := 0
		if s.of[n] < 0 {
			side = 1
		}
		s.led[side] += s.stands[n]
		for k, w := range called {
			for _, second := range [2]uint32{0, next(called, k)} {
				if i, ok := at[pair(w, second)]; ok && w != 0 && stamp[i] != n+1 {
					stamp[i] = n + 1
					list[i].led[side] += s.stands[n]
				}
			}
		}
	}
}

// misleads tells of a candidate that links say which lead to foreign pages more often than others do.
func (s *sides) misleads(c *candidate) bool { return c.led[0]*s.led[1] < c.led[1]*s.led[0] }

// proven tells of a candidate that links say which surely lead to pages of the topic more often than others do. Where hardly
// any links are known, nobody can tell, and it passes.
func (s *sides) proven(c *candidate) bool {
	if min(s.led[0], s.led[1]) < leastSides {
		return true
	}
	return c.led[0] >= leastLed && zOf(c.led[0], s.led[0], c.led[1], s.led[1]) >= surelyLed
}
