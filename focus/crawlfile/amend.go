package crawlfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// Read reads a crawl file from its text, as Load would from the file.
func Read(file string, text []byte, overrides ...Override) (Config, error) {
	return read(file, text, overrides)
}

// Amend adds start pages and sites to a crawl file, below those that stand there. Comments and formatting stay as they
// are. What comes of it is loaded before it takes the place of the file, in one step; where it does not say exactly what
// it said before and the additions, nothing is written. Start pages and sites that the file has are not added again: it
// answers how many were.
func Amend(file string, seeds []string, sites []SiteConfig) (addedSeeds, addedSites int, err error) {
	path, err := filepath.EvalSymlinks(file)
	if err != nil {
		return 0, 0, Unreadable(file, err)
	}
	before, err := ReadText(path)
	if err != nil {
		return 0, 0, Unreadable(file, err)
	}
	config, err := read(file, before, nil)
	if err != nil {
		return 0, 0, err
	}
	seeds, sites = config.lacks(seeds, sites)
	if len(seeds)+len(sites) == 0 {
		return 0, 0, nil
	}
	after, err := extended(file, before, seeds, sites)
	if err != nil {
		return 0, 0, byHand(err, seeds, sites)
	}
	if err := config.saysSame(file, after, seeds, sites); err != nil {
		return 0, 0, byHand(err, seeds, sites)
	}
	if err := exchangeFile(path, before, after); err != nil {
		return 0, 0, byHand(err, seeds, sites)
	}
	return len(seeds), len(sites), nil
}

// lacks are the start pages and sites that the crawl file does not have, each once.
func (c *Config) lacks(seeds []string, sites []SiteConfig) (newSeeds []string, newSites []SiteConfig) {
	known := map[string]bool{}
	identity := func(address string) string {
		if id, err := page.Canonical(address); err == nil {
			return id
		}
		return address
	}
	for _, s := range c.Seeds {
		known[identity(s)] = true
	}
	for _, s := range seeds {
		if id := identity(s); !known[id] {
			known[id] = true
			newSeeds = append(newSeeds, s)
		}
	}
	named := map[string]bool{}
	for _, s := range c.Sites {
		named[strings.ToLower(s.Site)] = true
	}
	for _, s := range sites {
		if name := strings.ToLower(s.Site); !named[name] {
			named[name] = true
			newSites = append(newSites, s)
		}
	}
	return newSeeds, newSites
}

// extended is the text of a crawl file with additions.
func extended(file string, text []byte, seeds []string, sites []SiteConfig) ([]byte, error) {
	var lines, rows []string
	for _, s := range seeds {
		lines = append(lines, strict.Flow(s))
	}
	for _, s := range sites {
		rows = append(rows, strict.Flow(s))
	}
	text, err := strict.Extend(file, text, "seeds", lines...)
	if err != nil {
		return nil, err
	}
	return strict.Extend(file, text, "sites", rows...)
}

// saysSame tells whether a text is the crawl file with additions, and nothing else.
func (c Config) saysSame(file string, text []byte, seeds []string, sites []SiteConfig) error {
	after, err := read(file, text, nil)
	if err != nil {
		return err
	}
	c.Seeds, c.Sites = slices.Concat(c.Seeds, seeds), slices.Concat(c.Sites, sites)
	if !bytes.Equal(c.YAML(), after.YAML()) {
		return errors.New("with the additions it would not say what it says now; something outside the file, such as THRESHER_SEEDS, may count more")
	}
	return nil
}

// exchangeFile puts a new text in the place of a file, in one step, unless somebody has changed the file meanwhile.
func exchangeFile(path string, before, after []byte) error {
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, before) {
		return errors.Join(errors.New("somebody has changed the file meanwhile"), err)
	}
	return whole.Write(path, after)
}

// Found are start pages and sites as they would stand in a crawl file.
func Found(seeds []string, sites []SiteConfig) string {
	var b strings.Builder
	if len(seeds) > 0 {
		b.WriteString("seeds:\n")
		for _, s := range seeds {
			b.WriteString("  - " + strict.Flow(s) + "\n")
		}
	}
	if len(sites) > 0 {
		b.WriteString("sites:\n")
		for _, s := range sites {
			b.WriteString("  - " + strict.Flow(s) + "\n")
		}
	}
	return b.String()
}

// byHand adds to an error what a person can put into the file.
func byHand(err error, seeds []string, sites []SiteConfig) error {
	return fmt.Errorf("nothing was written: %w; put it in by hand:\n%s", err, Found(seeds, sites))
}
