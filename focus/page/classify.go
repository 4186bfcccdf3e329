package page

import (
	"math"
	"slices"
	"strings"
)

// headWidth bounds a text that counts as the heading of the links after it, though it is no heading element.
const headWidth = 30

// menuWidth is the width up to which most anchors are in what an author calls navigation: links to articles take 20 to 30
// columns, and a menu has few names as long.
const menuWidth = 20

// classify says what each block is for.
func (r *reading) classify() {
	blocks := r.page.Blocks
	leads, opens := r.leads()
	longest := 0 // of the text that is no link
	for i := range blocks {
		if !r.linky(&blocks[i]) {
			longest = max(longest, int(blocks[i].Chars))
		}
	}
	r.claims = make([]int32, len(r.headings))
	for i := range blocks {
		b := &blocks[i]
		announced := false
		if b.LinkCount > 0 {
			announced = b.Heading != "" && r.heads(int32(i)) && r.announces(b.Heading) || r.announces(leads[i])
			if r.lists.stop.whole[strings.ToLower(b.Heading)] {
				r.hints[i] |= hintNavigation
			}
		}
		if i > 0 && b.Chars <= smallCell && int(b.Chars) < longest && r.lists.notice(opens[i]) {
			r.hints[i] |= hintFooter
		}
		b.Kind = r.kind(b, &r.features[i], r.hints[i], announced)
	}
}

// heads says whether a block's heading is about its links: it stands in the block, or right before it, with no other
// block of links between that is not its neighbour. Blocks are asked in the order of the page.
func (r *reading) heads(block int32) bool {
	at := r.begins[block]
	g := &r.regions[at]
	if g.title != nothing {
		r.claims[g.title] = at + 1
		return true
	}
	if r.claims[g.before] == 0 {
		r.claims[g.before] = g.parent + 1
	}
	return r.claims[g.before] == g.parent+1
}

// announces says whether a special word stands in a heading.
func (r *reading) announces(heading string) bool {
	return heading != "" && r.lists.special.in(strings.ToLower(heading))
}

// leads are, for each block, the short text it begins with or that stands just before it: many a heading is no heading
// element. opens is the text that stands in the block first.
func (r *reading) leads() (leads, opens []string) {
	texts := make([]string, 2*len(r.page.Blocks))
	leads, opens = texts[:len(r.page.Blocks)], texts[len(r.page.Blocks):]
	seen := make([]bool, len(leads))
	runs := r.page.Runs
	for i := range runs {
		u := &runs[i]
		if u.at < 0 || seen[u.Block] {
			continue
		}
		seen[u.Block] = true
		opens[u.Block] = u.Text
		if u.Linked && i > 0 && runs[i-1].at >= 0 {
			u = &runs[i-1]
		}
		if !u.Linked && len(u.Text) <= 2*headWidth && columns(u.Text) <= headWidth {
			leads[runs[i].Block] = u.Text
		}
	}
	return leads, opens
}

// linky says whether a block is made of links.
func (r *reading) linky(b *Block) bool {
	return b.LinkCount > 0 && (b.Chars == 0 || float64(b.AnchorChars) > r.o.HubRatio*float64(b.Chars))
}

// kind is what one block is for. What the author's markup says counts, but a class is only a word: the wide anchors of
// a list of articles are no navigation, whatever surrounds them.
func (r *reading) kind(b *Block, f *features, h hint, announced bool) Kind {
	links := int(b.LinkCount)
	aside := h&(hintNavigation|hintFooter) != 0
	switch {
	case h&hintAdvertisement != 0, f.adverts > 0 && 2*f.adverts >= links:
		return Advertisement
	case !r.linky(b):
		if h&hintAside != 0 || aside && b.Chars <= smallCell {
			return Navigation
		}
		return Text
	case !aside || announced:
		b.filter = &filter{features: f, headed: announced || h&hintRelated != 0, otherwise: r.unrelatedKind(b, f, h)}
		return b.filter.kind(&r.lists.words.Rules)
	}
	return r.unrelatedKind(b, f, h)
}

// unrelatedKind is what a block of links is for that is not one of related links.
func (r *reading) unrelatedKind(b *Block, f *features, h hint) Kind {
	links := int(b.LinkCount)
	aside := h&(hintNavigation|hintFooter) != 0
	plain := 2*(f.plain+f.own) > links
	menu := 2*f.wide <= links
	switch {
	case h&hintAside != 0, aside && (menu || links < 3), links >= 3 && plain, 2*f.stopped > links:
		return Navigation
	}
	return Links
}

