package robots

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"slices"
)

// MaxHeld is how many bytes all rules together may take that a keeper remembers.
const MaxHeld = 32 << 20

// held are rules that so many hosts have.
type held struct {
	*Rules
	digest [sha256.Size]byte
	size   int
	hosts  int
}

// Rules are those of the host, nil where none are known. They never change.
func (h *Host) Rules() *Rules {
	if h.rules == nil {
		return nil
	}
	return h.rules.Rules
}

// Held are all rules that are remembered, each once however many hosts have it, in an order that does not depend on when
// they were read.
func (k *Keeper) Held() []*Rules {
	all := make([]*Rules, 0, len(k.held))
	for _, s := range slices.SortedFunc(maps.Values(k.held), func(a, b *held) int { return bytes.Compare(a.digest[:], b.digest[:]) }) {
		all = append(all, s.Rules)
	}
	return all
}

// Forget forgets all hosts and their rules.
func (k *Keeper) Forget() {
	clear(k.Hosts)
	clear(k.held)
	k.size = 0
}

// Give lets a host have rules, which it may share with others.
func (k *Keeper) Give(h *Host, rules *Rules) {
	k.takeBack(h)
	digest := [sha256.Size]byte(rules.Digest())
	s := k.held[digest]
	if s == nil {
		s = &held{Rules: rules, digest: digest, size: rules.Size()}
		k.held[digest] = s
		k.size += s.size
	}
	s.hosts++
	h.rules = s
}

// ByDigest are the rules of that digest, where they are remembered; nil otherwise.
func (k *Keeper) ByDigest(digest []byte) *Rules {
	if len(digest) != sha256.Size {
		return nil
	}
	if s := k.held[[sha256.Size]byte(digest)]; s != nil {
		return s.Rules
	}
	return nil
}

// Digest is the same for rules that say the same.
func (r *Rules) Digest() []byte {
	b, _ := r.MarshalBinary() // it cannot fail
	digest := sha256.Sum256(b)
	return digest[:]
}

// takeBack takes a host's rules away; those that no host has any more are gone.
func (k *Keeper) takeBack(h *Host) {
	s := h.rules
	if h.rules = nil; s == nil {
		return
	}
	if s.hosts--; s.hosts == 0 {
		delete(k.held, s.digest)
		k.size -= s.size
	}
}

// drop forgets a host.
func (k *Keeper) drop(origin string) {
	k.takeBack(k.Hosts[origin])
	delete(k.Hosts, origin)
}

// bound keeps all rules together within MaxHeld: the longest are made shorter, those that were just read last. A host whose rules
// are let go would have to be asked for them again, and would push out others in turn, without end; shorter rules forbid no less.
func (k *Keeper) bound(fresh *held) {
	for k.size > MaxHeld {
		longest := k.longest(fresh)
		if longest == nil {
			longest = fresh
		}
		shorter := longest.shorter()
		if shorter.Size() >= longest.size {
			return
		}
		wasFresh := longest == fresh
		for _, h := range k.Hosts {
			if h.rules != longest {
				continue
			}
			if k.Give(h, shorter); wasFresh {
				fresh = h.rules
			}
		}
	}
}

// longest are the longest rules that can be made shorter; nil where there are none but the fresh ones.
func (k *Keeper) longest(fresh *held) (longest *held) {
	for _, s := range k.held {
		if s != fresh && s.size > shortest && (longest == nil || s.size > longest.size || s.size == longest.size && bytes.Compare(s.digest[:], longest.digest[:]) < 0) {
			longest = s
		}
	}
	return longest
}
