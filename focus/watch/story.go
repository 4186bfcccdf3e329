package watch

import (
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
)

// Story is what a run has done so far. Its parts are bounded, however long the run is.
type Story struct {
	Run     Run       `json:"run"`
	Counts  Counts    `json:"counts"`
	Pace    Pace      `json:"pace"`
	Curve   Curve     `json:"curve"`
	Finds   []Find    `json:"finds"` // the latest first
	Best    []Find    `json:"best"`
	Near    []Find    `json:"near_misses"`
	Waiting Waiting   `json:"waiting"`
	Hosts   []Host    `json:"hosts"`
	More    bool      `json:"more_hosts,omitempty"` // there are others that gave less
	Refused []Refusal `json:"refused"`
	Words   []Word    `json:"words"`
	Picks   []Pick    `json:"picks"`

	Figures *run.Figures `json:"known,omitempty"` // what the second look kept, and what an audit says of that; of a run that has ended
}

// Run is which run it is, and how it stands. What its topic is, is known of a run that is followed.
type Run struct {
	Name      string    `json:"name"`
	Folder    string    `json:"folder"`
	File      string    `json:"file,omitempty"` // the crawl file
	State     State     `json:"state"`
	Reason    string    `json:"reason,omitempty"` // why it ended
	Strategy  string    `json:"strategy"`
	About     string    `json:"about,omitempty"`
	Language  string    `json:"language,omitempty"`
	Threshold float64   `json:"threshold,omitempty"`
	Started   time.Time `json:"started,omitzero"` // zero of a run that cannot be read
	Ended     time.Time `json:"ended,omitzero"`
	Machines  []string  `json:"machines,omitempty"`
	Elsewhere int       `json:"elsewhere,omitempty"` // visits of machines whose folders are not here
	Away      bool      `json:"away,omitempty"`      // Redis, on which machines share it, does not answer
	Unread    int       `json:"unread,omitempty"`    // lines of the log that cannot be read
}

// Sums are those of Counts that are known without the log of a run.
type Sums struct {
	Pages    int     `json:"pages"`
	Relevant int     `json:"relevant"`
	Kept     int     `json:"kept"`
	Harvest  float64 `json:"harvest"`
}

// Counts are sums over the whole run, up to what is committed.
type Counts struct {
	Pages    int       `json:"pages"`
	Relevant int       `json:"relevant"`
	Kept     int       `json:"kept"`
	Failed   int       `json:"failed"`
	TooMany  int       `json:"status_429"`
	Again    int       `json:"put_off"`
	Links    int       `json:"links"`
	Bytes    int64     `json:"bytes"`
	Harvest  float64   `json:"harvest"`
	Recent   float64   `json:"recent"` // harvest of the last pages
	Now      time.Time `json:"now"`    // of the last line, by the crawl's clock
}

// Pace is how fast it goes, what it waits for, and how long it will take.
type Pace struct {
	PerSecond float64       `json:"per_second"`
	Limit     Limit         `json:"limit"`
	Hosts     int           `json:"hosts"`    // with links that wait
	Busy      int           `json:"busy"`     // visits under way
	Parallel  int           `json:"parallel"` // that there may be
	Delay     time.Duration `json:"delay"`    // between two visits of a host
	Budget    int           `json:"budget,omitempty"`
	Left      time.Duration `json:"left,omitempty"`
}

// Limit is what keeps a crawl from going faster.
type Limit string

// The limits.
const (
	LimitOver    Limit = "over"    // it has ended
	LimitPaused  Limit = "paused"  // somebody has paused it
	LimitStore   Limit = "store"   // Redis, on which machines share it, does not answer
	LimitNothing Limit = "nothing" // nothing waits
	LimitAnswers Limit = "answers" // as many visits as there may be wait for answers
	LimitHosts   Limit = "hosts"   // the hosts of what waits rest between two visits
	LimitMachine Limit = "machine" // pages are read and judged as fast as this machine can
)

