package rank

import (
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Evidence is all that a factor may know about one link. It knows no clock, no network, no frontier. What costs
// something is worked out when a factor first asks, and kept for the next.
type Evidence struct {
	Topic     *topic.Topic
	Page      *page.Page      // the page the link stands on
	Judgement topic.Judgement // what was judged of it
	Trail     Trail           // the trail that led to that page
	Link      *page.Link
	Parent    uint64  // the item of the page
	Item      uint64  // the item of the link's target, 0 while it is not known to the frontier
	Memory    *Memory // may be nil
	// Block judges a block of the page; the crawl keeps what it answered.
	Block func(int32) topic.Judgement
}

// Factor judges one aspect of one link. NaN means "no evidence". A factor cannot fail.
type Factor interface{ Score(*Evidence) float64 }

// Func is a function that is a Factor.
type Func func(*Evidence) float64

// Score calls f.
func (f Func) Score(e *Evidence) float64 { return f(e) }

// Carrier is a Factor that leaves something on the trail of a link's page.
type Carrier interface {
	Carry(e *Evidence, child *Trail)
}

// Trail is what the ranking carries along a chain of links: it is kept in the item's note.
type Trail struct {
	Depth     uint16  // links from a seed
	Drought   uint16  // pages since the last relevant one, that page not counted
	Allowance int16   // how many more irrelevant pages the trail may cross (tunnel)
	Inherited float32 // what the page inherited of its ancestors' relevance
}

// Append writes the trail to a note; ParseTrail reads it and answers the rest of the note.
func (t Trail) Append(note []byte) []byte { panic("rank: not built") }

// ParseTrail reads a trail from a note.
func ParseTrail(note []byte) (t Trail, rest []byte, err error) { panic("rank: not built") }

// Tunnel says how long a trail may stay irrelevant.
type Tunnel struct {
	Depth     int     // the allowance of a seed; negative: no bound
	Max       int     // the most an allowance can grow to
	Step      int     // how much it is raised and lowered
	Raise     string  // inc | reset
	Threshold float64 // the relevance from which it is raised
}

// Admit is the part of a strategy that says which links may enter.
type Admit struct {
	Tunnel Tunnel
}

// Strategy is a tree of factors with the rules around it.
type Strategy struct {
	Name    string
	About   string
	Judge   string // the judge that belongs to it, empty if any does
	Content string
	Admit   Admit
	Select  string // best | fifo | lifo | random | rounds | genetic | groups
	Source  string // the file it was read from
}

// Load reads a strategy. name is what errors call the file. All mistakes are reported at once.
func Load(name string, yaml []byte, r *Registry) (*Strategy, error) { panic("rank: not built") }

// Node is one node of the tree in reading order.
type Node struct {
	Name   string
	Depth  int
	Weight float64 // in its parent's mix; 1 elsewhere
	Use    string  // factor or branch: mix, best, product, gate
}

// Nodes are the nodes of the tree in reading order; Score writes one number for each.
func (s *Strategy) Nodes() []Node { panic("rank: not built") }

// Score walks the tree once, appends one number per node to numbers, and answers the score as a whole.
func (s *Strategy) Score(e *Evidence, numbers []float32) (float32, []float32) {
	panic("rank: not built")
}

// Root is the trail of a seed.
func (s *Strategy) Root() Trail { panic("rank: not built") }

// Follow is the trail of the page a link leads to. If enter is false the tunnel ends here.
func (s *Strategy) Follow(e *Evidence) (t Trail, enter bool) { panic("rank: not built") }

// Explain zips the tree with its numbers into lines for a person.
func (s *Strategy) Explain(numbers []float32) string { panic("rank: not built") }

// Fingerprint changes when the tree, its parameters or its rules change.
func (s *Strategy) Fingerprint() string { panic("rank: not built") }

// YAML is the strategy as it would be written.
func (s *Strategy) YAML() []byte { panic("rank: not built") }

// Registry knows the factors by name.
type Registry struct{}

// Factors is the registry of all factors of this package. A program adds its own with Register.
var Factors = NewRegistry()

// NewRegistry makes an empty registry; With answers a copy of another.
func NewRegistry() *Registry { return &Registry{} }

// Register adds a factor: its name, one line of documentation, the defaults of its parameters (a struct with yaml
// tags and doc tags) and its maker, which checks ranges. It panics on a name that is taken.
func Register[P any](r *Registry, name, doc string, defaults P, make func(P) (Factor, error)) {
	panic("rank: not built")
}
