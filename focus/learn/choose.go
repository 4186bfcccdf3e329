package learn

import "math"

// Table counts how a word and a class meet in a set of documents.
type Table struct {
	A float64 // documents of the class with the word
	B float64 // other documents with the word
	C float64 // documents of the class without it
	D float64 // other documents without it
}

// Positive tells whether the word is more frequent in the class than outside.
func (t Table) Positive() bool { return t.A*(t.B+t.D) > t.B*(t.A+t.C) }

// Chi2 is the chi-square statistic of word and class: how far they are from having nothing to do with each other.
func (t Table) Chi2() float64 {
	margins := (t.A + t.C) * (t.B + t.D) * (t.A + t.B) * (t.C + t.D)
	if margins == 0 {
		return 0
	}
	n := t.A + t.B + t.C + t.D
	return n * square(t.A*t.D-t.B*t.C) / margins
}

// InformationGain is how many bits the word tells about the class: H(C) - P(w) H(C|w) - P(!w) H(C|!w).
func (t Table) InformationGain() float64 {
	n := t.A + t.B + t.C + t.D
	if n == 0 {
		return 0
	}
	with, without := t.A+t.B, t.C+t.D
	gain := entropy(t.A+t.C, t.B+t.D) - with/n*entropy(t.A, t.B) - without/n*entropy(t.C, t.D)
	return max(gain, 0)
}

// entropy of a choice between two, in bits.
func entropy(a, b float64) float64 {
	h := 0.0
	for _, x := range [2]float64{a, b} {
		if x > 0 {
			p := x / (a + b)
			h -= p * math.Log2(p)
		}
	}
	return h
}

func square(x float64) float64 { return x * x }

// Gain is how many bits a word tells about which of several classes a document is of: with are the documents of each
// class that have it, all those there are.
func Gain(with, all []float64) float64 {
	inside, total := 0.0, 0.0
	without := make([]float64, len(all))
	for c, n := range all {
		inside += with[c]
		total += n
		without[c] = n - with[c]
	}
	if total == 0 {
		return 0
	}
	return max(0, uncertainty(all)-inside/total*uncertainty(with)-(total-inside)/total*uncertainty(without))
}

// uncertainty of a choice among several, in bits.
func uncertainty(counts []float64) float64 {
	total, h := 0.0, 0.0
	for _, n := range counts {
		total += n
	}
	for _, n := range counts {
		if n > 0 {
			h -= n / total * math.Log2(n/total)
		}
	}
	return h
}
