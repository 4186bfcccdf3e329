package topic

import "slices"

// Finding is a word for a threshold, for those who do not want to choose a number.
type Finding struct {
	Word      string
	Threshold float64
}

// findings are the words there are, the most generous first. Balanced is the default, where F1 is best. The two others lie as
// far from it as it pays: more is the lowest threshold at which F2 (recall counts more), and surer the highest at which F½
// (precision counts more), is within .01 of its best. They were found over the topics of two recorded webs, terms alone, by
//
//	THRESHER_SHARED=1 go test ./focus/topic -run WhatEachFindingKeeps -v
var findings = []Finding{{"more", .24}, {"balanced", .3}, {"surer", .38}}

// Findings are the words for thresholds, the most generous first. They are thresholds of judge bm25 with calibrate: on.
func Findings() []Finding { return slices.Clone(findings) }

// ThresholdOf is the threshold that a word stands for; ok is false for a word that stands for none.
func ThresholdOf(finding string) (threshold float64, ok bool) {
	for _, f := range findings {
		if f.Word == finding {
			return f.Threshold, true
		}
	}
	return 0, false
}
