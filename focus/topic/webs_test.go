package topic

import (
	"bufio"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/warc"
	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// web is a recorded web, read for measuring judges: pages with their labels, and the topics to measure.
type web struct {
	Name   string
	Topics []webTopic
	docs   []*text.Doc
	labels []string // the label columns of a page's line, parted by tabs
}

type webTopic struct {
	Name     string
	Scope    string
	Relevant string
	Examples string `yaml:"examples_from"`
	Terms    []string
}

// openWeb reads a recorded web from beside the repository, or skips the test.
func openWeb(t testing.TB, name string) *web {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "webs", name)
	if os.Getenv("THRESHER_SHARED") != "1" {
		t.Skip("set THRESHER_SHARED=1 to measure judges over recorded webs")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "web.yaml"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("the recorded web %s is not here (looked in %s)", name, dir)
	}
	w := &web{}
	if err == nil {
		err = yaml.Unmarshal(raw, w)
	}
	if err == nil {
		err = w.read(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// read reads all pages that have labels.
func (w *web) read(dir string) error {
	labels, err := readLabels(filepath.Join(dir, "labels.tsv"))
	if err != nil {
		return err
	}
	f, err := os.Open(filepath.Join(dir, "pages.warc.gz"))
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := warc.NewReader(f)
	if err != nil {
		return err
	}
	var bodies [][]byte
	var addresses, types []string
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		label, ok := labels[record.Target]
		if record.Type != "response" || !ok {
			continue
		}
		response, body, err := record.Response()
		if err != nil {
			return err
		}
		delete(labels, record.Target) // of a page recorded twice the first counts
		bodies, addresses, types = append(bodies, body), append(addresses, record.Target), append(types, response.Header.Get("Content-Type"))
		w.labels = append(w.labels, label)
	}
	w.docs = make([]*text.Doc, len(bodies))
	spread(len(bodies), func(i int) {
		utf8, _ := charset.Decode(bodies[i], types[i])
		w.docs[i] = document(page.Parse(utf8, addresses[i], page.Options{}))
		bodies[i] = nil
	})
	return nil
}

// spread runs work on two goroutines.
func spread(n int, work func(i int)) {
	var wait sync.WaitGroup
	for half := range 2 {
		wait.Go(func() {
			for i := half; i < n; i += 2 {
				work(i)
			}
		})
	}
	wait.Wait()
}

func readLabels(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	labels := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if url, label, ok := strings.Cut(lines.Text(), "\t"); ok {
			labels[url] = label
		}
	}
	return labels, lines.Err()
}

// document is the text of a page as the crawl gives it to the topic.
func document(p *page.Page) *text.Doc {
	d := &text.Doc{Hub: p.Kind == page.Hub, Main: make([]bool, len(p.Blocks))}
	for i := range p.Runs {
		u := &p.Runs[i]
		d.Segments = append(d.Segments, text.Segment{Text: u.Text, Position: text.Position(u.Position), Block: u.Block, Aside: p.Aside(u)})
	}
	for i, b := range p.Blocks {
		d.Main[i] = b.Main || b.Parent >= 0 && d.Main[b.Parent]
	}
	return d
}

// cell is one topic of one web with five examples drawn: the pages to judge by number, and which are relevant.
type cell struct {
	name     string
	scope    string
	terms    []Term
	pages    []int
	truth    []bool
	examples []int // they are not among pages
}

// cell picks the pages of a topic and draws five examples.
func (w *web) cell(wt webTopic, draw uint64) (*cell, error) {
	relevant, err := regexp.Compile(wt.Relevant)
	if err != nil {
		return nil, err
	}
	from := relevant
	if wt.Examples != "" {
		if from, err = regexp.Compile(wt.Examples); err != nil {
			return nil, err
		}
	}
	var pool []int
	for i, label := range w.labels {
		if from.MatchString(label) {
			pool = append(pool, i)
		}
	}
	random := rand.New(rand.NewPCG(draw, 5))
	random.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	c := &cell{name: wt.Name, scope: wt.Scope, examples: pool[:5]}
	for i, label := range w.labels {
		if !slices.Contains(c.examples, i) && strings.Contains("\t"+label+"\t", wt.Scope) {
			c.pages, c.truth = append(c.pages, i), append(c.truth, relevant.MatchString(label))
		}
	}
	for _, s := range wt.Terms {
		c.terms = append(c.terms, Term{s, 1})
	}
	return c, nil
}
