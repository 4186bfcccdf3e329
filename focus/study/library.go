package study

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Library is where pages are kept that a crawl does not have to fetch: a recorded web, a harvest, or a folder of files.
type Library struct {
	path      string
	folder    string // where files are, by paths from there
	addresses []string
	web       *replay.Web
	pages     *Pages
	called    map[string]string // pages of a harvest by both of their addresses; nil where they are in none
	records   iter.Seq2[*sink.Record, error]
	texts     map[string]Specimen      // those of them that have been read
	looked    func() (*Library, error) // pages that are read where the others have none of an address; nil where there are no more
	files     bool
}

// errNoPages is the error of a place that holds no page.
var errNoPages = errors.New("there are no pages in it: want a folder of .html or .txt files, a recorded web, the folder of a run, or a harvest.jsonl")

// OpenLibrary opens a recorded web (its folder, or a WARC file), the kept pages of a run (its folder, or its
// harvest.jsonl), or a folder of HTML and text files.
func OpenLibrary(path string) (*Library, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("pages: %s: there is no such file or folder", path)
	}
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	l := &Library{path: path, folder: path}
	if !info.IsDir() {
		l.folder = filepath.Dir(path)
	}
	switch {
	case strings.HasSuffix(path, ".warc.gz") || strings.HasSuffix(path, ".warc") || info.IsDir() && crawlfile.Holds(path, crawlfile.WebFiles...):
		err = l.openWeb()
	case isHarvest(path):
		err = l.openHarvest()
	case info.IsDir() && (crawlfile.Holds(path, harvestFirst) || sink.HasKept(path)):
		err = l.openHarvest()
	case run.Is(path):
		err = errors.New("the run has kept no pages that can be read again: its sinks need jsonl or warc")
	case info.IsDir():
		err = l.openFiles()
	default:
		err = errNoPages
	}
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("pages: %s: %w", path, err)
	}
	return l, nil
}

// OpenRunLibrary opens the library in which most pages of a run are found again, dropped ones too: the recorded web it
// crawled, or the one it recorded, before those it has kept. A page that is in none of them is looked up among those that wait for a
// second look: of these a person is asked, too. What is no run is opened as OpenLibrary does.
func OpenRunLibrary(dir string) (*Library, error) {
	if !run.Is(dir) {
		return OpenLibrary(dir)
	}
	l, err := openRunLibrary(dir)
	if err == nil && sink.HasLooks(dir) {
		l.looked = sync.OnceValues(func() (*Library, error) {
			looked := &Library{path: dir, folder: dir}
			return looked, looked.index(looksOf(sink.LookRecords(dir)), looksOf(sink.LookTexts(dir)))
		})
	}
	return l, err
}

func openRunLibrary(dir string) (*Library, error) {
	config, err := (&run.Run{Dir: dir}).Config()
	if _, mistakes := strict.Problems(err); err != nil && !mistakes { // keys of another version do not matter here
		return nil, err
	}
	for _, web := range []string{config.Web, filepath.Join(dir, "web")} {
		if web != "" && crawlfile.Holds(web, crawlfile.WebFiles...) {
			return OpenLibrary(web)
		}
	}
	return OpenLibrary(dir)
}

// harvestFirst is the file by which a harvest is known.
const harvestFirst = "harvest.jsonl"

func (l *Library) openWeb() error {
	web, err := replay.Open(l.path)
	if err != nil {
		return err
	}
	l.web, l.pages = web, NewPages(web, nil)
	for address := range web.Addresses() {
		if u, err := url.Parse(address); err != nil || u.Path != "/robots.txt" { // which is recorded for the hosts' sake, and no page
			l.addresses = append(l.addresses, address)
		}
	}
	return nil
}

// openHarvest finds out which pages a harvest has.
func (l *Library) openHarvest() error {
	briefly, records := sink.KeptBriefly(l.path), sink.Kept(l.path)
	if isHarvest(l.path) {
		briefly, records = harvestFile(l.path), harvestFile(l.path)
	}
	if err := l.index(briefly, records); err != nil {
		return err
	}
	if len(l.addresses) == 0 {
		return errNoPages
	}
	return nil
}

// looksOf are the pages of a run that wait for a second look.
func looksOf(looks iter.Seq2[*sink.Seen, error]) iter.Seq2[*sink.Record, error] {
	return func(yield func(*sink.Record, error) bool) {
		for seen, err := range looks {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(seen.Record, nil) {
				return
			}
		}
	}
}

// index notes by which addresses records are called; they are read again for their texts, which a large run has too many of.
func (l *Library) index(briefly, records iter.Seq2[*sink.Record, error]) error {
	l.called, l.records, l.texts = map[string]string{}, records, map[string]Specimen{}
	for r, err := range briefly {
		if err != nil {
			return err
		}
		final := cmp.Or(r.FinalURL, r.URL)
		if _, twice := l.called[final]; !twice {
			l.addresses = append(l.addresses, final)
			l.called[final] = final
		}
		if _, twice := l.called[r.URL]; !twice {
			l.called[r.URL] = final
		}
	}
	return nil
}

// read reads the texts of those pages of a harvest that are wanted, all of which are there.
func (l *Library) read(wanted map[string]bool) error {
	for r, err := range l.records {
		if err != nil {
			return err
		}
		if r.FinalURL = cmp.Or(r.FinalURL, r.URL); wanted[r.FinalURL] {
			l.texts[r.FinalURL] = harvestSpecimen(r)
			if delete(wanted, r.FinalURL); len(wanted) == 0 {
				return nil
			}
		}
	}
	return nil
}

