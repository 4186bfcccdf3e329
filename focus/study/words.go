package study

import (
	"encoding/binary"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/text"
)

// wordStock keeps what pages were cut into by topics that cut alike. Tokens are packed: four bytes each instead of the
// twenty-four that they take unpacked, which costs next to nothing to undo.
type wordStock struct {
	mu    sync.RWMutex
	index map[string]uint32
	terms []string
	pages map[string]packedWords
}

// packedWords are the tokens of a page, and what cutting them cost.
type packedWords struct {
	tokens []byte
	cost   time.Duration
}

func newWordStock() *wordStock {
	return &wordStock{index: map[string]uint32{}, pages: map[string]packedWords{}}
}

// cut gives a page its words, and says what they have cost somebody else.
func (w *wordStock) cut(t Cutter, address string, d *text.Doc, clock func() time.Duration) (spared time.Duration) {
	w.mu.RLock()
	have, ok := w.pages[address]
	terms := w.terms
	w.mu.RUnlock()
	if ok {
		if tokens, ok := unpackTokens(have.tokens, terms); ok {
			t.Cutter().Take(d, tokens)
			return have.cost
		}
	}
	begin := clock()
	t.Cut(d)
	cost := max(clock()-begin, 0)
	w.keep(address, t.Cutter().Tokens(d), cost)
	return 0
}

// keep packs the tokens of a page. Two crawls may cut it at the same time: the first words stay.
func (w *wordStock) keep(address string, tokens []text.Token, cost time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.pages[address]; !ok {
		w.pages[address] = packedWords{w.pack(tokens), cost}
	}
}

// pack writes tokens by the numbers of their terms. mu must be held.
func (w *wordStock) pack(tokens []text.Token) []byte {
	out := make([]byte, 0, 4*len(tokens)+4)
	out = binary.AppendUvarint(out, uint64(len(tokens)))
	segment := int32(0)
	for i := range tokens {
		k := &tokens[i]
		n, ok := w.index[k.Term]
		if !ok {
			n = uint32(len(w.terms))
			w.index[k.Term], w.terms = n, append(w.terms, k.Term)
		}
		out = binary.AppendUvarint(out, uint64(n))
		out = binary.AppendVarint(out, int64(k.Segment-segment))
		out = append(out, byte(k.Position)<<4|byte(k.Speech))
		segment = k.Segment
	}
	return out
}

// unpackTokens is what pack has packed.
func unpackTokens(packed []byte, terms []string) (tokens []text.Token, ok bool) {
	n, size := binary.Uvarint(packed)
	if size <= 0 || n > uint64(len(packed)) {
		return nil, false
	}
	packed = packed[size:]
	tokens = make([]text.Token, n)
	segment := int32(0)
	for i := range tokens {
		term, a := binary.Uvarint(packed)
		if a <= 0 || term >= uint64(len(terms)) {
			return nil, false
		}
		step, b := binary.Varint(packed[a:])
		if b <= 0 || a+b == len(packed) {
			return nil, false
		}
		segment += int32(step)
		tokens[i] = text.Token{Term: terms[term], Segment: segment, Position: text.Position(packed[a+b] >> 4), Speech: text.Speech(packed[a+b] & 15)}
		packed = packed[a+b+1:]
	}
	return tokens, len(packed) == 0
}

// Cutter is the topic as far as it cuts words, which nothing that it has learned changes.
type Cutter interface {
	Cut(*text.Doc)
	CutAs() string
	Cutter() *text.Cutter
}
