package study

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Jury judges pages by a model that was trained on other material, whatever crawl they come from. It may be asked by
// many goroutines at once.
type Jury struct {
	about topic.Description
	file  []byte
	topic *topic.Topic
}

// NewJury reads a model that thresher train judge has made.
func NewJury(model string) (*Jury, error) {
	spec := topic.Defaults()
	spec.Judge, spec.With, spec.Model, spec.Threshold = topic.Classifier, strict.Node{}, model, 0 // the threshold it was trained to
	t, err := topic.New(spec)
	if err != nil {
		return nil, fmt.Errorf("judge %s: %w", model, err)
	}
	file, err := os.ReadFile(model)
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	return &Jury{about: t.Model().Description, file: file, topic: t}, nil
}

// About is what the model says of itself.
func (j *Jury) About() topic.Description { return j.about }

// Notes are what a person should know of the model before relying on it.
func (j *Jury) Notes() []string { return j.topic.Notes() }

// Relevant judges a page.
func (j *Jury) Relevant(p *page.Page) bool { return j.topic.Judge(Document(p)).Relevant }

// Shares says why the jury is not independent of a crawl's own judge; empty if nothing is known against it. Whether it
// has learned from what the crawl fetched, Encounter tells.
func (j *Jury) Shares(c *crawlfile.Config) (why string, err error) {
	if c.Topic.Model == "" {
		return "", nil
	}
	own, err := os.ReadFile(c.Topic.Model)
	if os.IsNotExist(err) {
		return fmt.Sprintf("the crawl was judged by a model, %s, that is not there any more, so nothing tells that it was another", c.Topic.Model), nil
	}
	if err != nil {
		return "", fmt.Errorf("the crawl's own judge: %w", err)
	}
	if bytes.Equal(own, j.file) {
		return fmt.Sprintf("the crawl was judged by the same model, %s", c.Topic.Model), nil
	}
	theirs, err := topic.LoadModel(c.Topic.Model)
	if err != nil {
		return "", fmt.Errorf("the crawl's own judge: %w", err)
	}
	if theirs.Sources == nil || j.about.Sources == nil {
		return "", nil // said in Notes
	}
	if pages, hosts := j.about.Sources.Shared(theirs.Sources); pages > 0 || hosts > 0 {
		return fmt.Sprintf("it was trained on the same material as the crawl's own judge, %s: %d pages and %d hosts of both are the same", c.Topic.Model, pages, hosts), nil
	}
	return "", nil
}

// Encounter counts what of a crawl a jury has learned from. The zero value has met nothing.
type Encounter struct {
	pages int
	hosts map[string]bool
}

// Meet notes a page of the crawl under test, or an address where there is no page to see.
func (j *Jury) Meet(e *Encounter, address string, p *page.Page) {
	s := j.about.Sources
	if s == nil {
		return
	}
	if host := page.Host(address); !e.hosts[host] && s.HasHost(host) {
		if e.hosts == nil {
			e.hosts = map[string]bool{}
		}
		e.hosts[host] = true
	}
	if p != nil && s.HasPage(Document(p)) {
		e.pages++
	}
}

// Why says why the jury is not independent of what was met; empty if it is.
func (e *Encounter) Why() string {
	if e.pages == 0 && len(e.hosts) == 0 {
		return ""
	}
	why := fmt.Sprintf("it was trained on %d of the pages of the crawl, and on pages of %d of its hosts", e.pages, len(e.hosts))
	if hosts := slices.Sorted(maps.Keys(e.hosts)); len(hosts) > 0 {
		why += ", such as " + hosts[0]
	}
	return why
}

// Provenance is what a report says of the material that the jury was trained on.
func (j *Jury) Provenance() string {
	s := j.about.Sources
	switch {
	case s == nil:
		return "the model is an old one that does not name the pages and hosts it was trained on: that they are none of the crawl's is not checked; train it anew"
	case s.Hosts.Count == 0:
		return "the hosts that the model was trained on are not known, only its pages: that they are none of the crawl's was checked by page"
	}
	return fmt.Sprintf("the model was trained on %d different pages of %d hosts, and knows them again", s.Pages.Count, s.Hosts.Count)
}

// TrainJudge trains the judge that the config asks for and writes it into a file.
func TrainJudge(c *crawlfile.Config, relevant, other []*page.Page, file string) error {
	o := topic.TrainOptions{Spec: c.Spec(), Seed: c.RandomSeed}
	for _, p := range slices.Concat(relevant, other) {
		o.Hosts = append(o.Hosts, page.Host(p.URL))
	}
	o.Kind = topic.KindOf(string(c.Topic.Judge))
	model, _, err := topic.Train(documents(relevant), documents(other), o)
	if err != nil {
		return err
	}
	return model.Save(file)
}

func documents(pages []*page.Page) []*text.Doc {
	docs := make([]*text.Doc, len(pages))
	for i, p := range pages {
		docs[i] = Document(p)
	}
	return docs
}
