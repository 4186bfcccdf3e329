package topic

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// Model is a judge that was trained. It gives calibrated probabilities.
type Model struct {
	Description
	bias float64
	word map[uint32]learned
}

// Description is what a model says of itself: the second line of its file, to be read with any editor.
type Description struct {
	Kind      string             `json:"kind"`
	Relevant  int                `json:"relevant"` // pages it learned from
	Other     int                `json:"other"`
	Threshold float64            `json:"threshold"` // of the probability
	F1        float64            `json:"f1"`        // on pages it had not seen, as all figures
	MacroF1   float64            `json:"macro_f1"`
	MicroF1   float64            `json:"micro_f1"`
	AP        float64            `json:"ap"`
	Platt     learn.Platt        `json:"platt"`
	Best      []Term             `json:"best"` // the words that speak for the topic most
	Terms     []string           `json:"terms,omitempty"`
	Content   string             `json:"content"`
	Positions map[string]float64 `json:"positions,omitempty"`
	Speech    map[string]float64 `json:"speech,omitempty"`
	Sources   *Sources           `json:"sources,omitempty"` // what it was trained on; nil in models of older programs
	Cut       int                `json:"cut,omitempty"`     // the text.Version that cut its words; 0 in models of older programs
}

// learned is what a model knows of a word.
type learned struct{ idf, weight float32 }

// Doubts are what a person should know before relying on a judge, each with what to do about it.
func (m *Model) Doubts() (doubts []string) {
	if weak(m.MacroF1, m.MicroF1) {
		doubts = append(doubts, fmt.Sprintf("the trained judge is weak (macro F1 %.2f, micro F1 %.2f on pages it had not seen, below %.2f): label more pages", m.MacroF1, m.MicroF1, goodF1))
	}
	if m.Cut != text.Version {
		doubts = append(doubts, "the trained judge learned when words were cut otherwise, and may not know those that pages have now: train it anew")
	}
	return doubts
}

// model learns from all pages.
func (c *corpus) model(o *TrainOptions, r *Report) *Model {
	m := &Model{word: make(map[uint32]learned), Description: Description{
		Kind: r.Kind, Relevant: r.Relevant, Other: r.Other, Threshold: r.Threshold, Platt: r.Platt,
		F1: r.F1, MacroF1: r.MacroF1, MicroF1: r.MicroF1, AP: r.AP,
		Content: o.Spec.Content, Positions: o.Spec.Positions, Speech: o.Spec.Speech, Cut: text.Version,
	}}
	for _, t := range o.Spec.Terms {
		m.Terms = append(m.Terms, t.Term)
	}
	w, idf := c.weights(r.Kind, c.set(r.Kind), o), c.idf()
	m.bias = float64(w[0])
	var speaking []weighed
	for row := 1; row < len(w); row++ {
		if w[row] == 0 && r.Kind == "vector" {
			continue
		}
		m.word[feature(c.words[row])] = learned{float32(idf[row]), w[row]}
		if w[row] > 0 {
			speaking = append(speaking, weighed{int32(row), float64(w[row]) * math.Sqrt(c.df[row])})
		}
	}
	slices.SortFunc(speaking, func(a, b weighed) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id)) })
	for _, s := range speaking[:min(len(speaking), bestOfExamples)] {
		m.Best = append(m.Best, Term{c.words[s.id], s.weight / speaking[0].weight})
	}
	return m
}

// score is the model's own number for the words of a page, with what each added.
func (m *Model) score(b *Bag, why []Evidence) (float64, []Evidence) {
	raw, norm := 0.0, 0.0
	for i, word := range b.words {
		l, ok := m.word[feature(word)]
		if !ok {
			continue
		}
		x := damp(b.tf[i])
		if m.Kind == "vector" {
			x = b.tf[i]
		}
		x *= float64(l.idf)
		norm += x * x
		added := x * float64(l.weight)
		raw += added
		why = append(why, Evidence{word, int(b.count[i]), added})
	}
	if norm == 0 {
		return m.bias, why
	}
	norm = math.Sqrt(norm)
	for i := range why {
		why[i].Added /= norm
	}
	return m.bias + raw/norm, why
}

