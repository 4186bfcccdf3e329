package focus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// topic makes the topic of the crawl. Example pages are loaded first; with neither terms nor examples the start pages
// serve as examples.
func (c *Crawler) topic(strategy *rank.Strategy) (*topic.Topic, error) {
	spec := c.config.spec()
	if strategy.Judge != "" && !c.config.SameJudge && !c.config.says("topic.judge") {
		spec.Judge = strategy.Judge
	}
	if strategy.Content != "" && !c.config.SameJudge && !c.config.says("topic.content") {
		spec.Content = strategy.Content
	}
	addresses := c.config.Topic.Examples
	if len(addresses) == 0 && len(spec.Terms) == 0 && spec.About == "" {
		addresses = c.config.Seeds
	}
	for _, address := range addresses {
		doc, err := c.example(address)
		if err != nil {
			return nil, err
		}
		spec.Examples = append(spec.Examples, doc)
	}
	return topic.New(spec)
}

// example loads one example page: a file, or an address.
func (c *Crawler) example(address string) (*text.Doc, error) {
	if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		return exampleFile(address)
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
		return nil, fmt.Errorf("focus: example page %s: %w", address, err)
	}
	return document(page.Parse(body, address, page.Options{})), nil
}

// exampleFile reads an example from a file: HTML, or plain text.
func exampleFile(path string) (*text.Doc, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("focus: example page %s: there is no such file; give a file or an address", path)
	}
	if err != nil {
		return nil, fmt.Errorf("focus: example page: %w", err)
	}
	body, _ := text.Decode(raw, "")
	return document(page.Parse(body, "file:///"+path, page.Options{})), nil
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
