package learn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// One step of the apprentice: a constant that begins at -3 and meets a relevant page.
func TestOneStepOfAdaGrad(t *testing.T) {
	o := NewOnline(1)
	o.Weight[0] = -3
	x := Vector{[]uint32{0}, []float32{1}}
	p := Sigmoid(o.Score(x))
	near(t, "p", p, .047426)
	o.Move(x, (1+2*1)*(p-1), Rate{.05, .05})
	near(t, "squared gradient", float64(o.Moved[0]), 8.166577)
	near(t, "weight", float64(o.Weight[0]), -2.950153)
}

// drawn are documents of 20 words out of 200; words 1 to 10 are likelier in the class, and a tenth of the labels is
// wrong.
func drawn(n int) Labelled {
	random := rand.New(rand.NewPCG(7, 7))
	var set Labelled
	for i := range n {
		in := i%4 == 0
		x := Vector{Index: []uint32{0}, Value: []float32{1}}
		for range 20 {
			word := 1 + random.IntN(199)
			if in && random.Float64() < .3 {
				word = 1 + random.IntN(10)
			}
			if !slices.Contains(x.Index, uint32(word)) {
				x.Index, x.Value = append(x.Index, uint32(word)), append(x.Value, .2)
			}
		}
		if random.Float64() < .1 {
			in = !in
		}
		set.X, set.Y = append(set.X, x), append(set.Y, in)
	}
	return set
}

func TestLinearModelsLearn(t *testing.T) {
	set := drawn(1200)
	training := Training{Size: 200, Epochs: 20, Cost: 1, Seed: 1}
	for name, fit := range map[string]func(Labelled, Training) []float32{"logistic": Logistic, "svm": SVM, "bayes": BayesWeights} {
		scores := make([]float64, len(set.X))
		again := make([]float64, len(set.X))
		fold := Folds(set.Y, 10, 1)
		for _, s := range [][]float64{scores, again} {
			Cross(set, fold, 10, false, func(l Labelled) Scorer { return Linear(fit(l, training)) }, func(_, i int, score float64) { s[i] = score })
		}
		if !slices.Equal(scores, again) {
			t.Errorf("%s: the same set learned twice gives other scores", name)
		}
		_, best := BestF1(scores, set.Y)
		if best.F1() < .65 {
			t.Errorf("%s: F1 %.3f over folds, want .65 (knowing every class would give .82, guessing .46)", name, best.F1())
		}
		p := FitPlatt(scores, set.Y)
		said := make([]float64, len(scores))
		for i, s := range scores {
			said[i] = p.Probability(s)
		}
		if off := calibrationError(CalibrationTable(said, set.Y, 10)); off > .06 {
			t.Errorf("%s: probabilities are off by %.3f on the mean", name, off)
		}
	}
}

// TestLogisticFindsTheOptimum: at the least of |w|²/2 + sum of cost·log(1+exp(-y w·x)) the gradient is zero.
func TestLogisticFindsTheOptimum(t *testing.T) {
	set := drawn(300)
	for _, cost := range []float64{.1, 1, 30} {
		w := Logistic(set, Training{Size: 200, Epochs: 2000, Cost: cost, Seed: 1})
		gradient := make([]float64, 200)
		for j, x := range w {
			gradient[j] = float64(x)
		}
		in, out := set.Weights()
		for i, x := range set.X {
			slope := cost * out * Sigmoid(x.Dot(w))
			if set.Y[i] {
				slope = cost * in * (Sigmoid(x.Dot(w)) - 1)
			}
			for k, j := range x.Index {
				gradient[j] += slope * float64(x.Value[k])
			}
		}
		for j, g := range gradient {
			if math.Abs(g) > 1e-4*cost*float64(len(set.X)) { // of all that pulls at the weights
				t.Errorf("cost %v: the gradient of weight %d is %g", cost, j, g)
			}
		}
	}
}

func TestFoldsAreEven(t *testing.T) {
	truth := make([]bool, 97)
	for i := range 23 {
		truth[i*4] = true
	}
	fold := Folds(truth, 10, 5)
	in, all := make([]int, 10), make([]int, 10)
	for i, f := range fold {
		all[f]++
		if truth[i] {
			in[f]++
		}
	}
	if slices.Max(in)-slices.Min(in) > 1 || slices.Max(all)-slices.Min(all) > 1 {
		t.Errorf("parts hold %v, of the class %v", all, in)
	}
	if !slices.Equal(fold, Folds(truth, 10, 5)) || slices.Equal(fold, Folds(truth, 10, 6)) {
		t.Error("parts do not follow the seed")
	}
}

func TestCrossNeverTestsWhatItLearnedFrom(t *testing.T) {
	set := drawn(50)
	fold := Folds(set.Y, 5, 1)
	for _, reversed := range []bool{false, true} {
		seen := make([]int, 50)
		Cross(set, fold, 5, reversed, func(l Labelled) Scorer {
			if want := 40; !reversed && len(l.X) != want || reversed && len(l.X) != 10 {
				t.Errorf("learned from %d", len(l.X))
			}
			return Linear(make([]float32, 200))
		}, func(part, i int, _ float64) {
			if (fold[i] == part) == reversed {
				t.Errorf("reversed %v: document %d of part %d tested by part %d", reversed, i, fold[i], part)
			}
			seen[i]++
		})
		want := 1
		if reversed {
			want = 4
		}
		if slices.Min(seen) != want || slices.Max(seen) != want {
			t.Errorf("reversed %v: tested %v", reversed, seen)
		}
	}
}

