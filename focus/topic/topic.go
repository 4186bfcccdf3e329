// Package topic answers one question: what are we looking for?
//
// A Topic is made of all the ways a person can say it: weighted terms, a sentence, example pages, labelled folders, a
// trained model. Judge says how relevant a page is, and which terms said so. It serves steps 4 and 6 of the journey
// (see package focus).
package topic

import (
	"github.com/thresher-crawler/thresher/focus/text"
)

// Term is a word or phrase of the topic and its weight.
type Term struct {
	Term   string
	Weight float64
}

// Spec is a topic as the crawl file states it, with defaults filled in by the caller. Files and addresses have been
// loaded already: the package opens no network connection.
type Spec struct {
	Language  string // zh, en or auto
	About     string
	Terms     []Term
	Examples  []*text.Doc
	Judge     string // vsm | vsm-restricted | centroid | trained | classifier
	Content   string // whole | by_kind | main_text
	Calibrate string // on | off
	Threshold float64
	Model     string             // path of a trained judge
	Relevant  []*text.Doc        // a labelled corpus: what is relevant,
	Other     []*text.Doc        // and what is not
	Positions map[string]float64 // weights by name of position: title, top, heading, meta, emphasis, body, anchor
	Speech    map[string]float64 // weights by name of part of speech: noun, adjective, verb, adverb, function
	Relative  bool               // frequencies relative to the most frequent keyword (genetic)
	UserDict  string
	Limit     int
}

// Judgement is how relevant a page, or a part of one, was found.
type Judgement struct {
	Raw       float64 // the judge's own number
	Relevance float64 // in [0,1]; what the threshold applies to
	Relevant  bool    // Relevance >= threshold
	Terms     []Evidence
}

// Evidence is what one term of the topic added to Raw.
type Evidence struct {
	Term  string
	Count int
	Added float64
}

// Topic is what a crawl looks for. Judge and Sim may be called by many goroutines at once; Learn by one at a time,
// and not while others judge (the crawl calls both in its own order).
type Topic struct{}

// New makes a topic, or says what is missing or wrong in the spec.
func New(s Spec) (*Topic, error) { panic("topic: not built") }

// Judge says how relevant a page is, by what is known now.
func (t *Topic) Judge(d *text.Doc) Judgement { panic("topic: not built") }

// JudgeBlock judges the part of a page that stands in one block (nested blocks not included).
func (t *Topic) JudgeBlock(d *text.Doc, block int) Judgement { panic("topic: not built") }

// Learn takes a judged page into the document frequencies, the calibration and an adaptive centre.
func (t *Topic) Learn(d *text.Doc, j Judgement) { panic("topic: not built") }

// Sim is the cosine between the topic and a short text, over the topic's words: 1 means all of the topic.
func (t *Topic) Sim(s string) float64 { panic("topic: not built") }

// SimAround is Sim over the last n words of before and the first n of after.
func (t *Topic) SimAround(before, after string, n int) float64 { panic("topic: not built") }

// Matches are the topic's words that occur in a short text, in order of first occurrence.
func (t *Topic) Matches(s string) []string { panic("topic: not built") }

// Cutter is the topic's own cutter.
func (t *Topic) Cutter() *text.Cutter { panic("topic: not built") }

// Threshold is the relevance from which a page counts as relevant.
func (t *Topic) Threshold() float64 { panic("topic: not built") }

// Seed takes the start pages as examples when the spec had neither terms nor examples. It is called once.
func (t *Topic) Seed(d []*text.Doc) { panic("topic: not built") }

// State is what the topic has learned, to be saved; Restore takes it back.
func (t *Topic) State() []byte { panic("topic: not built") }

// Restore takes back what State gave.
func (t *Topic) Restore(state []byte) error { panic("topic: not built") }
