package topic_test

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// coverage is a judge of our own: which share of the topic's terms a page names, however it speaks of them.
type coverage struct {
	least int
	terms map[string]topic.Keyword
}

// coverageParams are its parameters, as topic.with gives them.
type coverageParams struct {
	Least int `yaml:"least" doc:"how often a page must name a term" check:"1..100"`
}

func init() {
	topic.Register("coverage", "the share of the topic's terms that a page names", topic.Traits{Terms: true}, coverageParams{Least: 1},
		func(p coverageParams, m *topic.Material) topic.Judge {
			c := coverage{p.Least, map[string]topic.Keyword{}}
			for _, k := range m.Terms() {
				c.terms[k.Word] = k
			}
			return c
		})
}

func (c coverage) Score(b *topic.Bag, why []topic.Evidence) (float64, []topic.Evidence) {
	share := 0.0
	for i := range b.Len() {
		if k, ok := c.terms[b.Word(i)]; ok && b.Count(i) >= c.least {
			added := 1 / float64(len(c.terms))
			share += added
			why = append(why, topic.Evidence{Term: k.Written, Count: b.Count(i), Added: added})
		}
	}
	return share, why
}

// Relevance is the share as it is.
func (c coverage) Relevance(raw float64) float64 { return raw }

// A judge is one file: it registers itself with its parameters, and topic.judge of a crawl file may name it from then on.
func ExampleRegister() {
	with, err := strict.Parse("with", []byte("least: 2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	page := &text.Doc{Segments: []text.Segment{{Text: "solar panels, solar roofs and a roof"}}}
	for _, params := range []strict.Node{{}, with} {
		t, err := topic.New(topic.Spec{
			Judge: "coverage", With: params,
			Terms: []topic.Term{{Term: "solar", Weight: 1}, {Term: "panel", Weight: 1}, {Term: "battery", Weight: 1}},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.2f\n", t.Judge(page).Relevance)
	}
	_, err = topic.New(topic.Spec{Judge: "covrage"})
	fmt.Println(err)
	// Output:
	// 0.67
	// 0.33
	// judge is "covrage", want one of bm25, centroid, classifier, coverage, trained, vsm-restricted
}
