package sink

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// Seen is a page that was judged, kept or not, with what a second look at it needs beside its record.
type Seen struct {
	Kept   bool      // the first look kept it
	Near   bool      // it was fetched from a site that gives much; all pages of such are put aside, clearly foreign ones, too
	Keys   []uint64  // of its addresses; see Key
	Links  []Pointer // in their order
	Record *Record
	Body   []byte // of a page that was not kept and whose values are wanted, in UTF-8; nil of any other
	Copied bool   // it has one, which may have been passed over
}

// Pointer is a link of a page: where it leads, in which block it stands, and what it says.
type Pointer struct {
	To     uint64 // key of the address
	Block  int32
	Anchor string
}

// Key is what an address is known by among the links of a crawl.
func Key(address string) uint64 {
	return uint64(pack.FNV().Text(address))
}

// LooksOptions say which pages are kept for a second look.
type LooksOptions struct {
	Mode      string  // likely or all
	Threshold float64 // of the first look
	Most      int64   // bytes
	Rotate    int64
}

// Looks keeps pages for a second look, in look.jsonl and its successors. Whatever the sinks are, they hold all that it
// needs. It is written to as a Sink is.
type Looks struct {
	*files
	LooksOptions
	line   []byte
	pieces [][]byte // of a line
	packed packed
	enc    *Encoder
	short  atomic.Bool // pages were removed
	gone   []string    // files that are to go
	all    []worth     // of the pages that are there, in their order
	known  bool        // those are all of them
}

// OpenLooks opens the pages for a second look in a run folder.
func OpenLooks(dir string, o LooksOptions) (*Looks, error) {
	l := &Looks{LooksOptions: o}
	var err error
	if l.enc, err = NewEncoder(nil, "jsonl", nil); err != nil {
		return nil, err
	}
	if l.files, err = openFiles(dir, looks, o.Rotate); err != nil {
		return nil, err
	}
	there, err := looks.list(dir)
	l.short.Store(err == nil && there[0] != looks.name(0))
	l.known = l.used() == 0
	return l, err
}

// Of pages that are clearly foreign, one of so many is enough to know what foreign pages look like.
const (
	foreign       = .2 // times the threshold
	sampleForeign = 8
)

// Likely tells of a page that a second look wants it, by how relevant the first one found it.
func Likely(relevance, threshold float64, address string) bool {
	return !Foreign(relevance, threshold) || Sampled(address)
}

// What a host must have shown to give much: so many relevant pages, and one of so many that were fetched from it.
const (
	leastGiven = 3
	givenEach  = 4
)

// GivesMuch tells of a host, by its pages so far, that it is of the topic as a whole, or a good part of it.
func GivesMuch(fetched, relevant int) bool {
	return relevant >= leastGiven && relevant*givenEach >= fetched
}

// StandsFor is for how many pages of a crawl one stands that was kept because it is likely.
func StandsFor(relevance, threshold float64) float64 {
	if Foreign(relevance, threshold) {
		return sampleForeign
	}
	return 1
}

// Foreign tells of a page that it is clearly so, by how relevant the first look found it.
func Foreign(relevance, threshold float64) bool { return !(relevance >= foreign*threshold) }

// Sampled tells whether a page, should it be clearly foreign, belongs to the sample of those. Its address alone says so.
func Sampled(address string) bool { return Key(address)%sampleForeign == 0 }

// Wants tells whether a page belongs to those that are looked at again; near says that its site gives much. What is of a topic as a
// whole, as a manual of a program, has many pages with few words of it.
func (l *Looks) Wants(relevance float64, address string, near bool) bool {
	return l != nil && (near || l.LooksOptions.Wants(relevance, address))
}

// Wants tells it by the options alone.
func (o LooksOptions) Wants(relevance float64, address string) bool {
	return o.Mode == "all" || Likely(relevance, o.Threshold, address)
}

// Ahead makes what is written of a page's links before it is known whether the page is taken. They must not change any more. It comes
// after what is made of the record.
func (s *Seen) Ahead() {
	if m := &s.Record.made; m.room != nil {
		m.links = m.add(func(b []byte) []byte { return appendList(b, s.Links, appendPointer) })
	}
}

