package focus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/wire"
	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// Verdict is a page that was judged, and what is to be known of the judge.
type Verdict struct {
	*Visit
	Notes     []string // what a person should know before relying on it
	Threshold float64  // the relevance from which the crawl keeps a page
	Err       error    // why the page could not be had, among several
}

// Judge judges pages as the crawl of that file judges them; of a judge that learns, as one that has seen nothing yet. A source
// is an address, asked of the recorded web where the crawl has one, or a file; address is then where the file is said to come
// from. A page that cannot be had is a verdict that says why.
func Judge(config Config, address string, sources ...string) ([]Verdict, error) {
	c, err := outside(config)
	if err != nil {
		return nil, err
	}
	defer c.abandon()
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil {
		return nil, err
	}
	about, err := c.topic(strategy)
	if err != nil {
		return nil, err
	}
	verdicts := make([]Verdict, len(sources))
	for i, source := range sources {
		v, err := c.visit(source, address)
		if err != nil {
			verdicts[i] = Verdict{Visit: &Visit{FinalURL: source}, Threshold: about.Threshold(), Err: err}
			continue
		}
		verdicts[i] = verdict(v, about)
	}
	return verdicts, nil
}

// verdict is what a crawl would say of a page: one that only a script fills is not judged.
func verdict(v *Visit, about *topic.Topic) Verdict {
	said := Verdict{Visit: v, Notes: about.Notes(), Threshold: about.Threshold()}
	if junk.Shell(v.Body) {
		v.Refused = admit.RefusedScript
		said.Notes = append(said.Notes, string(admit.RefusedScript)+": only a script fills this page, so it cannot be judged, and a crawl does not keep it")
		return said
	}
	v.Judgement = about.Judge(v.Doc)
	return said
}

// ReadPage reads one page as Judge does, and does not judge it.
func ReadPage(config Config, source, address string) (*Visit, error) {
	c, err := outside(config)
	if err != nil {
		return nil, err
	}
	defer c.abandon()
	return c.visit(source, address)
}

// outside makes a crawler that loads pages without crawling.
func outside(config Config, options ...Option) (*Crawler, error) {
	config.TakeLogins()
	c := &Crawler{config: config, with: settle(options), ledger: ledger.New()}
	c.clock = wall{c.with.clock}
	c.carrier = &carrier{clock: c.clock, visits: map[string]carried{}}
	err := c.openWeb()
	if err == nil {
		err = c.connect()
	}
	if err != nil {
		c.abandon()
		return nil, err
	}
	return c, nil
}

// visit reads one page, from an address or a file.
func (c *Crawler) visit(source, address string) (*Visit, error) {
	v := &Visit{Time: c.now(), FinalURL: source}
	var err error
	if crawlfile.IsAddress(source) {
		source = c.logins.take(source)
		v.FinalURL = source
		if v.Body, err = c.load(source); err != nil {
			return nil, fmt.Errorf("page %s: %w", source, err)
		}
	} else if err := v.fromFile(source, address); err != nil {
		return nil, err
	}
	reading, err := c.config.PageOptions()
	if err != nil {
		return nil, err
	}
	v.Page = page.Parse(v.Body, v.FinalURL, reading)
	v.Doc = study.Document(v.Page)
	return v, nil
}

// fromFile reads a page from a file that is said to come from an address.
func (v *Visit) fromFile(path, address string) error {
	raw, err := study.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("page %s: there is no such file; give a file, or an address that starts with http:// or https://", path)
	}
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	v.Body, v.Charset = charset.Decode(raw, "")
	if v.FinalURL = address; address == "" {
		if path, err = filepath.Abs(path); err != nil {
			return fmt.Errorf("page: %w", err)
		}
		v.FinalURL = "file://" + strings.TrimPrefix(filepath.ToSlash(path), "//")
	}
	return nil
}

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
		return nil, fmt.Errorf("the answer was %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	if media := wire.MediaType(resp.Header); !wire.IsPage(media) && media != "text/plain" {
		return nil, fmt.Errorf("it is %.100s and no page", media)
	}
	return io.ReadAll(resp.Body)
}
