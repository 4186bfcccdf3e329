package extensions

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

// saved is what is written down of what an extension has seen, so that a crawl that was killed goes on the same.
type saved []byte

func (s *saved) number(n uint64) { *s = binary.AppendUvarint(*s, n) }

func (s *saved) key(k uint64) { *s = binary.LittleEndian.AppendUint64(*s, k) }

func (s *saved) yes(b bool) {
	if b {
		*s = append(*s, 1)
	} else {
		*s = append(*s, 0)
	}
}

func (s *saved) text(t string) {
	s.number(uint64(len(t)))
	*s = append(*s, t...)
}

func (s *saved) texts(list []string) {
	s.number(uint64(len(list)))
	for _, t := range list {
		s.text(t)
	}
}

var errSaved = errors.New("extensions: what was saved is damaged, or another version wrote it: start the crawl afresh")

// loaded reads it back. After the first mistake everything is zero, and bad is set.
type loaded struct {
	left []byte
	bad  bool
}

func (l *loaded) number() uint64 {
	n, size := binary.Uvarint(l.left)
	if size <= 0 {
		l.left, l.bad = nil, true
		return 0
	}
	l.left = l.left[size:]
	return n
}

// count is how many things follow, each at least a byte long.
func (l *loaded) count() int {
	n := l.number()
	if n > uint64(len(l.left)) {
		l.left, l.bad = nil, true
		return 0
	}
	return int(n)
}

func (l *loaded) bytes(n int) []byte {
	if n > len(l.left) {
		l.left, l.bad = nil, true
		return nil
	}
	b := l.left[:n]
	l.left = l.left[n:]
	return b
}

func (l *loaded) key() uint64 {
	if b := l.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (l *loaded) yes() bool {
	b := l.bytes(1)
	return b != nil && b[0] == 1
}

func (l *loaded) text() string { return string(l.bytes(l.count())) }

func (l *loaded) texts() (list []string) {
	for range l.count() {
		list = append(list, l.text())
	}
	return list
}

// done is an error unless what was read is exactly what was there.
func (l *loaded) done() error {
	if l.bad || len(l.left) > 0 {
		return errSaved
	}
	return nil
}

// saveRecent writes what is remembered, the young half first, each in the order of its keys.
func saveRecent[K comparable, V any](s *saved, r *recent[K, V], order func(a, b K) int, one func(K, V)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, half := range []map[K]V{r.young, r.old} {
		s.number(uint64(len(half)))
		for _, k := range slices.SortedFunc(maps.Keys(half), order) {
			one(k, half[k])
		}
	}
}

// loadRecent reads what is remembered in the place of what was.
func loadRecent[K comparable, V any](l *loaded, r *recent[K, V], one func() (K, V)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, half := range []*map[K]V{&r.young, &r.old} {
		*half = map[K]V{}
		for range l.count() {
			k, v := one()
			(*half)[k] = v
		}
	}
}

func byPair(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
