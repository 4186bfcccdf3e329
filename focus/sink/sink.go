// Package sink answers one question: where do results go?
//
// A Record is one kept page, in plain strings and numbers. A Sink writes records into the files of a run folder; it can
// tell how long each of its files is, so that Cut can take a crashed folder back to the last page that was finished.
// Harvest reads the records back, an Encoder writes them elsewhere. It serves step 5 of the journey (see package focus).
//
// The files, by Options.To:
//
//	jsonl   harvest.jsonl, then harvest-0001.jsonl …   one JSON object a line
//	csv     harvest.csv, then harvest-0001.csv …       a line of names, then one line a page
//	warc    pages-0000.warc.gz …                       request, response and metadata of each page
//
// The form opensearch writes no file of its own: it sends what harvest.jsonl holds to a cluster (see OpenSearch).
//
// A file that has reached its size is never touched again, and what a file holds on disk ends with a whole record
// unless a crash or a full disk stopped a write in the middle.
package sink

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// Term is a word of the topic that a page matched, and what it added to the judgement.
type Term struct {
	Term   string  `json:"term"`
	Weight float64 `json:"weight"`
}

// Number is one node of the score's tree.
type Number struct {
	Name  string  `json:"name"`
	Depth int     `json:"depth"`
	Value float64 `json:"value"` // NaN where there was no evidence; written as null
}

// Step is one ancestor on the way to a page, the seed first.
type Step struct {
	URL       string  `json:"url"`
	Anchor    string  `json:"anchor"` // the words of the link that led on to the next page
	Relevance float64 `json:"relevance"`
}

// Record is one kept page. The field comments are the documentation of harvest.jsonl.
type Record struct {
	ID       uint64    `json:"id"`        // the item's number in this crawl
	URL      string    `json:"url"`       // the address as it was found
	FinalURL string    `json:"final_url"` // the address that answered
	Host     string    `json:"host"`      //
	Time     time.Time `json:"time"`      // when it was fetched
	Status   int       `json:"status"`    // HTTP status
	Type     string    `json:"type"`      // media type
	Cut      string    `json:"cut"`       // why the body is not whole: size, decoded, ratio, time, short or damaged
	Charset  string    `json:"charset"`   // what the bytes were in
	Language string    `json:"language"`  //
	Title    string    `json:"title"`     //
	Imprint
	Text      string  `json:"text"`      // the main text
	Markdown  string  `json:"markdown"`  // the main block as Markdown
	Digest    string  `json:"digest"`    // sha256 of the body as received
	Bytes     int64   `json:"bytes"`     // length of the body as received
	Relevance float64 `json:"relevance"` // in [0,1]
	Again             // in kept.jsonl: what the second look adds
	Raw       float64 `json:"raw"`   // the judge's own number
	Terms     []Term  `json:"terms"` // the topic's words it matched
	Way
	Links   int      `json:"links"`    // links on the page
	OptOuts []string `json:"opt_outs"` // what its author reserves, with the place where it was said: noai (page), ai-train=no (robots.txt), license=… (header)

	Data map[string]json.RawMessage `json:"data"` // what the program that ran the crawl has set (Visit.Set)

	Exchange `json:"-"`
}

// Saying is what the page says by itself, as page.Saying has it.
func (r *Record) Saying() string { return r.Title + "\n" + r.Text }

// Imprint is what a page says of itself beside its title.
type Imprint struct {
	Description string `json:"description"`
	Author      string `json:"author"`
	Date        string `json:"date"`      // as the page states it
	Canonical   string `json:"canonical"` // the address that the page calls its own (rel=canonical), whether it is believed or not
}

// Way is how the crawl came to a page.
type Way struct {
	Score float64  `json:"score"` // what its link had promised; null for a start page
	Why   []Number `json:"why"`   // the score's tree in reading order
	Depth int      `json:"depth"` // links away from a seed
	Trail []Step   `json:"trail"` // the pages it came by
}

// Exchange is what went over the wire, for sinks that keep it; it is never written to JSON. Header and Body belong together:
// where an encoding of the body was undone, Header must not name it.
type Exchange struct {
	Request  *http.Request
	Header   http.Header
	Body     []byte
	Rendered []byte // what a service made of the body that runs scripts, in UTF-8: what the record tells of; nil where none was asked
	Proto    string
	ConnAddr string        // address and port that answered
	Took     time.Duration // from the request to the end of the body; 0 where nobody measured
	made     made          // of the record ahead of its writing
}

// Again is what is said of a page when its crawl is over.
type Again struct {
	Second     float64 `json:"second"`     // relevance by the second look; null where the first one decided
	Importance float64 `json:"importance"` // the share of a surfer who prefers the topic, on the links between kept pages; 1 is the mean
	Visits
	Cluster uint64 `json:"-"` // what near duplicates share in what is exported (FieldCluster): the number of the first of them
}

