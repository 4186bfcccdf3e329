//go:build unix

package index

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	bleve "github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"

	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/warc"
	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// A whole recorded web as a harvest, and what it is searched for.
type library struct {
	t        testing.TB
	dir, web string
	pages    []libraryPage
	byName   map[uint64]int
	links    []libraryLink
	text     int64 // bytes of main text
}

type libraryPage struct{ url, title, text, label string }

type libraryLink struct {
	from, to int
	anchor   string
}

// libraryOf keeps every page of a recorded web beside the repository.
func libraryOf(t testing.TB, web string) *library {
	t.Helper()
	if os.Getenv("THRESHER_SHARED") != "1" || os.Getenv("THRESHER_SEARCH") != "1" {
		t.Skip("set THRESHER_SHARED=1 and THRESHER_SEARCH=1 to search the recorded webs in ../shared; it takes minutes")
	}
	root := filepath.Join("..", "..", "..", "shared", "webs", web)
	f, err := os.Open(filepath.Join(root, "pages.warc.gz"))
	if err != nil {
		t.Skip("no recorded web: ", err)
	}
	defer f.Close()
	l := &library{t: t, dir: filepath.Join(t.TempDir(), web), web: root, byName: map[uint64]int{}}
	labels := l.labels()
	in, err := warc.NewReader(f)
	noError(t, err)
	var sinks []sink.Sink
	for _, to := range []string{"jsonl", "warc"} {
		s, err := sink.Open(l.dir, sink.Options{To: to})
		noError(t, err)
		defer s.Close()
		sinks = append(sinks, s)
	}
	var targets [][]page.Link
	for {
		rec, err := in.Next()
		if err != nil {
			break
		}
		if rec.Type != "response" {
			continue
		}
		response, body, err := rec.Response()
		if err != nil || response.StatusCode != 200 {
			continue
		}
		plain, _ := charset.Decode(body, response.Header.Get("Content-Type"))
		r := recordOf(uint64(len(l.pages))+1, rec.Target, plain)
		r.Body, r.Header, r.Bytes = body, response.Header, int64(len(body))
		for _, s := range sinks {
			noError(t, s.Write(r))
		}
		p := page.Parse(plain, rec.Target, page.Options{})
		targets = append(targets, p.Links)
		l.byName[nameOf(rec.Target)] = len(l.pages)
		l.pages = append(l.pages, libraryPage{rec.Target, strings.Clone(r.Title), strings.Clone(r.Text), labels[rec.Target]})
		l.text += int64(len(r.Text))
	}
	for from, links := range targets {
		for _, link := range links {
			if to, ok := l.byName[hashOf(link.Identity)]; ok && to != from {
				l.links = append(l.links, libraryLink{from, to, strings.TrimSpace(strings.Clone(link.Anchor))})
			}
		}
	}
	for _, s := range sinks {
		noError(t, s.Sync())
	}
	return l
}

func (l *library) labels() map[string]string {
	raw, err := os.ReadFile(filepath.Join(l.web, "labels.tsv"))
	if err != nil {
		l.t.Fatal(err)
	}
	labels := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		address, label, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		labels[address] = label
	}
	return labels
}

// query is something to look for, and the pages that answer it.
type query struct {
	words string
	right map[int]bool
}

// titles are titles that only one page has.
func (l *library) titles(n int) []query {
	pages := map[string][]int{}
	for i, p := range l.pages {
		if len([]rune(p.title)) >= 4 {
			pages[text.Fold(p.title)] = append(pages[text.Fold(p.title)], i)
		}
	}
	var all []query
	for _, title := range slices.Sorted(maps.Keys(pages)) {
		if of := pages[title]; len(of) == 1 {
			all = append(all, query{l.pages[of[0]].title, map[int]bool{of[0]: true}})
		}
	}
	return drawn(all, n)
}

// inlinks are the words of links that name one page and no other; one link that says them is left out of the index. Of once
// they are said by that one link alone, so that nothing else tells that they name the page.
func (l *library) inlinks(n int, once bool) (all []query, without map[string]bool) {
	said := map[string][]libraryLink{}
	for _, link := range l.links {
		if len([]rune(link.anchor)) >= 4 {
			said[text.Fold(link.anchor)] = append(said[text.Fold(link.anchor)], link)
		}
	}
	without = map[string]bool{}
	for _, words := range slices.Sorted(maps.Keys(said)) {
		links := said[words]
		others := slices.ContainsFunc(links, func(o libraryLink) bool { return o.to != links[0].to })
		if !others && (len(links) == 1 || !once) {
			all = append(all, query{links[0].anchor, map[int]bool{links[0].to: true}})
		}
	}
	all = drawn(all, n)
	for _, q := range all {
		link := said[text.Fold(q.words)][0]
		without[l.pages[link.from].url+" "+link.anchor] = true
	}
	return all, without
}

