package topic

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/text"
)

// Bag is the words of a page or block: each once, with how much it weighs there. Words stand in the order in which
// they first occur, so that sums over them are always the same.
type Bag struct {
	words  []string
	tf     []float64 // occurrences times the weights of their position and part of speech
	count  []int32   // occurrences
	length float64   // how long the page is, for a judge that asks: see lengthOf
	index  map[string]int32
	part   bool      // of a page, not the whole
	dense  []float64 // working space of judges, as are the rest
	ids    []int32
	own    []float64
	why    []Evidence
}

// Len is how many words there are.
func (b *Bag) Len() int { return len(b.words) }

// Word is a word, as pages are cut.
func (b *Bag) Word(i int) string { return b.words[i] }

// Weight is what a word's occurrences count together, each by where it stands and by its part of speech.
func (b *Bag) Weight(i int) float64 { return b.tf[i] }

// Count is how often a word occurs.
func (b *Bag) Count(i int) int { return int(b.count[i]) }

// Length is how long the text is against a usual page, for a judge whose traits ask for the page's own text; 0 for others.
func (b *Bag) Length() float64 { return b.length }

// Part tells that it is a part of a page, such as a block, and not the whole.
func (b *Bag) Part() bool { return b.part }

func newBag() *Bag { return &Bag{index: make(map[string]int32, 1024)} }

func (b *Bag) reset() {
	b.words, b.tf, b.count, b.part, b.length = b.words[:0], b.tf[:0], b.count[:0], false, 0
	clear(b.index)
}

func (b *Bag) add(word string, weight float64) {
	i, ok := b.index[word]
	if !ok {
		i = int32(len(b.words))
		b.index[word] = i
		b.words = append(b.words, word)
		b.tf = append(b.tf, 0)
		b.count = append(b.count, 0)
	}
	b.tf[i] += weight
	b.count[i]++
}

// The positions of text, as page numbers them (a test holds the two together).
const (
	body text.Position = iota
	anchor
	emphasis
	meta
	heading
	top
	title
	positions
)

var positionNames = map[string]text.Position{
	"body": body, "anchor": anchor, "emphasis": emphasis, "meta": meta, "heading": heading, "top": top, "title": title,
}

var speechNames = map[string]text.Speech{
	"noun": text.Noun, "adjective": text.Adjective, "verb": text.Verb, "adverb": text.Adverb, "function": text.Function,
}

// weigher turns tokens into a bag: it knows which part of a page counts, and how much a word weighs where it stands.
type weigher struct {
	content string
	weights [positions][text.Function + 1]float64
	parts   [positions]float64 // what weights are multiplied with in a part of a page
	tagged  bool               // parts of speech make a difference
	own     bool               // only the page's own text counts, and how long it is
	limit   int                // of the bytes of text that are looked at; less than 0: none
}

func newWeigher(s *Spec) (weigher, error) {
	traits := TraitsOf(s.Judge)
	w := weigher{content: s.Content, own: traits.Text, limit: cmp.Or(s.Limit, text.DefaultLimit)}
	for p := range w.parts {
		w.parts[p] = 1
	}
	if own := traits.Weights["anchor"]; own > 0 && !s.anchors {
		w.parts[anchor] = 1 / own // in a block of links they are what is to be judged
	}
	var errs []error
	for p := range w.weights {
		for sp := range w.weights[p] {
			w.weights[p][sp] = 1
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Positions)) {
		p, ok := positionNames[name]
		if err := checkWeight("positions", name, s.Positions[name], ok, positionNames); err != nil {
			errs = append(errs, err)
			continue
		}
		for sp := range w.weights[p] {
			w.weights[p][sp] *= s.Positions[name]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Speech)) {
		sp, ok := speechNames[name]
		if err := checkWeight("speech", name, s.Speech[name], ok, speechNames); err != nil {
			errs = append(errs, err)
			continue
		}
		w.tagged = w.tagged || s.Speech[name] != 1
		for p := range w.weights {
			w.weights[p][sp] *= s.Speech[name]
		}
	}
	return w, errors.Join(errs...)
}

func checkWeight[V any](key, name string, weight float64, known bool, names map[string]V) error {
	if !known {
		return fmt.Errorf("%s has no %q, only %s", key, name, strings.Join(slices.Sorted(maps.Keys(names)), ", "))
	}
	if !(0 <= weight && weight <= 1000) {
		return fmt.Errorf("%s.%s is %v, want 0 to 1000", key, name, weight)
	}
	return nil
}

// page fills b with the words of the part of a page that the content rule takes.
func (w *weigher) page(b *Bag, d *text.Doc, tokens []text.Token) {
	b.reset()
	part := w.partOf(d)
	for i := range tokens {
		if part.has(&d.Segments[tokens[i].Segment]) {
			w.add(b, &tokens[i], 1)
		}
	}
	if w.own {
		b.length = w.lengthOf(d, part)
	}
}

// part is the part of a page that counts.
type part struct {
	doc          *text.Doc
	own          bool // menus, advertisements and lists of links are left out
	byKind, main bool // the rule of content: the anchors of hubs and the text of others, or the main text
}

func (w *weigher) partOf(d *text.Doc) part {
	return part{doc: d, own: w.own, byKind: w.content == "by_kind", main: w.content == "main_text" && slices.Contains(d.Main, true)}
}

// has tells whether a segment is in it. What the page says of itself (title, first heading, meta) belongs to the main text
// wherever it stands.
func (p part) has(s *text.Segment) bool {
	switch {
	case p.own && s.Aside && !(p.byKind && p.doc.Hub):
		return false
	case p.byKind:
		return (s.Position == anchor) == p.doc.Hub
	case p.main && s.Position != title && s.Position != top && s.Position != meta:
		return inMain(p.doc, s.Block)
	}
	return true
}

// inMain tells whether a block is main text.
func inMain(d *text.Doc, block int32) bool {
	return 0 <= block && int(block) < len(d.Main) && d.Main[block]
}

// block fills b with the words that stand in one block.
func (w *weigher) block(b *Bag, d *text.Doc, tokens []text.Token, block int32) {
	b.reset()
	b.part = true
	for i := range tokens {
		if d.Segments[tokens[i].Segment].Block == block {
			w.add(b, &tokens[i], w.parts[tokens[i].Position%positions])
		}
	}
	if !w.own {
		return
	}
	b.length = 0
	for i := range d.Segments {
		if d.Segments[i].Block == block {
			b.length += lengthOf(d.Segments[i].Text)
		}
	}
}

// add counts one occurrence. A word that weighs nothing is not there at all.
func (w *weigher) add(b *Bag, k *text.Token, times float64) {
	if int(k.Position) >= len(w.weights) || int(k.Speech) >= len(w.weights[0]) {
		b.add(k.Term, 1)
		return
	}
	if weight := w.weights[k.Position][k.Speech] * times; weight > 0 {
		b.add(k.Term, weight)
	}
}
