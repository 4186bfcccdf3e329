package rank

import (
	"sort"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// sheet is what was worked out of a page as a whole, shared by the evidence of all its links.
type sheet struct {
	page    *page.Page
	anchors []answer // by the order of the links
	hints   []answer // by the order of the links
	all     answer   // what they promise together, see promise
	blocks  []block  // by block
	summed  bool     // the blocks have been summed up
	places  []int32  // by the order of the links: which comes how many-th by its anchor
	placed  uint32   // the reaches in which the page itself has been found its place

	layers map[*contextGraph]float64 // what each makes of the page

	speeches []span // by the order of the links: where their words stand
	speaker  speaker
}

// block is what the anchors of a block's links come to.
type block struct {
	links int
	sum   float64
}

// sheet is the sheet of the page the link stands on.
func (e *Evidence) sheet() *sheet {
	s := &e.known.sheet
	if e.Memory != nil {
		s = &e.Memory.sheet
	}
	if s.page != e.Page {
		s.speaker.words = s.speaker.words[:0]
		*s = sheet{page: e.Page, anchors: s.anchors[:0], hints: s.hints[:0], blocks: s.blocks[:0], places: s.places[:0], speeches: s.speeches[:0], speaker: s.speaker}
	}
	return s
}

// anchor is how near a link's anchor comes to the topic; NaN where it has no words.
func (s *sheet) anchor(e *Evidence, l *page.Link) float64 {
	if l == nil {
		return none
	}
	if s.page == nil || l.Order < 0 || int(l.Order) >= len(s.page.Links) || &s.page.Links[l.Order] != l {
		return anchorSim(e, l)
	}
	for len(s.anchors) < len(s.page.Links) {
		s.anchors = append(s.anchors, answer{})
	}
	a := &s.anchors[l.Order]
	if !a.ready {
		*a = answer{anchorSim(e, l), true}
	}
	return a.value
}

func anchorSim(e *Evidence, l *page.Link) float64 {
	if e.Topic == nil || blank(l.Anchor) {
		return none
	}
	return unit(e.Topic.Sim(l.Anchor))
}

// promise is what the links of the page promise together to a surfer who prefers the topic, by their words alone.
func (s *sheet) promise(e *Evidence) float64 {
	if !s.all.ready && s.page != nil {
		s.all.ready = true
		for i := range s.page.Links {
			v := vertex{relevance: float32(s.hint(e, &s.page.Links[i]))}
			s.all.value += v.weight()
		}
	}
	return s.all.value
}

// hint is what the words of a link promise: of the anchor or of those around it, whichever is nearer to the topic.
func (s *sheet) hint(e *Evidence, l *page.Link) float64 {
	if s.page == nil || l.Order < 0 || int(l.Order) >= len(s.page.Links) || &s.page.Links[l.Order] != l {
		return s.hintOf(e, l)
	}
	for len(s.hints) < len(s.page.Links) {
		s.hints = append(s.hints, answer{})
	}
	h := &s.hints[l.Order]
	if !h.ready {
		*h = answer{s.hintOf(e, l), true}
	}
	return h.value
}

func (s *sheet) hintOf(e *Evidence, l *page.Link) float64 {
	if l == e.Link {
		return max(orZero(e.AnchorSim()), orZero(e.ContextSim(hintWindow)))
	}
	return max(orZero(s.anchor(e, l)), orZero(aroundSim(e, l, hintWindow)))
}

// block is the mean of what the anchors of a block's links come to, a link without words counting as 0: a large block
// of which little speaks of the topic is no better than a small one. NaN where the page has no such block of links.
func (s *sheet) block(e *Evidence, at int32) float64 {
	if !s.summed && s.page != nil {
		s.sum(e)
	}
	if at < 0 || int(at) >= len(s.blocks) || s.blocks[at].links == 0 {
		return none
	}
	return s.blocks[at].sum / float64(s.blocks[at].links)
}

func (s *sheet) sum(e *Evidence) {
	s.summed = true
	for len(s.blocks) < len(s.page.Blocks) {
		s.blocks = append(s.blocks, block{})
	}
	for i := range s.page.Links {
		l := &s.page.Links[i]
		if l.Block < 0 || int(l.Block) >= len(s.blocks) {
			continue
		}
		b := &s.blocks[l.Block]
		b.links++
		b.sum += orZero(s.anchor(e, l))
	}
}

// BlockSim is the mean of how near the anchors of the link's block come to the topic. NaN means that it stands in no
// block.
func (e *Evidence) BlockSim() float64 {
	if e.Link == nil {
		return none
	}
	return e.sheet().block(e, e.Link.Block)
}

// kind is the kind of the block the link stands in; ok is false where it stands in none.
func (e *Evidence) kind() (k page.Kind, ok bool) {
	if e.Page == nil || e.Link == nil || e.Link.Block < 0 || int(e.Link.Block) >= len(e.Page.Blocks) {
		return page.Text, false
	}
	return e.Page.Blocks[e.Link.Block].Kind, true
}

// place is the place of a link among the links of its page when the best anchors come first, and of equal ones the one
// that stands first.
func (s *sheet) place(e *Evidence, l *page.Link) int32 {
	if s.page == nil || l.Order < 0 || int(l.Order) >= len(s.page.Links) {
		return l.Order
	}
	if len(s.places) == 0 {
		order := make([]int32, len(s.page.Links))
		for i := range order {
			order[i] = int32(i)
		}
		sort.SliceStable(order, func(a, b int) bool {
			return orZero(s.anchor(e, &s.page.Links[order[a]])) > orZero(s.anchor(e, &s.page.Links[order[b]]))
		})
		s.places = append(s.places, order...)
		for place, i := range order {
			s.places[i] = int32(place)
		}
	}
	return s.places[l.Order]
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
