package topic

import "fmt"

// Classifier is the judge by a model of whatever kind told pages apart best, learned beforehand or from topic.corpus.
const Classifier = "classifier"

// vectorJudge is the judge of the trained best-first crawl: a vector, always learned from topic.corpus.
const vectorJudge = "trained"

func init() {
	make := func(_ struct{}, m *Material) Judge { return byModel{m.topic.model} }
	Register(vectorJudge, "a vector of words learned from topic.corpus, as in the trained best-first crawl", Traits{Trained: true}, struct{}{}, make)
	Register(Classifier, "a model (topic.model, or learned from topic.corpus) that answers calibrated probabilities", Traits{Trained: true}, struct{}{}, make)
}

// byModel judges by a model.
type byModel struct{ model *Model }

func (m byModel) Score(b *Bag, why []Evidence) (float64, []Evidence) { return m.model.score(b, why) }

// Relevance is a probability.
func (m byModel) Relevance(raw float64) float64 { return m.model.Platt.Probability(raw) }

// KindOf is the kind of model that a judge is trained to (TrainOptions.Kind): empty where the best is taken.
func KindOf(judge string) string {
	if judge == vectorJudge {
		return "vector"
	}
	return ""
}

// trained loads the model of a spec, or learns it from the spec's corpus. Pages are then weighed as they were for the
// model. A judge that needs no model has none, whatever the spec holds.
func (s *Spec) trained() (*Model, error) {
	if !TraitsOf(s.Judge).Trained {
		return nil, nil
	}
	labelled := len(s.Relevant)+len(s.Other) > 0
	var m *Model
	var err error
	switch {
	case labelled && (s.Judge == vectorJudge || s.Model == ""):
		m, _, err = Train(s.Relevant, s.Other, TrainOptions{Spec: *s, Kind: KindOf(s.Judge)})
	case s.Model != "":
		m, err = LoadModel(s.Model)
	default:
		err = fmt.Errorf("judge %s has nothing to learn from: name a model (thresher train judge makes one) or a corpus of relevant and other pages", s.Judge)
	}
	if err != nil {
		return nil, err
	}
	s.Content, s.Positions, s.Speech = m.Content, m.Positions, m.Speech
	return m, nil
}
