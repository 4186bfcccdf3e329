package watch

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"
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

// Run is which run it is, and how it stands.
type Run struct {
	Name      string    `json:"name"`
	Folder    string    `json:"folder"`
	File      string    `json:"file,omitempty"` // the crawl file
	State     State     `json:"state"`
	Reason    string    `json:"reason,omitempty"` // why it ended
	Strategy  string    `json:"strategy"`
	About     string    `json:"about,omitempty"`
	Language  string    `json:"language"`
	Threshold float64   `json:"threshold"`
	Started   time.Time `json:"started"`
	Ended     time.Time `json:"ended,omitzero"`
	Machines  []string  `json:"machines,omitempty"`
	Elsewhere int       `json:"elsewhere,omitempty"` // visits of machines whose folders are not here
	Away      bool      `json:"away,omitempty"`      // Redis, on which machines share it, does not answer
	Unread    int       `json:"unread,omitempty"`    // lines of the log that cannot be read
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
	Last  time.Time     `json:"last,omitzero"`
}

// Harvest is the share of a host's judged pages that were relevant.
func (h *Host) Harvest() float64 { return share(h.Relevant, h.Pages) }

// Refusal is how often something was refused for a reason.
type Refusal struct {
	Reason   admit.Refused `json:"reason"`
	Count    int           `json:"count"`
	Pages    int           `json:"pages"` // that were fetched, among them
	Examples []Example     `json:"examples"`
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

// Story is what the run has done up to the last Update.
func (w *Watcher) Story() *Story {
	s := &Story{Run: w.about(), Counts: w.counts, Best: slices.Clone(w.best), Near: slices.Clone(w.near), Finds: w.lastFinds(),
		Waiting: w.waits(), Refused: w.refusals(), Words: w.wordTable(), Picks: w.pickTable(), Curve: w.harvest()}
	s.Hosts, s.More = w.hostTable(s.Run.State.Live())
	s.Counts.Harvest = share(s.Counts.Relevant, s.Counts.Pages)
	late := w.recent[max(0, len(w.recent)-recentPages):]
	s.Counts.Recent = share(count(late), len(late))
	w.addTogether(s)
	s.Pace = w.speed(s)
	if !s.Run.State.Live() {
		s.Figures = w.figures.now
	}
	return s
}

// Head is which run it is and how it stands, without its log. Few files are read for it: a list of runs asks for many.
func Head(dir string) (Run, Counts, error) {
	st, parts, err := run.StandingOf(dir)
	if err != nil {
		return Run{}, Counts{}, err
	}
	w := &Watcher{dir: dir, ran: &run.Run{Dir: dir, Parts: parts, Standing: st}}
	return w.about(), Counts{Pages: st.Pages, Relevant: st.Relevant, Kept: st.Kept, Harvest: share(st.Relevant, st.Pages)}, nil
}

func (w *Watcher) about() Run {
	st := &w.ran.Standing
	w.atWork = 0
	r := Run{Name: st.Name, Folder: w.dir, File: st.File, Reason: st.Reason, Strategy: st.Strategy, About: w.config.Topic.About, Language: w.config.Topic.Language,
		Threshold: w.config.Topic.Threshold, Started: st.Started, Ended: st.Ended, State: stateOf(w.folders()[0], st), Unread: w.bad}
	for _, part := range w.ran.Parts {
		r.Machines = append(r.Machines, filepath.Base(part))
		if st, err := run.ReadStanding(part); err == nil && stateOf(part, &st).Live() {
			r.State, r.Reason, r.Ended = stateOf(part, &st), "", time.Time{}
			w.atWork++
		}
	}
	if r.State.Live() {
		r.Reason, r.Ended = "", time.Time{}
	}
	return r
}

func (w *Watcher) lastFinds() []Find {
	finds := slices.Clone(w.finds[max(0, len(w.finds)-shownFinds):])
	slices.Reverse(finds)
	return finds
}

func (w *Watcher) waits() Waiting {
	all := Waiting{Links: w.waiting}
	for i, n := range w.bands {
		if n == 0 {
			continue
		}
		b := Band{Start: i == bandStart, From: float64(i-bandFirst) / 10, To: float64(i-bandFirst+1) / 10, Links: n}
		all.Bands = append(all.Bands, b)
	}
	slices.Reverse(all.Bands)
	if n := len(all.Bands); n > 0 && all.Bands[n-1].Start { // they come first
		all.Bands = append([]Band{all.Bands[n-1]}, all.Bands[:n-1]...)
	}
	for i := range w.hosts {
		if h := &w.hosts[i]; h.Waiting > 0 {
			all.Count++
			all.Sites = insert(all.Sites, Site{h.Host, h.Waiting}, shownSites, func(a, b Site) int {
				return cmp.Or(cmp.Compare(b.Links, a.Links), cmp.Compare(a.Site, b.Site))
			})
		}
	}
	return all
}

// insert puts one into the first most of a sorted list.
func insert[T any](list []T, one T, most int, order func(a, b T) int) []T {
	at, _ := slices.BinarySearchFunc(list, one, order)
	if at >= most {
		return list
	}
	list = slices.Insert(list, at, one)
	return list[:min(len(list), most)]
}

// now is what the clock of the crawl shows: of one over a recorded web it is known from its lines alone.
func (w *Watcher) now() time.Time {
	if w.config.Web != "" {
		return w.counts.Now
	}
	return time.Now()
}

// hostTable are the hosts that gave most, and after them those that were asked most; more tells that there are others. Those of a run
// that nobody works on do not rest.
func (w *Watcher) hostTable(live bool) (table []Host, more bool) {
	now := w.now()
	for _, h := range w.hosts {
		if h.Asked+h.Again == 0 {
			continue
		}
		if !live || !h.Rests.After(now) {
			h.Rests, h.Pause = time.Time{}, 0
		}
		more = more || len(table) == shownHosts
		table = insert(table, h, shownHosts, func(a, b Host) int {
			return cmp.Or(cmp.Compare(b.Relevant, a.Relevant), cmp.Compare(b.Asked, a.Asked), cmp.Compare(a.Host, b.Host))
		})
	}
	return table, more
}

func (w *Watcher) refusals() []Refusal {
	var all []Refusal
	for _, r := range w.refused {
		one := *r
		one.Examples = slices.Clone(r.Examples)
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Refusal) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason)) })
	return all
}

