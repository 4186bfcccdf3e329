package index

import (
	"bufio"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/pdf"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/warc"
	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// What the bytes of a page tell, and its record does not: its kind, its headings, and its links. It is read once, when the
// page is indexed, and kept in files of its own, packed: a link may lead to a page that is kept much later.

// sheet is what was read of one page.
type sheet struct {
	ID       uint64
	Kind     string
	Title    string // its title element: a record has the page's heading in its place, where there is one
	Headings string
	Links    []pointer
}

// pointer is one link of a page.
type pointer struct {
	To     uint64 // hash of the canonical address
	Anchor string
}

// partName begins the names of the files with sheets; one is written by each update.
const partName = "links-"

func partFile(n int) string { return fmt.Sprintf("%s%05d.zst", partName, n) }

// nameOf is the hash by which an address is known; 0 of what is no address.
func nameOf(address string) uint64 {
	canonical, err := page.Canonical(address)
	if err != nil {
		return 0
	}
	return hashOf(canonical)
}

func hashOf(s string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, s)
	return h.Sum64()
}

// partWriter writes sheets.
type partWriter struct {
	f    *os.File
	pack *zstd.Encoder
	out  *gob.Encoder
}

func newPart(path string) (*partWriter, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	pack, err := zstd.NewWriter(f, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &partWriter{f, pack, gob.NewEncoder(pack)}, nil
}

func (w *partWriter) close() error { return errors.Join(w.pack.Close(), w.f.Close()) }

// readPart calls visit for each sheet of a file.
func readPart(path string, visit func(*sheet) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	pack, err := zstd.NewReader(bufio.NewReaderSize(f, 256<<10), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer pack.Close()
	for in := gob.NewDecoder(pack); ; {
		s := &sheet{}
		if err := in.Decode(s); err == io.EOF {
			return nil
		} else if err != nil {
			return damaged("%s cannot be read: %v", path, err)
		}
		if err := visit(s); err != nil {
			return err
		}
	}
}

// eachSheet calls visit for the sheet of each card. One of a page that is gone, or was read again since, is passed over.
func eachSheet(generation string, parts int, cards []card, k known, visit func(i int, s *sheet) error) error {
	for n := range parts {
		err := readPart(filepath.Join(generation, partFile(n)), func(s *sheet) error {
			if i, there := k.byID[s.ID]; there && cards[i].Part == int32(n) {
				return visit(i, s)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

const (
	longestAnchor   = 200  // bytes of the words of a link that count
	longestHeadings = 4000 // the same of a page's headings
)

// markup is what a page says as HTML in UTF-8, and the charset it was in. A PDF has no letters before it is read.
func markup(body []byte, contentType string) (html []byte, letters string, err error) {
	media, _, _ := mime.ParseMediaType(contentType)
	if media != page.PDFType {
		body, letters = charset.Decode(body, contentType)
	}
	html, err = (&page.Options{PDF: pdf.HTML}).HTML(context.Background(), media, body)
	return html, letters, err
}

// read fills a sheet from the bytes of a page, read as the crawl did.
func (s *sheet) read(body []byte, header http.Header, address string, as *page.Options) {
	html, letters, err := markup(body, header.Get("Content-Type"))
	if err != nil { // it was read once: what its record says is indexed all the same
		html = nil
	}
	p := page.Parse(html, address, as.In(letters, header))
	s.Kind = p.Kind.String()
	var headings []string
	for _, run := range p.Runs {
		if run.Position == page.Title {
			s.Title = clipped(run.Text, longestHeadings)
		}
		if (run.Position == page.Heading || run.Position == page.Top) && !run.Linked { // else it is the name of another page
			headings = append(headings, run.Text)
		}
	}
	s.Headings = clipped(strings.Join(headings, "\n"), longestHeadings)
	for i := range p.Links {
		l := &p.Links[i]
		if l.Identity == "" {
			continue
		}
		s.Links = append(s.Links, pointer{hashOf(l.Identity), clipped(strings.TrimSpace(l.Anchor), longestAnchor)})
	}
}

// clipped is at most n bytes of s, whole characters.
func clipped(s string, n int) string {
	if len(s) <= n {
		return strings.Clone(s)
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return strings.Clone(s[:n])
}

// archives goes through the WARC files of a run folder beside its harvest. Both are in the order in which pages were kept,
// so that the next response is nearly always the one asked for.
type archives struct {
	dir    string
	below  string // dir, below the run folder: the names that cards tell begin with it
	names  []string
	marks  map[string]mark
	past   bool // what lies before the marks is gone through, and else what lies behind them
	file   *os.File
	bytes  *faithful // of the file
	reader *warc.Reader
	base   int64
	now    int // of names
	aside  map[string]response
}

// faithful remembers that a file could not be read, and why: what the disk does not give is no end, and no damage.
type faithful struct {
	io.ReaderAt
	err error
}

func (f *faithful) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.ReaderAt.ReadAt(p, at)
	if err != nil && err != io.EOF && f.err == nil {
		f.err = err
	}
	return n, err
}

// response is where a response stands.
type response struct {
	file string
	at   int64
	rec  *warc.Record // nil where it was put aside
}

// ahead is how far responses are looked for that are not the next one.
const ahead = 512

func openArchives(dir, below string, marks map[string]mark) (*archives, error) {
	names, err := sink.Archives(dir)
	if err != nil {
		return nil, err
	}
	return &archives{dir: dir, below: below, names: names, marks: marks, now: -1, aside: map[string]response{}}, nil
}

// openPast goes through what was gone through before: through each file up to its mark.
func openPast(dir, below string, marks map[string]mark) (*archives, error) {
	a, err := openArchives(dir, below, marks)
	if err != nil {
		return nil, err
	}
	a.past = true
	a.names = slices.DeleteFunc(a.names, func(name string) bool { return marks[a.named(name)].Length == 0 })
	return a, nil
}

func responseKey(address string, unix int64) string { return fmt.Sprintf("%s %d", address, unix) }

// find is the response of a record; ok is false where there is none.
func (a *archives) find(r *sink.Record) (found response, ok bool, err error) {
	want := responseKey(answered(r), r.Time.Unix())
	if found, ok := a.aside[want]; ok {
		delete(a.aside, want)
		found.rec, err = readAt(filepath.Join(a.dir, filepath.Base(found.file)), found.at)
		return found, err == nil, unlessGone(err)
	}
	for range ahead {
		rec, err := a.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return response{}, false, err
		}
		here := response{a.name(), a.base + rec.Offset, rec}
		if key := responseKey(rec.Target, rec.Date.Unix()); key != want {
			here.rec = nil
			if _, twice := a.aside[key]; !twice { // a page whose scripts were run stands before the answer that it was made of
				a.aside[key] = here
			}
			continue
		}
		return here, true, nil
	}
	return response{}, false, nil
}

// unlessGone is an error but that of a file which is not there: an archive that was taken away to have room is no hindrance.
func unlessGone(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

func (a *archives) name() string { return a.named(a.names[a.now]) }

// named is a file of the folder as cards tell it.
func (a *archives) named(name string) string { return filepath.ToSlash(filepath.Join(a.below, name)) }

// next is the next response record of the run; io.EOF where there is no whole one left.
func (a *archives) next() (*warc.Record, error) {
	for {
		if a.reader == nil {
			if err := a.open(); err != nil {
				return nil, err
			}
		}
		rec, err := a.reader.Next()
		switch {
		case err == nil && rec.IsPage() && rec.Inside == 0:
			return rec, nil
		case err == nil:
		case a.bytes.err != nil:
			return nil, a.bytes.err
		default: // the end, or a record that is still being written
			a.close()
		}
	}
}

// open opens the next file, behind its mark or before it; io.EOF where there is none.
func (a *archives) open() error {
	if a.now >= len(a.names)-1 {
		return io.EOF
	}
	a.now++
	f, err := os.Open(filepath.Join(a.dir, a.names[a.now]))
	if err != nil {
		return cmp.Or(unlessGone(err), io.EOF)
	}
	from, to := a.marks[a.name()].Length, int64(1<<62)
	if a.past {
		from, to = 0, from
	}
	bytes := &faithful{ReaderAt: f}
	reader, err := warc.NewReader(io.NewSectionReader(bytes, from, to-from))
	if err != nil {
		f.Close()
		return cmp.Or(bytes.err, err)
	}
	a.base, a.file, a.bytes, a.reader = from, f, bytes, reader
	return nil
}

func (a *archives) close() {
	if a.file != nil {
		a.file.Close()
	}
	a.file, a.reader = nil, nil
}

func readAt(path string, offset int64) (*warc.Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return warc.At(f, offset)
}
