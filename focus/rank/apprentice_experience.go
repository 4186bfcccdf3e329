package rank

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
	k := coder{pack.Coder{Bytes: []byte{experienceVersion}}}
	k.Count(p.Bits)
	k.parts(p, m.serves.parts())
	k.portable(p)
	return k.Bytes
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
	k, bits := reading(experience[1:]), 0
	if upTo(&k, &bits, hashBits); !k.Bad && bits != fresh.Bits {
		return fmt.Errorf("the other crawl told words apart by %d bits, this one by %d; make them alike", bits, fresh.Bits)
	}
	k.parts(fresh, m.serves.parts())
	if k.portable(fresh); k.Done() != nil {
		return errExperience
	}
	for _, head := range []*learn.Online{fresh.chance, fresh.future} {
		for i := range head.Changed(0, len(head.Moved)) {
			head.Moved[i] *= float32(trust)
		}
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

// weight is that of one place; what is read for none is passed over.
func (k *coder) weight(head *learn.Online, at int) {
	var weight, moved float32
	if at >= 0 {
		weight, moved = head.Weight[at], head.Moved[at]
	}
	k.Float32(&weight)
	k.Float32(&moved)
	k.must(math.Abs(float64(weight)) <= math.MaxFloat32 && 0 <= moved && moved <= math.MaxFloat32)
	if k.Read && !k.Bad && at >= 0 {
		head.Set(at, weight, moved)
	}
}

// parts are the weights of parts, by their names, and of the bias. Those of parts that have no such name here are passed over.
func (k *coder) parts(p *apprentice, names []string) {
	known := map[string]int{}
	for part, name := range names {
		known[name] = part
	}
	nowhere := slices.Repeat([]int{-1}, 1+levels)
	if room(k, &names, maxNodes); k.Bad {
		return
	}
	for i := range names {
		k.Text(&names[i])
		places := nowhere
		if part, ok := known[names[i]]; ok {
			places = p.weightsOf(part)
		}
		for _, at := range places {
			k.weight(p.chance, at)
			k.weight(p.future, at)
		}
	}
	k.weight(p.chance, 0)
	k.weight(p.future, 0)
}

// portable is what the words are worth that mean the same everywhere.
func (k *coder) portable(p *apprentice) {
	hashed := p.hashed()
	k.head(p.chance, hashed, hashed+1<<(p.Bits-1))
	k.head(p.future, hashed, hashed+1<<(p.Bits-1))
}