// hand writes pages and queries into the folder of THRESHER_SEARCH_OUT, for other engines to be asked the same.
func (l *library) hand(web string, lists map[string][]query) {
	l.t.Helper()
	dir := os.Getenv("THRESHER_SEARCH_OUT")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, web+".jsonl"))
	if err != nil {
		l.t.Fatal(err)
	}
	defer f.Close()
	out := json.NewEncoder(f)
	for _, p := range l.pages {
		if err := out.Encode(map[string]string{"title": p.title, "text": p.text}); err != nil {
			l.t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		for _, q := range lists[name] {
			if err := out.Encode(map[string]any{"list": name, "query": q.words, "right": slices.Sorted(maps.Keys(q.right))}); err != nil {
				l.t.Fatal(err)
			}
		}
	}
}

// drawn are some of the queries, the same in every run.
func drawn(all []query, n int) []query {
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))]
}

// topical are pairs of the words that a user would write for each topic of the web; the pages of its label answer them.
func (l *library) topical(n int) []query {
	var web struct {
		Name     string `yaml:"name"`
		Language string `yaml:"language"`
		Topics   []struct {
			Name     string   `yaml:"name"`
			Scope    string   `yaml:"scope"`
			Relevant string   `yaml:"relevant"`
			Examples string   `yaml:"examples_from"`
			Seeds    []string `yaml:"seeds"`
			Terms    []string `yaml:"terms"`
		} `yaml:"topics"`
	}
	raw, err := os.ReadFile(filepath.Join(l.web, "web.yaml"))
	if err != nil {
		l.t.Fatal(err)
	}
	if err := strict.Decode("web.yaml", raw, &web); err != nil {
		l.t.Fatal(err)
	}
	var all []query
	asked := map[string]bool{}
	for pair := 0; len(all) < n && pair < 16; pair++ {
		first := 2*pair%16 + pair/8 // the first and second, the third and fourth, …; then the second and third, …
		for _, topic := range web.Topics {
			if len(topic.Terms) < first+2 || len(all) == n {
				continue
			}
			words := topic.Terms[first] + " " + topic.Terms[first+1]
			if asked[words] {
				continue
			}
			asked[words] = true
			q := query{words, map[int]bool{}}
			relevant := regexp.MustCompile(topic.Relevant)
			for i, p := range l.pages {
				if relevant.MatchString(p.label) {
					q.right[i] = true
				}
			}
			all = append(all, q)
		}
	}
	return all
}

// figures are what a list of queries came to.
type figures struct{ mrr, at10, ndcg float64 }

func (f figures) String() string {
	return fmt.Sprintf("MRR %.3f  P@10 %.3f  nDCG@10 %.3f", f.mrr, f.at10, f.ndcg)
}

// judged asks every query of an engine, which answers with pages in order.
func judged(t *testing.T, queries []query, ask func(words string) []int) (f figures) {
	t.Helper()
	for _, q := range queries {
		r := measure.Ranking{}
		for range q.right {
			r.All = append(r.All, 1)
		}
		for _, i := range ask(q.words) {
			grade := 0.0
			if q.right[i] {
				grade = 1
			}
			r.Grades = append(r.Grades, grade)
		}
		f.mrr += r.Reciprocal() / float64(len(queries))
		f.at10 += r.Precision(10) / float64(len(queries))
		f.ndcg += r.NDCG(10) / float64(len(queries))
	}
	return f
}

// asIs searches with bleve's own analyzer of a language, over titles and text, as its documentation has it.
func (l *library) asIs(analyzer string) func(words string) []int {
	l.t.Helper()
	m := bleve.NewIndexMapping()
	m.DefaultAnalyzer = analyzer
	in, err := bleve.New(filepath.Join(l.t.TempDir(), "as-is"), m)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { in.Close() })
	batch := in.NewBatch()
	for i, p := range l.pages {
		if err := batch.Index(fmt.Sprint(i), map[string]any{"title": p.title, "text": p.text}); err != nil {
			l.t.Fatal(err)
		}
		if i%500 == 499 || i == len(l.pages)-1 {
			if err := in.Batch(batch); err != nil {
				l.t.Fatal(err)
			}
			batch.Reset()
		}
	}
	return func(words string) (pages []int) {
		result, err := in.Search(bleve.NewSearchRequestOptions(bleve.NewMatchQuery(words), 10, 0, false))
		if err != nil {
			l.t.Fatal(err)
		}
		for _, h := range result.Hits {
			var i int
			fmt.Sscan(h.ID, &i)
			pages = append(pages, i)
		}
		return pages
	}
}

