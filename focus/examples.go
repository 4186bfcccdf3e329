package focus

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// topic makes the topic of the crawl. Example and labelled pages are loaded first; with nothing else to make a topic of
// the start pages serve as examples.
func (c *Crawler) topic(strategy *rank.Strategy) (*topic.Topic, error) {
	judged := c.config.judged(strategy)
	spec := judged.spec()
	if err := c.labelled(&spec); err != nil {
		return nil, err
	}
	if err := c.examples(&spec); err != nil {
		return nil, err
	}
	t, err := topic.New(spec)
	if err != nil {
		return nil, c.config.wrong("topic", err)
	}
	return t, nil
}

// judged is the config with the judge, the content rule and the threshold that count: what somebody chose, else what the
// strategy of the crawl file brings along, and for a trained judge the threshold it was trained to. Another strategy that
// was given in its place (--strategy) changes the order of the visits, and not what is kept.
func (c Config) judged(strategy *rank.Strategy) Config {
	if strategy == nil {
		return c // it could not be read
	}
	strategy = c.written(strategy)
	if own := strategy.Judge; own != "" && own != "none" && !c.SameJudge && !c.says("topic.judge") {
		c.Topic.Judge = own
	}
	if own := strategy.Content; own != "" && !c.SameJudge && !c.says("topic.content") {
		c.Topic.Content = own
	}
	if learned(c.Topic.Judge) && !c.says("topic.threshold") {
		c.Topic.Threshold = 0
	}
	return c
}

// written is the strategy that the crawl file names, where another one was given in its place.
func (c Config) written(given *rank.Strategy) *rank.Strategy {
	if _, replaced := c.given["strategy"]; !replaced {
		return given
	}
	c.Strategy = Default().Strategy
	if n, ok := c.source.Get("strategy"); ok && len(n.Decode(&c.Strategy)) > 0 {
		return given
	}
	if isPath(c.Strategy.Name) && !filepath.IsAbs(c.Strategy.Name) {
		c.Strategy.Name = filepath.Join(filepath.Dir(c.File), c.Strategy.Name)
	}
	own, err := c.LoadStrategy(c.Factors)
	if err != nil {
		return given // the file's own strategy is not what runs: its mistakes do not matter here
	}
	return own
}

// learned tells judges that are learned from labelled pages.
func learned(judge string) bool { return judge == "trained" || judge == "classifier" }

// wrong is an error that shows where in the crawl file it comes from, one problem for each line of it.
func (c *Config) wrong(path string, err error) error {
	if _, ok := strict.Problems(err); ok {
		return err
	}
	var problems []strict.Problem
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSpace(line)
		for _, room := range []string{"focus: ", "topic: ", "text: "} {
			line = strings.TrimPrefix(line, room)
		}
		problems = append(problems, c.at(path, "%s", line))
	}
	return strict.Err(problems)
}

// labelled loads the labelled collection of the crawl file, as far as the judge needs it.
func (c *Crawler) labelled(spec *topic.Spec) error {
	from := c.config.Topic.Corpus
	if from.Relevant == "" && from.Other == "" {
		return nil
	}
	if !learned(spec.Judge) && !isList(from.Other) {
		from.Other = "" // the relevant pages serve as examples
	}
	var more []*Library
	if c.config.Web != "" && (isList(from.Relevant) || isList(from.Other)) {
		l, err := OpenLibrary(c.config.Web)
		if err != nil {
			return err
		}
		defer l.Close()
		more = append(more, l)
	}
	corpus, err := ReadCorpus(from.Relevant, from.Other, more...)
	if err != nil {
		return c.config.wrong("topic.corpus", err)
	}
	if learned(spec.Judge) && corpus.Bare() && !c.config.says("topic.content") {
		spec.Content = "main_text"
	}
	spec.Relevant, spec.Other = Docs(corpus.Relevant), Docs(corpus.Other)
	return nil
}

// examples loads the example pages: those of the crawl file, each of which must be there, or else, where there is nothing
// that the topic or its judge could be made of, the start pages, of which some may be gone.
func (c *Crawler) examples(spec *topic.Spec) error {
	key, addresses := "topic.examples", c.config.Topic.Examples
	words := (len(spec.Terms) > 0 || spec.About != "") && spec.Judge != "centroid" // of words alone no centre can be made
	nothing := len(addresses) == 0 && !words && len(spec.Relevant) == 0 && !learned(spec.Judge)
	if nothing {
		key, addresses = "seeds", c.config.Seeds
	}
	var failed []error
	for i, address := range addresses {
		doc, err := c.example(address)
		if err == nil {
			spec.Examples = append(spec.Examples, doc)
			continue
		}
		at := c.config.at(fmt.Sprintf("%s[%d]", key, i), "the example page %s cannot be had", address)
		failed = append(failed, fmt.Errorf("%s: %w", at, err))
	}
	if nothing && len(spec.Examples) > 0 {
		return nil
	}
	return errors.Join(failed...)
}

// example loads one example page: a file, or an address.
func (c *Crawler) example(address string) (*text.Doc, error) {
	if !isAddress(address) {
		p, err := ReadSpecimen(address)
		if err != nil {
			return nil, err
		}
		return p.Doc, nil
	}
	if c.config.Shelf != nil {
		p, err := c.config.Shelf.Page(address)
		if err != nil {
			return nil, err
		}
		return document(p), nil
	}
	body, err := c.load(address)
	if err != nil {
		return nil, err
	}
	return document(page.Parse(body, address, page.Options{})), nil
}

// load fetches one page outside the crawl, through the crawl's own transport and under its name. Redirects are followed.
func (c *Crawler) load(address string) ([]byte, error) {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", c.collector.UserAgent)
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the answer was %s", resp.Status)
	}
	if media := mediaType(resp.Header); !isPage(media) && media != "text/plain" {
		return nil, fmt.Errorf("it is %s and no page", media)
	}
	return io.ReadAll(resp.Body)
}

// says tells whether somebody chose the value of a key: the file, the environment, a flag, or a program that made the
// config in Go and changed what it found.
func (c *Config) says(key string) bool {
	if _, ok := c.given[key]; ok {
		return true
	}
	group, name, _ := strings.Cut(key, ".")
	if n, ok := c.source.Get(group); ok {
		_, ok := n.Get(name)
		return ok
	}
	have, usual := strict.Values(*c), strict.Values(Default())
	return have[key] != usual[key]
}