func appendPointer(b []byte, p Pointer) []byte {
	b = strconv.AppendUint(append(b, '['), p.To, 10)
	b = strconv.AppendInt(append(b, ','), int64(p.Block), 10)
	return append(appendString(append(b, ','), p.Anchor), ']')
}

// Full tells that likely pages were removed for want of room. It may be asked while others write.
func (l *Looks) Full() bool { return l != nil && l.short.Load() }

func (l *Looks) used() (n int64) {
	for _, length := range l.lengths {
		n += length
	}
	return n + l.length
}

// Close closes the file; no looks have none.
func (l *Looks) Close() error {
	if l == nil {
		return nil
	}
	return l.files.Close()
}

// Take keeps a page.
func (l *Looks) Take(s *Seen) error {
	b := appendNumber(append(l.line[:0], lookBegins...), s.Record.Relevance)
	b = strconv.AppendBool(append(b, `,"kept":`...), s.Kept)
	if s.Near {
		b = append(b, lookNear...)
	}
	b = append(b, `,"keys":[`...)
	for i, k := range s.Keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, k, 10)
	}
	b = append(b, `],"links":`...)
	links := s.Record.made.links
	if links == nil {
		b = appendList(b, s.Links, appendPointer)
	}
	before := len(b)
	if len(s.Body) > 0 {
		b = append(b, `,"body":"`...)
		b = append(base64.StdEncoding.AppendEncode(b, l.packed.pack(s.Body)), '"')
	}
	l.line = append(b, lookRecord...)
	l.pieces = append(append(l.pieces[:0], l.line[:before], links, l.line[before:]), l.enc.parts(s.Record)...)
	last := &l.pieces[len(l.pieces)-1]
	*last = (*last)[:len(*last)-1] // the record's line has an end of its own
	l.pieces = append(l.pieces, []byte("}\n"))
	n := size(l.pieces)
	if l.used()+int64(n) > l.Most {
		if err := l.thin(); err != nil {
			return err
		}
	}
	l.all = append(l.all, l.worth(s.Record.Relevance, l.pieces, n))
	return l.put(l.pieces...)
}

// put writes a line.
func (l *Looks) put(line ...[]byte) error {
	if l.full(size(line)) {
		if err := l.next(); err != nil {
			return err
		}
	}
	return l.write(line...)
}

// lookBegins is what each line begins with: the relevance follows, so that lines are sorted out without being read.
const lookBegins = `{"relevance":`

const lookNear = `,"near":true`

// plainSeen is a page as encoding/json reads it.
type plainSeen struct {
	Kept   bool
	Near   bool
	Keys   []uint64
	Links  []Pointer
	Record *plainRecord
	Body   []byte
}

// UnmarshalJSON reads what Take has written.
func (s *Seen) UnmarshalJSON(b []byte) error { return s.read(scan{left: b}) }

func (s *Seen) read(in scan) error {
	b := in.left
	p := in.seen()
	if !in.ends() {
		read := plainSeen{Record: unread()}
		if err := json.Unmarshal(b, &read); err != nil {
			return err
		}
		if p = (Seen{Kept: read.Kept, Near: read.Near, Keys: read.Keys, Links: read.Links, Body: read.Body}); read.Record != nil {
			p.Record = read.Record.record()
		}
	}
	if p.Record == nil || p.Record.URL == "" {
		return errors.New("it has no record")
	}
	*s = p
	if len(s.Body) == 0 {
		return nil
	}
	s.Copied = true
	var err error
	s.Body, err = unpack(s.Body)
	return err
}

// UnmarshalJSON reads a link: key, block, anchor.
func (p *Pointer) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[3]any{&p.To, &p.Block, &p.Anchor})
}

// HasLooks tells whether a run folder has pages for a second look.
func HasLooks(dir string) bool {
	names, err := looks.list(dir)
	return err == nil && len(names) > 0
}

