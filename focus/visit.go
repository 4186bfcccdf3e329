package focus

import (
	"net/http"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Visit is one page on its way through the journey. What hooks see of it is what is known by then; they must not change
// it, and not keep it after they return.
type Visit struct {
	Item      frontier.Item   // the link it was
	Chosen    string          // how a selection came to let it go; empty where its score alone says it
	FinalURL  string          // the address that answered
	Status    int             // HTTP status; 0 when nothing answered
	Err       error           // why nothing answered
	Header    http.Header     // of the answer
	Type      string          // media type
	Charset   string          // what the bytes were in
	Body      []byte          // the body in UTF-8
	Page      *page.Page      // what it says; nil when it is not a page
	Doc       *text.Doc       // its words
	Judgement topic.Judgement // how relevant it is
	OptOut    *robots.OptOut  // what its author reserves; nil when it is not a page
	Kept      bool            // a record was written
	Refused   admit.Refused   // why none was
	Found     []Candidate     // its links, as they were decided
	Time      time.Time       // when the answer was there
	Took      time.Duration   // how long the answer took
	Spared    time.Duration   // processor time that its words cost another crawl over the same pages, and not this one

	passage
}

// passage is how far a visit is on its way. It is the crawl's own.
type passage struct {
	note     run.Note
	rules    *robots.Rules // of the host; nil where they are not known
	raw      *exchange     // the answer as received
	lane     int           // of the frontier: in whose order it came
	laned    bool          // the strategy was told
	ticket   uint64        // its turn; 0 takes the next free one
	started  bool          // Colly has seen the item's own request
	entered  bool          // it has the turn
	list     bool          // a sitemap or feed
	panicked bool          // a callback did
	judged   bool          // steps 4 to 9 are done
	redirect string        // where the answer sends us
	foreign  []string      // addresses that callbacks asked to visit
	readable bool          // the answer is a page with a success status
	links    []Candidate   // of the page, prepared
	blocks   func(int32) topic.Judgement
}

// Candidate is one link of a page, as it was decided.
type Candidate struct {
	Link    *page.Link
	ID      uint64        // its number in the frontier; 0 if it did not enter
	Refused admit.Refused // why it did not enter
	Fresh   bool          // nobody had found it, or turned it away, before
	Raised  bool          // it waited already, with less promise
	Score   float32       // its promise
	Numbers []float32     // the promise's tree
	hop     byte
}

// exchange is what went over the wire for one item.
type exchange struct {
	request *http.Request
	header  http.Header
	status  int
	proto   string
	body    []byte // as received: encodings of the content not undone
	cut     string // why the body is not whole; empty if it is
}
