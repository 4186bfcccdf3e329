package focus

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// shelfCache is a folder in which shelves leave what they have read and cut. Its files are named after all that their
// content depends on, so that none is ever out of date: the pages of the web, how they are read and arranged, how they
// are cut, and the versions of those who did it. Each is written aside and renamed, and checked when it is read: many
// processes may use a folder, and anything in it may be deleted at any time.
type shelfCache struct {
	dir  string
	base string // what all names of this shelf depend on
}

// DefaultCache is the folder where what was read of recorded webs is kept from one process to the next: webs, in the
// folder of this program in the user's own cache. It is empty where the user has none.
func DefaultCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "thresher", "webs")
}

// mostCached bounds a cache, in bytes: what was used longest ago goes first.
const mostCached = 4 << 30

// doubtsOfPages is how many pages of a cache are read again before the rest is believed.
const doubtsOfPages = 4

// Cache makes the shelf take from a folder what was read and cut before, and leave there what Settle is given. arranged
// names what the shelf's arrange does to pages: shelves of one web that arrange otherwise do not share. It is called
// before the shelf is used. What cannot be used is read again, and is no error.
func (s *Shelf) Cache(dir, arranged string) {
	s.cache = &shelfCache{dir: dir, base: fmt.Sprintf("%s page %d %+v %q", s.web.Fingerprint(), page.Version, shelfReading, arranged)}
	s.cache.loadPages(s)
}

const (
	pagesMagic = "thresher pages 1\n"
	wordsMagic = "thresher words 1\n"
)

// file is where something of a kind is kept. What is written in another format has another name: a program leaves alone what
// a newer one has written.
func (c *shelfCache) file(kind, magic, of string) string {
	sum := sha256.Sum256([]byte(magic + of))
	return filepath.Join(c.dir, fmt.Sprintf("%x.%s", sum[:16], kind))
}

func (c *shelfCache) pagesFile() string { return c.file("pages", pagesMagic, c.base) }

func (c *shelfCache) wordsFile(as string) string { return c.file("words", wordsMagic, c.base+" "+as) }

// The kinds of what a file of pages holds.
const (
	keptPage = iota
	keptNoPage
)

// packer presses pages together, and unpacker undoes it; both serve many goroutines.
var (
	packer = sync.OnceValue(func() *zstd.Encoder {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic(err) // the options above are wrong
		}
		return w
	})
	unpacker = sync.OnceValue(func() *zstd.Decoder {
		r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			panic(err)
		}
		return r
	})
)

// packPage is a page, or that there is none, as a cache holds it.
func packPage(p *page.Page, err error) ([]byte, bool) {
	if errors.Is(err, errNotAPage) {
		return []byte{keptNoPage}, true
	}
	if err != nil || p == nil {
		return nil, false
	}
	raw, err := p.AppendBinary(nil)
	if err != nil {
		return nil, false
	}
	return packer().EncodeAll(raw, []byte{keptPage}), true
}

// unpackPage is what packPage has packed.
func unpackPage(packed []byte) (*page.Page, error) {
	if len(packed) == 1 && packed[0] == keptNoPage {
		return nil, errNotAPage
	}
	raw, err := unpacker().DecodeAll(packed[1:], nil)
	if err != nil {
		return nil, err
	}
	p := &page.Page{}
	return p, p.UnmarshalBinary(raw)
}

// loadPages puts the pages of the cache on the shelf. A few are read again: if one comes out otherwise, none is
// believed.
func (c *shelfCache) loadPages(s *Shelf) {
	r, ok := c.load(c.pagesFile(), pagesMagic)
	if !ok {
		return
	}
	books := map[string]*book{}
	var addresses []string
	for len(r.Left) > 0 {
		address, size, kept := r.Text(), r.Number(), r.Bytes()
		books[address] = &book{size: int64(size), kept: kept}
		addresses = append(addresses, address)
		if len(kept) == 0 {
			return
		}
	}
	if r.Bad {
		return
	}
	for i := range min(doubtsOfPages, len(addresses)) {
		address := addresses[i*len(addresses)/doubtsOfPages%len(addresses)]
		p, size, err := s.read(address)
		packed, ok := packPage(p, err)
		if b := books[address]; !ok || size != b.size || !bytes.Equal(packed, b.kept) {
			return
		}
	}
	s.books = books
}