// LookFiles are the files of a run folder in which pages for a second look stand.
func LookFiles(dir string) []string {
	names, err := looks.list(dir)
	if err != nil {
		return nil
	}
	for i := range names {
		names[i] = filepath.Join(dir, names[i])
	}
	return names
}

// ReadLooks reads the pages for a second look back, in the order in which they were fetched, each as the last visit
// found it. An error ends it.
func ReadLooks(dir string) iter.Seq2[*Seen, error] { return readLooks(dir, scan{}) }

// LooksBriefly is ReadLooks for who does not ask what pages say: text and Markdown are passed over.
func LooksBriefly(dir string) iter.Seq2[*Seen, error] { return readLooks(dir, scan{brief: true}) }

// LookRecords is LooksBriefly for who does not ask for links and bodies either.
func LookRecords(dir string) iter.Seq2[*Seen, error] {
	return readLooks(dir, scan{brief: true, unlinked: true})
}

// LookTexts is ReadLooks for who asks for nothing but what pages say: links and bodies are passed over.
func LookTexts(dir string) iter.Seq2[*Seen, error] { return readLooks(dir, scan{unlinked: true}) }

func readLooks(dir string, as scan) iter.Seq2[*Seen, error] {
	return looksAgain(dir, as, func(yield func(*Seen, error) bool) {
		names, err := looks.list(dir)
		if err != nil {
			yield(nil, fmt.Errorf("read pages for a second look: %w", err))
			return
		}
		for _, name := range names {
			if !eachLook(filepath.Join(dir, name), as, yield, func([]byte) bool { return true }) {
				return
			}
		}
	})
}

// FindLook finds a page for a second look by its number; nil where it is not among them.
func FindLook(dir string, id uint64) (found *Seen, err error) {
	names, err := looks.list(dir)
	if err != nil {
		return nil, fmt.Errorf("read pages for a second look: %w", err)
	}
	begins := fmt.Appendf(nil, `"id":%d,`, id)
	for _, name := range names {
		eachLook(filepath.Join(dir, name), scan{}, func(s *Seen, bad error) bool {
			if err = bad; err == nil && s.Record.ID == id {
				found = s
			}
			return err == nil && found == nil
		}, func(line []byte) bool { return bytes.Contains(line, begins) })
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// eachLook reads those lines of a file that are wanted, each as it is asked for.
func eachLook(path string, as scan, yield func(*Seen, error) bool, wanted func(line []byte) bool) bool {
	fail := func(line int, err error) bool {
		return yield(nil, fmt.Errorf("read pages for a second look: %s line %d: %w", path, line, lookCured(path, err)))
	}
	f, err := os.Open(path)
	if err != nil {
		return fail(0, err)
	}
	defer f.Close()
	in := longLines{Reader: bufio.NewReaderSize(f, 256<<10)}
	for number := 1; ; number++ {
		line, err := in.next()
		if err == io.EOF {
			return true // what has no end is still being written
		}
		if err == nil && (isBlank(line) || !wanted(line)) {
			continue
		}
		s := &Seen{}
		if err == nil {
			as.left = line
			err = s.read(as) // and not json.Unmarshal, which would look at it twice
		}
		if err != nil {
			fail(number, err)
			return false
		}
		if !yield(s, nil) {
			return false
		}
	}
}

// isBlank tells of a line that a repair has left where one could not be read.
func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// lookCured says what helps where a page for a second look cannot be read.
func lookCured(path string, err error) error {
	dir := filepath.Dir(path)
	unread := (*fs.PathError)(nil)
	switch {
	case errors.As(err, &unread): // it is gone, or the disk does not read
		return err
	case filepath.Base(dir) == FolderAgain:
		return AgainCured(filepath.Dir(dir), err)
	}
	return fmt.Errorf("%w: 'thresher repair --run %s' leaves this page out", err, dir)
}

// Relevant is the number by which a page is kept: that of the second look, where there was one.
func (r *Record) Relevant() float64 {
	if r.Looked() {
		return r.Second
	}
	return r.Relevance
}

// Looked tells of a record that a second look has judged it.
func (r *Record) Looked() bool { return !math.IsNaN(r.Second) && r.Second > 0 }
