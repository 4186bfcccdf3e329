package opinion

import (
	"context"
	"fmt"
	"math"
)

// a vector is what a model makes of a page, one long.
type vector []float64

func (v vector) dot(w vector) (sum float64) {
	for i := range v {
		sum += v[i] * w[i]
	}
	return sum
}

// one makes a vector one long. It tells whether that can be done.
func (v vector) one() bool {
	norm := math.Sqrt(v.dot(v))
	if !(norm > 0) || math.IsInf(norm, 0) {
		return false
	}
	for i := range v {
		v[i] /= norm
	}
	return true
}

// embed asks for the embedding of one page. All that a model gives are as long as the first one, which says how long by 0.
func (m *Model) embed(ctx context.Context, p *Page, long int) (vector, error) {
	var reply struct {
		Data []struct {
			Embedding vector `json:"embedding"`
		} `json:"data"`
	}
	question := struct {
		Model string `json:"model"`
		Input string `json:"input"`
	}{m.Name, p.title() + "\n\n" + p.text()}
	if err := m.post(ctx, "/embeddings", &question, &reply); err != nil {
		return nil, err
	}
	if len(reply.Data) != 1 || len(reply.Data[0].Embedding) == 0 {
		return nil, nonsense("it has not one embedding")
	}
	v := reply.Data[0].Embedding
	if long != 0 && len(v) != long {
		return nil, nonsense(fmt.Sprintf("an embedding of %d numbers, after one of %d", len(v), long))
	}
	if !v.one() {
		return nil, nonsense("an embedding without a direction")
	}
	return v, nil
}

// sides are the directions in which sure and foreign pages lie, and the line between them.
type sides struct {
	sure, foreign vector // sums of what lies there
	line          float64
}

// apart is how far from the line a page lies that is of one side: nearer than that is no more than rounding.
const apart = 1e-6

// lean is how much nearer a page lies to the sure pages than to the foreign ones. It may be one of either, and is then left out.
func (s *sides) lean(v, ofSure, ofForeign vector) float64 {
	near := func(sum, without vector) float64 {
		w := append(vector(nil), sum...)
		for i := range without {
			w[i] -= without[i]
		}
		if !w.one() {
			return 0
		}
		return w.dot(v)
	}
	return near(s.sure, ofSure) - near(s.foreign, ofForeign)
}

// part finds the line between two sides, and tells how many of their pages lie on the right side of it, of each by the others.
func (s *sides) part(sure, foreign []vector) (right int) {
	s.sure, s.foreign = sum(sure), sum(foreign)
	var in, out []float64
	inMean, outMean := 0.0, 0.0
	for _, v := range sure {
		in = append(in, s.lean(v, v, nil))
		inMean += in[len(in)-1] / float64(len(sure))
	}
	for _, v := range foreign {
		out = append(out, s.lean(v, nil, v))
		outMean += out[len(out)-1] / float64(len(foreign))
	}
	s.line = (inMean + outMean) / 2
	for _, x := range in {
		if x-s.line > apart {
			right++
		}
	}
	for _, x := range out {
		if s.line-x > apart {
			right++
		}
	}
	return right
}

func sum(all []vector) vector {
	total := make(vector, len(all[0]))
	for _, v := range all {
		for i := range v {
			total[i] += v[i]
		}
	}
	return total
}

// byEmbedding asks where a page lies.
func (m *Model) byEmbedding(ctx context.Context, p *Page, s *sides) (Opinion, error) {
	v, err := m.embed(ctx, p, len(s.sure))
	if err != nil {
		return Opinion{}, err
	}
	o := Opinion{Model: m.Name, Relevant: true, Reason: "it lies with the pages that surely belong to the topic"}
	if lean := s.lean(v, nil, nil) - s.line; lean <= 0 {
		o.Relevant, o.Reason = false, "it lies with the pages that are clearly foreign"
	}
	return o, nil
}
