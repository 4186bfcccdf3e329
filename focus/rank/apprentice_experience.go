package rank

import (
	"errors"
	"fmt"
	"math"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// experienceVersion is the first byte of an experience.
const experienceVersion = 1

// Experience is what an apprentice has learned that holds on other webs, too: what its parts are worth, by their names,
// and the words that mean the same everywhere; nothing of a host, a page or a block. It is nil where none has learned.
func (m *Memory) Experience() []byte {
	if m == nil || m.apprentice == nil || m.all.Fetched == 0 {
		return nil
	}
	p := m.apprentice
	w := newWriter(experienceVersion)
	w.Count(p.Bits)
	names := m.serves.parts()
	w.Count(len(names))
	for part, name := range names {
		w.Text(name)
		for _, at := range p.weightsOf(part) {
			w.weight(p.chance, at)
			w.weight(p.future, at)
		}
	}
	w.weight(p.chance, 0)
	w.weight(p.future, 0)
	hashed := p.hashed()
	portable := hashed + 1<<(p.Bits-1)
	for _, head := range []*learn.Online{p.chance, p.future} {
		w.head(head, hashed, portable)
	}
	return w.Writer
}

var errExperience = errors.New("what another crawl has learned is damaged; export it again")

// Begin lets the apprentice begin with what another one has learned elsewhere. trust is how much of its confidence is
// taken over: with less of it, weights move faster. Parts go by their names; those that are not known there keep the
// weights they start from. It comes after Serve, before the first link.
func (m *Memory) Begin(experience []byte, trust float64) error {
	if m.serves == nil || m.apprentice == nil {
		return errors.New("a strategy without an apprentice has no use for what another crawl has learned")
	}
	if len(experience) == 0 {
		return errExperience
	}
	if err := pack.Version(int(experience[0]), experienceVersion); err != nil {
		return fmt.Errorf("what another crawl has learned: %w", err)
	}
	fresh := newApprentice(m.apprentice.Apprenticeship, m.serves.weights())
	r := newReader(experience[1:])
	if bits := r.UpTo(hashBits); !r.Bad && bits != fresh.Bits {
		return fmt.Errorf("the other crawl told words apart by %d bits, this one by %d; make them alike", bits, fresh.Bits)
	}
	if r.parts(fresh, m.serves.parts()); r.Bad {
		return errExperience
	}
	hashed := fresh.hashed()
	for _, head := range []*learn.Online{fresh.chance, fresh.future} {
		r.head(head, hashed, hashed+1<<(fresh.Bits-1))
		for i := range head.Changed(0, len(head.Moved)) {
			head.Moved[i] *= float32(trust)
		}
	}
	if r.Bad || len(r.Left) > 0 {
		return errExperience
	}
	m.apprentice = fresh
	return nil
}

// parts are the names of an apprentice's parts. Of two of a name the second is told by its place.
func (s *Strategy) parts() (names []string) {
	seen := map[string]bool{}
	n := &s.nodes[s.apprentice]
	for j := s.apprentice + saysEnd; j < n.end; j = s.nodes[j].end {
		name := s.nodes[j].Name
		if seen[name] {
			name = fmt.Sprintf("%s %d", name, len(names))
		}
		seen[name] = true
		names = append(names, name)
	}
	return names
}

// weightsOf are the places of a part's weights: its own and those of its levels.
func (p *apprentice) weightsOf(part int) []int {
	at := []int{1 + part}
	for l := range levels {
		at = append(at, 1+p.parts+part*levels+l)
	}
	return at
}

func (w *writer) weight(head *learn.Online, at int) {
	w.Float32(head.Weight[at])
	w.Float32(head.Moved[at])
}

func (r *reader) weight(head *learn.Online, at int) {
	weight, moved := r.Float32(), r.Float32()
	if !(math.Abs(float64(weight)) <= math.MaxFloat32) || !(0 <= moved && moved <= math.MaxFloat32) {
		r.Bad = true
		return
	}
	if at >= 0 {
		head.Set(at, weight, moved)
	}
}

// parts reads the weights of parts, and of the bias. Those of parts that have no such name here are passed over.
func (r *reader) parts(p *apprentice, names []string) {
	known := map[string]int{}
	for part, name := range names {
		known[name] = part
	}
	nowhere := make([]int, 1+levels)
	for i := range nowhere {
		nowhere[i] = -1
	}
	for range r.UpTo(maxNodes) {
		places := nowhere
		if part, ok := known[r.Text()]; ok {
			places = p.weightsOf(part)
		}
		for _, at := range places {
			r.weight(p.chance, at)
			r.weight(p.future, at)
		}
	}
	r.weight(p.chance, 0)
	r.weight(p.future, 0)
}
