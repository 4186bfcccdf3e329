package page

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/thresher-crawler/thresher/focus/warc"
)

// recorded is a page of a recorded web, in UTF-8.
type recorded struct {
	address string
	body    []byte
}

// sharedWeb is the folder of a recorded web that lies beside the repository, for those who have it.
func sharedWeb(t testing.TB, name string) string {
	t.Helper()
	if os.Getenv("THRESHER_SHARED") != "1" {
		t.Skip("set THRESHER_SHARED=1 to read the recorded webs beside the repository")
	}
	dir := filepath.Join("..", "..", "..", "shared", "webs", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no recorded web %s beside the repository", name)
	}
	return dir
}

// eachPage calls do for the pages of a recorded web, the first of each address.
func eachPage(t testing.TB, dir string, do func(recorded)) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "pages.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := warc.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for {
		rec, err := records.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type != "response" || seen[rec.Target] {
			continue
		}
		seen[rec.Target] = true
		_, body, _ := bytes.Cut(rec.Body, []byte("\r\n\r\n"))
		if !utf8.Valid(body) {
			encoding, _, _ := charset.DetermineEncoding(body, "text/html")
			if body, err = encoding.NewDecoder().Bytes(body); err != nil {
				t.Fatal(err)
			}
		}
		do(recorded{rec.Target, body})
	}
}

// tsv calls do for the lines of a file of two columns.
func tsv(t testing.TB, path string, do func(a, b string)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if a, b, ok := strings.Cut(lines.Text(), "\t"); ok {
			do(a, b)
		}
	}
}

// known are the names a recorded web answers to: its pages and redirects, by address and by identity.
type known map[string]string

func (k known) add(written, page string) {
	if _, ok := k[written]; !ok {
		k[written] = page
	}
	if id, err := Canonical(written); err == nil {
		if _, ok := k[id]; !ok {
			k[id] = page
		}
	}
}

func (k known) page(l *Link) string {
	if p, ok := k[l.URL]; ok {
		return p
	}
	return k[l.Identity]
}

// TestSharedWebs reads every page of the recorded webs and compares the links with those in links.tsv.gz. That list was
// made by a reader with rules of its own: what it has and the reference tree has not stands in textarea and noframes,
// behind comments of old forms, and in paths with "//" in them.
func TestSharedWebs(t *testing.T) {
	if os.Getenv("THRESHER_WEBS") != "1" {
		t.Skip("most of a minute: set THRESHER_SHARED=1 and THRESHER_WEBS=1 to read all recorded webs")
	}
	for _, name := range []string{"webkb", "zh_portals"} {
		t.Run(name, func(t *testing.T) {
			dir := sharedWeb(t, name)
			want := map[string]map[string]bool{}
			tsv(t, filepath.Join(dir, "links.tsv.gz"), func(from, to string) {
				if want[from] == nil {
					want[from] = map[string]bool{}
				}
				want[from][to] = true
			})
			names := known{}
			eachPage(t, dir, func(p recorded) { names.add(p.address, p.address) })
			tsv(t, filepath.Join(dir, "redirects.tsv"), func(alias, page string) { names.add(alias, page) })

			var s survey
			eachPage(t, dir, func(rec recorded) { s.read(rec, names, want[rec.address]) })
			s.report(t)
			if s.found*1000 < (s.wanted-s.nowhere)*999 {
				t.Errorf("%d of %d links found that the tree has, want 99.9 %%", s.found, s.wanted-s.nowhere)
			}
			if s.texts*1000 < s.trees*999 || s.anchors*1000 < s.trees*999 {
				t.Errorf("%d and %d of %d pages have the tree's text and anchors, want 99.9 %%", s.texts, s.anchors, s.trees)
			}
			if s.hidden*1000 < s.wanted*998 {
				t.Errorf("%d of %d links found with hidden markup, want 99.8 %%", s.hidden, s.wanted)
			}
		})
	}
}

// survey is what reading a web showed.
type survey struct {
	pages, bytes, main, cut int
	trees, texts, anchors   int // pages with a reference tree, with the same text, with the same text in links
	wanted, found           int
	nowhere                 int // wanted, but not in the tree of golang.org/x/net/html either
	hidden                  int // found when textarea and noframes are read as markup
	missed                  []string
	kinds, blocks           [Related + 1]int
	slow                    []slowPage
	total                   time.Duration
}

type slowPage struct {
	took  time.Duration
	about string
}