// findMain marks the main text block: of the blocks of text more than a third as wide as the page, or of unknown width,
// the one with the most text. A hub has one only if it has sentences in it.
func (r *reading) findMain() {
	blocks := r.page.Blocks
	var wide int32
	for i := range r.regions {
		wide = max(wide, r.regions[i].width)
	}
	best, most := nothing, 0.0
	for i := range blocks {
		b := &blocks[i]
		if b.Kind != Text || b.Width > 0 && 3*b.Width <= wide || r.page.Kind == Hub && !b.wordy() {
			continue
		}
		score := float64(b.Chars - b.AnchorChars)
		switch h := r.hints[i]; {
		case h&hintHidden != 0:
			score /= 10
		case h&hintMain != 0:
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

// mergeMain marks the blocks of text that belong to the main one: those inside of it and the other sections of the same
// element; of those of the same width its neighbours that are of its style, lie between such or have sentences in them,
// and all that are similar enough.
func (r *reading) mergeMain(best int) {
	blocks := r.page.Blocks
	first, last := r.neighbours(best)
	var own []uint32
	asked := 0
	for i := range blocks {
		b := &blocks[i]
		if i == best || b.Kind != Text || b.Chars == 0 || r.hints[i]&hintHidden != r.hints[best]&hintHidden {
			continue
		}
		if p := b.Parent; p > 0 && blocks[p].Main && int(p) >= best || r.flows(best, i) {
			b.Main = true
			continue
		}
		if b.Width != blocks[best].Width {
			continue
		}
		if r.siblings(best, i) && (first < i && i < last || b.wordy()) || r.alike(best, i) {
			b.Main = true
			continue
		}
		if asked == maxCompared || r.tooSmall(b, &blocks[best]) {
			continue
		}
		if own == nil {
			own = sortedSet(shingles(nil, r.blockText(int32(best))))
		}
		asked++
		b.Main = shared(own, sortedSet(shingles(nil, r.blockText(int32(i))))) >= r.o.Merge
	}
	r.addTitles()
}

// addTitles marks the headings that main blocks stand right below.
func (r *reading) addTitles() {
	blocks := r.page.Blocks
	for i := len(blocks) - 1; i > 0; i-- {
		p := &blocks[blocks[i].Parent]
		g := &r.regions[r.begins[blocks[i].Parent]]
		if blocks[i].Main && p.Kind == Text && p.Chars > 0 && 2*g.headChars > p.Chars {
			p.Main = true
		}
	}
}

// maxCompared bounds the blocks whose words are compared with the main block's.
const maxCompared = 64

// tooSmall says whether a block has too few words for the cosine to reach the threshold even if all of them are shared:
// the cosine of sets is at most the root of the ratio of their sizes. Sizes are estimated, with room for error.
func (r *reading) tooSmall(b, main *Block) bool {
	return 2*float64(b.Chars) < r.o.Merge*r.o.Merge*float64(main.Chars)
}

// wordy says whether a block has sentences in it.
func (b *Block) wordy() bool { return b.Chars >= fewChars && 10*b.AnchorChars < 3*b.Chars }

// siblings says whether two blocks stand right inside the same element.
func (r *reading) siblings(a, b int) bool {
	return r.regions[r.begins[a]].parent == r.regions[r.begins[b]].parent
}

// alike says whether two blocks are siblings of one style.
func (r *reading) alike(a, b int) bool {
	g, h := &r.regions[r.begins[a]], &r.regions[r.begins[b]]
	return g.parent == h.parent && g.sameLook(h) && len(g.class) > 0
}

// neighbours are the first and the last block of text that is a sibling of one and alike.
func (r *reading) neighbours(of int) (first, last int) {
	first, last = of, of
	for i := range r.page.Blocks {
		if r.page.Blocks[i].Kind == Text && r.alike(of, i) {
			first, last = min(first, i), max(last, i)
		}
	}
	return first, last
}

// flows says whether two blocks are sections of one element, cut apart by headings or rules only.
func (r *reading) flows(a, b int) bool {
	x, y := r.begins[a], r.begins[b]
	g, h := &r.regions[x], &r.regions[y]
	return g.cut && (h.cut && g.parent == h.parent || g.parent == y) || h.cut && h.parent == x
}

// sortedSet sorts shingles and takes out repetitions.
func sortedSet(a []uint32) []uint32 {
	slices.Sort(a)
	return slices.Compact(a)
}

// shared is the cosine of two sorted sets.
func shared(a, b []uint32) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return float64(both) / math.Sqrt(float64(len(a))*float64(len(b)))
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
