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
	from   *choice   // the words that are taken, nil for all
	at     []int32   // by their numbers: 1 + where they stand
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

func (b *Bag) reset(from *choice) {
	b.words, b.tf, b.count, b.part, b.length = b.words[:0], b.tf[:0], b.count[:0], false, 0
	clear(b.index)
	if b.from = from; from != nil {
		b.at = append(b.at[:0], make([]int32, from.words)...)
	}
}

func (b *Bag) add(word string, weight float64) {
	if b.from != nil {
		if n := b.from.number(word); n >= 0 {
			if b.at[n] == 0 {
				b.at[n] = b.append(word) + 1
			}
			b.tf[b.at[n]-1] += weight
			b.count[b.at[n]-1]++
		}
		return
	}
	i, ok := b.index[word]
	if !ok {
		i = b.append(word)
		b.index[word] = i
	}
	b.tf[i] += weight
	b.count[i]++
}

// append takes a word that is not there yet.
func (b *Bag) append(word string) int32 {
	b.words, b.tf, b.count = append(b.words, word), append(b.tf, 0), append(b.count, 0)
	return int32(len(b.words) - 1)
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

// choice are the words that a judge looks at. Most words of a page are none of them, and to see that costs a tenth of
// counting them. No choice is all words.
type choice struct {
	slots []chosen // a power of two, four times as many as there are words at least
	mask  uint64
	words int
}

type chosen struct {
	word   string
	number int32
}

func choiceOf(words []string) *choice {
	size := 64
	for size < 4*len(words) {
		size *= 2
	}
	c := &choice{slots: make([]chosen, size), mask: uint64(size - 1), words: len(words)}
	for i, w := range words {
		at := ends(w) & c.mask
		for c.slots[at].word != "" {
			at = (at + 1) & c.mask
		}
		c.slots[at] = chosen{w, int32(i)}
	}
	return c
}

// number is which of the words it is; less than 0 for none.
func (c *choice) number(word string) int32 {
	for at := ends(word) & c.mask; ; at = (at + 1) & c.mask {
		switch s := &c.slots[at]; s.word {
		case word:
			return s.number
		case "":
			return -1
		}
	}
}

// ends hashes a word by its length and its first and last four bytes.
func ends(w string) uint64 {
	h := uint64(len(w))
	if n := len(w); n >= 4 {
		h += uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 | uint64(w[n-4])<<32 | uint64(w[n-3])<<40 | uint64(w[n-2])<<48 | uint64(w[n-1])<<56
	} else {
		for i := range n {
			h += uint64(w[i]) << (8 * (i + 1))
		}
	}
	return h * 0x9E3779B97F4A7C15 >> 40
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

// page fills b with the words of the part of a page that the content rule takes, as far as a judge chose them.
func (w *weigher) page(b *Bag, d *text.Doc, tokens []text.Token, from *choice) {
	b.reset(from)
	part := w.partOf(d)
	last, has := int32(-1), false // the words of a segment stand together
	for i := range tokens {
		k := &tokens[i]
		if k.Segment != last {
			last, has = k.Segment, part.has(&d.Segments[k.Segment])
		}
		if has {
			w.add(b, k, 1)
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

// block fills b with the words that stand in one block, as far as a judge chose them.
func (w *weigher) block(b *Bag, d *text.Doc, tokens []text.Token, block int32, from *choice) {
	b.reset(from)
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
