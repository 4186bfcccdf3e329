package compare

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// small is a drawn web of 60 pages with two topics.
var small = filepath.Join("..", "..", "testdata", "webs", "small")

// sketch is a web drawn by hand: each line is a page, an arrow, and the pages it links to. A page whose name begins with r
// is relevant; one that begins with o is outside the scope. The page s is the start page.
type sketch string

func at(name string) string { return "http://t.example/" + name }

// pages are the pages of a sketch in order, with their links.
func (s sketch) pages() (names []string, links map[string][]string) {
	links = map[string][]string{}
	add := func(name string) {
		if _, ok := links[name]; !ok && !strings.HasPrefix(name, "dead") {
			names, links[name] = append(names, name), nil
		}
	}
	for line := range strings.Lines(string(s)) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), " → ")
		if from == "" {
			continue
		}
		add(from)
		links[from] = strings.Fields(to)
		for _, t := range links[from] {
			add(t)
		}
	}
	return names, links
}

// folder writes a sketch as a web.
func (s sketch) folder(t *testing.T, name string) string {
	t.Helper()
	names, links := s.pages()
	pages, labels := map[string]string{}, ""
	for _, p := range names {
		var body strings.Builder
		fmt.Fprintf(&body, "<title>%s</title><p>a page about %s</p>", p, map[bool]string{true: "boats and sails", false: "nothing"}[p[0] == 'r'])
		for _, to := range links[p] {
			fmt.Fprintf(&body, "<p><a href=\"/%s\">to %s</a></p>\n", to, to)
		}
		pages[p] = body.String()
		labels += fmt.Sprintf("%s\t%s\t%s\n", at(p), map[bool]string{true: "yes", false: "no"}[p[0] == 'r'], map[bool]string{true: "out", false: "in"}[p[0] == 'o'])
	}
	about := "name: " + name + "\nlanguage: en\ntopics:\n  - {name: boats, seeds: [\"" + at("s") + "\"], scope: \"\\tin$\", relevant: \"^yes\", terms: [boat, sail]}\n"
	return folder(t, names, pages, map[string]string{"labels.tsv": labels, "web.yaml": about})
}

// folder writes a web: pages in the order of names, and other files.
func folder(t *testing.T, names []string, pages, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	out, err := os.Create(filepath.Join(dir, "pages.warc.gz"))
	noError(t, err)
	defer out.Close()
	w := warc.NewWriter(out)
	for _, name := range names {
		body := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s", len(pages[name]), pages[name])
		if _, err := w.Write(&warc.Record{Type: "response", Target: at(name), Date: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Body: []byte(body)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		noError(t, os.WriteFile(filepath.Join(dir, file), []byte(files[file]), 0o644))
	}
	return dir
}

// open opens the graph of a web.
func open(t *testing.T, dir string, deadLinks bool) *graph {
	t.Helper()
	web, err := replay.Open(dir)
	noError(t, err)
	t.Cleanup(func() { web.Close() })
	g, err := openGraph(web, Rules{DeadLinks: deadLinks})
	noError(t, err)
	return g
}

// boats is the topic of a sketch, as a task.
func boats(t *testing.T, s sketch, d drawing, depth int) *task {
	t.Helper()
	g := open(t, s.folder(t, "sketch"), false)
	k, err := newTask(g, g.web.Topics()[0], d, depth)
	noError(t, err)
	return k
}

// sum is the name of the pages of a task that count.
func (k *task) sum() string {
	var names []string
	for n, in := range k.reach {
		if in {
			names = append(names, strings.TrimPrefix(k.address[n], at("")))
		}
	}
	return strings.Join(names, " ")
}

// relevance is a sequence as a word: 1 where a page was relevant.
func relevance(s []bool) string {
	word := ""
	for _, r := range s {
		word += map[bool]string{true: "1", false: "0"}[r]
	}
	return word
}
