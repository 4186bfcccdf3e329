package topic

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/text"
)

// bag is the words of a page or block: each once, with how much it weighs there. Words stand in the order in which
// they first occur, so that sums over them are always the same.
type bag struct {
	words  []string
	tf     []float64 // occurrences times the weights of their position and part of speech
	count  []int32   // occurrences
	length float64   // sum of tf
	index  map[string]int32
	part   bool      // of a page, not the whole
	dense  []float64 // working space of judges, as are the rest
	ids    []int32
	own    []float64
	why    []Evidence
}

func newBag() *bag { return &bag{index: make(map[string]int32, 1024)} }

func (b *bag) reset() {
	b.words, b.tf, b.count, b.part, b.length = b.words[:0], b.tf[:0], b.count[:0], false, 0
	clear(b.index)
}

func (b *bag) add(word string, weight float64) {
	i, ok := b.index[word]
	if !ok {
		i = int32(len(b.words))
		b.index[word] = i
		b.words = append(b.words, word)
		b.tf = append(b.tf, 0)
		b.count = append(b.count, 0)
	}
	b.tf[i] += weight
	b.length += weight
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
	tagged  bool // parts of speech make a difference
}

func newWeigher(s *Spec) (weigher, error) {
	w := weigher{content: s.Content}
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
		return fmt.Errorf("topic: %s has no %q, only %s", key, name, strings.Join(slices.Sorted(maps.Keys(names)), ", "))
	}
	if !(0 <= weight && weight <= 1000) {
		return fmt.Errorf("topic: %s.%s is %v, want 0 to 1000", key, name, weight)
	}
	return nil
}

// page fills b with the words of the part of a page that the content rule takes.
func (w *weigher) page(b *bag, d *text.Doc, tokens []text.Token) {
	b.reset()
	switch {
	case w.content == "by_kind":
		for i := range tokens {
			if (tokens[i].Position == anchor) == d.Hub {
				w.add(b, &tokens[i])
			}
		}
	case w.content == "main_text" && slices.Contains(d.Main, true):
		for i := range tokens {
			if w.inMain(d, &tokens[i]) {
				w.add(b, &tokens[i])
			}
		}
	default:
		for i := range tokens {
			w.add(b, &tokens[i])
		}
	}
}

// inMain tells whether a token stands in the main text. What the page says of itself (title, first heading, meta)
// belongs to it wherever it stands.
func (w *weigher) inMain(d *text.Doc, k *text.Token) bool {
	if k.Position == title || k.Position == top || k.Position == meta {
		return true
	}
	block := d.Segments[k.Segment].Block
	return 0 <= block && int(block) < len(d.Main) && d.Main[block]
}

// block fills b with the words that stand in one block.
func (w *weigher) block(b *bag, d *text.Doc, tokens []text.Token, block int32) {
	b.reset()
	b.part = true
	for i := range tokens {
		if d.Segments[tokens[i].Segment].Block == block {
			w.add(b, &tokens[i])
		}
	}
}

// add counts one occurrence. A word that weighs nothing is not there at all.
func (w *weigher) add(b *bag, k *text.Token) {
	if int(k.Position) >= len(w.weights) || int(k.Speech) >= len(w.weights[0]) {
		b.add(k.Term, 1)
		return
	}
	if weight := w.weights[k.Position][k.Speech]; weight > 0 {
		b.add(k.Term, weight)
	}
}