// Pages reads several pages at once, which takes no longer than to read one: those that are there, by the addresses that are asked for.
func (l *Library) Pages(addresses []string) (map[string]Specimen, error) {
	if err := l.ready(addresses); err != nil {
		return nil, err
	}
	pages := map[string]Specimen{}
	for _, address := range addresses {
		p, ok, err := l.Page(address)
		if err != nil {
			return nil, err
		}
		if ok {
			pages[address] = p
		}
	}
	return pages, nil
}

// ready reads the texts of pages of a harvest, and of those that wait for a second look, before they are asked for.
func (l *Library) ready(addresses []string) error {
	wanted, rest := map[string]bool{}, []string(nil)
	for _, address := range addresses {
		if !crawlfile.IsAddress(address) {
			continue
		}
		if at, ok := l.Address(address); !ok {
			rest = append(rest, address)
		} else if _, read := l.texts[at]; l.called != nil && !read {
			wanted[at] = true
		}
	}
	if len(wanted) > 0 {
		if err := l.read(wanted); err != nil {
			return err
		}
	}
	if l.looked == nil || len(rest) == 0 {
		return nil
	}
	looked, err := l.looked()
	if err != nil {
		return err
	}
	return looked.ready(rest)
}

// isHarvest tells files of pages by their names; what ends in .gz or .zst is packed.
func isHarvest(path string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst"), ".jsonl")
}

// harvestFile reads one file of pages, a JSON object a line, as a sink or thresher export has written it.
func harvestFile(path string) iter.Seq2[*sink.Record, error] {
	return func(yield func(*sink.Record, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		in := bufio.NewReader(f)
		if strings.HasSuffix(path, ".gz") {
			packed, err := gzip.NewReader(in)
			if err != nil {
				yield(nil, err)
				return
			}
			in = bufio.NewReader(packed)
		}
		if strings.HasSuffix(path, ".zst") {
			packed, err := zstd.NewReader(in)
			if err != nil {
				yield(nil, err)
				return
			}
			defer packed.Close()
			in = bufio.NewReader(packed)
		}
		for number := 1; ; number++ {
			line, err := in.ReadBytes('\n')
			if err == io.EOF && len(bytes.TrimSpace(line)) == 0 {
				return
			}
			r := &sink.Record{}
			if err == nil || err == io.EOF {
				err = json.Unmarshal(line, r)
			}
			if err == nil && r.URL == "" {
				err = errors.New("the page has no url")
			}
			if err != nil {
				yield(nil, fmt.Errorf("line %d: %w; want one page a line, as thresher export writes them", number, err))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (l *Library) openFiles() error {
	l.files = true
	err := filepath.WalkDir(l.path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") || !isPageFile(path) {
			return err
		}
		name, err := filepath.Rel(l.path, path)
		l.addresses = append(l.addresses, name)
		return err
	})
	if err == nil && len(l.addresses) == 0 {
		err = errNoPages
	}
	return err
}

// isPageFile tells files that are pages by their names.
func isPageFile(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".html", ".htm", ".xhtml", ".shtml", ".txt":
		return true
	}
	return false
}

// Addresses are the pages that are there, in their order: the addresses, or the paths of files below the folder.
func (l *Library) Addresses() []string { return l.addresses }

// Address is how a page is called here, by any address that leads to it; ok is false where there is none.
func (l *Library) Address(of string) (address string, ok bool) {
	switch {
	case l.web != nil:
		return l.web.Has(of)
	case l.called != nil:
		if at, ok := l.called[of]; ok {
			return l.called[at], true
		}
	}
	return of, l.files && slices.Contains(l.addresses, of)
}

// Page reads a page. ok is false where the library has none of this address.
func (l *Library) Page(address string) (p Specimen, ok bool, err error) {
	if !crawlfile.IsAddress(address) {
		return l.file(address)
	}
	at, ok := l.Address(address)
	switch {
	case !ok && l.looked != nil:
		looked, err := l.looked()
		if err != nil {
			return Specimen{}, false, err
		}
		return looked.Page(address)
	case !ok:
		return Specimen{}, false, nil
	case l.web != nil:
		read, _, err := l.pages.read(at)
		if errors.Is(err, errNotAPage) {
			return Specimen{}, false, nil
		}
		if err != nil {
			return Specimen{}, false, err
		}
		return pageSpecimen(at, read), true, nil
	}
	if _, read := l.texts[at]; !read { // who asks for one asks for more
		wanted := map[string]bool{}
		for _, address := range l.addresses {
			wanted[address] = true
		}
		if err := l.read(wanted); err != nil {
			return Specimen{}, false, err
		}
	}
	p, ok = l.texts[at]
	return p, ok, nil
}

// file reads a page from a file in the folder.
func (l *Library) file(name string) (Specimen, bool, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.folder, name)
	}
	p, err := ReadSpecimen(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Specimen{}, false, nil
	}
	p.Address = name
	return p, err == nil, err
}

// Recorded tells of a recorded web, which has whatever was fetched, kept or not.
func (l *Library) Recorded() bool { return l.web != nil }

// Close closes its files.
func (l *Library) Close() error {
	if l.web == nil {
		return nil
	}
	return l.web.Close()
}