func (l *library) ours(c *Collection, w Weights) func(words string) []int {
	return func(words string) (pages []int) {
		// Titles and links' words are taken as words: a colon or a quotation mark in them is no syntax.
		q := &Query{Order: Best, Words: strings.Fields(words)}
		a, err := Search(context.Background(), []*Collection{c}, q, Ask{Limit: 10, Weights: w, Time: time.Minute})
		if err != nil {
			l.t.Fatal(err)
		}
		for _, h := range a.Hits {
			pages = append(pages, int(h.ID)-1)
		}
		return pages
	}
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func sizeOf(t *testing.T, dir string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			n += info.Size()
		}
		return err
	})
	noError(t, err)
	return n
}

// BenchmarkRecordedWebs is what it costs to index whole recorded webs: with the reading of the pages from the archive, beside what
// bleve's own index of their titles and texts takes.
func BenchmarkRecordedWebs(b *testing.B) {
	for web, analyzer := range map[string]string{"webkb": en.AnalyzerName, "zh_portals": cjk.AnalyzerName} {
		b.Run(web, func(b *testing.B) {
			l := libraryOf(b, web)
			perKB := func(begun time.Duration, n int) float64 {
				return float64((processorTime() - begun).Microseconds()) / float64(l.text) / float64(n)
			}
			before := processorTime()
			l.asIs(analyzer)
			bare := perKB(before, 1)
			before = processorTime()
			for b.Loop() {
				col, _ := opened(b, l.dir)
				col.Close()
				if err := os.RemoveAll(filepath.Join(l.dir, folderName)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(perKB(before, b.N), "ms-cpu/kB")
			b.ReportMetric(bare, "bleve-ms-cpu/kB")
		})
	}
}

// TestQualityOverRecordedWebs holds what a search over a whole recorded web finds, beside bleve's own analyzers in the same
// run, what the index costs, and how large it is. It prints all figures.
func TestQualityOverRecordedWebs(t *testing.T) {
	for _, c := range []struct {
		web, analyzer        string
		titles, links, above float64
		size                 float64
	}{
		// The page that a link stands on has all of its words, and comes before the one it leads to, of which they are not told here.
		{"webkb", en.AnalyzerName, .93, .69, .025, 2},
		{"zh_portals", cjk.AnalyzerName, .93, .81, .03, 3.5},
	} {
		t.Run(c.web, func(t *testing.T) {
			l := libraryOf(t, c.web)
			titles, topical := l.titles(200), l.topical(30)
			links, without := l.inlinks(200, false)
			once, more := l.inlinks(200, true)
			maps.Copy(without, more)
			l.hand(c.web, map[string][]query{"titles": titles, "words of one in-link": links, "of an only in-link": once, "topics": topical})
			before := processorTime()
			col, change := opened(t, l.dir, Options{Without: func(from, _, anchor string) bool { return without[from+" "+anchor] }})
			cost := float64((processorTime() - before).Microseconds()) / 1000 / (float64(l.text) / 1000)
			size := float64(sizeOf(t, col.folder())) / float64(l.text)
			t.Logf("%d pages, %.1f MB of main text; %.2f ms of processor time a kB; the index is %.2f times the text", change.Pages, float64(l.text)/1e6, cost, size)
			for _, part := range []string{folderBleve, fileCards, partName} {
				files, err := filepath.Glob(filepath.Join(col.open.path, part+"*"))
				noError(t, err)
				for _, file := range files {
					t.Logf("%-20s %.2f times the text", filepath.Base(file), float64(sizeOf(t, file))/float64(l.text))
				}
			}
			if size > c.size {
				t.Errorf("the index is %.2f times the text, want at most %.1f", size, c.size)
			}
			ours, bare := l.ours(col, DefaultWeights()), l.asIs(c.analyzer)
			for _, list := range []struct {
				name    string
				queries []query
				of      func(figures) float64
				least   float64
				above   float64
			}{
				{"titles", titles, func(f figures) float64 { return f.mrr }, c.titles, 0},
				{"words of one in-link", links, func(f figures) float64 { return f.mrr }, c.links, 0},
				{"of an only in-link", once, func(f figures) float64 { return f.mrr }, 0, 0},
				{"topics", topical, func(f figures) float64 { return f.ndcg }, 0, c.above},
			} {
				a, b := judged(t, list.queries, ours), judged(t, list.queries, bare)
				t.Logf("%-22s %3d queries   ours: %v   bleve's %s: %v", list.name, len(list.queries), a, c.analyzer, b)
				if got := list.of(a); got < list.least || got < list.of(b)+list.above {
					t.Errorf("%s: %.3f, want at least %.2f, and %.2f above bleve's own %.3f", list.name, got, list.least, list.above, list.of(b))
				}
			}
		})
	}
}