// loadWords puts the words of the cache into a stock.
func (c *shelfCache) loadWords(as string, w *wordStock) {
	r, ok := c.load(c.wordsFile(as), wordsMagic)
	if !ok {
		return
	}
	terms := make([]string, 0, 1024)
	for range r.Number() {
		if r.Bad {
			return
		}
		terms = append(terms, r.Text())
	}
	pages := map[string]packedWords{}
	for len(r.Left) > 0 {
		address, cost, tokens := r.Text(), r.Number(), r.Bytes()
		pages[address] = packedWords{tokens, time.Duration(cost)}
	}
	if r.Bad {
		return
	}
	for n, term := range terms {
		w.index[term] = uint32(n)
	}
	w.terms, w.pages, w.doubts = terms, pages, doubtsOfWords
}

// load reads a file of the cache whole and checks it.
func (c *shelfCache) load(name, magic string) (*pack.Reader, bool) {
	raw, err := os.ReadFile(name)
	if err != nil || len(raw) < len(magic)+4 || string(raw[:len(magic)]) != magic {
		return nil, false
	}
	end := len(raw) - 4
	if crc32.Checksum(raw[:end], castagnoli) != binary.LittleEndian.Uint32(raw[end:]) {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(name, now, now) // it was of use; if that cannot be noted it goes a little earlier
	return &pack.Reader{Left: raw[len(magic):end]}, true
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// save writes what a shelf has and the cache has not. s.mu must be held, and the shelf at rest.
func (c *shelfCache) save(s *Shelf) error {
	var failed []error
	if s.fresh.Swap(false) {
		failed = append(failed, c.write(c.pagesFile(), c.pages(s)))
	}
	for as, w := range s.words {
		if w.fresh {
			failed = append(failed, c.write(c.wordsFile(as), w.bytes()))
		}
	}
	return errors.Join(append(failed, c.prune(mostCached))...)
}

// pages is the file of a shelf's pages.
func (c *shelfCache) pages(s *Shelf) []byte {
	addresses := make([]string, 0, len(s.books))
	for address := range s.books {
		if _, recorded := s.web.Has(address); recorded { // what leaves the web is not asked twice
			addresses = append(addresses, address)
		}
	}
	slices.Sort(addresses)
	out := pack.Writer(pagesMagic)
	for _, address := range addresses {
		b := s.books[address]
		kept := b.kept
		if kept == nil {
			var ok bool
			if kept, ok = packPage(b.page, b.err); !ok {
				continue
			}
		}
		out.Text(address)
		out.Number(uint64(b.size))
		out.Bytes(kept)
	}
	return out
}

// bytes is the file of a stock of words.
func (w *wordStock) bytes() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := pack.Writer(wordsMagic)
	out.Count(len(w.terms))
	for _, term := range w.terms {
		out.Text(term)
	}
	addresses := make([]string, 0, len(w.pages))
	for address := range w.pages {
		addresses = append(addresses, address)
	}
	slices.Sort(addresses)
	for _, address := range addresses {
		p := w.pages[address]
		out.Text(address)
		out.Number(uint64(p.cost))
		out.Bytes(p.tokens)
	}
	w.fresh = false
	return out
}

// write writes a file aside and renames it: a file that is there is whole.
func (c *shelfCache) write(name string, content []byte) error {
	content = binary.LittleEndian.AppendUint32(content, crc32.Checksum(content, castagnoli))
	err := os.MkdirAll(c.dir, 0o755)
	if err == nil {
		err = whole.Note(name, content)
	}
	if err != nil {
		return fmt.Errorf("focus: cache of recorded webs: %w", err)
	}
	return nil
}

// aged is how old a file written beside its place must be to be taken for one that a process has left behind.
const aged = time.Hour

// prune deletes what was used longest ago until the folder holds no more than so many bytes, and what killed processes
// have left behind.
func (c *shelfCache) prune(most int64) error {
	entries, err := os.ReadDir(c.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("focus: cache of recorded webs: %w", err)
	}
	var files []fs.FileInfo
	var size int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // another process has deleted it, or it is none of ours
		}
		switch ext := filepath.Ext(info.Name()); {
		case ext == ".pages" || ext == ".words":
			files = append(files, info)
			size += info.Size()
		case strings.HasPrefix(info.Name(), whole.Beside) && time.Since(info.ModTime()) > aged:
			_ = os.Remove(filepath.Join(c.dir, info.Name())) // the next one will
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, f := range files {
		if size <= most {
			break
		}
		if err := os.Remove(filepath.Join(c.dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("focus: cache of recorded webs: %w", err)
		}
		size -= f.Size()
	}
	return nil
}
