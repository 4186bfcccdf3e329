// Package replay answers one question: how does a web in a box behave?
//
// A Web is a recorded or drawn web: a folder with pages.warc.gz, redirects.tsv, labels.tsv and web.yaml. It is an
// http.RoundTripper. Recorder makes such a folder out of what a crawl fetches, package drawn out of nothing but a seed, and
// Proxy serves one to programs that know nothing of it. It serves step 2 of the journey when there is no network (see package
// focus).
package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
)

// DefaultLatency is how long an answer took where nobody wrote it down.
const DefaultLatency = 50 * time.Millisecond

// Web is a recorded web, opened. It may be used by many goroutines at once.
type Web struct {
	*index
	dir         string
	about       Description
	fingerprint string
	redirects   map[string]string
	labels      map[string]string
	files       []*os.File
	copies      []string // files that were made for this opening
	cache       *cache
}

// index is where everything stands in the files of a web. Once they have been read through nothing of it changes, so that it
// may serve several openings.
type index struct {
	pages   []entry          // in the order they were recorded
	names   map[string]int32 // recorded address → pages
	latency map[string]time.Duration
	skipped int
	why     error // why the last skipped record could not be read
	flaws   []Flaw

	canonOnce sync.Once
	canon     map[string]int32 // canonical form → pages
}

// entry is where a recorded answer stands.
type entry struct {
	address string // empty for the second recording of a page, which only revisits may refer to
	file    uint16
	status  uint16
	offset  int64
	failure string // what went wrong, where no answer came
}

// Open opens the web in a folder: an index of its pages is made, the pages stay on disk. A folder without web.yaml is
// a web without topics, and a WARC file may stand for a folder that holds nothing else.
func Open(path string) (*Web, error) {
	w := &Web{
		index: &index{names: map[string]int32{}, latency: map[string]time.Duration{}},
		dir:   path, redirects: map[string]string{}, labels: map[string]string{}, cache: newCache(cacheBytes),
	}
	err := w.open()
	if err != nil {
		w.Close()
		return nil, fmt.Errorf("open web %q: %w", path, err)
	}
	return w, nil
}

// open reads the files of a web and sums them up on the way. A web with the same sum, which was read in this process before, has the same
// index, and is not gone through again.
func (w *Web) open() error {
	info, err := os.Stat(w.dir)
	if errors.Is(err, os.ErrNotExist) {
		return errors.New("there is no such file or folder: want a WARC file or a folder of them, as 'thresher record FILE' makes one")
	}
	if err != nil {
		return err
	}
	archives := []string{w.dir}
	if info.IsDir() {
		if archives, err = findArchives(w.dir); err != nil {
			return err
		}
		if err := w.about.read(filepath.Join(w.dir, "web.yaml")); err != nil {
			return err
		}
		if err := readPairs(filepath.Join(w.dir, "redirects.tsv"), w.redirects); err != nil {
			return err
		}
		if err := readLabels(filepath.Join(w.dir, "labels.tsv"), w.labels); err != nil {
			return err
		}
	}
	if w.about.Name == "" {
		w.about.Name = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(w.dir), ".gz"), ".warc")
	}
	sum := sha256.New()
	sizes := ""
	for _, name := range archives {
		n, err := w.file(name, sum)
		if err != nil {
			return err
		}
		sizes += fmt.Sprintf(" %d", n)
	}
	if b, err := os.ReadFile(filepath.Join(w.dir, "redirects.tsv")); err == nil {
		sum.Write(b)
	}
	w.fingerprint = hex.EncodeToString(sum.Sum(nil))
	of := remembered{archives: archives, sum: w.fingerprint + sizes}
	if known := lately.of(of); known != nil {
		w.index = known
		return nil
	}
	x := &indexer{w: w, ids: map[string]int32{}, digests: map[string]int32{}}
	for file, name := range archives {
		if err := x.read(name, file); err != nil {
			return err
		}
	}
	x.resolve()
	if len(w.names) == 0 {
		return fmt.Errorf("it holds no page (%d records could not be read): want response records", w.skipped)
	}
	if len(w.copies) == 0 && len(w.pages) <= mostRemembered {
		of.index = w.index
		lately.remember(of)
	}
	return nil
}

// file opens a WARC file, and sums it up.
func (w *Web) file(name string, sum io.Writer) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	if w.files = append(w.files, f); len(w.files) > mostFiles {
		return 0, errFiles
	}
	return io.Copy(sum, f)
}

// findArchives are the WARC files of a folder, pages.warc.gz first: of a page recorded twice the first counts.
func findArchives(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var first, more []string
	for _, f := range list {
		name := f.Name()
		switch {
		case name == "pages.warc.gz" || name == "pages.warc":
			first = append(first, filepath.Join(dir, name))
		case strings.HasSuffix(name, ".warc.gz") || strings.HasSuffix(name, ".warc"):
			more = append(more, filepath.Join(dir, name))
		}
	}
	if first = append(first, more...); len(first) == 0 {
		return nil, fmt.Errorf("there is no pages.warc.gz in it: a web is a folder with pages.warc.gz, redirects.tsv, labels.tsv and web.yaml")
	}
	return first, nil
}

func withoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}

// Name, Language and Topics are what web.yaml says.
func (w *Web) Name() string { return w.about.Name }

// Language is the web's language as its web.yaml says.
func (w *Web) Language() string { return w.about.Language }

// Topics are the topics of its web.yaml.
func (w *Web) Topics() []Topic { return w.about.Topics }

// Topic answers the topic of that name.
func (w *Web) Topic(name string) (Topic, bool) { return w.about.Topic(name) }

// Fingerprint changes when the pages change, or what leads to them.
func (w *Web) Fingerprint() string { return w.fingerprint }

// Flaw is what of one file of a web could not be read.
type Flaw struct {
	File    string
	Records int
	Why     error // why the last of them could not be read
}

func (f Flaw) String() string {
	return fmt.Sprintf("%d of its records cannot be read and are left out, the last because: %v", f.Records, f.Why)
}

// Flaws are the files of a web that could not be read whole, in the order they were read.
func (w *Web) Flaws() []Flaw { return slices.Clone(w.flaws) }

// flaw notes records of a file that cannot be read.
func (w *Web) flaw(file string, records int, why error) {
	w.skipped, w.why = w.skipped+records, why
	for i := range w.flaws {
		if f := &w.flaws[i]; f.File == file {
			f.Records, f.Why = f.Records+records, why
			return
		}
	}
	w.flaws = append(w.flaws, Flaw{file, records, why})
}

// Skipped is how many records of its files could not be read, and why the last one could not.
func (w *Web) Skipped() (int, error) { return w.skipped, w.why }

// Addresses are the recorded answers of a status of success, by the name each is recorded under, in recorded order.
func (w *Web) Addresses() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, e := range w.pages {
			if page.Arrived(int(e.status)) && e.address != "" && !yield(e.address) {
				return
			}
		}
	}
}

// Labels is the label line of a recorded address: the columns of labels.tsv behind the address.
func (w *Web) Labels(recorded string) (line string, ok bool) {
	line, ok = w.labels[recorded]
	return line, ok
}

// Unknown tells whether nothing is known of the recorded pages that labels.tsv does not name.
func (w *Web) Unknown() bool { return w.about.Unlabelled == Unknown }

// Labelled is how many addresses labels.tsv names.
func (w *Web) Labelled() int { return len(w.labels) }

// Unrecorded are the addresses that labels.tsv names but no page is recorded under, sorted: slips of a pen, or labels of
// another web.
func (w *Web) Unrecorded() []string {
	var list []string
	for address := range w.labels {
		if _, ok := w.names[address]; !ok {
			list = append(list, address)
		}
	}
	slices.Sort(list)
	return list
}

// find answers which entry an address is served from, and whether a redirect stands before it.
func (w *Web) find(address string) (n int32, alias string, ok bool) {
	address = withoutFragment(address)
	if n, ok = w.names[address]; ok {
		return n, "", true
	}
	if to, ok := w.redirects[address]; ok {
		return 0, to, true
	}
	w.canonOnce.Do(w.canonicals)
	identity, err := page.Canonical(address)
	if err != nil {
		return 0, "", false
	}
	n, ok = w.canon[identity]
	return n, "", ok
}

// canonicals makes the index by canonical form, when the first address asks for it.
func (w *Web) canonicals() {
	w.canon = make(map[string]int32, len(w.pages))
	for i, e := range w.pages {
		identity, err := page.Canonical(e.address)
		if _, twice := w.canon[identity]; err == nil && !twice && e.address != "" {
			w.canon[identity] = int32(i)
		}
	}
}

// maxHops is how many redirects in a row Has follows. Browsers stop at 20, crawlers at 10.
const maxHops = 10

// Has tells whether an address leads to a page of the web, through redirects too, and by which name it is recorded.
func (w *Web) Has(address string) (recorded string, ok bool) {
	for range maxHops {
		n, alias, ok := w.find(address)
		if !ok {
			return "", false
		}
		if alias == "" {
			e := w.pages[n]
			if page.Arrived(int(e.status)) {
				return e.address, true
			}
			if alias = w.location(n); alias == "" {
				return "", false
			}
		}
		address = alias
	}
	return "", false
}

// Latency is the recorded time an answer took (50 ms where nothing was recorded).
func (w *Web) Latency(address string) time.Duration {
	if d, ok := w.latency[withoutFragment(address)]; ok {
		return d
	}
	if n, alias, ok := w.find(address); ok && alias == "" {
		if d, ok := w.latency[w.pages[n].address]; ok {
			return d
		}
	}
	return DefaultLatency
}

// Close closes its files.
func (w *Web) Close() error {
	var all []error
	for _, f := range w.files {
		all = append(all, f.Close())
	}
	for _, name := range w.copies {
		all = append(all, os.Remove(name))
	}
	return errors.Join(all...)
}
