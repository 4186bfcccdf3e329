package disk

import (
	"encoding/hex"
	"fmt"
	"testing"
)

// The vectors are those of the paper on SipHash: key 00 01 … 0f, message 00 01 02 … of each length.
func TestSipHash(t *testing.T) {
	var k, message [16]byte
	for i := range k {
		k[i], message[i] = byte(i), byte(i)
	}
	for n, want := range map[int]string{0: "310e0edd47db6f72", 1: "fd67dc93c539f874", 7: "37d1018bf50002ab",
		8: "6224939a79f5f593", 15: "e545be4961ca29a1"} {
		h := keyOf(k[:]).hash(string(message[:n]))
		var b [8]byte
		for i := range b {
			b[i] = byte(h >> (8 * i))
		}
		if got := hex.EncodeToString(b[:]); got != want {
			t.Errorf("%d bytes: %s, want %s", n, got, want)
		}
	}
}

func TestSeen(t *testing.T) {
	k := key{1, 2}
	const n = 100_000
	var s seen
	hashes := make([]uint64, n+1)
	same := func(hash uint64) func(uint32) bool { return func(id uint32) bool { return hashes[id] == hash } }
	for id := uint32(1); id <= n; id++ {
		h := k.hash(fmt.Sprint(id))
		if got := s.find(h, same(h)); got != 0 {
			t.Fatalf("%d is found as %d before it was put", id, got)
		}
		hashes[id] = h
		s.put(h, id)
	}
	for id := uint32(1); id <= n; id++ {
		if got := s.find(hashes[id], same(hashes[id])); got != id {
			t.Fatalf("%d is found as %d", id, got)
		}
	}
	// Two hashes that differ only in bits that choose neither table nor slot are two.
	var close seen
	hashes[1], hashes[2] = 1<<63|7, 1<<63|1<<40|7
	close.put(hashes[1], 1)
	close.put(hashes[2], 2)
	for id := uint32(1); id <= 2; id++ {
		if got := close.find(hashes[id], same(hashes[id])); got != id {
			t.Errorf("%d is found as %d", id, got)
		}
	}
}
