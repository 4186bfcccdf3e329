package rank

// Memory holds what grows with each in-link and each fetch, by item id. A nil *Memory remembers nothing.
type Memory struct{}

// NewMemory makes an empty memory.
func NewMemory() *Memory { return &Memory{} }

// Linked tells that a link to item was seen, with the evidence it was ranked by.
func (m *Memory) Linked(item uint64, e *Evidence) {}

// Fetched tells how a promise turned out. It answers the waiting items whose scores this changes, the nearest first,
// at most limit of them.
func (m *Memory) Fetched(item uint64, relevance float64, relevant bool, limit int) []uint64 {
	return nil
}

// State is what the memory holds, to be saved; Restore takes it back.
func (m *Memory) State() []byte { return nil }

// Restore takes back what State gave.
func (m *Memory) Restore(state []byte) error { return nil }
