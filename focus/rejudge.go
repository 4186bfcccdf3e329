package focus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

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
	spec.Judge, spec.Model, spec.Threshold = "classifier", model, 0 // the threshold it was trained to
	t, err := topic.New(spec)
	if err != nil {
		return nil, fmt.Errorf("focus: judge %s: %w", model, err)
	}
	file, err := os.ReadFile(model)
	if err != nil {
		return nil, fmt.Errorf("focus: judge: %w", err)
	}
	return &Jury{about: t.Model().Description, file: file, topic: t}, nil
}

// About is what the model says of itself.
func (j *Jury) About() topic.Description { return j.about }

// Notes are what a person should know of the model before relying on it.
func (j *Jury) Notes() []string { return j.topic.Notes() }

// Relevant judges a page.
func (j *Jury) Relevant(p *page.Page) bool { return j.topic.Judge(document(p)).Relevant }

// Shares says why the jury is not independent of a crawl; empty if nothing is known against it. A model's file does not
// name the pages it was trained on: that they are none of the crawl's is for those to see to who trained it.
func (j *Jury) Shares(c *Config) (why string, err error) {
	if c.Topic.Model == "" {
		return "", nil
	}
	own, err := os.ReadFile(c.Topic.Model)
	if os.IsNotExist(err) {
		return fmt.Sprintf("the crawl was judged by a model, %s, that is not there any more, so nothing tells that it was another", c.Topic.Model), nil
	}
	if err != nil {
		return "", fmt.Errorf("focus: the crawl's own judge: %w", err)
	}
	if bytes.Equal(own, j.file) {
		return fmt.Sprintf("the crawl was judged by the same model, %s", c.Topic.Model), nil
	}
	return "", nil
}

// TrainJudge trains the judge that the config asks for (trained or classifier) and writes it into a file.
func TrainJudge(c Config, relevant, other []*page.Page, file string) error {
	o := topic.TrainOptions{Spec: c.spec(), Seed: c.RandomSeed}
	if c.Topic.Judge == "trained" {
		o.Kind = "vector"
	}
	model, _, err := topic.Train(documents(relevant), documents(other), o)
	if err != nil {
		return err
	}
	return model.Save(file)
}

func documents(pages []*page.Page) []*text.Doc {
	docs := make([]*text.Doc, len(pages))
	for i, p := range pages {
		docs[i] = document(p)
	}
	return docs
}

// Config is the crawl file of the run, as it ran: neither the environment nor files that have gone since change it.
func (r *Run) Config() (Config, error) {
	path := filepath.Join(r.Dir, fileCrawl)
	raw, err := readText(path)
	if err != nil {
		return Config{}, fmt.Errorf("focus: run folder %s: %w", r.Dir, err)
	}
	n, err := strict.Parse(path, raw)
	if err != nil {
		return Config{}, err
	}
	c := Default()
	c.File = path
	return c, strict.Err(n.Decode(&c))
}

// Fetched tells of a decision that it is a visit which cost a request.
func (d *Decision) Fetched() bool {
	return d.Decision == "keep" || d.Decision == "drop" && d.Reason != RefusedRobots && d.Reason != RefusedHostFull
}