// Visits are when a page was visited, where a crawl goes round again. One that was visited once was seen then, and has not changed
// since as far as is known.
type Visits struct {
	FirstSeen   time.Time `json:"first_seen"`
	LastSeen    time.Time `json:"last_seen"`    // when it was there last, changed or not
	LastChanged time.Time `json:"last_changed"` // when it was found to say something else than before
	Gone        string    `json:"gone"`         // when it was found that there is no such page any more (404, 410); empty while it is there
}

// Sink writes records. Write and Lengths are called by one goroutine at a time, Sync by any.
type Sink interface {
	Write(*Record) error
	Output
}

// Resumable is a sink of a program's own (focus.Into) to which a crash does what it does to the files of a run folder: when a
// crawl is gone on with, the sink is taken back to the last page that was finished, and holds each page that this process kept
// once. Only on Redis it may get a page twice, with the same ID: one whose lease lapsed while it was written.
//
// A sink that is new to a run, or that the run went on without, or whose run was repaired, begins anew with the records of
// harvest.jsonl, each page once. They lack what a harvest does not hold, the Exchange: Request, Header and Body are nil. Where
// the harvest does not hold all fields of all pages, because there was no jsonl sink or its fields were chosen, New refuses.
type Resumable interface {
	Sink
	// Cut takes the sink back to the positions that Lengths told when the last finished page was kept. They may be counted in
	// whatever grows, such as rows. What is not named had not begun then: with no positions all that was written is to go, because
	// the run begins, or no run is kept, or the sink is given the harvest next. A sink that holds less than it told has lost
	// finished pages, and answers an error. Cut is called once, by New or Attach, before the first Write.
	Cut(committed map[string]int64) error
}

// Output is a file of a run folder, or several, that a crawl writes page by page.
type Output interface {
	// Lengths tells how long each file is with all that was written, by its name below the run folder: what a crash is
	// cut back to, once Sync has returned. Of a Resumable they are positions of its own, by names of its own.
	Lengths() map[string]int64
	// Sync makes what Lengths told before survive a crash and a power cut.
	Sync() error
	Close() error
}

// AddLengths adds what an output tells of its lengths to what is known of others: that is asked after every page.
func AddLengths(all map[string]int64, o Output) {
	if adds, ok := o.(interface{ AddLengths(map[string]int64) }); ok {
		adds.AddLengths(all)
		return
	}
	maps.Copy(all, o.Lengths())
}

// Options say what a sink writes.
type Options struct {
	To     string            // a form of the table: jsonl, csv, warc, or a program's own
	Rotate int64             // bytes after which a new file is begun; 0 means 1 GiB
	Fields []string          // for jsonl, csv and opensearch: which fields, in which order; none means the usual ones
	Info   map[string]string // for warc: what the warcinfo record says of the crawl, such as operator or software

	// For opensearch:
	URL      string            // where the cluster is
	Index    string            // its index; none means one named after the run
	Run      string            // the name of the crawl
	Values   map[string]string // what values of pages are read as, by name: number, date, bool, url, json or text
	Queue    int64             // bytes of the harvest that may wait to be sent before the crawl must wait; 0 means any number
	Say      func(string)      // hears that it does not answer, or does again, and what it does not take
	Waited   bool              // it was waited for just before, and is given a tenth of the time
	pause    func(time.Duration)
	patience time.Duration
}

// Form is the name of a form in which records are written.
type Form string

// Words are the forms there are.
func (Form) Words() []string { return Names() }

// forms is how each form is opened; each registers itself in a file of its own.
var forms = map[string]func(dir string, o Options) (Sink, error){}

// Register adds a form, which crawl files may name from then on: open opens a sink of it on a run folder, which is there.
// Register is called before any crawl file is read, as in an init function; it panics on a name that is taken.
func Register(to string, open func(dir string, o Options) (Sink, error)) {
	if _, taken := forms[to]; taken || to == "" {
		panic(fmt.Sprintf("sink.Register: the form %q is registered twice, or has no name", to))
	}
	forms[to] = open
}

// Names are the forms there are, sorted.
func Names() []string { return slices.Sorted(maps.Keys(forms)) }

// Open opens a sink on a run folder, which is made where it is not there. Files that are there are written on; after a
// crash they must be cut back first.
func Open(dir string, o Options) (Sink, error) {
	if o.Rotate == 0 {
		o.Rotate = 1 << 30
	}
	if o.Rotate < 0 {
		return nil, fmt.Errorf("open %s sink: rotate is %d, want a number of bytes above 0", o.To, o.Rotate)
	}
	open, ok := forms[o.To]
	if !ok {
		return nil, fmt.Errorf("to is %q, want %s", o.To, strings.Join(Names(), ", "))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make run folder: %w", err)
	}
	s, err := open(dir, o)
	if s == nil && err == nil {
		err = fmt.Errorf("open %s sink: its form, which the program has registered, opens none", o.To)
	}
	return s, err
}
