package index

import (
	_ "embed"
	"fmt"
	"os"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// Weights say how much each thing counts in the order of results.
type Weights struct {
	Title      float64 `yaml:"title" doc:"how much a word in the title counts" check:"0..1000"`
	Headings   float64 `yaml:"headings" doc:"the same of headings" check:"0..1000"`
	Text       float64 `yaml:"text" doc:"the same of the text itself" check:"0..1000"`
	Links      float64 `yaml:"links" doc:"the same of the words of links that lead to the page" check:"0..1000"`
	Address    float64 `yaml:"address" doc:"the same of the words of its address" check:"0..1000"`
	Order      float64 `yaml:"order" doc:"how much two words count that stand side by side in a title or heading as in the query, beside the words themselves" check:"0..1000"`
	Saturation float64 `yaml:"saturation" doc:"k of BM25: from how many times on more of the same word counts little" check:"0..100"`
	Length     float64 `yaml:"length" doc:"b of BM25: how much a long field counts against its words" check:"0..1"`
	Relevance  float64 `yaml:"relevance" doc:"how much a page of relevance 1 is raised above one of 0" check:"0..1000"`
	Importance float64 `yaml:"importance" doc:"how much the most important page is raised above one of no importance" check:"0..1000"`
	Front      float64 `yaml:"front" doc:"how much the front page of a site is raised above one far below it" check:"0..1000"`
	PerSite    int     `yaml:"per_site" doc:"how many pages of one site are shown before the others are folded away; 0: all" check:"0..1000"`
	Duplicates int     `yaml:"duplicates" doc:"in how many of 64 bits the fingerprints of near duplicates differ at most" check:"0..16"`
}

//go:embed weights.yaml
var usual []byte

// DefaultWeights are those of weights.yaml.
func DefaultWeights() Weights {
	var w Weights
	if err := strict.Decode("weights.yaml", usual, &w); err != nil {
		panic(err) // it is embedded, and a test reads it
	}
	return w
}

// ReadWeights reads a file of weights; keys that are not in it keep their defaults.
func ReadWeights(path string) (Weights, error) {
	w := DefaultWeights()
	raw, err := os.ReadFile(path)
	if err != nil {
		return w, fmt.Errorf("weights: %w", err)
	}
	return w, strict.Decode(path, raw, &w)
}

// of is the weight of each field.
func (w *Weights) of() [fieldCount]float64 {
	return [fieldCount]float64{title: w.Title, headings: w.Headings, body: w.Text, inlinks: w.Links, address: w.Address}
}
