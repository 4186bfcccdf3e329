package topic

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/thresher-crawler/thresher/focus/text"
)

// Sources is what a model remembers of the pages it was trained on: not what they said, but enough to tell them, and the
// hosts they are from, when they are met again. Whoever measures a crawl by a model must not have trained it there.
type Sources struct {
	Pages Sketch `json:"pages"`
	Hosts Sketch `json:"hosts"`
}

// Sketch is a set of hashes, bounded: of a large set those are kept that come first in order, which are as good as drawn
// by lot. What has a hash up to the last one kept can be told to be in the set or not; of the rest nothing is known.
type Sketch struct {
	Count  int    `json:"count"`            // members of the whole set
	Hashes []byte `json:"hashes,omitempty"` // eight bytes each, in order
}

// mostSketched is how many hashes a sketch keeps: 160 KB.
const mostSketched = 20_000

const hashSize = 8

func sketchOf(members map[uint64]bool, most int) Sketch {
	all := slices.Sorted(maps.Keys(members))
	s := Sketch{Count: len(all)}
	for _, h := range all[:min(len(all), most)] {
		s.Hashes = binary.BigEndian.AppendUint64(s.Hashes, h)
	}
	return s
}

// has tells whether a hash is in the sketch.
func (s *Sketch) has(h uint64) bool {
	n := len(s.Hashes) / hashSize
	at := func(i int) uint64 { return binary.BigEndian.Uint64(s.Hashes[i*hashSize:]) }
	i := sort.Search(n, func(i int) bool { return at(i) >= h })
	return i < n && at(i) == h
}

// shared is how many hashes two sketches have in common.
func (s *Sketch) shared(with *Sketch) int {
	n := 0
	for i := 0; i+hashSize <= len(s.Hashes); i += hashSize {
		if with.has(binary.BigEndian.Uint64(s.Hashes[i:])) {
			n++
		}
	}
	return n
}

// HasPage tells whether the model was trained on a page, by its text.
func (s *Sources) HasPage(d *text.Doc) bool {
	h, ok := pageHash(d)
	return ok && s.Pages.has(h)
}

// HasHost tells whether the model was trained on pages of a host.
func (s *Sources) HasHost(host string) bool { return host != "" && s.Hosts.has(hashOf(host)) }

// Shared is how many pages and hosts two models have learned from, both of them.
func (s *Sources) Shared(with *Sources) (pages, hosts int) {
	return s.Pages.shared(&with.Pages), s.Hosts.shared(&with.Hosts)
}

// sourcesOf describes training pages, and the hosts they are from as far as they are known.
func sourcesOf(hosts []string, sides ...[]*text.Doc) *Sources {
	pages, from := map[uint64]bool{}, map[uint64]bool{}
	for _, docs := range sides {
		for _, d := range docs {
			if h, ok := pageHash(d); ok {
				pages[h] = true
			}
		}
	}
	for _, host := range hosts {
		if host != "" {
			from[hashOf(host)] = true
		}
	}
	return &Sources{sketchOf(pages, mostSketched), sketchOf(from, mostSketched)}
}

func hashOf(s string) uint64 {
	sum := sha256.Sum256([]byte(s))
	return binary.BigEndian.Uint64(sum[:])
}

// fewLetters is the length of a text below which it says nothing of whose it is: many pages say "not found".
const fewLetters = 40

// pageHash tells a page by its main text, or by all of it where nobody knows which that is: letters and digits alone, so
// that it comes out the same of a page in a web and in a harvest. What stands around the main text changes from visit to
// visit.
func pageHash(d *text.Doc) (hash uint64, ok bool) {
	whole := !slices.Contains(d.Main, true)
	var all strings.Builder
	letters := 0
	for _, s := range d.Segments {
		if s.Position == title || s.Position == meta {
			continue
		}
		if !whole && (s.Block < 0 || int(s.Block) >= len(d.Main) || !d.Main[s.Block]) {
			continue
		}
		for _, r := range s.Text {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				all.WriteRune(unicode.ToLower(r))
				letters++
			}
		}
	}
	return hashOf(all.String()), letters >= fewLetters
}
