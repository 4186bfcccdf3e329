package crawlfile

import (
	"fmt"
	"slices"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// This file holds what the parts of a crawl file do beyond being read: short forms, defaults within lists, checks that no
// tag can say, and what they are to the rooms that they tune.

// SetDefaults is what a term has where the file says nothing.
func (t *TermConfig) SetDefaults() { t.Weight = 1 }

// DecodeNode reads a term: a plain word, or {term, weight}.
func (t *TermConfig) DecodeNode(n strict.Node) []strict.Problem {
	switch n.Kind() {
	case strict.Map:
		type plain TermConfig // without this method
		return n.Decode((*plain)(t))
	case strict.List:
		return []strict.Problem{n.Problem("is a list, want a word, or {term: …, weight: …}")}
	}
	return n.Decode(&t.Term)
}

// SetDefaults is what a site has where the file says nothing: a site named by hand.
func (s *SiteConfig) SetDefaults() { s.Weight, s.Confidence = 0.8, 4 }

// SetDefaults is what a sink has where the file says nothing.
func (s *SinkConfig) SetDefaults() { s.Rotate = 1 << 30 }

// DecodeNode reads a sink: its form, or {to, rotate, fields}.
func (s *SinkConfig) DecodeNode(n strict.Node) []strict.Problem {
	if n.Kind() == strict.Map {
		type plain SinkConfig // without this method
		return n.Decode((*plain)(s))
	}
	s.To = sink.Form(n.Text())
	return n.OneOf(sink.Names()...)
}

// Foreign are the keys whose word belongs to another program, and is not known in this one: a form of the harvest, a judge.
func (c *Config) Foreign() (keys []string) {
	for i, s := range c.Sinks {
		if !slices.Contains(sink.Names(), string(s.To)) {
			keys = append(keys, fmt.Sprintf("sinks[%d].to", i))
		}
	}
	if !slices.Contains(topic.Judges(), string(c.Topic.Judge)) {
		keys = append(keys, "topic.judge")
	}
	return keys
}

func (w *PositionWeights) byName() map[string]*float64 {
	return map[string]*float64{"title": w.Title, "top": w.Top, "heading": w.Heading, "meta": w.Meta, "emphasis": w.Emphasis,
		"body": w.Body, "anchor": w.Anchor}
}

// said are the weights that somebody gave.
func said(weights map[string]*float64) map[string]float64 {
	given := map[string]float64{}
	for name, w := range weights {
		if w != nil {
			given[name] = *w
		}
	}
	return given
}

func (w *SpeechWeights) byName() map[string]*float64 {
	return map[string]*float64{"noun": &w.Noun, "adjective": &w.Adjective, "verb": &w.Verb, "adverb": &w.Adverb, "function": &w.Function}
}

// unusual are the weights that are not 1: what a topic has to be told.
func unusual(weights map[string]*float64) map[string]float64 {
	told := map[string]float64{}
	for name, w := range weights {
		if *w != 1 {
			told[name] = *w
		}
	}
	return told
}

// Spec is the topic as package topic wants it told, without the example pages, which must be loaded first.
func (c *Config) Spec() topic.Spec {
	t := c.Topic
	s := topic.Spec{
		Language: string(t.Language), About: t.About, Judge: string(t.Judge), With: t.With, Content: t.Content, Calibrate: t.Calibrate,
		Threshold: t.Threshold, Model: t.Model, TF: t.TF, Centre: topic.Centre(t.Centre), Relative: t.Relative, UserDict: c.Text.UserDict, Limit: int(c.Text.Limit),
		Positions: said(t.Positions.byName()), Speech: unusual(t.Speech.byName()),
	}
	if c.Text.Limit == 0 {
		s.Limit = -1
	}
	for _, term := range t.Terms {
		s.Terms = append(s.Terms, topic.Term{Term: term.Term, Weight: term.Weight})
	}
	return s
}
