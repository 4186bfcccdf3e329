package text

import (
	"sync"
	"unicode/utf8"
)

// pureSegmenter cuts Chinese as cppjieba does, over the same dictionary: the most probable way through all words that
// fit, and what is left over as single characters joined by the hidden Markov model.
type pureSegmenter struct {
	dict  *dictionary
	model *model
	own   map[rune]bool // single characters of the user dictionary, which the model leaves alone
	desks sync.Pool
}

// route is the working space of one cut.
type route struct {
	runes  []rune
	ends   []int     // byte offsets behind the runes
	best   []float64 // best weight from a rune to the end
	next   []int32   // rune behind the best word that begins at a rune
	nodes  []int32   // node of that word, 0 if the dictionary does not hold it
	pieces []piece   // words of a search
	states
}

// pureBackend is the name of the pure-Go segmenter.
const pureBackend = "pure Go"

// newPureSegmenter builds the segmenter. What is embedded can only be unreadable if the build is broken, which a test
// rules out.
func newPureSegmenter(user userDict) *pureSegmenter {
	list, err := embeddedWords()
	if err != nil {
		panic(err)
	}
	m, err := embeddedModel()
	if err != nil {
		panic(err)
	}
	p := &pureSegmenter{dict: newDictionary(list.with(user.words), list.least), model: m, own: map[rune]bool{}}
	for _, w := range user.words {
		if r, n := utf8.DecodeRuneInString(w.word); n == len(w.word) {
			p.own[r] = true
		}
	}
	p.desks.New = func() any { return new(route) }
	return p
}

func (p *pureSegmenter) cut(dst []piece, s string, d depth) []piece {
	r := p.desks.Get().(*route)
	defer p.desks.Put(r)
	return p.words(dst, r, s, d)
}

// words appends the words of s, of which r has every character afterwards.
func (p *pureSegmenter) words(dst []piece, r *route, s string, d depth) []piece {
	r.read(s)
	p.dict.weigh(r)
	for i := 0; i < len(r.runes); {
		j := int(r.next[i])
		if d == plain || j > i+1 || p.own[r.runes[i]] {
			dst = append(dst, piece{r.ends[j-1], p.dict.speech[r.nodes[i]]})
			i = j
			continue
		}
		for j < len(r.runes) && int(r.next[j]) == j+1 && !p.own[r.runes[j]] {
			j++
		}
		dst = p.join(dst, r, i, j)
		i = j
	}
	return dst
}

// read takes the characters of s.
func (r *route) read(s string) {
	r.runes, r.ends = r.runes[:0], r.ends[:0]
	for i, c := range s {
		r.runes = append(r.runes, c)
		r.ends = append(r.ends, i+utf8.RuneLen(c))
	}
	n := len(r.runes)
	if cap(r.best) < n+1 {
		r.best, r.next, r.nodes = make([]float64, 2*n+1), make([]int32, 2*n+1), make([]int32, 2*n+1)
	}
	r.best, r.next, r.nodes = r.best[:n+1], r.next[:n+1], r.nodes[:n+1]
}

// weigh finds, from the end to the start, the most probable word at each character.
func (d *dictionary) weigh(r *route) {
	n := len(r.runes)
	r.best[n] = 0
	for i := n - 1; i >= 0; i-- {
		node := d.child(0, r.runes[i])
		single := d.weight[node]
		if single == noWord {
			single = d.least
		}
		r.best[i], r.next[i], r.nodes[i] = r.best[i+1]+single, int32(i+1), node
		for j := i + 1; node != 0 && j < n; j++ {
			if node = d.child(node, r.runes[j]); d.weight[node] == noWord {
				continue
			}
			if w := r.best[j+1] + d.weight[node]; w > r.best[i] {
				r.best[i], r.next[i], r.nodes[i] = w, int32(j+1), node
			}
		}
	}
}

// join cuts the single characters from i up to j by the model.
func (p *pureSegmenter) join(dst []piece, r *route, i, j int) []piece {
	start := i
	for _, ends := range p.model.cut(&r.states, r.runes[i:j]) {
		if ends {
			node := int32(0)
			for k := start; k <= i; k++ {
				if node = p.dict.child(node, r.runes[k]); node == 0 {
					break
				}
			}
			speech := Noun
			if p.dict.weight[node] != noWord {
				speech = p.dict.speech[node]
			}
			dst = append(dst, piece{r.ends[i], speech})
			start = i + 1
		}
		i++
	}
	return dst
}

// search cuts for a search as cppjieba does: each word with the words of two and three characters that the dictionary
// holds inside it, the shorter ones first.
func (p *pureSegmenter) search(dst []part, s string) []part {
	r := p.desks.Get().(*route)
	defer p.desks.Put(r)
	r.pieces = p.words(r.pieces[:0], r, s, joined)
	first := 0 // character of a word
	for _, w := range r.pieces {
		last := first
		for r.ends[last] < w.end {
			last++
		}
		for n := 2; n <= min(3, last-first); n++ {
			for i := first; i+n <= last+1; i++ {
				if p.dict.holds(r.runes[i : i+n]) {
					dst = append(dst, part{r.begin(i), r.ends[i+n-1]})
				}
			}
		}
		if last > first {
			dst = append(dst, part{r.begin(first), w.end})
		}
		first = last + 1
	}
	return dst
}

// begin is where a character begins.
func (r *route) begin(i int) int {
	if i == 0 {
		return 0
	}
	return r.ends[i-1]
}
