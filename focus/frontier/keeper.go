package frontier

import "time"

// Keeper is a frontier that outlives the process. What it keeps of a visit (its pushes, its outcome, counters,
// lesson and file lengths) it keeps as a whole or not at all.
type Keeper interface {
	// Restored is what was found when it was opened. Ask before the first Snapshot, which lets go of what was
	// learned before.
	Restored() Restored
	// Snapshot keeps what the strategy has learned, as it is between two visits, so that fewer lessons need
	// to be repeated when it is opened again. What it is given must stay as it is.
	Snapshot(learned []byte) error
	// Sync returns when everything told so far is safe. It need not be called: an outcome is safe after a
	// second at the latest.
	Sync() error
}

// Restored is what a frontier that persists remembers beside its links.
type Restored struct {
	Items    int              // items there ever were; 0 for a new frontier
	Waiting  int              // items that wait, the interrupted ones included
	At       time.Time        // what the clock showed when the last outcome was told; zero if none was
	Counters map[string]int64 // the sums of Outcome.Counters
	Files    map[string]int64 // the last length told of each output file: cut back what is longer
	Learned  []byte           // given to the last Snapshot
	Lessons  [][]byte         // told since then, in order
	Leases   []Lease          // visits that were interrupted, in the order in which they began and will be repeated
}

// Lease is a visit that was begun and not ended.
type Lease struct {
	ID   uint64
	Host string
	At   time.Time // when it was popped
}
