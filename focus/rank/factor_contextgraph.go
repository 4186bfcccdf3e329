package rank

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
)

// contextGraphParams are the parameters of context-graph.
type contextGraphParams struct {
	Model      string  `yaml:"model" doc:"the model that tells the layers of pages apart, made by thresher train context; its path is relative to the file it stands in"`
	Confidence float64 `yaml:"confidence" doc:"how likely a layer must be; below that the page belongs to none of them, and its links come last" check:"0..1"`
}

func registerContextGraph(r *Registry) {
	RegisterModel(r, "context-graph", "how near to a page of the topic the words of the link's page put that: layers 0, 1, … and the rest, each a band, the likelier the higher in it",
		contextGraphParams{Confidence: 0.5}, func(p *contextGraphParams) *string { return &p.Model },
		func(p contextGraphParams, raw []byte) (Factor, error) {
			if raw == nil {
				return &contextGraph{}, nil
			}
			m, err := readContexts(raw)
			return &contextGraph{model: m, confidence: p.Confidence}, err
		})
}

// contextGraph gives all links of a page the same score: all of a better layer come before all of the next.
type contextGraph struct {
	model      *Contexts
	confidence float64
}

func (f *contextGraph) Score(e *Evidence) float64 {
	if f.model == nil || e.Page == nil {
		return none
	}
	s := e.sheet()
	score, known := s.layers[f]
	if !known {
		if s.layers == nil {
			s.layers = map[*contextGraph]float64{}
		}
		score = f.score(e.Page)
		s.layers[f] = score
	}
	return score
}

func (f *contextGraph) score(p *page.Page) float64 {
	layer, likely := f.model.Layer(f.model.Terms(p), f.confidence)
	bands := float64(f.model.Layers + 1)
	return unit((bands - 1 - float64(layer) + likely) / bands)
}

// Trained tells what the model was trained on.
func (f *contextGraph) Trained() ([]Ground, bool) {
	if f.model == nil {
		return nil, false
	}
	return f.model.Grounds, true
}

// Contexts is a model that tells by the words of a page how many links it is away from a page of the topic (Diligenti
// and others 2000): layer 0 are such pages themselves.
type Contexts struct {
	ContextsAbout
	cutter  *text.Cutter
	numbers contextNumbers
}

// ContextsAbout is what a model of contexts says of itself: the second line of its file.
type ContextsAbout struct {
	Layers   int      `json:"layers"`    // counted from layer 0
	PerPage  int      `json:"terms"`     // words of a page that count, those of the highest tf-idf
	Pages    []int    `json:"pages"`     // learned from, by layer
	Distinct int      `json:"different"` // words it knows
	Grounds  []Ground `json:"trained_on"`
}

// contextNumbers are what it has counted.
type contextNumbers struct {
	Pages float64            `json:"pages"` // all pages that words were counted in
	In    map[string]float64 `json:"in"`    // in how many of them a word occurs
	Bayes *learn.Bayes       `json:"bayes"`
}

const (
	contextsKind  = "context-graph"
	trainContexts = "thresher train context --web DIR:TOPIC --out FILE"
	contextLimit  = 20 << 10 // bytes of a page's text that are read
)

// TrainContexts learns from the pages of each layer.
func TrainContexts(layers [][]*page.Page, perPage int, laplace float64) *Contexts {
	m := newContexts()
	m.Layers, m.PerPage = len(layers), perPage
	m.numbers = contextNumbers{In: map[string]float64{}, Bayes: learn.NewBayes(len(layers), laplace)}
	var counted [][]map[string]int
	for _, pages := range layers {
		var of []map[string]int
		for _, p := range pages {
			words := m.count(p)
			for w := range words {
				m.numbers.In[w]++
			}
			of = append(of, words)
		}
		m.numbers.Pages += float64(len(pages))
		m.Pages = append(m.Pages, len(pages))
		counted = append(counted, of)
	}
	for layer, of := range counted {
		for _, words := range of {
			m.numbers.Bayes.Add(layer, m.best(words))
		}
	}
	for w := range m.numbers.In {
		if _, used := m.numbers.Bayes.Words[w]; !used {
			delete(m.numbers.In, w)
		}
	}
	m.Distinct = len(m.numbers.In)
	return m
}

func newContexts() *Contexts {
	cutter, _ := text.NewCutter(text.Options{}) // without a user dictionary nothing can be wrong
	return &Contexts{cutter: cutter}
}

// count counts the words of a page.
func (m *Contexts) count(p *page.Page) map[string]int {
	counts := map[string]int{}
	left := contextLimit
	var tokens []text.Token
	for _, run := range p.Runs {
		s := run.Text[:min(len(run.Text), left)]
		tokens = m.cutter.Cut(tokens[:0], s)
		for _, t := range tokens {
			counts[t.Term]++
		}
		if left -= len(s); left == 0 {
			break
		}
	}
	return counts
}

// Terms are the words of a page that count, each as often as it occurs.
func (m *Contexts) Terms(p *page.Page) []string { return m.best(m.count(p)) }

// best are the words of the highest tf-idf among those it knows, in the order of the alphabet.
func (m *Contexts) best(counts map[string]int) []string {
	type weighed struct {
		word   string
		weight float64
	}
	var all []weighed
	for w, n := range counts {
		if in, ok := m.numbers.In[w]; ok {
			all = append(all, weighed{w, float64(n) * learn.IDF(m.numbers.Pages, in)})
		}
	}
	slices.SortFunc(all, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.word, b.word))
	})
	all = all[:min(len(all), m.PerPage)]
	slices.SortFunc(all, func(a, b weighed) int { return cmp.Compare(a.word, b.word) })
	var words []string
	for _, w := range all {
		words = append(words, slices.Repeat([]string{w.word}, counts[w.word])...)
	}
	return words
}

// Layer is the layer of a page by its words, and how likely it is. Below the confidence it is none of them: the layer
// behind the last.
func (m *Contexts) Layer(words []string, confidence float64) (layer int, likely float64) {
	posterior, best := m.numbers.Bayes.Posterior(words)
	if likely = posterior[best]; likely < confidence {
		return m.Layers, likely
	}
	return best, likely
}

// Bytes is the model as its file holds it.
func (m *Contexts) Bytes() ([]byte, error) { return seal(contextsKind, m.ContextsAbout, m.numbers) }

// readContexts reads a model of contexts. The error says what the file is instead, and what to do.
func readContexts(raw []byte) (*Contexts, error) {
	m := newContexts()
	if err := unseal(raw, contextsKind, trainContexts, &m.ContextsAbout, &m.numbers); err != nil {
		return nil, err
	}
	if b := m.numbers.Bayes; b == nil || m.Layers < 1 || len(b.Docs) != m.Layers || len(b.Totals) != m.Layers || !(b.Laplace > 0 && b.Laplace < math.MaxFloat64) {
		return nil, errors.New("does not fit together; train anew with `" + trainContexts + "`")
	}
	for _, counts := range m.numbers.Bayes.Words {
		if len(counts) != m.Layers {
			return nil, errors.New("does not fit together; train anew with `" + trainContexts + "`")
		}
	}
	return m, nil
}
