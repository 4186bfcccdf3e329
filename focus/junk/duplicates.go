package junk

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"unicode"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/recent"
)

// Bounds of likeness.
const (
	nearBits   = 3    // fingerprints that differ in so many bits are of the same page, or the same text
	akinBits   = 10   // where the pages are the same but for a few words, their texts may differ in so many: about one word in ten
	fewWords   = 30   // of fewer words no fingerprint tells anything
	lookedAt   = 1000 // pages of one template are many that differ: so many of those that may be alike are looked at, the newest
	mirrorFrom = 5    // pages that two hosts both have in the same place make one a mirror of the other
)

// Duplicates remembers pages by what they say. It may be used by many goroutines at once.
type Duplicates struct {
	notes
	half    int // fingerprints in half of the memory at most
	exact   *recent.Map[uint64, string]
	near    [2]*likeness // the young half and the old one
	twins   *recent.Map[[2]string, int]
	mirrors *recent.Map[string, string]
	told    func(address, first string) // each page, and which it repeats; nil tells nobody
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
	voice
	Shows bool // what it says is said by another page, which it leads to: it repeats that one, and that one does not repeat it
}

// voice is how a page reads: all of it, menus and all, and what it says by itself, which is its title and main text.
type voice struct {
	whole, says uint64
	full        bool // all of it has words enough for a fingerprint
	long        bool // what it says has; else says stands for its words, whatever numbers are among them
}

// PrintOf works out the print of a page. text is what it says by itself: its title and main text.
func PrintOf(body []byte, text string) Print {
	sum := sha256.Sum256(bytes.TrimSpace(body))
	p := Print{digest: binary.LittleEndian.Uint64(sum[:])}
	var words int
	p.whole, words = Fingerprint(body)
	if p.full = words >= fewWords; text == "" {
		return p
	}
	says := asHTML(text)
	p.says, words = Fingerprint(says)
	if p.long = words >= fewWords; !p.long {
		p.says = sayingOf(says)
	}
	return p
}

// sayingOf is the same for a few words in the same order: numbers are left out, for lists, calendars and counters differ in them alone.
func sayingOf(says []byte) (hash uint64) {
	wordsOnly := bytes.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return ' '
		}
		return r
	}, says)
	units(wordsOnly, func(word uint64) bool {
		hash = spread(hash*3 + word)
		return true
	})
	return hash
}

// sameSaying tells whether two pages say the same by themselves, whatever stands around it.
func (v voice) sameSaying(o voice) bool {
	return v.long && o.long && Distance(v.says, o.says) <= nearBits
}

// samePage tells whether two pages are the same but for a few words, and those few are not all that they say: of pages that share
// menus and foot, each with a short text of its own, nine words in ten are the same.
func (v voice) samePage(o voice) bool {
	if !v.full || !o.full || Distance(v.whole, o.whole) > nearBits || v.long != o.long {
		return false
	}
	return v.long && Distance(v.says, o.says) <= akinBits || !v.long && v.says == o.says
}

// Find answers the page that a page repeats and how, or nothing; then the page itself is remembered. text is what it says by
// itself, its title and main text; where that is empty for two pages, all that they say is compared.
func (d *Duplicates) Find(address string, body []byte, text string) (first, reason string) {
	return d.Compare(address, PrintOf(body, text))
}

// FindText is Find for a text that stands by itself.
func (d *Duplicates) FindText(address, text string) (first, reason string) {
	return d.Find(address, asHTML(text), text)
}

// Compare is Find for a page whose print is known.
func (d *Duplicates) Compare(address string, p Print) (first, reason string) {
	if p.Shows {
		p.voice = d.showing(p.voice)
	}
	d.note(asked{address, p})
	if first = d.same(address, p.digest); first != "" {
		reason = "the same as " + first
	} else if first = d.alike(address, p.voice); first != "" {
		reason = "nearly the same as " + first
	}
	if d.told != nil {
		d.told(address, first)
	}
	return first, reason
}

// Like answers the page that a page repeats, or nothing, and remembers nothing of it: it is none that another could repeat.
func (d *Duplicates) Like(address string, p Print) (first string) {
	first, _ = d.exact.Peek(p.digest)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, half := range d.near {
		if first == "" && !p.Shows && (p.full || p.long) {
			first, _ = half.find(p.voice)
		}
	}
	if first == address {
		return ""
	}
	return first
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
func (d *Duplicates) alike(address string, v voice) string {
	if !v.full && !v.long {
		return ""
	}
	first := d.like(v, address)
	if first == "" || first == address {
		return ""
	}
	d.twin(first, address)
	return first
}

// showing is what is asked of a page that shows another's text: whether that was said before, and if it was not, all of the page. What it
// shows then counts as a few words do, to the last: it is not remembered as the one that said it, and lists of one template that show
// different texts are no copies of each other.
func (d *Duplicates) showing(v voice) voice {
	d.mu.Lock()
	defer d.mu.Unlock()
	says := voice{says: v.says, long: v.long}
	for _, half := range d.near {
		if _, said := half.find(says); said {
			return says
		}
	}
	return voice{whole: v.whole, full: v.full, says: v.says}
}

// like answers the page that reads like this one, and otherwise remembers it.
func (d *Duplicates) like(v voice, address string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, half := range d.near {
		if first, ok := half.find(v); ok {
			return first
		}
	}
	if len(d.near[0].voices) >= d.half {
		d.near[1], d.near[0] = d.near[0], newLikeness()
	}
	d.near[0].add(v, address)
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

// likeness finds pages by fingerprints that differ in at most three bits: of four blocks of 16 bits at least one is then equal,
// so each fingerprint stands in four tables, under each of its blocks.
type likeness struct {
	voices        []voice
	addresses     []string
	whole, saying tables
}

type tables [4]map[uint16][]uint32

func newLikeness() *likeness {
	l := &likeness{}
	for i := range l.whole {
		l.whole[i], l.saying[i] = map[uint16][]uint32{}, map[uint16][]uint32{}
	}
	return l
}

// find answers the first page that was remembered of those that read like this one, as far back as it looks.
func (l *likeness) find(v voice) (string, bool) {
	first := len(l.voices)
	see := func(t *tables, print uint64, alike func(voice) bool) {
		for i := range t {
			may := t[i][uint16(print>>(16*i))]
			for _, n := range may[max(0, len(may)-lookedAt):] {
				if int(n) < first && alike(l.voices[n]) {
					first = int(n)
				}
			}
		}
	}
	if v.long {
		see(&l.saying, v.says, v.sameSaying)
	}
	if v.full {
		see(&l.whole, v.whole, v.samePage)
	}
	if first == len(l.voices) {
		return "", false
	}
	return l.addresses[first], true
}

func (l *likeness) add(v voice, address string) {
	n := uint32(len(l.voices))
	l.voices, l.addresses = append(l.voices, v), append(l.addresses, address)
	if v.full {
		l.whole.add(v.whole, n)
	}
	if v.long {
		l.saying.add(v.says, n)
	}
}

func (t *tables) add(print uint64, n uint32) {
	for i := range t {
		block := uint16(print >> (16 * i))
		t[i][block] = append(t[i][block], n)
	}
}
