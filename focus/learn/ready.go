package learn

import "math"

// Ready is a Unigram that has learned and now tells texts apart, many of them: each word is a number, and ln P(word|class)
// of all classes stand side by side, so that a text is a sum of rows. It does not change with the model it was made of.
type Ready struct {
	classes int
	numbers map[string]int32
	rows    []float64 // of word n: from n*classes on
}

// Ready makes a model ready as it is now.
func (u *Unigram) Ready() *Ready {
	r := &Ready{classes: len(u.Totals), numbers: make(map[string]int32, len(u.Words)), rows: make([]float64, 0, len(u.Words)*len(u.Totals))}
	all := 0.0
	for _, n := range u.Totals {
		all += n
	}
	for w, counts := range u.Words {
		everywhere := 0.0
		for _, n := range counts {
			everywhere += n
		}
		r.numbers[w] = int32(len(r.numbers))
		for c, n := range counts {
			r.rows = append(r.rows, math.Log(u.probability(n, u.Totals[c], everywhere/all)))
		}
	}
	return r
}

// Number is the number of a word, -1 for one that is in no class.
func (r *Ready) Number(word string) int32 {
	if n, ok := r.numbers[word]; ok {
		return n
	}
	return -1
}

// sum adds ln P(words|class) to that of classes 1 to n, and answers how many of the words any class knows. Words in no class
// are skipped; a word that stands there twice counts twice.
func (r *Ready) sum(logs []float64, words []int32) (known int) {
	for _, w := range words {
		if w < 0 {
			continue
		}
		known++
		for c, log := range r.rows[int(w)*r.classes:][:len(logs)] {
			logs[c] += log
		}
	}
	return known
}

// Class is the likeliest class of a text by the numbers of its words, the smallest of equals, and the last (the farthest
// layer) when no class knows any of them.
func (r *Ready) Class(words []int32) int {
	var few [16]float64
	logs := few[:]
	if r.classes > len(few) {
		logs = make([]float64, r.classes)
	}
	logs = logs[:r.classes]
	if r.sum(logs, words) == 0 {
		return len(logs)
	}
	best := 0
	for c := range logs {
		if logs[c] > logs[best] {
			best = c
		}
	}
	return best + 1
}
