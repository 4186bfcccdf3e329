package focus

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// topic makes the topic of the crawl. Example and labelled pages are loaded first.
func (c *Crawler) topic(strategy *rank.Strategy) (*topic.Topic, error) {
	judged := c.config.Judged(strategy)
	spec := judged.Spec()
	if err := study.Labelled(&c.config, &spec); err != nil {
		return nil, err
	}
	if err := c.examples(&spec); err != nil {
		return nil, err
	}
	t, err := topic.New(spec)
	if err != nil {
		return nil, c.config.Wrong("topic", err)
	}
	return t, nil
}

// examples loads the example pages: those of the crawl file, each of which must be there, or else, for the judge whose
// source says so, the start pages, of which some may be gone.
func (c *Crawler) examples(spec *topic.Spec) error {
	key, addresses := "topic.examples", c.config.Topic.Examples
	nothing := len(addresses) == 0 && len(spec.Relevant) == 0 && topic.TraitsOf(spec.Judge).Pages // of words alone no centre can be made
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
		at := c.config.At(fmt.Sprintf("%s[%d]", key, i), "the example page %s cannot be had", address)
		failed = append(failed, fmt.Errorf("%s: %w", at, err))
	}
	if nothing && len(spec.Examples) > 0 {
		return nil
	}
	return errors.Join(failed...)
}

// example loads one example page: a file, or an address.
func (c *Crawler) example(address string) (*text.Doc, error) {
	if !crawlfile.IsAddress(address) {
		p, err := study.ReadSpecimen(address)
		if err != nil {
			return nil, err
		}
		return p.Doc, nil
	}
	if c.with.pages != nil {
		p, err := c.with.pages.Page(address)
		if err != nil {
			return nil, err
		}
		return study.Document(p), nil
	}
	body, err := c.load(address)
	if err != nil {
		return nil, err
	}
	return study.Document(page.Parse(body, address, page.Options{})), nil
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
	if media := wire.MediaType(resp.Header); !wire.IsPage(media) && media != "text/plain" {
		return nil, fmt.Errorf("it is %s and no page", media)
	}
	return io.ReadAll(resp.Body)
}
