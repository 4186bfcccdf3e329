package suggest

import (
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/sink"
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
	c := calls{at: map[uint64]int{}, said: make([][]string, len(pages))}
	for i := range pages {
		c.called(i, pages[i].Keys)
	}
	for from := range pages {
		c.hear(from, pages[from].Links, func(int) bool { return true })
	}
	all := make([]string, len(pages))
	for i := range all {
		all[i] = c.of(i)
	}
	return all
}

// calls are what links say of the pages they lead to.
type calls struct {
	at   map[uint64]int // pages by the keys of their addresses
	said [][]string     // by page
}

// called notes the addresses of a page.
func (c *calls) called(page int, keys []uint64) {
	for _, k := range keys {
		if _, twice := c.at[k]; !twice {
			c.at[k] = page
		}
	}
}

// hear hears the links of a page that lead to others which are asked for.
func (c *calls) hear(from int, links []sink.Pointer, asked func(to int) bool) {
	for _, l := range links {
		to, ok := c.at[l.To]
		if ok && to != from && asked(to) && len(c.said[to]) < mostCalled && l.Anchor != "" && !slices.Contains(c.said[to], l.Anchor) {
			c.said[to] = append(c.said[to], l.Anchor)
		}
	}
}

func (c *calls) of(page int) string { return strings.Join(c.said[page], "\n") }

// readAgain reads the texts of some pages, and what links say of them.
func readAgain(pages []Page, some []int, again Again) error {
	c, asked := calls{at: map[uint64]int{}, said: make([][]string, len(pages))}, make([]bool, len(pages))
	for i := range pages {
		c.called(i, pages[i].keys)
	}
	for _, i := range some {
		asked[i] = true
	}
	err := again(func(i int, seen *sink.Seen) error {
		if c.hear(i, seen.Links, func(to int) bool { return asked[to] }); asked[i] {
			pages[i].Text = seen.Record.Text
		}
		return nil
	})
	for _, i := range some {
		pages[i].Called = c.of(i)
	}
	return err
}

// inTurn lets all pages be heard, some at a time: the texts of those that are read again are held so long.
func inTurn(pages []Page, again Again, hear func(list []int)) error {
	const atOnce = 512
	var list []int
	taken := make([]bool, len(pages))
	done := func() {
		hear(list)
		for _, i := range list {
			if again != nil {
				pages[i].Text = ""
			}
		}
		list = list[:0]
	}
	take := func(i int) {
		if list, taken[i] = append(list, i), true; len(list) == atOnce {
			done()
		}
	}
	if again != nil {
		err := again(func(i int, seen *sink.Seen) error {
			pages[i].Text = seen.Record.Text
			take(i)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for i := range pages {
		if !taken[i] { // it is held, or its text is gone
			take(i)
		}
	}
	done()
	return nil
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
