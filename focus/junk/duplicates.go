package junk

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/recent"
)

// Bounds of likeness.
const (
	nearBits   = 3  // fingerprints that differ in so many bits are of the same page
	fewWords   = 30 // with fewer words only the same bytes make two pages one
	mirrorFrom = 5  // pages that two hosts both have in the same place make one a mirror of the other
)

// Duplicates remembers pages by what they say. It may be used by many goroutines at once.
type Duplicates struct {
	mu      sync.Mutex
	half    int // fingerprints in half of the memory at most
	noting  bool
	noted   pack.Coder // for Lesson
	exact   *recent.Map[uint64, string]
	near    [2]*likeness // the young half and the old one
	twins   *recent.Map[[2]string, int]
	mirrors *recent.Map[string, string]
}

// NewDuplicates makes a memory of no pages, which remembers so many at most; 0 means 200,000.
func NewDuplicates(remember int) *Duplicates {
	remember = bound("NewDuplicates", remember, 200_000)
	return &Duplicates{
		half:    max(1, remember/2),
		exact:   recent.New[uint64, string](remember),
		near:    [2]*likeness{newLikeness(), newLikeness()},
		twins:   recent.New[[2]string, int](10_000),
		mirrors: recent.New[string, string](10_000),
	}
}

// Print is what of a page is compared with others.
type Print struct {
	digest uint64 // of its bytes
	likely uint64 // what it says
	words  int
}

// PrintOf works out the print of a page.
func PrintOf(body []byte) Print {
	sum := sha256.Sum256(bytes.TrimSpace(body))
	p := Print{digest: binary.LittleEndian.Uint64(sum[:])}
	p.likely, p.words = Fingerprint(body)
	return p
}

// Find answers the page that a page repeats and how, or nothing; then the page itself is remembered.
func (d *Duplicates) Find(address string, body []byte) (first, reason string) {
	return d.Compare(address, PrintOf(body))
}

// Compare is Find for a page whose print is known.
func (d *Duplicates) Compare(address string, p Print) (first, reason string) {
	if first = d.same(address, p.digest); first != "" {
		d.note(asked{address: address, digest: p.digest})
		return first, "the same as " + first
	}
	d.note(asked{address, p.digest, p.likely, p.words >= fewWords})
	if p.words < fewWords {
		return "", ""
	}
	if first = d.alike(address, p.likely); first == "" {
		return "", ""
	}
	return first, "nearly the same as " + first
}

// same answers the page with the same bytes at another address.
func (d *Duplicates) same(address string, digest uint64) string {
	was := d.exact.Update(digest, func(old string, known bool) string {
		if known {
			return old
		}
		return address
	})
	if was == address {
		return ""
	}
	d.twin(was, address)
	return was
}

// alike answers the page at another address that says nearly the same.
func (d *Duplicates) alike(address string, print uint64) string {
	first := d.like(print, address)
	if first == "" || first == address {
		return ""
	}
	d.twin(first, address)
	return first
}

// like answers the page with a fingerprint like this one, and otherwise remembers it.
func (d *Duplicates) like(print uint64, address string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, half := range d.near {
		if first, ok := half.find(print); ok {
			return first
		}
	}
	if len(d.near[0].prints) >= d.half {
		d.near[1], d.near[0] = d.near[0], newLikeness()
	}
	d.near[0].add(print, address)
	return ""
}

// twin counts a page that two hosts have in the same place, whichever of them had it first: hosts that are visited side by
// side are first in turns.
func (d *Duplicates) twin(first, second string) {
	one, other := page.Host(first), page.Host(second)
	if one == other || position(first) != position(second) {
		return
	}
	n := d.twins.Update([2]string{min(one, other), max(one, other)}, func(n int, _ bool) int { return n + 1 })
	if n == mirrorFrom {
		d.mirrors.Put(other, one)
	}
}

// position is an address without its scheme and host.
func position(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	if at := strings.IndexAny(rest, "/?"); at >= 0 {
		return rest[at:]
	}
	return ""
}

// MirrorOf answers the host that a host is a mirror of, empty if it is none.
func (d *Duplicates) MirrorOf(host string) string {
	first, _ := d.mirrors.Get(host)
	return first
}

// likeness finds fingerprints that differ in at most three bits: of four blocks of 16 bits at least one is then equal,
// so each fingerprint stands in four tables, under each of its blocks.
type likeness struct {
	prints    []uint64
	addresses []string
	tables    [4]map[uint16][]uint32
}

func newLikeness() *likeness {
	l := &likeness{}
	for i := range l.tables {
		l.tables[i] = map[uint16][]uint32{}
	}
	return l
}

func (l *likeness) find(print uint64) (string, bool) {
	for i := range l.tables {
		for _, n := range l.tables[i][uint16(print>>(16*i))] {
			if Distance(l.prints[n], print) <= nearBits {
				return l.addresses[n], true
			}
		}
	}
	return "", false
}

func (l *likeness) add(print uint64, address string) {
	n := uint32(len(l.prints))
	l.prints, l.addresses = append(l.prints, print), append(l.addresses, address)
	for i := range l.tables {
		block := uint16(print >> (16 * i))
		l.tables[i][block] = append(l.tables[i][block], n)
	}
}