// wordTable are the words of the topic, those that were met most first; with them those of the crawl file that were not met.
func (w *Watcher) wordTable() []Word {
	weights := map[string]float64{}
	for _, t := range w.config.Topic.Terms {
		weights[strings.ToLower(t.Term)] = t.Weight
	}
	var all []Word
	for text, one := range w.words.all {
		weight := weights[strings.ToLower(text)]
		delete(weights, strings.ToLower(text))
		all = append(all, Word{text, weight, one.pages, one.kept, share(one.pages, w.words.pages), w.words.share(one)})
	}
	for text, weight := range weights {
		all = append(all, Word{Word: text, Weight: weight})
	}
	slices.SortFunc(all, func(a, b Word) int {
		return cmp.Or(cmp.Compare(b.Kept, a.Kept), cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Word, b.Word))
	})
	return all[:min(len(all), shownWords)]
}

const shownWords = 60

func (w *Watcher) pickTable() []Pick {
	var all []Pick
	for _, p := range w.picks {
		all = append(all, *p)
	}
	slices.SortFunc(all, func(a, b Pick) int { return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.By, b.By)) })
	return all[:min(len(all), shownBest)]
}

// harvest is the curve, with what the labels say of the judge beside it.
func (w *Watcher) harvest() Curve {
	c := Curve{Points: slices.Clone(w.curve)}
	if now := (Point{w.counts.Pages, w.counts.Relevant}); len(c.Points) > 0 && c.Points[len(c.Points)-1] != now {
		c.Points = append(c.Points, now)
	}
	if other, err := run.ReadCompared(w.folders()[0]); err == nil {
		c.With = other.Strategy
		for _, p := range other.Curve {
			c.Compared = append(c.Compared, Point(p))
		}
	}
	var right, wrong, missed int
	for page, relevant := range w.labels.said {
		kept, known := w.kept[page]
		if !known {
			continue
		}
		c.Labelled++
		switch {
		case kept && relevant:
			right++
		case kept:
			wrong++
		case relevant:
			missed++
		}
	}
	c.Precision, c.Recall = share(right, right+wrong), share(right, right+missed)
	c.Measured = c.Labelled >= leastTruth && right+wrong > 0
	return c
}

// speed is how fast the crawl goes, and what keeps it from going faster.
func (w *Watcher) speed(s *Story) Pace {
	polite := &w.config.Polite
	p := Pace{Busy: int(math.Round(w.busy)), Parallel: polite.Parallel * max(1, w.atWork), Delay: polite.Delay.Duration(), Hosts: s.Waiting.Count, Budget: w.config.Budget.Pages}
	if raised, ok := run.Raised(w.folders()[0], p.Budget); ok {
		p.Budget = raised
	}
	p.PerSecond = w.perSecond(s.Run.State)
	switch {
	case !s.Run.State.Live():
		p.Limit = LimitOver
	case s.Run.State == Paused:
		p.Limit, p.PerSecond = LimitPaused, 0
	case s.Run.Away:
		p.Limit = LimitStore
	case s.Waiting.Links == 0:
		p.Limit = LimitNothing
	case w.busy > 0.9*float64(p.Parallel):
		p.Limit = LimitAnswers
	case p.Delay > 0:
		p.Limit = LimitHosts
	default:
		p.Limit = LimitMachine
	}
	if left := p.Budget - s.Counts.Pages; p.Limit != LimitOver && left > 0 && p.PerSecond > 0 {
		p.Left = time.Duration(float64(left) / p.PerSecond * float64(time.Second))
	}
	if given := w.config.Budget.Time.Duration(); p.Limit != LimitOver && given > 0 {
		if left := max(0, given-s.Counts.Now.Sub(w.started)); p.Left == 0 || left < p.Left {
			p.Left = left
		}
	}
	return p
}

// perSecond is how many pages come a second: over the last half minute as it was seen, or by the crawl's own clock.
func (w *Watcher) perSecond(state State) float64 {
	if n := len(w.pace); state.Live() && n > 1 && w.pace[n-1].at.Sub(w.pace[0].at) >= 2*time.Second {
		return float64(w.pace[n-1].pages-w.pace[0].pages) / w.pace[n-1].at.Sub(w.pace[0].at).Seconds()
	}
	times := w.told[max(0, len(w.told)-toldPages):]
	if !state.Live() && len(times) > 0 {
		if took := times[len(times)-1].Sub(w.started).Seconds(); took > 0 {
			return float64(w.counts.Pages) / took
		}
	}
	if len(times) < 2 || !times[len(times)-1].After(times[0]) {
		return 0
	}
	return float64(len(times)-1) / times[len(times)-1].Sub(times[0]).Seconds()
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

func count(list []bool) (n int) {
	for _, is := range list {
		if is {
			n++
		}
	}
	return n
}
