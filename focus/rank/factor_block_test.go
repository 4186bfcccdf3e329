package rank

import (
	"fmt"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// told is a page whose links have been compared with the topic already: what it said of their anchors and of the
// words around them. Link i is item 10+i; the page is item 1, of relevance 0.4.
type told struct {
	page            *page.Page
	memory          *Memory
	anchors, around []float64
}

// linkTold is a link of such a page.
type linkTold struct {
	block          int32
	anchor, around float64
}

// tellPage makes a page of two blocks of links of a kind, 2 and 3, and one of running text, 1.
func tellPage(kind page.Kind, links ...linkTold) *told {
	p := &told{page: &page.Page{URL: "http://portal.example/index.html"}, memory: NewMemory()}
	p.page.Blocks = []page.Block{{Parent: -1, Kind: page.Hub}, {Kind: page.Text}, {Kind: kind}, {Kind: kind}}
	for i, l := range links {
		p.page.Links = append(p.page.Links, page.Link{
			URL: fmt.Sprintf("http://site%d.example/a/b/%d.html", i, i), Host: fmt.Sprintf("site%d.example", i),
			Block: l.block, Order: int32(i), Path: fmt.Sprintf("body/div%d/a", l.block),
		})
		p.anchors, p.around = append(p.anchors, l.anchor), append(p.around, l.around)
	}
	return p
}

// link is the evidence for link i.
func (p *told) link(i int) *Evidence {
	e := judged(&Evidence{Page: p.page, Link: &p.page.Links[i], Parent: 1, Memory: p.memory, Trail: Trail{Inherited: 1}}, 0.4)
	s := e.sheet()
	s.anchors = s.anchors[:0]
	for _, a := range p.anchors {
		s.anchors = append(s.anchors, answer{a, true})
	}
	compared(e, p.anchors[i], p.around[i])
	return e
}

// rank scores all links and tells the memory, as a crawl does.
func (p *told) rank(s *Strategy) (scores []float64) {
	p.memory.Fetched(1, 0.4, true, 256)
	var all []*Evidence
	for i := range p.page.Links {
		e := p.link(i)
		scores = append(scores, score(s, e))
		all = append(all, e)
	}
	for i, e := range all {
		p.memory.Linked(uint64(10+i), e)
	}
	return scores
}

// fetch tells how links turned out, relevant from 0.3.
func (p *told) fetch(outcomes map[int]float64) {
	for i := range p.page.Links {
		if relevance, ok := outcomes[i]; ok {
			p.memory.Fetched(uint64(10+i), relevance, relevance >= 0.3, 256)
		}
	}
}

// again is the score of link i when it is scored again, which must be what it would be scored afresh.
func (p *told) again(t *testing.T, s *Strategy, i int) float64 {
	t.Helper()
	numbers, ok := s.Rescore(uint64(10+i), p.memory)
	if !ok {
		t.Fatalf("%s: link %d cannot be scored again", s.Name, i)
	}
	_, fresh := s.Score(p.link(i), nil)
	for j, n := range s.Nodes() {
		if numbers[j] != fresh[j] && (numbers[j] == numbers[j] || fresh[j] == fresh[j]) {
			t.Errorf("%s: link %d scored again says %v of %s, scored afresh %v", s.Name, i, numbers[j], n.Name, fresh[j])
		}
	}
	return float64(numbers[0])
}

// threeAnchors is the block of the vectors: anchors 0.6, 0.3 and 0, and two links of another block that will be
// fetched, one relevant and one not.
func threeAnchors(kind page.Kind) *told {
	return tellPage(kind, linkTold{2, 0.6, 0.5}, linkTold{2, 0.3, 0}, linkTold{2, 0, 0.1}, linkTold{3, 0.3, 0.5}, linkTold{3, 0, 0},
		linkTold{3, 0, 0}, linkTold{1, 0.6, 0.5})
}

func TestBlockSharkVariants(t *testing.T) {
	tests := []struct {
		strategy      string
		cold, fetched float64
	}{
		{"block-shark", 0.415, 0.6325},
		{"block-shark-strict", 0.415, 0.6325},
		{"block-shark-dynamic-weight", 0.485, 0.5795},
		{"block-shark-product", 0.145, 0.5055},
		{"block-shark-lb-cold", 0.44, 0.6325},
		{"block-shark-no-structure", 0.415, 0.515},
	}
	for _, test := range tests {
		s := shipped(t, test.strategy)
		p := threeAnchors(page.Related)
		scores := p.rank(s)
		near(t, test.strategy+" while nothing is fetched", scores[0], test.cold)
		near(t, test.strategy+" of a link in running text", scores[6], 0.5*0.2+0.5*0.58)
		p.fetch(map[int]float64{1: 0.8, 2: 0.4, 3: 0.9, 4: 0.1})
		near(t, test.strategy+" after four fetches", p.again(t, s, 0), test.fetched)
		near(t, test.strategy+" of a link in running text, after them", p.again(t, s, 6), 0.5*0.2+0.5*0.58)
	}
}

func TestBlockSharkOfAWeakLinkAmongGoodOnes(t *testing.T) {
	s, p := shipped(t, "block-shark"), threeAnchors(page.Related)
	p.rank(s)
	p.fetch(map[int]float64{0: 0.8, 1: 0.4, 3: 0.9, 4: 0.1})
	near(t, "priority", p.again(t, s, 2), 0.4925)
}

func TestALargeBlockIsNotFavoured(t *testing.T) {
	s := shipped(t, "block-shark")
	links := []linkTold{{3, 0, 0}, {3, 0, 0}, {3, 0, 0}}
	for range 10 {
		links = append(links, linkTold{2, 0.1, 0})
	}
	p := tellPage(page.Related, links...)
	p.rank(s)
	p.fetch(map[int]float64{0: 0, 1: 0, 2: 0, 3: 0, 4: 0})
	near(t, "priority", p.again(t, s, 12), 0.0325)
}

func TestTheSameAnchorInTwoBlocks(t *testing.T) {
	s := shipped(t, "block-shark")
	p := threeAnchors(page.Related) // blocks of 0.3 and 0.1
	if p.anchors[1] != p.anchors[3] {
		t.Fatal("the anchors differ")
	}
	p.around[1] = p.around[3]
	if scores := p.rank(s); !(scores[1] > scores[3]) {
		t.Errorf("scores %v in the better block, %v in the other", scores[1], scores[3])
	}
}

func TestUnrelatedBlocks(t *testing.T) {
	soft, hard := shipped(t, "block-shark"), shipped(t, "block-shark-strict")
	for _, kind := range []page.Kind{page.Links, page.Navigation, page.Advertisement} {
		p := threeAnchors(kind)
		near(t, "nine tenths of a score", p.rank(soft)[0], 0.415*0.9)
		if have := hard.Refuses(p.link(0)); have != "block" {
			t.Errorf("kind %d is refused with %q, want block", kind, have)
		}
		if _, enter := hard.Follow(p.link(0)); enter {
			t.Errorf("a link in a block of kind %d enters", kind)
		}
		if have := hard.Refuses(p.link(6)); have != "" {
			t.Errorf("a link in running text is refused with %q", have)
		}
	}
	if have := hard.Refuses(threeAnchors(page.Related).link(0)); have != "" {
		t.Errorf("a related link is refused with %q", have)
	}
}

// The links of a hub are what the hub is for: the filter is for the menus around them.
func TestTheLinksOfAHubAreNotUnrelated(t *testing.T) {
	soft, hard := shipped(t, "block-shark"), shipped(t, "block-shark-strict")
	for kind, want := range map[page.Kind]string{page.Links: "", page.Navigation: "block", page.Advertisement: "block"} {
		p := threeAnchors(kind)
		p.page.Kind = page.Hub
		if have := hard.Refuses(p.link(0)); have != want {
			t.Errorf("on a hub, a link of kind %d is refused with %q, want %q", kind, have, want)
		}
		full := 0.415
		if want != "" {
			full *= 0.9
		}
		near(t, fmt.Sprintf("on a hub, a link of kind %d", kind), p.rank(soft)[0], full)
	}
}

func TestALinkWithoutABlock(t *testing.T) {
	for _, name := range []string{"block-shark", "block-shark-strict"} {
		s := shipped(t, name)
		e := judged(linked(0.6, 0.5), 0.4)
		e.Link.Block = -1
		near(t, name, score(s, e), 0.5*0.2+0.5*0.58) // shark's potential: there is no evidence of a block
	}
}
