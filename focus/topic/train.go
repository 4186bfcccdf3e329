package topic

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
)

// TrainOptions say how a judge is trained. The zero value tries all kinds and picks the best.
type TrainOptions struct {
	Spec      Spec     // how pages are cut and weighed; the judge keeps terms, content, positions and speech, but not user dictionary and limit
	Kind      string   // best | bayes | svm | logistic | vector; empty means best
	Choose    string   // chi2 | ig: how a vector's words are chosen; empty means chi2
	Words     int      // how many words a vector has; 0 means 300
	Folds     int      // parts of the cross validation; 0 means 10
	Precision float64  // the precision that the threshold is to give; 0 means the best F1
	Hosts     []string // the hosts that the pages are from, as far as they are known: the model remembers them
	Seed      uint64
}

// vectorWords is how many words the vector of the trained best-first crawl has; its source does not say.
const vectorWords = 300

// kinds are the judges that Train knows. A vector is the source's own, weaker than the rest, and only on request.
var kinds = []string{"bayes", "svm", "logistic", "vector"}

func (o *TrainOptions) complete() error {
	o.Kind, o.Choose = cmp.Or(o.Kind, "best"), cmp.Or(o.Choose, "chi2")
	o.Words, o.Folds = cmp.Or(o.Words, vectorWords), cmp.Or(o.Folds, 10)
	switch {
	case o.Kind != "best" && !slices.Contains(kinds, o.Kind):
		return fmt.Errorf("kind is %q, want best, bayes, svm, logistic or vector", o.Kind)
	case o.Choose != "chi2" && o.Choose != "ig":
		return fmt.Errorf("words are chosen by %q, want chi2 or ig", o.Choose)
	case o.Words < 1:
		return fmt.Errorf("%d words, want at least 1", o.Words)
	case o.Folds < 2:
		return fmt.Errorf("%d folds, want at least 2", o.Folds)
	case !(0 <= o.Precision && o.Precision <= 1):
		return fmt.Errorf("wanted precision is %v, want 0 to 1", o.Precision)
	}
	if o.Spec.Judge != vectorJudge {
		o.Spec.Judge, o.Spec.With = Classifier, strict.Node{}
	}
	return o.Spec.complete()
}

// Train learns a judge from pages that are relevant and pages that are not, and reports how good it is on pages it
// has not seen.
func Train(relevant, other []*text.Doc, o TrainOptions) (*Model, Report, error) {
	if err := errors.Join(o.complete(), enough(relevant, other)); err != nil {
		return nil, Report{}, err
	}
	w, err := newWeigher(&o.Spec)
	if err != nil {
		return nil, Report{}, err
	}
	cutter, err := text.NewCutter(cutting(&o.Spec, w.tagged, nil))
	if err != nil {
		return nil, Report{}, err
	}
	c := w.collect(cutter, relevant, other)
	if len(c.words) == 1 {
		return nil, Report{}, errors.New("the pages have no words in common: give more pages, or pages with text")
	}
	o.Folds = min(o.Folds, len(relevant), len(other))
	report := c.compare(&o)
	report.Relevant, report.Other = len(relevant), len(other)
	m := c.model(&o, &report)
	m.Sources = sourcesOf(o.Hosts, relevant, other)
	return m, report, nil
}

// enough refuses labels that nothing can be learned from.
func enough(relevant, other []*text.Doc) error {
	if len(relevant) >= 2 && len(other) >= 2 {
		return nil
	}
	return fmt.Errorf("%d pages are labelled relevant and %d other: a judge is learned from both, at least 2 of each and better 50", len(relevant), len(other))
}

// cutting is how pages are cut for a topic or a model. A Chinese word on a page tells nothing of a topic in English, and is
// not worth a dictionary.
func cutting(s *Spec, tagged bool, more []string) text.Options {
	o := text.Options{UserDict: s.UserDict, Tags: tagged, Limit: s.Limit}
	for _, t := range s.Terms {
		o.Terms = append(o.Terms, t.Term)
	}
	o.Terms = append(o.Terms, more...)
	o.Pairs = s.Language == "en" && s.UserDict == "" && !slices.ContainsFunc(o.Terms, text.HasChinese)
	return o
}

// compare cross-validates the kinds that are asked for and keeps the best.
func (c *corpus) compare(o *TrainOptions) Report {
	tried := kinds[:3]
	if o.Kind != "best" {
		tried = []string{o.Kind}
	}
	var best Report
	var trials []Trial
	for _, kind := range tried {
		r := c.validate(kind, o)
		trials = append(trials, Trial{kind, r.F1, r.AP})
		if r.F1 > best.F1 || best.Kind == "" {
			best = r
		}
	}
	best.Tried = trials
	best.Source = c.sourceReading(best.Kind, o)
	return best
}

