package frontier

import "hash/maphash"

// names are the numbers of the hosts by their names, in so little memory that it stays near: open addressing with linear
// probing, where a slot is half of a name's hash and, below it, the host's number counted from 1. 0 is empty. The names
// themselves stand with the hosts. No order depends on the hash, which is another in every process.
type names struct {
	seed  maphash.Seed
	slots []uint64
	used  int
}

// hashed is the half of a hash that slots have.
const hashed = 1<<64 - 1<<32

func newNames() names { return names{seed: maphash.MakeSeed(), slots: make([]uint64, 16)} }

func (t *names) hash(name string) uint64 { return maphash.String(t.seed, name) & hashed }

// slot is where the search for a hash begins.
func (t *names) slot(hash uint64) int { return int(hash>>32) & (len(t.slots) - 1) }

// find answers the number that was put under a hash and that is the right one, nowhere if there is none.
func (t *names) find(hash uint64, right func(n uint32) bool) uint32 {
	for i := t.slot(hash); t.slots[i] != 0; i = (i + 1) & (len(t.slots) - 1) {
		if x := t.slots[i]; x&hashed == hash && right(uint32(x)-1) {
			return uint32(x) - 1
		}
	}
	return nowhere
}

// put adds a number under a hash.
func (t *names) put(hash uint64, n uint32) {
	if t.used >= len(t.slots)/4*3 {
		t.grow()
	}
	t.insert(hash | uint64(n+1))
	t.used++
}

func (t *names) grow() {
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	for _, x := range old {
		if x != 0 {
			t.insert(x)
		}
	}
}

func (t *names) insert(x uint64) {
	i := t.slot(x & hashed)
	for t.slots[i] != 0 {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = x
}

// named is the number of a host; nowhere if it was never named.
func (s *Schedule[P]) named(name string) uint32 {
	return s.names.find(s.names.hash(name), func(n uint32) bool { return s.hosts[n].name == name })
}
