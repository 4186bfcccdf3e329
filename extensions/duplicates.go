package extensions

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"strings"
	"sync"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/page"
)

// DuplicateHeader is the response header in which NearDuplicates names the page that a page repeats.
const DuplicateHeader = "X-Thresher-Duplicate"

// Bounds of likeness.
const (
	nearBits   = 3  // fingerprints that differ in so many bits are of the same page
	fewWords   = 30 // with fewer words only the same bytes make two pages one
	mirrorFrom = 5  // pages that two hosts both have in the same place make one a mirror of the other
)

// Duplicates remembers pages by what they say. It may be used by many goroutines at once.
type Duplicates struct {
	refusing
	bounded
	mu      sync.Mutex
	noting  bool
	noted   pack.Writer // for Lesson
	exact   *recent[uint64, string]
	near    [2]*likeness // the young half and the old one
	twins   *recent[[2]string, int]
	mirrors *recent[string, string]
}

// NewDuplicates makes a memory of no pages.
func NewDuplicates(o ...Option) *Duplicates {
	d := &Duplicates{bounded: bounded{200_000}}
	tune("NearDuplicates", d, o)
	d.exact = newRecent[uint64, string](d.capacity)
	d.near = [2]*likeness{newLikeness(), newLikeness()}
	d.twins = newRecent[[2]string, int](10_000)
	d.mirrors = newRecent[string, string](10_000)
	return d
}

// NearDuplicates finds pages that were there before at another address: byte for byte, or nearly word for word, by a
// fingerprint of 64 bits. The page keeps its callbacks, with the address of the first one in DuplicateHeader, and
// OnRefusal hears of it. Hosts that have the same pages in the same places are noticed as mirrors; see MirrorOf.
func NearDuplicates(c *colly.Collector, o ...Option) *Duplicates {
	d := NewDuplicates(o...)
	c.OnResponse(func(r *colly.Response) {
		if r.StatusCode != http.StatusOK || !isHTML(*r.Headers) {
			return
		}
		address := r.Request.URL.String()
		if first, reason := d.Find(address, r.Body); first != "" {
			r.Headers.Set(DuplicateHeader, first)
			d.refused(address, "NearDuplicates", reason)
		}
	})
	return d
}

// Find answers the page that a page repeats and how, or nothing; then the page itself is remembered.
func (d *Duplicates) Find(address string, body []byte) (first, reason string) {
	sum := sha256.Sum256(bytes.TrimSpace(body))
	digest := binary.LittleEndian.Uint64(sum[:])
	if first = d.same(address, digest); first != "" {
		d.note(address, digest, 0, false)
		return first, "the same as " + first
	}
	print, words := Fingerprint(body)
	d.note(address, digest, print, words >= fewWords)
	if words < fewWords {
		return "", ""
	}
	if first = d.alike(address, print); first == "" {
		return "", ""
	}
	return first, "nearly the same as " + first
}

// same answers the page with the same bytes at another address.
func (d *Duplicates) same(address string, digest uint64) string {
	was := d.exact.update(digest, func(old string, known bool) string {
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
	if len(d.near[0].prints) >= max(1, d.capacity/2) {
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
	n := d.twins.update([2]string{min(one, other), max(one, other)}, func(n int, _ bool) int { return n + 1 })
	if n == mirrorFrom {
		d.mirrors.put(other, one)
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
	first, _ := d.mirrors.get(host)
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