// validate scores every page by a model that has not seen it.
func (c *corpus) validate(kind string, o *TrainOptions) Report {
	set := c.set(kind)
	scores := make([]float64, len(set.X))
	fold := learn.Folds(set.Y, o.Folds, o.Seed)
	learn.Cross(set, fold, o.Folds, false, c.fitter(kind, o), func(_, i int, score float64) { scores[i] = score })
	r := Report{Kind: kind, Folds: o.Folds, Platt: learn.FitPlatt(scores, set.Y), AP: learn.AveragePrecision(scores, set.Y)}
	said := make([]float64, len(scores))
	for i, s := range scores {
		said[i] = r.Platt.Probability(s)
	}
	r.threshold(said, set.Y, o.Precision)
	r.Calibration = learn.CalibrationTable(said, set.Y, 10)
	return r
}

// sourceReading learns from one part and tests on the others, ten times: what the text of CN101101601 literally says.
// Where the line is drawn is learned from the one part too, by parting it again.
func (c *corpus) sourceReading(kind string, o *TrainOptions) Reading {
	set := c.set(kind)
	fit := c.fitter(kind, o)
	fold := learn.Folds(set.Y, o.Folds, o.Seed)
	all := make([]learn.Confusion, o.Folds)
	learn.Cross(set, fold, o.Folds, true, func(part learn.Labelled) learn.Scorer {
		line, score := drawLine(part, fit, o.Seed), fit(part)
		return func(x learn.Vector) float64 { return score(x) - line }
	}, func(part, i int, score float64) { all[part].Add(score >= 0, set.Y[i]) })
	var r Reading
	for _, found := range all {
		r.MacroF1 += found.MacroF1() / float64(len(all))
		r.MicroF1 += found.MicroF1() / float64(len(all))
	}
	return r
}

// drawLine is the score of best F1 among pages that were not learned from, within a small set.
func drawLine(set learn.Labelled, fit func(learn.Labelled) learn.Scorer, seed uint64) float64 {
	in := 0
	for _, y := range set.Y {
		if y {
			in++
		}
	}
	k := min(5, in, len(set.Y)-in)
	if k < 2 {
		return 0
	}
	scores := make([]float64, len(set.X))
	learn.Cross(set, learn.Folds(set.Y, k, seed), k, false, fit, func(_, i int, score float64) { scores[i] = score })
	line, _ := learn.BestF1(scores, set.Y)
	return line
}

// set are the pages as a kind of model sees them.
func (c *corpus) set(kind string) learn.Labelled {
	if kind == "vector" {
		return c.plain()
	}
	return c.damped()
}

// fitter learns a kind of model from a part of the pages.
func (c *corpus) fitter(kind string, o *TrainOptions) func(learn.Labelled) learn.Scorer {
	return func(set learn.Labelled) learn.Scorer {
		w := c.weights(kind, set, o)
		if kind == "vector" {
			return func(x learn.Vector) float64 { return nearVector(w, x) }
		}
		return learn.Linear(w)
	}
}

func (c *corpus) weights(kind string, set learn.Labelled, o *TrainOptions) []float32 {
	t := learn.Training{Size: len(c.words), Epochs: 30, Cost: 1, Seed: o.Seed}
	switch kind {
	case "bayes":
		return learn.BayesWeights(set, t)
	case "svm":
		return learn.SVM(set, t)
	case "logistic":
		t.Cost = 10 // it never quite lets go of what it has right
		return learn.Logistic(set, t)
	}
	return vectorWeights(set, len(c.words), o)
}

// vectorWeights is the topic vector of the trained best-first crawl: the mean of the relevant pages' vectors, each made
// one long, over the words that chi-square or information gain choose among those that speak for the topic.
func vectorWeights(set learn.Labelled, size int, o *TrainOptions) []float32 {
	tables := make([]learn.Table, size)
	sum := make([]float64, size)
	in := 0.0
	for i, x := range set.X {
		if set.Y[i] {
			in++
		}
		norm := math.Sqrt(x.Square())
		for k, r := range x.Index {
			if !set.Y[i] {
				tables[r].B++
				continue
			}
			tables[r].A++
			sum[r] += float64(x.Value[k]) / norm
		}
	}
	chosen := make([]weighed, 0, size)
	for r, t := range tables {
		t.C, t.D = in-t.A, float64(len(set.X))-in-t.B
		value := t.Chi2()
		if o.Choose == "ig" {
			value = t.InformationGain()
		}
		if t.Positive() && value > 0 {
			chosen = append(chosen, weighed{int32(r), value})
		}
	}
	slices.SortFunc(chosen, func(a, b weighed) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id)) })
	w, norm := make([]float32, size), 0.0
	for _, f := range chosen[:min(len(chosen), o.Words)] {
		norm += square(sum[f.id])
		w[f.id] = float32(sum[f.id])
	}
	for r := range w {
		w[r] /= float32(max(math.Sqrt(norm), 1e-12))
	}
	return w
}

// nearVector is the cosine of a page and the topic vector, over the vector's words.
func nearVector(w []float32, x learn.Vector) float64 {
	dot, norm := 0.0, 0.0
	for k, r := range x.Index {
		if w[r] > 0 {
			dot += float64(w[r]) * float64(x.Value[k])
			norm += square(float64(x.Value[k]))
		}
	}
	if norm == 0 {
		return 0
	}
	return dot / math.Sqrt(norm)
}
