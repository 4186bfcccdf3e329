package focus

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// Verdict is a page that was judged, and what is to be known of the judge.
type Verdict struct {
	*Visit
	Notes []string // what a person should know before relying on it
}

// Judge judges one page as the crawl of that file judges it; of a judge that learns, as one that has seen nothing yet.
// source is an address, asked of the recorded web where the crawl has one, or a file; address is then where the file is
// said to come from.
func Judge(config Config, source, address string) (Verdict, error) {
	c, err := outside(config)
	if err != nil {
		return Verdict{}, err
	}
	defer c.abandon()
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil {
		return Verdict{}, err
	}
	about, err := c.topic(strategy)
	if err != nil {
		return Verdict{}, err
	}
	v, err := c.visit(source, address)
	if err != nil {
		return Verdict{}, err
	}
	v.Judgement = about.Judge(v.Doc)
	return Verdict{v, about.Notes()}, nil
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
			return nil, fmt.Errorf("focus: page %s: %w", source, err)
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
		return fmt.Errorf("focus: page %s: there is no such file; give a file, or an address that starts with http:// or https://", path)
	}
	if err != nil {
		return fmt.Errorf("focus: page: %w", err)
	}
	v.Body, v.Charset = charset.Decode(raw, "")
	if v.FinalURL = address; address == "" {
		if path, err = filepath.Abs(path); err != nil {
			return fmt.Errorf("focus: page: %w", err)
		}
		v.FinalURL = "file://" + strings.TrimPrefix(filepath.ToSlash(path), "//")
	}
	return nil
}
