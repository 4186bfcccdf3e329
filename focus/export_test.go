package focus

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
)

// Setting is a crawl file, and what the program of a test brings along: what is nil or 0 is no option.
type Setting struct {
	Config
	Opening   context.Context
	Fresh     bool
	Transport http.RoundTripper
	Record    string
	Told      func(string)
	Pages     *study.Pages
	RetryWait time.Duration
	Lookup    func(ctx context.Context, host string) ([]netip.Addr, error)
	Free      func(folder string) (uint64, error)
	Wall      frontier.Clock
	Look      time.Duration
}

// DefaultSetting is Default with no options.
func DefaultSetting() Setting { return Setting{Config: Default()} }

// LoadSetting is Load with no options.
func LoadSetting(file string, overrides ...crawlfile.Override) (Setting, error) {
	c, err := Load(file, overrides...)
	return Setting{Config: c}, err
}

// NewWith is New with the options of a setting.
func NewWith(s Setting) (*Crawler, error) {
	ctx := s.Opening
	if ctx == nil {
		ctx = context.Background()
	}
	return New(ctx, s.Config, s.Options()...)
}

// Options are the options of a setting.
func (s Setting) Options() []Option {
	all := []Option{func(r *running) {
		r.retryWait, r.lookup, r.free, r.wall, r.look = s.RetryWait, s.Lookup, s.Free, s.Wall, s.Look
	}}
	if s.Fresh {
		all = append(all, Fresh())
	}
	if s.Transport != nil {
		all = append(all, Transport(s.Transport))
	}
	if s.Record != "" {
		all = append(all, Record(s.Record))
	}
	if s.Told != nil {
		all = append(all, Logger(slog.New(tellTold(s.Told))))
	}
	if s.Pages != nil {
		all = append(all, Over(s.Pages))
	}
	return all
}

// tellTold hands on the messages of a logger, as a program would that shows them line by line.
type tellTold func(string)

func (t tellTold) Enabled(_ context.Context, level slog.Level) bool { return level < slog.LevelError }
func (t tellTold) WithAttrs([]slog.Attr) slog.Handler               { return t }
func (t tellTold) WithGroup(string) slog.Handler                    { return t }

func (t tellTold) Handle(_ context.Context, r slog.Record) error {
	t(r.Message)
	return nil
}

// TimedBy has the stages of pages told by another clock.
func (c *Crawler) TimedBy(now func() time.Time) { c.steps.turn.Now = now }

// Books is the state of what the crawl has counted.
func (c *Crawler) Books() []byte { return c.ledger.State(nil) }

// RememberIn keeps a page for a second look in files of a test, where the crawl would keep it in its own, and tells how long that
// took by a clock.
func (c *Crawler) RememberIn(looks *sink.Looks, v *Visit, clock func() time.Duration) time.Duration {
	own := c.steps.results.Looks
	c.steps.results.Looks = looks
	defer func() { c.steps.results.Looks = own }()
	began := clock()
	if v.Page != nil {
		c.steps.remember(v, nil)
	}
	return clock() - began
}

// BoundLooks bounds the pages for a second look more narrowly than a crawl file may.
func (c *Crawler) BoundLooks(most int64) { c.steps.results.Looks.Most = most }

// ReadsPDF has PDF read in another way.
func (c *Crawler) ReadsPDF(read func(ctx context.Context, body []byte) ([]byte, error)) {
	c.steps.reading.PDF = read
}

// Deafen lets a machine hear nothing of what the others of its crawl learn. Only a snapshot makes it listen, until its next page.
func (c *Crawler) Deafen() {
	never := func(*Visit) { c.company.(*shared).listened = time.Now().Add(24 * time.Hour) }
	never(nil)
	c.OnDone(never)
}

// LetIn lets in what a program has asked to visit, without a word of Colly, and tells what went wrong with the crawl.
func (c *Crawler) LetIn(address string) error {
	c.steps.pushLate(nil, address)
	return c.steps.Err()
}
