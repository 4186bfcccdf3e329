package rank

import (
	"cmp"
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// experience takes the outcome of a link: the apprentice learns from it with the features the link has now, before they know
// of it, and the pages on the way to it learn what lay behind them.
func (m *Memory) experience(en *entry, relevance float64) {
	p := m.apprentice
	if p == nil {
		return
	}
	p.told()
	v := &visited{finder: en.finder, relevance: float32(relevance)}
	if len(en.links) > 0 && m.serves.features(m, en, p) {
		v.x, v.words = p.x.Clone(), p.words.Clone()
		chance := learn.Sigmoid(p.chance.Score(p.x) + p.chance.Score(p.words))
		p.move(p.chance, p.x, p.words, (1+p.Success*relevance)*(chance-relevance))
	}
	p.page = en.item
	p.visit(en.item, v)
	p.credit(en.item, en.finder, relevance)
}

func (p *apprentice) move(head *learn.Online, x, words learn.Vector, slope float64) {
	head.Move(x, slope, learn.Rate{Step: p.PartStep, Floor: p.PartFloor})
	head.Move(words, slope, learn.Rate{Step: p.Step, Floor: p.Floor})
}

// hear hears of a link to an address that waits.
func (p *apprentice) hear(en *entry, s *seenLink) {
	if s.spoken.count > 0 {
		en.spoken.add(s.spoken, p.Links)
	}
	if en.degree > 1 {
		return
	}
	en.finder = s.parent
	if page := p.visited[s.parent]; page != nil {
		page.offer(child{s.item, s.promise}, p.Best)
	}
}

// features writes down what an apprentice knows of an address: of the best of the links to it, as it is now.
func (s *Strategy) features(m *Memory, en *entry, p *apprentice) bool {
	numbers, ok := s.again(m, en, m.desk(0, len(s.nodes)))
	if !ok {
		return false
	}
	n := &s.nodes[s.apprentice]
	p.x = learn.Vector{Index: append(p.x.Index[:0], 0), Value: append(p.x.Value[:0], 1)}
	p.words = learn.Vector{Index: p.words.Index[:0], Value: p.words.Value[:0]}
	part := 0
	for j := s.apprentice + saysEnd; j < n.end; j = s.nodes[j].end {
		v := numbers[j]
		if v == v && v != 0 {
			p.x.Index, p.x.Value = append(p.x.Index, uint32(1+part)), append(p.x.Value, v)
		}
		if p.Buckets > 0 {
			p.words.Index = append(p.words.Index, uint32(p.level(part, float64(v))))
			p.words.Value = append(p.words.Value, float32(p.Buckets))
		}
		part++
	}
	p.gather(en.spoken)
	return true
}

// gather adds the words that were said of an address, each once.
func (p *apprentice) gather(s speech) {
	from, hashed := len(p.words.Index), uint32(p.hashed())
	for i, word := range s.words {
		at, value := unpack(word)
		if i >= int(s.mine) {
			value /= float32(s.count)
		}
		p.words.Index, p.words.Value = append(p.words.Index, hashed+at), append(p.words.Value, value)
	}
	p.merge(from)
}

// merge adds up the words from the given place on that stand there several times, in the order of their hashes.
func (p *apprentice) merge(from int) {
	words := make([]weighed, 0, len(p.words.Index)-from)
	for i := from; i < len(p.words.Index); i++ {
		words = append(words, weighed{p.words.Index[i], p.words.Value[i]})
	}
	slices.SortStableFunc(words, func(a, b weighed) int { return cmp.Compare(a.at, b.at) })
	p.words.Index, p.words.Value = p.words.Index[:from], p.words.Value[:from]
	for i, w := range words {
		if i > 0 && words[i-1].at == w.at {
			p.words.Value[len(p.words.Value)-1] += w.value
			continue
		}
		p.words.Index, p.words.Value = append(p.words.Index, w.at), append(p.words.Value, w.value)
	}
}

// weighed is a word and what it counts.
type weighed struct {
	at    uint32
	value float32
}