// Curve is how the harvest grew.
type Curve struct {
	Points    []Point `json:"points"`
	Compared  []Point `json:"compared,omitempty"`      // of the crawl it was compared with
	With      string  `json:"compared_with,omitempty"` // the strategy of that
	Labelled  int     `json:"labelled"`                // pages that a person has labelled and the crawl has judged
	Precision float64 `json:"precision"`               // of the judge: the share of relevant ones among those kept, by the labels
	Recall    float64 `json:"recall"`                  // the share of those kept among the relevant ones, by the labels
	Measured  bool    `json:"measured"`                // there are labels enough to say so
}

// Point is one point of the harvest curve.
type Point struct {
	Pages    int `json:"pages"`
	Relevant int `json:"relevant"`
}

// Find is a page that was judged, and why it is here.
type Find struct {
	ID        uint64    `json:"id"`
	URL       string    `json:"url"`
	Title     string    `json:"title"`
	Time      time.Time `json:"time"`
	Relevance float64   `json:"relevance"`
	Words     []string  `json:"words"`               // of the topic, on it
	Anchor    string    `json:"anchor,omitempty"`    // the words of the link that led to it
	Via       string    `json:"via,omitempty"`       // the page that the link stands on, where it is known
	ViaTitle  string    `json:"via_title,omitempty"` // its title
	Steps     int       `json:"steps"`               // links from the start page
}

// Waiting is what waits, by the band of its score and by site.
type Waiting struct {
	Links int    `json:"links"`
	Bands []Band `json:"bands"`
	Sites []Site `json:"sites"`
	Count int    `json:"count"` // of sites
}

// Band is how many links wait whose score lies between two bounds. Start pages have none.
type Band struct {
	Start bool    `json:"start,omitempty"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Links int     `json:"links"`
}

// Site is how many links of a site wait.
type Site struct {
	Site  string `json:"site"`
	Links int    `json:"links"`
}

// Host is how a host does.
type Host struct {
	Host     string `json:"host"`  // empty: those that are not told apart, together
	Asked    int    `json:"asked"` // pages asked for
	Pages    int    `json:"pages"` // of them judged
	Relevant int    `json:"relevant"`
	Failed   int    `json:"failed"`
	TooMany  int    `json:"status_429"`
	Again    int    `json:"put_off"`
	Waiting  int    `json:"waiting"`
	Down     bool   `json:"down"`

	Rests time.Time     `json:"rests_until,omitzero"` // it is left alone now
	Pause time.Duration `json:"pause,omitempty"`      // after its last visit, as long as it is; 0 where that was in another process
	Said  string        `json:"said,omitempty"`       // by its last failure

	Blocked string    `json:"blocked,omitempty"` // as what it is blocked in the run; empty where it is not
	Last    time.Time `json:"last,omitzero"`
}

// Harvest is the share of a host's judged pages that were relevant.
func (h *Host) Harvest() float64 { return share(h.Relevant, h.Pages) }

// Refusal is how often something was refused for a reason.
type Refusal struct {
	Reason   admit.Refused `json:"reason"`
	Count    int           `json:"count"`
	Pages    int           `json:"pages"` // that were fetched, among them
	Examples []Example     `json:"examples"`

	place uint32 // among the reasons of the run, from 1 on
}

// Example is something that was refused.
type Example struct {
	URL  string `json:"url"`
	Said string `json:"said,omitempty"` // by a robots.txt, a host
}

// Word is a word of the topic and how it does.
type Word struct {
	Word   string  `json:"word"`
	Weight float64 `json:"weight"` // 0 where the crawl file does not name it
	Pages  int     `json:"pages"`  // judged that have it
	Kept   int     `json:"kept"`   // of them kept
	Share  float64 `json:"share"`  // of all pages judged
	Late   float64 `json:"late"`   // of the last ones
}

// Rises tells how much more often the word is met of late.
func (w *Word) Rises() float64 { return w.Late - w.Share }

// Pick is how the links turned out that something chose.
type Pick struct {
	By       string `json:"by"`
	Pages    int    `json:"pages"`
	Relevant int    `json:"relevant"`
}

// How much of everything a story tells.
const (
	shownFinds = 20
	shownBest  = 10
	shownHosts = 100
	shownSites = 12
	leastTruth = 10 // labels that are needed to speak of precision
)
