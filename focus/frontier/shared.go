package frontier

// Command is what all machines of a crawl are told to do.
type Command uint8

// The commands. A crawl that nobody told anything goes on.
const (
	GoOn  Command = iota
	Pause         // begin no visit until told to go on
	Stop          // end after the visits under way
)

var commands = [...]string{"go on", "pause", "stop"}

func (c Command) String() string {
	if int(c) < len(commands) {
		return commands[c]
	}
	return "unknown"
}

// CommandOf is the command of a name; GoOn if there is none.
func CommandOf(name string) Command {
	for c, n := range commands {
		if n == name {
			return Command(c)
		}
	}
	return GoOn
}

// Batcher takes all links of a page at once, which saves a frontier on another machine as many round trips, and one of many
// links on this machine as many waits for the memory.
type Batcher interface {
	// PushAll is Push of each, in order. After an error, some may have been pushed; to push them again does no harm.
	PushAll(items []Item) ([]Pushed, error)
	// FindAll is Find of each.
	FindAll(identities []string) []uint64
}

// FindAll is Find of each, all at once where the frontier can. One that cannot find knows none.
func FindAll(f Finder, identities []string) []uint64 {
	if b, ok := f.(Batcher); ok && len(identities) > 0 {
		return b.FindAll(identities)
	}
	ids := make([]uint64, len(identities))
	for i := range ids {
		if f != nil && identities[i] != "" {
			ids[i] = f.Find(identities[i])
		}
	}
	return ids
}

// Pushed is what became of an item that was pushed.
type Pushed struct {
	ID     uint64
	Fresh  bool // it is new
	Raised bool // it waited, and got a better standing
}
