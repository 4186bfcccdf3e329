package topic

import (
	"fmt"
	"strings"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// goodF1 is what a judge must reach in macro and micro F1 to be trusted; the source's judge did.
const goodF1 = .85

// Report is how good a trained judge is on pages it has not seen.
type Report struct {
	Kind        string              `json:"kind"`
	Relevant    int                 `json:"relevant"` // pages
	Other       int                 `json:"other"`
	Folds       int                 `json:"folds"`
	Precision   float64             `json:"precision"` // at Threshold
	Recall      float64             `json:"recall"`
	F1          float64             `json:"f1"`
	MacroF1     float64             `json:"macro_f1"`
	MicroF1     float64             `json:"micro_f1"`
	AP          float64             `json:"ap"`
	Threshold   float64             `json:"threshold"`        // of the probability: what was asked for, or the best F1
	Missed      bool                `json:"missed,omitempty"` // the wanted precision is not to be had; Threshold is that of the best F1
	Platt       learn.Platt         `json:"-"`
	Calibration []learn.Calibration `json:"calibration"`
	Source      Reading             `json:"source"`
	Tried       []Trial             `json:"tried"`
}

// Reading is how good a judge is that learned from one part of ten and was tested on the nine others.
type Reading struct {
	MacroF1 float64 `json:"macro_f1"`
	MicroF1 float64 `json:"micro_f1"`
}

// Trial is one kind of judge that was tried.
type Trial struct {
	Kind string  `json:"kind"`
	F1   float64 `json:"f1"`
	AP   float64 `json:"ap"`
}

// Weak tells that the judge is below what can be trusted.
func (r *Report) Weak() bool { return weak(r.MacroF1, r.MicroF1) }

func weak(macro, micro float64) bool { return !(macro >= goodF1 && micro >= goodF1) }

// threshold draws the line where it was asked for and says what it finds.
func (r *Report) threshold(said []float64, truth []bool, precision float64) {
	line, found := learn.BestF1(said, truth)
	if precision > 0 {
		wanted, at, ok := learn.ForPrecision(said, truth, precision)
		if r.Missed = !ok; ok {
			line, found = wanted, at
		}
	}
	r.Threshold = line
	r.Precision, r.Recall, r.F1 = found.Precision(), found.Recall(), found.F1()
	r.MacroF1, r.MicroF1 = found.MacroF1(), found.MicroF1()
}

// String is the report as it is printed.
func (r Report) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s, learned from %d relevant and %d other pages, tested in %d folds\n", r.Kind, r.Relevant, r.Other, r.Folds)
	fmt.Fprintf(&s, "precision %.3f  recall %.3f  F1 %.3f  macro F1 %.3f  micro F1 %.3f  AP %.3f  at threshold %.3f\n",
		r.Precision, r.Recall, r.F1, r.MacroF1, r.MicroF1, r.AP, r.Threshold)
	if r.Missed {
		s.WriteString("the wanted precision is not to be had with these pages: the threshold is that of the best F1\n")
	}
	fmt.Fprintf(&s, "learned from one part, tested on %d: macro F1 %.3f  micro F1 %.3f\n", r.Folds-1, r.Source.MacroF1, r.Source.MicroF1)
	if r.Weak() {
		fmt.Fprintf(&s, "WEAK: below %.2f, do not trust it to judge other crawls; label more pages\n", goodF1)
	}
	for _, t := range r.Tried {
		fmt.Fprintf(&s, "tried %-9s F1 %.3f  AP %.3f\n", t.Kind, t.F1, t.AP)
	}
	s.WriteString("probability   pages   said   found\n")
	for _, c := range r.Calibration {
		fmt.Fprintf(&s, "%.1f to %.1f  %8d  %.3f   %.3f\n", c.From, c.To, c.Count, c.Said, c.Found)
	}
	return s.String()
}
