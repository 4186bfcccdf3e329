package focus

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/study"
)

// Config is a crawl file, and what belongs to the program that runs it.
type Config struct {
	crawlfile.Config

	Fresh bool // start over: delete what the run folder holds

	// Transport is asked instead of the network, where a program has one of its own. It is not part of a crawl file.
	Transport http.RoundTripper

	// RetryWait is how long a host is left alone after the first failure that may pass, and after a robots.txt that could
	// not be had; 0 means ten seconds, and ten minutes.
	RetryWait time.Duration

	// Lookup finds the addresses of a host instead of the system, and Free how many bytes are free on the disk of a folder.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	Free   func(folder string) (uint64, error)

	// Record is a folder into which everything fetched is written as a recorded web; empty records nothing.
	Record string

	// Opening ends the waiting of New for a store that answers and cannot be used yet, such as a Redis that reads its data
	// back. Nil waits for ten minutes.
	Opening context.Context
	// Told hears, in a line, what happens to the crawl as a whole while it runs: that it waits for its store, say.
	Told func(string)

	// Pages answer instead of the network, as they were read before. Such a crawl runs in virtual time.
	Pages *study.Pages

	// Offer says of an address whether it may enter at all, after the scope; nil lets all in.
	Offer func(address string) bool

	repair bool           // it is opened to be repaired, not to be gone on with
	wall   frontier.Clock // by which leases are told, for tests; nil means the clock on the wall
	look   time.Duration  // how often the world around is looked at; 0 means every second
}

// Default is what counts where a crawl file says nothing.
func Default() Config { return Config{Config: crawlfile.Default()} }

// Load reads a crawl file, as crawlfile.Load does.
func Load(file string, overrides ...crawlfile.Override) (Config, error) {
	c, err := crawlfile.Load(file, overrides...)
	return Config{Config: c}, err
}

// Read reads a crawl file from its text, as Load would from the file.
func Read(file string, text []byte, overrides ...crawlfile.Override) (Config, error) {
	c, err := crawlfile.Read(file, text, overrides...)
	return Config{Config: c}, err
}
