package disk

import (
	"encoding/binary"
	"math/bits"
)

// key is the secret of a frontier's hashes: who does not know it can neither make two addresses one nor fill one
// corner of the table.
type key [2]uint64

// hash is SipHash-2-4. Of 1e7 addresses two have the same with a probability of 3 in a million.
func (k key) hash(s string) uint64 {
	v0, v1 := k[0]^0x736f6d6570736575, k[1]^0x646f72616e646f6d
	v2, v3 := k[0]^0x6c7967656e657261, k[1]^0x7465646279746573
	last := uint64(len(s)) << 56
	for ; len(s) >= 8; s = s[8:] {
		m := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		v3 ^= m
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		v0 ^= m
	}
	for i := range len(s) {
		last |= uint64(s[i]) << (8 * i)
	}
	v3 ^= last
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0 ^= last
	v2 ^= 0xff
	for range 4 {
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	}
	return v0 ^ v1 ^ v2 ^ v3
}

// sipRound is the round function of SipHash.
func sipRound(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v3
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 += v3
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 += v1
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v2 = bits.RotateLeft64(v2, 32)
	return v0, v1, v2, v3
}

func keyOf(b []byte) key {
	return key{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

// seen finds items by the hash of their identity: open addressing with linear probing, in 256 tables by the first
// bits of the hash. Each doubles on its own, so that no push waits for a table of ten million to be copied.
type seen [256]table

// table has slots of an item's number and the last 32 bits of its hash, which also choose the slot. 0 is empty.
type table struct {
	slots []uint64
	used  int
}

// find answers the number under which a hash was put, 0 if it was not. same tells whether a number's whole hash is
// the one that is looked for.
func (s *seen) find(hash uint64, same func(id uint32) bool) uint32 {
	t := &s[hash>>56]
	if t.used == 0 {
		return 0
	}
	mask := uint32(len(t.slots) - 1)
	for i := uint32(hash) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if x := t.slots[i]; uint32(x>>32) == uint32(hash) && same(uint32(x)) {
			return uint32(x)
		}
	}
	return 0
}

// first is the slot at which find begins.
func (s *seen) first(hash uint64) uint64 {
	t := &s[hash>>56]
	if t.used == 0 {
		return 0
	}
	return t.slots[uint32(hash)&uint32(len(t.slots)-1)]
}

// put adds a number under a hash that find did not find. A table is at most three quarters full, so that a search meets an empty slot
// soon; nothing is ever taken out, so that it may end there.
func (s *seen) put(hash uint64, id uint32) {
	t := &s[hash>>56]
	if t.used >= len(t.slots)/4*3 {
		t.grow()
	}
	t.insert(hash<<32 | uint64(id))
	t.used++
}

func (t *table) insert(x uint64) {
	mask := uint32(len(t.slots) - 1)
	i := uint32(x>>32) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = x
}

// grow doubles a table. The hashes are in the slots, so that no item is read for it.
func (t *table) grow() {
	old := t.slots
	t.slots = make([]uint64, max(16, 2*len(old)))
	for _, x := range old {
		if x != 0 {
			t.insert(x)
		}
	}
}
