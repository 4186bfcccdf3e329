package rank

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Trail is what the ranking carries along a chain of links: it is kept in the item's note.
type Trail struct {
	Depth     uint16  // links from a seed
	Drought   uint16  // pages since the last relevant one, that page not counted
	Allowance int16   // how many more irrelevant pages the trail may cross (tunnel)
	Inherited float32 // what the page inherited of its ancestors' relevance
}

// Append writes the trail to a note; ParseTrail reads it and answers the rest of the note.
func (t Trail) Append(note []byte) []byte {
	note = binary.AppendUvarint(note, uint64(t.Depth))
	note = binary.AppendUvarint(note, uint64(t.Drought))
	note = binary.AppendVarint(note, int64(t.Allowance))
	return binary.LittleEndian.AppendUint32(note, math.Float32bits(t.Inherited))
}

var errTrail = errors.New("the note of an item holds no trail; it was written by another version or is damaged")

// ParseTrail reads a trail from a note.
func ParseTrail(note []byte) (t Trail, rest []byte, err error) {
	depth, n := binary.Uvarint(note)
	if n <= 0 || depth > math.MaxUint16 {
		return Trail{}, nil, errTrail
	}
	note = note[n:]
	drought, n := binary.Uvarint(note)
	if n <= 0 || drought > math.MaxUint16 {
		return Trail{}, nil, errTrail
	}
	note = note[n:]
	allowance, n := binary.Varint(note)
	if n <= 0 || allowance < math.MinInt16 || allowance > math.MaxInt16 || len(note) < n+4 {
		return Trail{}, nil, errTrail
	}
	inherited := math.Float32frombits(binary.LittleEndian.Uint32(note[n:]))
	if !(0 <= inherited && inherited <= 1) {
		return Trail{}, nil, errTrail
	}
	return Trail{uint16(depth), uint16(drought), int16(allowance), inherited}, note[n+4:], nil
}

// Tunnel says how long a trail may stay irrelevant. Every page has an allowance: a seed's is Depth, a link of a
// relevant page gets more than its page had, a link of an irrelevant page less, and below 0 it does not enter.
type Tunnel struct {
	Depth     int     `yaml:"depth" doc:"the allowance of a seed; -1 is no bound" check:"-1..10000"`
	Max       int     `yaml:"max" doc:"the most an allowance can grow to; -1 is twice the depth" check:"-1..20000"`
	Step      int     `yaml:"step" doc:"how much it is raised and lowered" check:"1..10000"`
	Raise     string  `yaml:"raise" doc:"inc raises by a step, reset to depth at once, as in fish and shark" check:"inc|reset"`
	Threshold float64 `yaml:"threshold" doc:"the relevance from which it is raised; 0 is the judge's own" check:"0..1"`
	Spent     string  `yaml:"spent" doc:"links of a page that has none left: judge lets those of a relevant page in, drop none, tail all" check:"judge|drop|tail"`
}

// Check sees to it that an allowance can start where it says, and grow to what it says. A maximum of 0 beside a start of
// one step is hard focus: the start pages are followed whatever they are, and after them no irrelevant page is.
func (u *Tunnel) Check(wrong func(key, want string)) {
	hard := u.Max == 0 && u.Depth <= u.Step
	switch {
	case u.Max < 0, u.Max == u.Depth, hard:
	case u.Depth < 0:
		wrong("max", fmt.Sprintf("is %d, and depth -1, no bound; take it out, or give a depth", u.Max))
	case u.Max < u.Depth:
		wrong("max", fmt.Sprintf("is %d, and depth %d: an allowance cannot start above the most it can grow to; want at least %d, or -1, twice the depth", u.Max, u.Depth, u.Depth))
	case u.Raise == "reset":
		wrong("max", fmt.Sprintf("is %d, and raise: reset never goes beyond depth, %d; take it out, or write raise: inc", u.Max, u.Depth))
	}
}

// Admit is the part of a strategy that says which links may enter.
type Admit struct {
	Blocks  string     `yaml:"blocks" doc:"all links, or only those in running text and in blocks of related links: related" check:"all|related"`
	Related page.Rules `yaml:"related" doc:"when a block of links is one of related links"`
	Tunnel  Tunnel     `yaml:"tunnel" doc:"how long a trail may stay irrelevant; left out, there is no bound"`
}

// Root is the trail of a seed.
func (s *Strategy) Root() Trail {
	t := Trail{Inherited: 1, Allowance: math.MaxInt16}
	if s.Admit.Tunnel.Depth >= 0 {
		t.Allowance = int16(s.Admit.Tunnel.Depth)
	}
	return t
}

// Refuses says why a link does not enter, in a word: "tunnel" when the trail has been irrelevant for too long, "block"
// when the link stands in a block of links that are not related. It is empty for a link that enters.
func (s *Strategy) Refuses(e *Evidence) string {
	if _, enter := s.Admit.Tunnel.next(e); !enter {
		return "tunnel"
	}
	if s.blocked(e) {
		return "block"
	}
	return ""
}

// blocked tells of a link that it stands in a block from which none enter.
func (s *Strategy) blocked(e *Evidence) bool {
	return s.Admit.Blocks == "related" && e.unrelated(&s.Admit.Related)
}

// Follow is the trail of the page a link leads to. If enter is false it does not enter; Refuses says why.
func (s *Strategy) Follow(e *Evidence) (t Trail, enter bool) {
	t = e.Trail
	t.Depth = more(t.Depth)
	t.Drought = more(t.Drought)
	if e.Judgement.Relevant {
		t.Drought = 0
	}
	t.Allowance, enter = s.Admit.Tunnel.next(e)
	for _, c := range s.carriers {
		c.Carry(e, &t)
	}
	return t, enter && !s.blocked(e)
}

// more counts up and stays at the end of its range: a trap may be deeper than anybody counts.
func more(n uint16) uint16 {
	if n == math.MaxUint16 {
		return n
	}
	return n + 1
}

// next is the allowance of the links of a page, and whether they enter at all.
func (u Tunnel) next(e *Evidence) (allowance int16, enter bool) {
	have := int(e.Trail.Allowance)
	if u.Depth < 0 {
		return e.Trail.Allowance, true
	}
	if have <= 0 && u.Spent == "drop" {
		return 0, false
	}
	switch raise := u.raises(e); {
	case raise > 0 && u.Raise == "reset":
		have = u.Depth
	case raise > 0:
		have = min(u.Max, have+u.Step)
	case raise < 0:
		have -= u.Step
	}
	if have < 0 && u.Spent == "tail" {
		have = 0
	}
	return int16(max(have, -1)), have >= 0
}

// raises tells whether a page's relevance raises the allowance (1), lowers it (-1) or leaves it (0).
func (u Tunnel) raises(e *Evidence) int {
	above, equal := e.Judgement.Relevant, false
	if u.Threshold > 0 {
		above = e.Judgement.Relevance > u.Threshold
		equal = e.Judgement.Relevance == u.Threshold
	}
	switch {
	case above || equal && u.Raise == "reset":
		return 1
	case equal:
		return 0
	}
	return -1
}
