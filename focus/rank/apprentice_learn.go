package rank

import (
	"cmp"
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// experience takes the outcome of a link: the apprentice learns from it with the features the link has now, before they know
// of it. The page before has had its links told by then, and teaches what lay behind the link to it.
func (m *Memory) experience(en *entry, relevance float64) {
	p := m.apprentice
	if p == nil {
		return
	}
	p.reap()
	p.page = 0
	if len(en.links) == 0 {
		return
	}
	if !m.serves.features(m, en, p) {
		return
	}
	p.page = en.item
	chance := learn.Sigmoid(p.chance.Score(p.x) + p.chance.Score(p.words))
	p.move(p.chance, (1+p.Success*relevance)*(chance-relevance))
}

// reap learns what lay behind the last page: the mean of the best chances among its new links.
func (p *apprentice) reap() {
	if p.page == 0 {
		return
	}
	behind := 0.0
	for _, chance := range p.best {
		behind += float64(chance)
	}
	behind /= float64(p.Best)
	future := p.future.Score(p.x) + p.future.Score(p.words)
	p.move(p.future, future-behind)
	p.best = p.best[:0]
}

func (p *apprentice) move(head *learn.Online, slope float64) {
	head.Move(p.x, slope, learn.Rate{Step: p.PartStep, Floor: p.PartFloor})
	head.Move(p.words, slope, learn.Rate{Step: p.Step, Floor: p.Floor})
}

// hear hears of a link to an address that waits.
func (p *apprentice) hear(en *entry, s *sighting) {
	if s.spoken.count > 0 {
		en.spoken.add(s.spoken, p.Links)
	}
	if s.parent == p.page && p.page != 0 && en.degree == 1 {
		p.sow(s.chance)
	}
}

// sow hears of a link on the page whose links are told now, to an address nobody linked to before.
func (p *apprentice) sow(chance float32) {
	at, _ := slices.BinarySearchFunc(p.best, chance, func(a, b float32) int {
		if a > b {
			return -1
		}
		return 1
	})
	if at < p.Best {
		p.best = slices.Insert(p.best, at, chance)
		p.best = p.best[:min(len(p.best), p.Best)]
	}
}

// features writes down what an apprentice knows of an address: of the best of the links to it, as it is now.
func (s *Strategy) features(m *Memory, en *entry, p *apprentice) bool {
	numbers, ok := s.again(m, en)
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
