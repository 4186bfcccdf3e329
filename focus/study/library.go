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
	harvest   map[string]*sink.Record  // by both addresses of a page
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
			return looked, looked.read(looksOf(dir))
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

// openHarvest reads a harvest into memory.
func (l *Library) openHarvest() error {
	records := sink.Kept(l.path)
	if isHarvest(l.path) {
		records = harvestFile(l.path)
	}
	if err := l.read(records); err != nil {
		return err
	}
	if len(l.addresses) == 0 {
		return errNoPages
	}
	return nil
}

// looksOf are the pages of a run that wait for a second look.
func looksOf(dir string) iter.Seq2[*sink.Record, error] {
	return func(yield func(*sink.Record, error) bool) {
		for seen, err := range sink.ReadLooks(dir) {
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

// read reads records into memory: main texts are small.
func (l *Library) read(records iter.Seq2[*sink.Record, error]) error {
	l.harvest = map[string]*sink.Record{}
	for r, err := range records {
		if err != nil {
			return err
		}
		r = &sink.Record{URL: r.URL, FinalURL: r.FinalURL, Title: r.Title, Imprint: sink.Imprint{Description: r.Description}, Language: r.Language, Text: r.Text}
		r.FinalURL = cmp.Or(r.FinalURL, r.URL)
		if _, twice := l.harvest[r.FinalURL]; !twice {
			l.addresses = append(l.addresses, r.FinalURL)
			l.harvest[r.FinalURL] = r
		}
		if _, twice := l.harvest[r.URL]; !twice {
			l.harvest[r.URL] = r
		}
	}
	return nil
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
	case l.harvest != nil:
		if r, ok := l.harvest[of]; ok {
			return r.FinalURL, true
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
	return harvestSpecimen(l.harvest[at]), true, nil
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
