package focus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
)

// Judge judges one page as the crawl of that file would judge it first: from what the file says, and nothing seen before.
// source is an address, asked of the recorded web where the crawl has one, or a file; address is then where the file is
// said to come from.
func Judge(config Config, source, address string) (*Visit, error) {
	c := &Crawler{config: config, carrier: &carrier{visits: map[string]carried{}}}
	defer c.abandon()
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil {
		return nil, err
	}
	if err := c.openWeb(); err != nil {
		return nil, err
	}
	if err := c.connect(); err != nil {
		return nil, err
	}
	about, err := c.topic(strategy)
	if err != nil {
		return nil, err
	}
	v := &Visit{Time: c.now(), FinalURL: source}
	if isAddress(source) {
		if v.Body, err = c.load(source); err != nil {
			return nil, fmt.Errorf("focus: page %s: %w", source, err)
		}
	} else if err := v.fromFile(source, address); err != nil {
		return nil, err
	}
	v.Page = page.Parse(v.Body, v.FinalURL, page.Options{})
	v.Doc = document(v.Page)
	v.Judgement = about.Judge(v.Doc)
	return v, nil
}

// fromFile reads a page from a file that is said to come from an address.
func (v *Visit) fromFile(path, address string) error {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("focus: page %s: there is no such file; give a file, or an address that starts with http:// or https://", path)
	}
	if err != nil {
		return fmt.Errorf("focus: page: %w", err)
	}
	v.Body, v.Charset = text.Decode(raw, "")
	if v.FinalURL = address; address == "" {
		if path, err = filepath.Abs(path); err != nil {
			return fmt.Errorf("focus: page: %w", err)
		}
		v.FinalURL = "file://" + strings.TrimPrefix(filepath.ToSlash(path), "//")
	}
	return nil
}
