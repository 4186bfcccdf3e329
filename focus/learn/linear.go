package learn

import (
	"iter"
	"math"
	"math/rand/v2"
)

// Online is a linear model that learns from one example after the other with AdaGrad: every weight has a step of its
// own that shrinks with what it has been moved before. What is zero becomes something by Move and Set alone.
type Online struct {
	Weight []float32
	Moved  []float32 // sums of squared gradients
	begun  []bool    // by stretch, whether a weight of it was ever changed: most never are
}

// stretch is how many weights are begun together: what was never begun is not looked at, which is most of a large model.
const stretch = 1024

// NewOnline makes a model of so many weights, all zero.
func NewOnline(size int) *Online {
	return &Online{make([]float32, size), make([]float32, size), make([]bool, (size+stretch-1)/stretch)}
}

// Set makes a weight what it was in another model.
func (o *Online) Set(at int, weight, moved float32) {
	o.Weight[at], o.Moved[at], o.begun[at/stretch] = weight, moved, true
}

// Changed are the places from one to another, in order, where something stands.
func (o *Online) Changed(from, to int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := from; at < to; {
			end := min(to, (at/stretch+1)*stretch)
			for i := at; o.begun[at/stretch] && i < end; i++ {
				if (o.Weight[i] != 0 || o.Moved[i] != 0) && !yield(i) {
					return
				}
			}
			at = end
		}
	}
}

// Rate says how far weights move: Step / sqrt(G + Floor) along the gradient, G the sum of squared gradients.
type Rate struct{ Step, Floor float64 }

// Score is the weighted sum.
func (o *Online) Score(x Vector) float64 { return x.Dot(o.Weight) }

// Move moves the weights of x against slope, the derivative of the loss by the score (for the logistic loss of a
// target y that is weight times (p-y)).
func (o *Online) Move(x Vector, slope float64, r Rate) {
	for k, i := range x.Index {
		g := slope * float64(x.Value[k])
		moved := float64(o.Moved[i]) + g*g
		o.Moved[i] = float32(moved)
		o.begun[i/stretch] = true
		o.Weight[i] -= float32(r.Step * g / math.Sqrt(moved+r.Floor))
	}
}

// Labelled is a set to learn from: vectors, and which of them are of the class.
type Labelled struct {
	X []Vector
	Y []bool
}

// Weights are what one vector of the class, and one outside it, count, so that both sides count the same as a whole.
func (l Labelled) Weights() (in, out float64) {
	n := 0.0
	for _, y := range l.Y {
		if y {
			n++
		}
	}
	all := float64(len(l.Y))
	if n == 0 || n == all {
		return 1, 1
	}
	return all / (2 * n), all / (2 * (all - n))
}

// Training says how a linear model is learned from a labelled set.
type Training struct {
	Size   int     // of the weight vector
	Epochs int     // how often the set is gone through
	Cost   float64 // of an error: the smaller, the harder weights are drawn to zero
	Seed   uint64  // of the order in which vectors are taken
}

// Logistic learns a logistic regression by coordinate descent in the dual (Yu, Huang and Lin, 2011), both classes weighted
// the same.
func Logistic(set Labelled, t Training) []float32 {
	w := make([]float32, t.Size)
	in, out := set.Weights()
	alpha := make([]float64, len(set.X))
	square := make([]float64, len(set.X))
	for i, x := range set.X {
		square[i] = x.Square()
	}
	random := rand.New(rand.NewPCG(t.Seed, 1))
	for pass := range t.Epochs {
		largest := 0.0
		for _, i := range random.Perm(len(set.X)) {
			x, y, cost := set.X[i], -1.0, out*t.Cost
			if set.Y[i] {
				y, cost = 1, in*t.Cost
			}
			if pass == 0 { // inside the bounds, where the logarithm is finite
				alpha[i] = cost * .001
				x.addTo(w, alpha[i]*y)
			}
			next := cost * Sigmoid(balance(square[i], cost, alpha[i], y*x.Dot(w)))
			x.addTo(w, (next-alpha[i])*y)
			largest = max(largest, math.Abs(next-alpha[i])/cost)
			alpha[i] = next
		}
		if largest < 1e-4 {
			break
		}
	}
	return w
}

// balance is where square*(cost*sigmoid(t)-alpha) + margin + t, which grows with t, is zero: the best of one coordinate,
// as a logit.
func balance(square, cost, alpha, margin float64) float64 {
	low, high := -margin-square*(cost-alpha), -margin+square*alpha
	t := min(max(math.Log(alpha/(cost-alpha)), low), high)
	for range 50 {
		p := Sigmoid(t)
		value := square*(cost*p-alpha) + margin + t
		if math.Abs(value) < 1e-9 {
			break
		}
		if value > 0 {
			high = t
		} else {
			low = t
		}
		if t -= value / (1 + square*cost*p*(1-p)); !(low < t && t < high) {
			t = (low + high) / 2
		}
	}
	return t
}

// SVM learns a linear support vector machine with squared hinge loss by coordinate descent in the dual (Hsieh and
// others, 2008), both classes weighted the same.
func SVM(set Labelled, t Training) []float32 {
	w := make([]float32, t.Size)
	in, out := set.Weights()
	alpha := make([]float64, len(set.X))
	norm := make([]float64, len(set.X))
	for i, x := range set.X {
		norm[i] = x.Square()
	}
	random := rand.New(rand.NewPCG(t.Seed, 2))
	for range t.Epochs {
		largest := 0.0
		for _, i := range random.Perm(len(set.X)) {
			y, cost := -1.0, out*t.Cost
			if set.Y[i] {
				y, cost = 1, in*t.Cost
			}
			diagonal := 1 / (2 * cost)
			gradient := y*set.X[i].Dot(w) - 1 + diagonal*alpha[i]
			next := max(alpha[i]-gradient/(norm[i]+diagonal), 0)
			if d := next - alpha[i]; d != 0 {
				set.X[i].addTo(w, d*y)
				alpha[i] = next
				largest = max(largest, math.Abs(d*(norm[i]+diagonal)))
			}
		}
		if largest < 1e-3 {
			break
		}
	}
	return w
}

func (x Vector) addTo(w []float32, factor float64) {
	for k, i := range x.Index {
		w[i] += float32(factor * float64(x.Value[k]))
	}
}

// BayesWeights learns multinomial naive Bayes of two classes as a linear model: the weight of an index is the log of
// how much likelier it is in the class. Values are taken as (fractional) counts.
func BayesWeights(set Labelled, t Training) []float32 {
	counts := [2][]float64{make([]float64, t.Size), make([]float64, t.Size)}
	var total [2]float64
	for i, x := range set.X {
		c := 0
		if set.Y[i] {
			c = 1
		}
		for k, j := range x.Index {
			counts[c][j] += float64(x.Value[k])
			total[c] += float64(x.Value[k])
		}
	}
	seen := 0.0
	for j := range counts[0] {
		if counts[0][j]+counts[1][j] > 0 {
			seen++
		}
	}
	const laplace = .02 // values are tf-idf of unit vectors: a word's count is well below one
	w := make([]float32, t.Size)
	for j := range w {
		if counts[0][j]+counts[1][j] > 0 {
			w[j] = float32(math.Log((counts[1][j]+laplace)/(total[1]+laplace*seen)) - math.Log((counts[0][j]+laplace)/(total[0]+laplace*seen)))
		}
	}
	return w
}
