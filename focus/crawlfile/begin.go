package crawlfile

import (
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// Live tells whether the crawl goes out into the web: it does unless a recorded one is named.
func (c *Config) Live() bool { return c.Web == "" }

// NoContact is the error of a live crawl without a contact; it is nil where there is one or none is needed.
func (c *Config) NoContact() error {
	if !c.Live() || c.Polite.Contact != "" {
		return nil
	}
	return strict.Err([]strict.Problem{c.At("polite.contact", "%s", noContact)})
}

// NoProxies is the error of a live crawl whose file names proxies, where a program has a way of its own to the web; it is nil where the
// file names none.
func (c *Config) NoProxies() error {
	if !c.Live() || len(c.Fetch.ProxyList()) == 0 {
		return nil
	}
	return strict.Err([]strict.Problem{c.At("fetch.proxies",
		"the program has a transport or proxy of its own, and goes by that one: take fetch.proxies out, or leave the way to the crawl file")})
}

const noContact = "is not given, and the live web is not crawled without it; add\n" +
	"    polite: {contact: you@example.org}\n" +
	"with an address that the people who run the hosts can write to"

// seedless tells that the file leaves its start pages to be found: it says seeds: [], and what is looked for.
func (c *Config) seedless() bool {
	_, written := c.source.Get("seeds")
	t := &c.Topic
	return written && (strings.TrimSpace(t.About) != "" || len(t.Terms)+len(t.Examples) > 0 || t.Model != "" || t.Corpus.Relevant != "")
}

// NoSeeds is the error of a crawl that does not know yet where to begin, because there are no start pages, or none that may enter, or one
// is no address; it is nil where it knows.
func (c *Config) NoSeeds() error {
	if len(c.Seeds) == 0 {
		return strict.Err([]strict.Problem{c.At("seeds", "%s", noSeeds+c.File)})
	}
	k := checker{c: c}
	if k.addresses("seeds", c.Seeds); len(k.problems) > 0 { // of a config that was made in Go
		return strict.Err(k.problems)
	}
	inside, err := c.Scope.Inside()
	if err != nil || slices.ContainsFunc(c.Seeds, inside) {
		return err
	}
	return strict.Err([]strict.Problem{c.At("seeds", noneInside, len(c.Seeds))})
}

// NoneTaken is the error of a crawl of whose start pages none passes the collector that the program has brought along.
func (c *Config) NoneTaken() error {
	return strict.Err([]strict.Problem{c.At("seeds", noneTaken, len(c.Seeds))})
}

const noneTaken = "the collector keeps out all %d start pages, by its AllowedDomains, DisallowedDomains, URLFilters or DisallowedURLFilters; " +
	"change these or seeds (a domain is written without a port there)"

const noneInside = "none of the %d start pages is inside the scope; change seeds or scope"

const noSeeds = "there are none yet, and a crawl needs at least one start page; write some, or have them found:\n" +
	"    thresher seeds "