func TestMeasures(t *testing.T) {
	c := Confusion{TP: 8, FP: 2, FN: 4, TN: 86}
	near(t, "precision", c.Precision(), .8)
	near(t, "recall", c.Recall(), 2.0/3)
	near(t, "F1", c.F1(), 16.0/22)
	near(t, "macro F1", c.MacroF1(), (16.0/22+172.0/178)/2)
	near(t, "micro F1", c.MicroF1(), .94)
	near(t, "nothing found", Confusion{FN: 3}.F1(), 0)

	scores := []float64{.9, .8, .7, .6, .5}
	truth := []bool{true, false, true, true, false}
	near(t, "AP", AveragePrecision(scores, truth), (1+2.0/3+3.0/4)/3)
	near(t, "AP of one flat score", AveragePrecision(make([]float64, 5), truth), .6)
	near(t, "AP of no class", AveragePrecision(scores, make([]bool, 5)), 0)
	threshold, best := BestF1(scores, truth)
	near(t, "best threshold", threshold, .6)
	near(t, "best F1", best.F1(), 6.0/7)
	near(t, "most F1", MostF1(scores, truth, 0), 6.0/7)
	near(t, "most F1, most of the class missed", MostF1(scores, truth, 7), 6.0/14)
	threshold, found, ok := ForPrecision(scores, truth, .75)
	if !ok || threshold != .6 || found.TP != 3 {
		t.Errorf("for precision .75: %v %+v %v", threshold, found, ok)
	}
	if _, _, ok := ForPrecision([]float64{2, 1}, []bool{false, true}, .9); ok {
		t.Error("a precision that nothing has was found")
	}
}

func TestSplitFindsTheHubRatio(t *testing.T) {
	value, gain, above := Split([]float64{.9, .8, .61, .6, .3, .2}, []bool{false, false, false, true, true, true})
	near(t, "value", value, .605)
	near(t, "gain", gain, 1)
	if above {
		t.Error("the class lies below")
	}
	if _, gain, _ := Split([]float64{1, 1}, []bool{true, false}); gain != 0 {
		t.Errorf("equal values part with gain %v", gain)
	}
}

func TestPlattIsNoBetterThanWhatItSees(t *testing.T) {
	p := FitPlatt([]float64{1, 2, 3, 4}, []bool{true, true, false, false})
	if p.A != 0 {
		t.Errorf("a score that points the wrong way is used: %+v", p)
	}
	near(t, "flat", p.Probability(100), .5)
	p = FitPlatt([]float64{-1, -1, 1, 1}, []bool{false, false, true, true})
	if !(p.Probability(1) > .7 && p.Probability(1) < 1 && p.Probability(-1) < .3) {
		t.Errorf("%v at 1, %v at -1", p.Probability(1), p.Probability(-1))
	}
	if q := p.Probability(math.Inf(1)); q != 1 {
		t.Errorf("at infinity: %v", q)
	}
}

func TestCalibrationTable(t *testing.T) {
	table := CalibrationTable([]float64{.05, .15, .95, 1}, []bool{false, true, true, true}, 10)
	if len(table) != 3 || table[2].Count != 2 {
		t.Fatalf("%+v", table)
	}
	near(t, "said", table[2].Said, .975)
	near(t, "found", table[2].Found, 1)
	near(t, "error", calibrationError(table), (.05+.85+.025*2)/4)
}

// calibrationError is how far what was said is from what is, on the mean over all documents.
func calibrationError(table []Calibration) float64 {
	off, n := 0.0, 0
	for _, c := range table {
		off += math.Abs(c.Said-c.Found) * float64(c.Count)
		n += c.Count
	}
	if n == 0 {
		return 0
	}
	return off / float64(n)
}

// Changed finds what a look at every weight finds, wherever a stretch begins or ends.
func TestChangedIsAllThatStands(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		size := 1 + random.IntN(5*stretch)
		o := NewOnline(size)
		for range random.IntN(6) {
			o.Set(random.IntN(size), float32(random.IntN(2)), float32(random.IntN(2)))
			o.Move(Vector{Index: []uint32{uint32(random.IntN(size))}, Value: []float32{1}}, .5, Rate{.1, 1})
		}
		from := random.IntN(size + 1)
		to := from + random.IntN(size-from+1)
		var want []int
		for i := from; i < to; i++ {
			if o.Weight[i] != 0 || o.Moved[i] != 0 {
				want = append(want, i)
			}
		}
		if got := slices.Collect(o.Changed(from, to)); !slices.Equal(got, want) {
			t.Fatalf("%d to %d of %d: %v changed, want %v", from, to, size, got, want)
		}
	}
}
