package learn

import "math"

// Guess tells the members of a class by their spelling alone, and learns as it goes: a logistic regression over each
// two neighbouring bytes, corrected by plain gradient descent after every so many examples.
type Guess struct {
	Batch int
	Step  float64

	weights []float32 // by pair of bytes, and the constant
	waiting []Spelled // examples of the batch that is not full
	learned int       // batches that were learned from
}

// Spelled is an example: a word, and whether it is of the class.
type Spelled struct {
	Word  string `json:"w"`
	Truth bool   `json:"t,omitempty"`
}

// NewGuess makes a model that has seen nothing.
func NewGuess(batch int, step float64) *Guess {
	return &Guess{Batch: batch, Step: step, weights: make([]float32, 1<<16+1)}
}

// constant is the place of the weight that every word has.
const constant = 1 << 16

// spell is a word as pairs of neighbouring bytes, of unit length.
func spell(word string) Vector {
	var x Vector
	at := map[uint32]int{}
	square := 0.0
	for i := 0; i+1 < len(word); i++ {
		pair := uint32(word[i])<<8 | uint32(word[i+1])
		k, ok := at[pair]
		if !ok {
			k = len(x.Index)
			at[pair] = k
			x.Index, x.Value = append(x.Index, pair), append(x.Value, 0)
		}
		square += float64(2*x.Value[k] + 1)
		x.Value[k]++
	}
	for k := range x.Value {
		x.Value[k] /= float32(math.Sqrt(square))
	}
	x.Index, x.Value = append(x.Index, constant), append(x.Value, 1)
	return x
}

// Probability is how likely a word is of the class. ok is false until the first batch is learned from.
func (g *Guess) Probability(word string) (p float64, ok bool) {
	if g.learned == 0 {
		return 0, false
	}
	return Sigmoid(spell(word).Dot(g.weights)), true
}

// Add takes an example, and learns when a batch is full.
func (g *Guess) Add(word string, truth bool) {
	g.waiting = append(g.waiting, Spelled{word, truth})
	if len(g.waiting) < g.Batch {
		return
	}
	slopes := make([]Vector, len(g.waiting))
	for i, e := range g.waiting {
		x := spell(e.Word)
		slope := Sigmoid(x.Dot(g.weights))
		if e.Truth {
			slope--
		}
		for k := range x.Value {
			x.Value[k] *= float32(slope)
		}
		slopes[i] = x
	}
	for _, x := range slopes {
		x.addTo(g.weights, -g.Step)
	}
	g.waiting = g.waiting[:0]
	g.learned++
}

// GuessState is all that a Guess has learned: the weights that are not 0, and the batch that is not full.
type GuessState struct {
	Index   []uint32  `json:"index,omitempty"`
	Weight  []float32 `json:"weight,omitempty"`
	Waiting []Spelled `json:"waiting,omitempty"`
	Learned int       `json:"learned,omitempty"`
}

// State is what it has learned, to be saved.
func (g *Guess) State() GuessState {
	s := GuessState{Waiting: append([]Spelled(nil), g.waiting...), Learned: g.learned}
	for i, w := range g.weights {
		if w != 0 {
			s.Index, s.Weight = append(s.Index, uint32(i)), append(s.Weight, w)
		}
	}
	return s
}

// Restore takes back what State gave; ok is false where that is not whole.
func (g *Guess) Restore(s GuessState) (ok bool) {
	if len(s.Index) != len(s.Weight) {
		return false
	}
	clear(g.weights)
	for k, i := range s.Index {
		if int(i) >= len(g.weights) {
			return false
		}
		g.weights[i] = s.Weight[k]
	}
	g.waiting, g.learned = append(g.waiting[:0], s.Waiting...), s.Learned
	return true
}