const (
	modelMagic   = "thresher judge "
	modelVersion = 1
	maxModel     = 256 << 20 // bytes; a judge of a million words is 12 MB
)

// Bytes is the model as its file holds it: a line that says what it is, a line of JSON that describes it, the words'
// numbers, and a checksum of all that.
func (m *Model) Bytes() ([]byte, error) {
	description, err := json.Marshal(m.Description)
	if err != nil {
		return nil, fmt.Errorf("describe the model: %w", err)
	}
	out := fmt.Appendf(nil, "%s%d\n%s\n", modelMagic, modelVersion, description)
	out = binary.LittleEndian.AppendUint64(out, math.Float64bits(m.bias))
	var features []uint32
	for f := range m.word {
		features = append(features, f)
	}
	slices.Sort(features)
	out = binary.AppendUvarint(out, uint64(len(features)))
	before := uint32(0)
	for _, f := range features {
		l := m.word[f]
		out = binary.AppendUvarint(out, uint64(f-before))
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(l.idf))
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(l.weight))
		before = f
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

// Save writes the model to a file, in one step: a file that is there is whole.
func (m *Model) Save(path string) error {
	out, err := m.Bytes()
	if err != nil {
		return err
	}
	if err := whole.Write(path, out); err != nil {
		return fmt.Errorf("save the model as %q: %w", path, err)
	}
	return nil
}

// LoadModel reads a model that Save wrote.
func LoadModel(path string) (*Model, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxModel {
		return nil, fmt.Errorf("%q is %d bytes, more than any model: name a file that thresher train judge wrote", path, info.Size())
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := parseModel(raw)
	if err != nil {
		return nil, fmt.Errorf("%q %w", path, err)
	}
	return m, nil
}

var errCutModel = errors.New("is cut short or damaged: copy it again, or train it anew")

func parseModel(raw []byte) (*Model, error) {
	if !bytes.HasPrefix(raw, []byte(modelMagic)) {
		return nil, errors.New(noJudge(raw))
	}
	first, rest, ok := bytes.Cut(raw, []byte("\n"))
	if !ok || len(rest) < sha256.Size {
		return nil, errCutModel
	}
	version, err := strconv.Atoi(string(first[len(modelMagic):]))
	if err != nil {
		return nil, errCutModel
	}
	if err := pack.Version(version, modelVersion); err != nil {
		return nil, fmt.Errorf("is a model that this program cannot read: %w; or train it anew", err)
	}
	end := len(raw) - sha256.Size
	if sum := sha256.Sum256(raw[:end]); !bytes.Equal(sum[:], raw[end:]) {
		return nil, errCutModel
	}
	line, numbers, ok := bytes.Cut(rest[:len(rest)-sha256.Size], []byte("\n"))
	if !ok {
		return nil, errCutModel
	}
	m := &Model{word: make(map[uint32]learned)}
	if err := json.Unmarshal(line, &m.Description); err != nil {
		return nil, fmt.Errorf("has a description that cannot be read (%w): train it anew", err)
	}
	return m, m.numbers(numbers)
}

// noJudge says what a file is that does not begin as a judge does.
func noJudge(raw []byte) string {
	const cure = "name a file that thresher train judge wrote"
	head, _, _ := bytes.Cut(raw[:min(len(raw), 100)], []byte("\n"))
	rest, ours := strings.CutPrefix(string(head), "thresher ")
	if kind, version, ok := strings.Cut(rest, " "); ours && ok {
		if _, err := strconv.Atoi(version); err == nil {
			return "is a model for " + kind + ", which a strategy takes, and no judge: " + cure
		}
	}
	return "is no model: " + cure
}

// numbers reads the words' numbers.
func (m *Model) numbers(raw []byte) error {
	r := newReader(raw)
	m.bias = r.Float64()
	f := uint64(0)
	for range r.Count(9) {
		if f += uint64(r.Number32()); f > math.MaxUint32 {
			return errCutModel
		}
		m.word[uint32(f)] = learned{r.Float32(), r.Float32()}
	}
	if r.Bad || len(r.Left) > 0 {
		return errCutModel
	}
	return nil
}
