package disk

import (
	"os"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Options are what only this backend can be asked. The zero value is good.
type Options struct {
	// Every is how long what was told may stay in memory; 0 means a second.
	Every time.Duration
	// Clock is what Every is measured by; nil means the wall clock, whatever the clock of the manners is.
	Clock frontier.Clock
	// BeforeSync is called before a batch is written. What the outcomes in it say of the crawl's own files must be
	// on the disk when it returns. While it fails, nothing is written.
	BeforeSync func() error
	// AtOnce hands interrupted visits out again without regard to their hosts' clocks: for recorded webs, where
	// nobody is bothered and the crawl should go on as if nothing had happened.
	AtOnce bool
	// Whole lets nothing but outcomes and Commit end a transaction: a push that belongs to no visit is kept with the
	// next of them too. It is for crawls that write down files and lessons, which must agree with every push.
	Whole bool
	// Begun tells that something was kept here before: a log in which nothing can be read is damaged, and not new.
	Begun bool
	// Safe is what Safe answered once: a log that ends before is damaged, and not torn.
	Safe uint64
	// Lock is held already by who opens the folder, and stays with them.
	Lock *Lock
	// Segment is the size of a log file in bytes; 0 means 64 MiB.
	Segment int64

	open   func(path string) (file, error) // for tests of failing disks
	remove func(path string) error         // and of slow ones
	most   int                             // for tests of large frames; 0 means maxFrame
}

// defaults fills what was left out.
func (o *Options) defaults() {
	if o.Every <= 0 {
		o.Every = time.Second
	}
	if o.Clock == nil {
		o.Clock = frontier.NewSchedule[struct{}](frontier.Manners{}).Clock()
	}
	if o.Segment <= 0 {
		o.Segment = 64 << 20
	}
	o.Segment = max(o.Segment, segmentHead+1) // room for a batch in any
	if o.most == 0 {
		o.most = maxFrame
	}
	if o.open == nil {
		o.open = func(path string) (file, error) { return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) }
	}
	if o.remove == nil {
		o.remove = os.Remove
	}
}
