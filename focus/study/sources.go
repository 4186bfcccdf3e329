package study

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
)

// Source is a crawl that an experience comes from: its own, and those that it began with. It is known again by the web's
// content and by its pages, whatever the web is called and wherever it lies.
type Source struct {
	Crawl       string   `json:"crawl"`
	Web         string   `json:"web,omitempty"`         // the recorded web's name; empty for the live one
	Fingerprint string   `json:"fingerprint,omitempty"` // of the recorded web
	Pages       []uint64 `json:"pages"`                 // a sample of the addresses that were fetched, as hashes
}

// sampled is how many pages of a source are known by, at most.
const sampled = 256

// sharedPages is how many of these must be pages of a web, and a tenth of them, for it to be the one that was learned on:
// front pages that every other web has too are not enough.
const sharedPages = 3

// pageHash is the hash of an address, which goes by its identity.
func pageHash(address string) uint64 {
	l := page.LinkTo(address)
	sum := sha256.Sum256([]byte(l.Identity))
	return binary.BigEndian.Uint64(sum[:])
}

// sampleOf are the least of some hashes: whichever web has these pages has them in its own sample, or among its pages.
func sampleOf(hashes []uint64) []uint64 {
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	return slices.Clone(hashes[:min(len(hashes), sampled)])
}

// StrangeTo sees to it that nothing of an experience was learned on a recorded web that is to be crawled.
func (e *Experience) StrangeTo(web *replay.Web, from string) error {
	known := func(s Source, how string) error {
		name := cmp.Or(s.Web, "the live web")
		return fmt.Errorf("learn.from: %s was learned on %s (the crawl %s), which is the one to be crawled: %s; nothing could be said of it: learn on another one",
			from, name, s.Crawl, how)
	}
	if e.Web != "" && e.Web == web.Name() {
		return known(Source{Crawl: e.Crawl, Web: e.Web}, "it has the same name")
	}
	there := map[uint64]bool{}
	for address := range web.Addresses() {
		there[pageHash(address)] = true
	}
	for _, s := range e.Sources {
		if s.Fingerprint != "" && s.Fingerprint == web.Fingerprint() {
			return known(s, "its pages are the same")
		}
		shared := 0
		for _, h := range s.Pages {
			if there[h] {
				shared++
			}
		}
		if shared >= sharedPages && 10*shared >= len(s.Pages) {
			return known(s, fmt.Sprintf("it has %d of %d of the pages looked for", shared, len(s.Pages)))
		}
	}
	return nil
}

// SourceOf is a crawl as the source of an experience: its name, the recorded web it was on, nil for the live one, and the
// folder of its run.
func SourceOf(crawl string, web *replay.Web, dir string) (Source, error) {
	s := Source{Crawl: crawl}
	if web != nil {
		s.Web, s.Fingerprint = web.Name(), web.Fingerprint()
	}
	var hashes []uint64
	err := run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool {
		if d.Fetched() {
			hashes = append(hashes, pageHash(d.URL))
		}
		return true
	}, run.Visits...)
	s.Pages = sampleOf(hashes)
	return s, err
}
