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
	tally  []tally   // what was added of them so far, by their numbers
	met    []int32   // the numbers of those that occur, as they first do
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
	b.words, b.tf, b.count, b.met, b.part, b.length = b.words[:0], b.tf[:0], b.count[:0], b.met[:0], false, 0
	clear(b.index)
	if b.from = from; from != nil {
		b.tally = append(b.tally[:0], make([]tally, len(from.words))...)
	}
}

func (b *Bag) add(word string, weight float64) {
	i, ok := b.index[word]
	if !ok {
		i = int32(len(b.words))
		b.words, b.tf, b.count = append(b.words, word), append(b.tf, 0), append(b.count, 0)
		b.index[word] = i
	}
	b.tf[i] += weight
	b.count[i]++
}

// tally is what the occurrences of one word come to.
type tally struct {
	tf    float64
	count int32
}

// end puts the chosen words into the bag, when all their occurrences were added.
func (b *Bag) end() {
	for _, n := range b.met {
		t := &b.tally[n]
		b.words, b.tf, b.count = append(b.words, b.from.words[n]), append(b.tf, t.tf), append(b.count, t.count)
	}
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
	words []string
	slots []chosen // a power of two, four times as many as there are words at least
}

type chosen struct {
	key    uint64 // the first and the last four bytes of the word: of most words, all there is
	length int32
	number int32 // less than 0 where no word stands
}

// choiceOf chooses words of a vocabulary, in which none stands twice.
func choiceOf(words []string) *choice {
	size := 64
	for size < 4*len(words) {
		size *= 2
	}
	c := &choice{words: words, slots: slices.Repeat([]chosen{{number: -1}}, size)}
	for i, w := range words {
		s, key := c.find(w)
		*s = chosen{key, int32(len(w)), int32(i)}
	}
	return c
}

// find answers the slot of a word, or the empty one where it would stand. It is asked for every word of every page.
func (c *choice) find(w string) (s *chosen, key uint64) {
	if n := len(w); n >= 4 {
		key = uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 | uint64(w[n-4])<<32 | uint64(w[n-3])<<40 | uint64(w[n-2])<<48 | uint64(w[n-1])<<56
	} else {
		for i := range n {
			key |= uint64(w[i]) << (8 * i)
		}
	}
	mask := uint64(len(c.slots) - 1)
	for at := (key + uint64(len(w))) * 0x9E3779B97F4A7C15 >> 40; ; at++ {
		s = &c.slots[at&mask]
		if s.number < 0 || s.key == key && int(s.length) == len(w) && (len(w) <= 8 || c.words[s.number] == w) {
			return s, key
		}
	}
}

// newWeigher takes the weights of positions and parts of speech together into one table, and tells all that is wrong with them at once.
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

// checkWeight says what is allowed rather than what is not, so that a weight that is no number is refused, too.
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
	for len(tokens) > 0 {
		n := 1 // the words of a segment stand together
		for n < len(tokens) && tokens[n].Segment == tokens[0].Segment {
			n++
		}
		if part.has(&d.Segments[tokens[0].Segment]) {
			w.add(b, tokens[:n], 1)
		}
		tokens = tokens[n:]
	}
	b.end()
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
			w.add(b, tokens[i:i+1], w.parts[tokens[i].Position%positions])
		}
	}
	b.end()
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

// add counts occurrences. A word that weighs nothing is not there at all.
func (w *weigher) add(b *Bag, tokens []text.Token, times float64) {
	for i := range tokens {
		k := &tokens[i]
		weight := 1.
		if int(k.Position) < len(w.weights) && int(k.Speech) < len(w.weights[0]) {
			weight = w.weights[k.Position][k.Speech] * times
		}
		if !(weight > 0) {
			continue
		}
		if b.from == nil {
			b.add(k.Term, weight)
			continue
		}
		s, _ := b.from.find(k.Term)
		if s.number < 0 {
			continue
		}
		t := &b.tally[s.number]
		if t.count == 0 {
			b.met = append(b.met, s.number)
		}
		t.tf += weight
		t.count++
	}
}