func (s *survey) read(rec recorded, names known, want map[string]bool) {
	start := time.Now()
	p := Parse(rec.body, rec.address, Options{})
	took := time.Since(start)
	s.total += took
	s.pages++
	s.bytes += len(rec.body)
	s.kinds[p.Kind]++
	for i := range p.Blocks {
		s.blocks[p.Blocks[i].Kind]++
		if p.Blocks[i].Main {
			s.main++
		}
	}
	if p.Cut != "" {
		s.cut++
	}
	if took > 2*time.Millisecond {
		for range 3 {
			again := time.Now()
			Parse(rec.body, rec.address, Options{})
			took = min(took, time.Since(again))
		}
	}
	s.slow = append(s.slow, slowPage{took, fmt.Sprintf("%s: %d KB, %d links, %d blocks, %d KB of text, cut %q",
		rec.address, len(rec.body)>>10, len(p.Links), len(p.Blocks), len(p.prose)>>10, p.Cut)})
	s.compareText(rec, p)
	s.compare(rec, names, want, p)
}

// compareText compares the amounts of text with those in the reference tree.
func (s *survey) compareText(rec recorded, p *Page) {
	chars, anchors, ok := treeText(rec.body)
	if !ok || chars < ownCharacters && TextInScript(rec.body) != "" { // which no tree has
		return
	}
	s.trees++
	for i := range p.Blocks {
		chars -= p.Blocks[i].Chars
		anchors -= p.Blocks[i].AnchorChars
	}
	if chars == 0 {
		s.texts++
	}
	if anchors == 0 {
		s.anchors++
	}
}

// compare counts the links that ought to be there.
func (s *survey) compare(rec recorded, names known, want map[string]bool, p *Page) {
	s.wanted += len(want)
	missing := lacking(names, want, p.Links)
	s.found += len(want) - len(missing)
	if len(missing) == 0 {
		s.hidden += len(want)
		return
	}
	tree, _ := treeLinks(rec)
	for _, to := range lacking(names, want, tree) {
		if slices.Contains(missing, to) {
			s.nowhere++
		}
	}
	still := lacking(names, want, Parse(rec.body, rec.address, Options{Hidden: true}).Links)
	s.hidden += len(want) - len(still)
	for _, to := range still {
		s.missed = append(s.missed, rec.address+" -> "+to)
	}
}

// lacking are the pages wanted to which no link leads.
func lacking(names known, want map[string]bool, links []Link) (missing []string) {
	got := map[string]bool{}
	for i := range links {
		got[names.page(&links[i])] = true
	}
	for to := range want {
		if !got[to] {
			missing = append(missing, to)
		}
	}
	return missing
}

// treeLinks are the links the reference tree of a page has.
func treeLinks(rec recorded) (links []Link, ok bool) {
	written, base, ok := treeAddresses(rec.body)
	to := newResolver(rec.address, base, nil)
	for _, w := range written {
		_, href, _ := strings.Cut(w, " ")
		if a, ok := to.resolve(href); ok {
			links = append(links, Link{URL: a.whole, Identity: a.identity()})
		}
	}
	return links, ok
}

func (s *survey) report(t *testing.T) {
	t.Logf("%d pages of %d KB on average, read in %v; %d cut", s.pages, s.bytes/s.pages>>10, s.total, s.cut)
	share := func(n, of int) float64 { return 100 * float64(n) / float64(of) }
	t.Logf("%d links wanted: %d found (%.3f %%), %d more not in the reference tree: %.3f %% of those in it; %d (%.3f %%) with hidden markup",
		s.wanted, s.found, share(s.found, s.wanted), s.nowhere, share(s.found, s.wanted-s.nowhere), s.hidden, share(s.hidden, s.wanted))
	t.Logf("%d pages have a reference tree: as much text as in it in %d, as much of it in links in %d", s.trees, s.texts, s.anchors)
	for k := Text; k <= Related; k++ {
		t.Logf("%-14s %6d pages %7d blocks", k, s.kinds[k], s.blocks[k])
	}
	t.Logf("main           %6s       %7d blocks", "", s.main)
	slices.SortFunc(s.slow, func(a, b slowPage) int { return cmp.Compare(b.took, a.took) })
	for _, p := range s.slow[:8] {
		t.Logf("slow: %v %s", p.took, p.about)
	}
	slices.Sort(s.missed)
	for _, m := range s.missed {
		t.Log("missed even so: ", m)
	}
}
