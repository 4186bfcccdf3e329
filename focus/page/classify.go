package page

import (
	"math"
	"strings"
)

func sqrt(x float64) float64 { return math.Sqrt(x) }

// headWidth bounds a text that counts as the heading of the links after it, though it is no heading element.
const headWidth = 30

// classify says what each block is for.
func (r *reading) classify() {
	blocks := r.page.Blocks
	leads := r.leads()
	for i := range blocks {
		b := &blocks[i]
		announced := b.LinkCount > 0 && (r.announces(b.Heading) || r.announces(leads[i]))
		b.Kind = r.kind(b, &r.features[i], r.hints[i], announced)
	}
}

// announces says whether a special word stands in a heading.
func (r *reading) announces(heading string) bool {
	return heading != "" && r.lists.special.in(strings.ToLower(heading))
}

// leads are, for each block, the short text it begins with or that stands just before it: many a heading is no heading
// element.
func (r *reading) leads() []string {
	leads := make([]string, len(r.page.Blocks))
	seen := make([]bool, len(leads))
	runs := r.page.Runs
	for i := range runs {
		u := &runs[i]
		if u.at < 0 || seen[u.Block] {
			continue
		}
		seen[u.Block] = true
		if u.Linked && i > 0 && runs[i-1].at >= 0 {
			u = &runs[i-1]
		}
		if !u.Linked && len(u.Text) <= 2*headWidth && Width(u.Text) <= headWidth {
			leads[runs[i].Block] = u.Text
		}
	}
	return leads
}

// kind is what one block is for.
func (r *reading) kind(b *Block, f *features, h hint, announced bool) Kind {
	links := int(b.LinkCount)
	aside := h&(hintNavigation|hintFooter) != 0
	switch {
	case h&hintAdvertisement != 0 && h&hintMain == 0, links > 0 && 2*f.adverts >= links && f.adverts > 0:
		return Advertisement
	case links == 0 || float64(b.AnchorChars) <= r.o.HubRatio*float64(b.Chars) && b.Chars > 0:
		if h&hintFooter != 0 || aside && b.Chars <= smallCell {
			return Navigation
		}
		return Text
	case (!aside || announced) && f.related(&r.lists.words.Rules, announced || h&hintRelated != 0):
		return Related
	case aside || links >= 3 && 2*f.narrow > links:
		return Navigation
	}
	return Links
}

// findMain marks the main text block: of the blocks of text at least a third as wide as the page, or of unknown width,
// the one with the most text; and with it those of the same width that are similar enough.
func (r *reading) findMain() {
	blocks := r.page.Blocks
	var wide int32
	for i := range blocks {
		wide = max(wide, blocks[i].Width)
	}
	best, most := nothing, 0.0
	for i := range blocks {
		b := &blocks[i]
		if b.Kind != Text || b.Width > 0 && 3*b.Width <= wide {
			continue
		}
		score := float64(b.Chars - b.AnchorChars)
		if r.hints[i]&hintMain != 0 {
			score *= 1.5
		}
		if score > most {
			best, most = i, score
		}
	}
	if best == nothing {
		return
	}
	blocks[best].Main = true
	r.mergeMain(best)
}

// mergeMain marks the blocks of text that go on where the main one stops.
func (r *reading) mergeMain(best int) {
	blocks := r.page.Blocks
	var own []uint32
	for i := range blocks {
		b := &blocks[i]
		if i == best || b.Kind != Text || b.Chars == 0 {
			continue
		}
		if p := b.Parent; p > 0 && blocks[p].Main && p >= int32(best) {
			b.Main = true
			continue
		}
		if b.Width != blocks[best].Width {
			continue
		}
		if r.flows(best, i) {
			b.Main = true
			continue
		}
		if own == nil {
			own = shingles(r.blockText(int32(best)))
		}
		if shared(own, shingles(r.blockText(int32(i)))) >= r.o.Merge {
			b.Main = true
		}
	}
}

// flows says whether two blocks are sections of one element, cut apart by headings or rules only.
func (r *reading) flows(a, b int) bool {
	x, y := r.begins[a], r.begins[b]
	g, h := &r.regions[x], &r.regions[y]
	return g.cut && (h.cut && g.parent == h.parent || g.parent == y) || h.cut && h.parent == x
}

// shared is the cosine of two long lists of shingles taken as sets.
func shared(a, b []uint32) float64 {
	x, y := make(map[uint32]bool, len(a)), make(map[uint32]bool, len(b))
	for _, h := range a {
		x[h] = true
	}
	both := 0
	for _, h := range b {
		if !y[h] && x[h] {
			both++
		}
		y[h] = true
	}
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	return float64(both) / math.Sqrt(float64(len(x))*float64(len(y)))
}

// blockText is the text of one block.
func (r *reading) blockText(block int32) string {
	var b strings.Builder
	for i := range r.page.Runs {
		if u := &r.page.Runs[i]; u.Block == block && u.at >= 0 {
			b.WriteString(u.Text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}
