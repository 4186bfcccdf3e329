// Package study answers what is learned before a crawl, and from what: labelled collections and libraries of pages
// (corpus.go, library.go, specimen.go), labelled webs with their layers and contexts (labelled.go, context.go, overlap.go),
// models of judges and those who judge by them (jury.go), what an earlier crawl has learned (experience.go, sources.go), and a
// person who is asked for the labels that teach most (labelling.go). Pages (pages.go, words.go) are those of a recorded
// web, read and cut once for many crawls. Nothing here knows a crawl that runs.
package study

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Corpus is a labelled collection: pages that are of a topic, and pages that are not.
type Corpus struct {
	Relevant, Other []Specimen
	Lost            int // labels in the list of a run of pages that the run has not, which teach nothing
}

// Docs are pages as package topic takes them.
func Docs(pages []Specimen) []*text.Doc {
	docs := make([]*text.Doc, len(pages))
	for i, p := range pages {
		docs[i] = p.Doc
	}
	return docs
}

// Hosts are the hosts that the pages are from, as far as their addresses are known: files have none.
func (c Corpus) Hosts() []string {
	var hosts []string
	for _, p := range slices.Concat(c.Relevant, c.Other) {
		if crawlfile.IsAddress(p.Address) {
			hosts = append(hosts, page.Host(p.Address))
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// Bare tells that of some of the pages nothing but the main text is known. Whoever learns from them must judge main
// texts too: what stands around the text of the others would tell the two sides apart.
func (c Corpus) Bare() bool {
	for _, side := range [][]Specimen{c.Relevant, c.Other} {
		for _, p := range side {
			if p.Bare {
				return true
			}
		}
	}
	return false
}

// ReadCorpus reads a labelled collection. Each side is a folder of HTML and text files, a recorded web or the folder of
// a run, a harvest.jsonl, or a list of labels (FILE.tsv), of which a side takes the lines that are labelled so; with a
// list on the relevant side, the other side may be left out. The pages of a list are files beside it, or addresses in
// the recorded web or run that it lies in, or in one of the libraries. One that is not there is a mistake, but in the list of a run, which
// may name pages that the run has put away since.
func ReadCorpus(relevant, other string, more ...*Library) (Corpus, error) {
	if other == "" && crawlfile.IsList(relevant) {
		other = relevant
	}
	var c Corpus
	var err error
	if c.Relevant, c.Lost, err = readSide(relevant, labelRelevant, relevances, more); err != nil {
		return Corpus{}, err
	}
	lost := 0
	if c.Other, lost, err = readSide(other, labelOther, relevances, more); err != nil {
		return Corpus{}, err
	}
	c.Lost += lost
	return c, nil
}

// readSide reads the pages of one side: of a list whose labels are these words, those that are labelled so, and how many of them are lost.
func readSide(path, so string, words [2]string, more []*Library) (pages []Specimen, lost int, err error) {
	if path == "" {
		return nil, 0, nil
	}
	if crawlfile.IsList(path) {
		return readListed(path, so, words, more)
	}
	l, err := OpenLibrary(path)
	if err != nil {
		return nil, 0, err
	}
	defer l.Close()
	for _, address := range l.Addresses() {
		p, ok, err := l.Page(address)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			pages = append(pages, p)
		}
	}
	if len(pages) == 0 {
		return nil, 0, fmt.Errorf("labelled pages: there is no page in %s", path)
	}
	return pages, 0, nil
}

// readListed reads the pages that a list labels so.
func readListed(path, so string, words [2]string, more []*Library) (pages []Specimen, lost int, err error) {
	labels, err := readLabels(path, words)
	if err != nil {
		return nil, 0, err
	}
	if len(labels) == 0 {
		return nil, 0, strict.Err([]strict.Problem{{File: path, Want: fmt.Sprintf("there is no label in it, want an address, a tab, and %s or %s", words[0], words[1])}})
	}
	beside, err := besideOf(path)
	if err != nil {
		return nil, 0, err
	}
	defer beside.Close()
	libraries, ofRun := append([]*Library{beside}, more...), run.Is(filepath.Dir(path))
	var all []string
	for _, label := range labels {
		all = append(all, label.Address)
	}
	for _, l := range libraries {
		if err := l.ready(all); err != nil {
			return nil, 0, err
		}
	}
	var missing []strict.Problem
	for _, label := range labels {
		if label.word != so {
			continue
		}
		p, ok, err := lookUp(libraries, label.Address)
		switch {
		case err != nil:
			missing = append(missing, label.problem(path, "%v", err))
		case !ok && ofRun:
			lost++
		case !ok:
			missing = append(missing, label.problem(path, "there is no page %s in %s", label.Address, places(libraries)))
		default:
			pages = append(pages, p)
		}
	}
	return pages, lost, strict.Err(firstOf(missing))
}

// maxMissing is how many missing pages are told of one by one.
const maxMissing = 10

func firstOf(missing []strict.Problem) []strict.Problem {
	if n := len(missing); n > maxMissing {
		more := missing[maxMissing]
		more.Want = fmt.Sprintf("and %d more pages are not there", n-maxMissing)
		missing = append(missing[:maxMissing:maxMissing], more)
	}
	return missing
}

func lookUp(libraries []*Library, address string) (p Specimen, ok bool, err error) {
	for _, l := range libraries {
		if p, ok, err = l.Page(address); ok || err != nil {
			return p, ok, err
		}
	}
	return p, false, nil
}

func places(libraries []*Library) string {
	var names []string
	for _, l := range libraries {
		names = append(names, l.path)
	}
	return strings.Join(names, " or ")
}

// besideOf is what a list of labels lies in: a run or a recorded web, or a folder of which nothing is read but what the
// list names.
func besideOf(list string) (*Library, error) {
	dir := filepath.Dir(list)
	if run.Is(dir) || crawlfile.Holds(dir, crawlfile.WebFiles...) || crawlfile.Holds(dir, harvestFirst) {
		return OpenRunLibrary(dir)
	}
	return &Library{path: dir, folder: dir}, nil
}

// Label is one line of a list of labels.
type Label struct {
	Address  string // or a path, relative to the list
	Relevant bool
	word     string // of its list
	line     int
}

// page is what the label is of, however its address is written.
func (l *Label) page() string {
	if id, err := page.Canonical(l.Address); err == nil && crawlfile.IsAddress(l.Address) {
		return id
	}
	return l.Address
}

func (l *Label) problem(file, format string, args ...any) strict.Problem {
	return strict.Problem{File: file, Line: l.line, Column: 1, Want: fmt.Sprintf(format, args...)}
}

// The words of a list of labels. A list is the labels.tsv of a recorded web too.
const (
	labelRelevant = "relevant"
	labelOther    = "other"
)

var relevances = [2]string{labelRelevant, labelOther}

// Line is the label as it stands in its list.
func (l *Label) Line() string {
	word := labelOther
	if l.Relevant {
		word = labelRelevant
	}
	return l.Address + "\t" + word + "\n"
}

// ReadLabels reads a list of labels: on each line an address or a path, a tab, and the word relevant or other; columns
// behind it are left to others. An address that stands there twice counts once, and with two words it is a mistake: a person knows
// which of them is right.
func ReadLabels(path string) ([]Label, error) { return readLabels(path, relevances) }

// readLabels reads a list whose labels are these words.
func readLabels(path string, words [2]string) ([]Label, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	list, err := strict.Listed(path, raw)
	if err != nil {
		return nil, err
	}
	var labels []Label
	var bad []strict.Problem
	seen := map[string]Label{}
	for number, line := range list {
		l := Label{line: number}
		address, rest, ok := strings.Cut(line, "\t")
		word, _, _ := strings.Cut(rest, "\t")
		switch l.Address, l.Relevant, l.word = address, word == labelRelevant, word; {
		case !ok:
			bad = append(bad, l.problem(path, "%.60q has no tab: want an address, a tab, and %s or %s", line, words[0], words[1]))
		case address == "":
			bad = append(bad, l.problem(path, "begins with a tab: want an address before it"))
		case word != words[0] && word != words[1]:
			bad = append(bad, l.problem(path, "is labelled %.40q, want %s or %s", word, words[0], words[1]))
		default:
			earlier, twice := seen[l.page()]
			switch {
			case !twice:
				seen[l.page()] = l
				labels = append(labels, l)
			case earlier.word != word:
				bad = append(bad, l.problem(path, "is labelled %s, and %s on line %d: take one of the two lines out", word, earlier.word, earlier.line))
			}
		}
	}
	if len(bad) > maxMissing {
		bad = append(bad[:maxMissing], strict.Problem{File: path, Want: fmt.Sprintf("and %d more lines like these", len(bad)-maxMissing)})
	}
	return labels, strict.Err(bad)
}

// WebCorpus takes a labelled collection from a recorded web: what its web.yaml calls relevant to a topic, and the rest
// of the topic's scope.
func WebCorpus(path, topic string) (Corpus, error) {
	l, err := OpenLibrary(path)
	if err != nil {
		return Corpus{}, err
	}
	defer l.Close()
	if l.web == nil {
		return Corpus{}, fmt.Errorf("%s is no recorded web: name a folder with pages.warc.gz, labels.tsv and web.yaml", path)
	}
	t, ok := l.web.Topic(topic)
	if !ok {
		return Corpus{}, fmt.Errorf("%s: %s", path, crawlfile.UnknownTopic(l.web.Topics(), topic))
	}
	relevant, scope := regexp.MustCompile(t.Relevant), regexp.MustCompile(t.Scope) // Open has checked them
	var c Corpus
	for _, address := range l.Addresses() {
		line, ok := l.web.Labels(address)
		if !ok || !scope.MatchString(line) {
			continue
		}
		p, ok, err := l.Page(address)
		switch {
		case err != nil:
			return Corpus{}, err
		case !ok:
		case relevant.MatchString(line):
			c.Relevant = append(c.Relevant, p)
		default:
			c.Other = append(c.Other, p)
		}
	}
	return c, nil
}

// Labelled loads the labelled collection of the crawl file, as far as the judge needs it.
func Labelled(c *crawlfile.Config, spec *topic.Spec) error {
	from := c.Topic.Corpus
	if from.Relevant == "" && from.Other == "" {
		return nil
	}
	if !topic.TraitsOf(spec.Judge).Trained && !crawlfile.IsList(from.Other) {
		from.Other = "" // the relevant pages serve as examples
	}
	var more []*Library
	if c.Web != "" && (crawlfile.IsList(from.Relevant) || crawlfile.IsList(from.Other)) {
		l, err := OpenLibrary(c.Web)
		if err != nil {
			return err
		}
		defer l.Close()
		more = append(more, l)
	}
	corpus, err := ReadCorpus(from.Relevant, from.Other, more...)
	if err != nil {
		return c.Wrong("topic.corpus", err)
	}
	if topic.TraitsOf(spec.Judge).Trained && corpus.Bare() && !c.Says("topic.content") {
		spec.Content = "main_text"
	}
	spec.Relevant, spec.Other = Docs(corpus.Relevant), Docs(corpus.Other)
	return nil
}
