package rank

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// web is a web small enough to be read: its pages by number.
type web map[uint64]webPage

type webPage struct {
	host      string
	relevance float64
	links     []webLink
}

type webLink struct {
	to             uint64
	block          int32 // 1 is running text, 2 and 3 are blocks of related links
	anchor, around float64
}

func to(block int32, anchor float64, pages ...uint64) (links []webLink) {
	for _, p := range pages {
		links = append(links, webLink{to: p, block: block, anchor: anchor})
	}
	return links
}

// waitingItem is a link that waits in a crawl of such a web.
type waitingItem struct {
	item  uint64
	score float32
	trail Trail
}

// visit crawls a web with a strategy, the way a crawl does it: it takes the best waiting item, tells how it turned out,
// scores again what that touches, and follows its links. It answers the order of the visits.
func visit(s *Strategy, w web, start uint64) (order []uint64) {
	m := NewMemory()
	waits := []waitingItem{{item: start, trail: s.Root()}}
	seen := map[uint64]bool{start: true}
	for len(waits) > 0 {
		best := 0
		for i := range waits {
			if waits[i].score > waits[best].score {
				best = i
			}
		}
		now := waits[best]
		waits = append(waits[:best], waits[best+1:]...)
		order = append(order, now.item)
		relevance := w[now.item].relevance
		for _, item := range m.Fetched(now.item, relevance, relevance >= 0.3, 256) {
			for i := range waits {
				if numbers, ok := s.Rescore(item, m); ok && waits[i].item == item {
					waits[i].score = numbers[0]
				}
			}
		}
		waits = follow(s, w, m, now, waits, seen)
	}
	return order
}

// follow ranks the links of a page and adds those that enter to what waits, or raises what waits already.
func follow(s *Strategy, w web, m *Memory, now waitingItem, waits []waitingItem, seen map[uint64]bool) []waitingItem {
	var links []linkTold
	for _, l := range w[now.item].links {
		links = append(links, linkTold{l.block, l.anchor, l.around})
	}
	p := tellPage(page.Related, links...)
	p.memory = m
	p.page.URL = "http://" + w[now.item].host + "/"
	for i, l := range w[now.item].links {
		e := judged(p.link(i), w[now.item].relevance)
		e.Parent, e.Trail = now.item, now.trail
		e.Link.URL = fmt.Sprintf("http://%s/%d", w[l.to].host, l.to)
		child, enter := s.Follow(e)
		if !enter {
			continue
		}
		if seen[l.to] {
			e.Item = l.to
		}
		v, _ := s.Score(e, nil)
		m.Linked(l.to, e)
		if !seen[l.to] {
			seen[l.to] = true
			waits = append(waits, waitingItem{l.to, v, child})
			continue
		}
		for j := range waits {
			if waits[j].item == l.to && v > waits[j].score {
				waits[j].score, waits[j].trail = v, child
			}
		}
	}
	return waits
}

// last is when the last of some pages was visited; 0 if one never was.
func last(order []uint64, pages ...uint64) (at int) {
	for _, p := range pages {
		found := 0
		for i, o := range order {
			if o == p {
				found = i + 1
			}
		}
		if found == 0 {
			return 0
		}
		at = max(at, found)
	}
	return at
}

// Links whose words say nothing: 10 to 15 stand in a block that leads to the topic, 20 to 25 in one that does not.
func TestABlockThatBeganWellGoesOn(t *testing.T) {
	w := web{1: {relevance: 0.5, links: append(to(2, 0, 20, 21, 22, 23, 24, 25), to(3, 0, 10, 11, 12, 13, 14, 15)...)}}
	for i := uint64(10); i < 16; i++ {
		w[i], w[i+10] = webPage{relevance: 0.9}, webPage{relevance: 0}
	}
	for name, want := range map[string]int{"shark": 13, "block-shark": 8, "block-shark-no-structure": 8} {
		order := visit(shipped(t, name), w, 1)
		if at := last(order, 10, 11, 12, 13, 14, 15); at != want {
			t.Errorf("%s has the last page of the good block after %d visits, want %d: %v", name, at, want, order)
		}
	}
}

// Two hosts whose links look alike.
func TestASiteThatBeganWellGoesOn(t *testing.T) {
	w := web{1: {host: "start", relevance: 0.5}}
	for i := uint64(0); i < 6; i++ {
		w[10+i], w[20+i] = webPage{host: "good", relevance: 0.9}, webPage{host: "bad", relevance: 0}
		start := w[1]
		start.links = append(start.links, to(1, 0.2, 20+i, 10+i)...)
		w[1] = start
	}
	good := []uint64{10, 11, 12, 13, 14, 15}
	if at := last(visit(shipped(t, "shark"), w, 1), good...); at != 13 {
		t.Errorf("shark has the good site after %d visits, want 13", at)
	}
	for _, name := range []string{"shark-site", "tunnel"} {
		order := visit(shipped(t, name), w, 1)
		if at := last(order, good...); at != 8 {
			t.Errorf("%s has the good site after %d visits, want 8: %v", name, at, order)
		}
	}
}

// 1 is relevant; 2, 3 and 4 are not; 5 lies behind them, 9 behind one more.
func TestTunnelThroughIrrelevantPages(t *testing.T) {
	w := web{
		1: {relevance: 0.9, links: to(1, 0, 2)}, 2: {links: to(1, 0, 3)}, 3: {links: to(1, 0, 4)}, 4: {links: to(1, 0, 5)},
		5: {relevance: 0.9, links: to(1, 0, 6)}, 6: {links: to(1, 0, 7)}, 7: {links: to(1, 0, 8)}, 8: {links: to(1, 0, 9)}, 9: {links: to(1, 0, 10)}, 10: {},
	}
	for _, test := range []struct {
		strategy string
		want     []uint64
	}{
		{"hard-focus", []uint64{1, 2}},
		{"shark", []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9}}, // reset to 3 at 1 and 5: 6, 7, 8 spend it
		{"tunnel", []uint64{1, 2, 3, 4, 5, 6, 7, 8}},   // 3+1 at 1, spent to 1 by 2, 3 and 4, raised to 2 at 5
		{"fish", []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{"breadth", []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
	} {
		s := shipped(t, test.strategy)
		if test.strategy == "tunnel" {
			s.Admit.Tunnel.Depth, s.Admit.Tunnel.Max = 3, 6 // as published
		}
		if have := visit(s, w, 1); !reflect.DeepEqual(have, test.want) {
			t.Errorf("%s visits %v, want %v", test.strategy, have, test.want)
		}
	}
}

// 2, 3 and 4 link to 12; 11 and 13 have one link each.
func TestWhatManyLinkToComesFirst(t *testing.T) {
	w := web{
		1: {host: "a", relevance: 0.5, links: to(1, 0, 2, 3, 4)}, 2: {host: "b", relevance: 0.5, links: to(1, 0, 11, 12)},
		3: {host: "c", relevance: 0.5, links: to(1, 0, 12, 13)}, 4: {host: "d", relevance: 0.5, links: to(1, 0, 12)}, 11: {}, 12: {}, 13: {},
	}
	for _, name := range []string{"in-degree", "opic", "pagerank", "topic-pagerank", "topic-pagerank-once", "hits"} {
		order := visit(shipped(t, name), w, 1)
		if len(order) != 7 {
			t.Fatalf("%s visits %v", name, order)
		}
		if last(order, 12) > last(order, 11, 13) {
			t.Errorf("%s visits %v: 12 should not come last", name, order)
		}
	}
}
