// Package replay answers one question: how does a web in a box behave?
//
// A Web is a recorded or drawn web: a folder with pages.warc.gz, redirects.tsv, labels.tsv and web.yaml. It is an
// http.RoundTripper. Draw makes such a folder out of nothing but a seed. It serves step 2 of the journey when there is
// no network (see package focus).
package replay

import (
	"net/http"
	"time"
)

// Web is a recorded web, opened. It may be used by many goroutines at once.
type Web struct{}

// Topic is one topic of a web.yaml.
type Topic struct {
	Name         string
	Seeds        []string
	Scope        string // a regular expression on label lines; empty means everything
	Relevant     string // which label lines are relevant
	ExamplesFrom string // which label lines examples are drawn from; empty means the relevant ones
	Terms        []string
}

// Open opens the web in a folder: an index of its pages is made, the pages stay on disk.
func Open(dir string) (*Web, error) { panic("replay: not built") }

// Name, Language and Topics are what web.yaml says.
func (w *Web) Name() string { panic("replay: not built") }

// Language is the web's language as its web.yaml says.
func (w *Web) Language() string { panic("replay: not built") }

// Topics are the topics of its web.yaml.
func (w *Web) Topics() []Topic { panic("replay: not built") }

// Topic answers the topic of that name.
func (w *Web) Topic(name string) (Topic, bool) { panic("replay: not built") }

// Fingerprint changes when the pages change.
func (w *Web) Fingerprint() string { panic("replay: not built") }

// RoundTrip answers as the recorded web did: the exact address first, then a redirect of redirects.tsv (301), then the
// canonical form of the address; everything else is a 404. A robots.txt is a page like any other.
func (w *Web) RoundTrip(r *http.Request) (*http.Response, error) { panic("replay: not built") }

// Latency is the recorded time an answer took (50 ms where nothing was recorded).
func (w *Web) Latency(address string) time.Duration { panic("replay: not built") }

// Has tells whether an address is a page of the web, and by which name it is recorded.
func (w *Web) Has(address string) (recorded string, ok bool) { panic("replay: not built") }

// Close closes its files.
func (w *Web) Close() error { panic("replay: not built") }
