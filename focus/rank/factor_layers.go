package rank

import (
	"sync/atomic"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// layersParams are the parameters of layers.
type layersParams struct {
	Model string `yaml:"model" doc:"the model that tells the layers of links apart, made by thresher train layers; its path is relative to the file it stands in"`
}

func registerLayers(r *Registry) {
	RegisterModel(r, "layers", "how near to a page of the topic the link's words put it: 1 for a link straight to one, less by 1/classes for each link more",
		layersParams{}, func(p *layersParams) *string { return &p.Model },
		func(_ layersParams, raw []byte) (Factor, error) {
			if raw == nil {
				return layers{}, nil
			}
			m, err := readLayers(raw)
			return layers{m}, err
		})
}

type layers struct{ model *Layers }

func (f layers) Score(e *Evidence) float64 {
	if f.model == nil || e.Link == nil {
		return none
	}
	classes := f.model.Classes
	return 1 - float64(f.model.Class(e.Link)-1)/float64(classes)
}

// queues sees to it that links whose score is their class alone wait in as many queues as there are classes. Where the file
// does not say how many, the model does.
func (l *loader) queues(n strict.Node) {
	s := l.strategy
	rounds, ok := s.Select.Params.(*Rounds)
	if !ok || len(s.nodes) != 1 && s.hedge != 1 {
		return
	}
	f, ok := s.nodes[0].factor.(layers)
	if !ok || f.model == nil {
		return
	}
	chosen, _ := n.Get("select")
	with, _ := chosen.Get("with")
	queues, written := with.Get("queues")
	switch {
	case !written:
		rounds.Queues = f.model.Classes
	case rounds.Queues != f.model.Classes:
		l.wrong(queues.Problem("is %d, and the model of layers has %d classes: a class would share its queue, or have none of its own; want %d, or take it out",
			rounds.Queues, f.model.Classes, f.model.Classes))
	}
}

// Trained tells what the model was trained on.
func (f layers) Trained() ([]Ground, bool) {
	if f.model == nil {
		return nil, false
	}
	return f.model.Grounds, true
}

// Layers is a model that tells by the words of a link how many links it is away from a page of the topic (patent
// CN101101601): class 1 points straight at one.
type Layers struct {
	LayersAbout
	words   linkReader
	unigram *learn.Unigram
	ready   atomic.Pointer[classifier] // nil while it learns
}

// LayersAbout is what a model of layers says of itself: the second line of its file.
type LayersAbout struct {
	Classes    int      `json:"classes"`
	Membership string   `json:"membership"` // walk, per_target or nearest
	Smoothing  string   `json:"smoothing"`  // backoff or jm
	Lambda     float64  `json:"lambda,omitempty"`
	Links      []int    `json:"links"`      // learned from, by class
	Words      []int    `json:"words"`      // in them, by class
	Vocabulary []int    `json:"vocabulary"` // different ones, by class
	Grounds    []Ground `json:"trained_on"`
}

const (
	layersKind = "layers"
	trainLayer = "thresher train layers --web DIR:TOPIC --out FILE"
)

// NewLayers is a model that has seen nothing.
func NewLayers(classes int, membership, smoothing string, lambda float64) (*Layers, error) {
	u, err := learn.NewUnigram(classes, smoothing, lambda)
	if err != nil {
		return nil, err
	}
	if smoothing == "backoff" {
		lambda = 0
	}
	about := LayersAbout{Classes: classes, Membership: membership, Smoothing: smoothing, Lambda: lambda,
		Links: make([]int, classes), Words: make([]int, classes), Vocabulary: make([]int, classes)}
	return &Layers{LayersAbout: about, unigram: u}, nil
}

// Read is what a link says: the words of its address, and those of its anchor.
func (m *Layers) Read(l *page.Link) (address, anchor []string) { return m.words.Words(l) }

// Add takes a link that is in some classes, 1 to Classes.
func (m *Layers) Add(l *page.Link, classes ...int) {
	address, anchor := m.words.Words(l)
	words := append(address, anchor...)
	for _, c := range classes {
		m.unigram.Add(c, words)
		m.Links[c-1]++
		m.Words[c-1] += len(words)
	}
	m.ready.Store(nil)
}

// Class is the class of a link, the smallest of equals; the last where it knows none of the words.
func (m *Layers) Class(l *page.Link) int {
	c := m.ready.Load()
	if c == nil {
		c = newClassifier(m.unigram.Ready(), &m.words)
		m.ready.Store(c)
	}
	return c.class(l)
}

// Bytes is the model as its file holds it.
func (m *Layers) Bytes() ([]byte, error) {
	clear(m.Vocabulary)
	for _, counts := range m.unigram.Words {
		for c, n := range counts {
			if n > 0 {
				m.Vocabulary[c]++
			}
		}
	}
	return seal(layersKind, m.LayersAbout, m.unigram)
}

// readLayers reads a model of layers. The error says what the file is instead, and what to do.
func readLayers(raw []byte) (*Layers, error) {
	m := &Layers{unigram: &learn.Unigram{}}
	if err := unseal(raw, layersKind, trainLayer, &m.LayersAbout, m.unigram); err != nil {
		return nil, err
	}
	return m, m.unigram.Sound(m.Classes)
}
