package watch

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
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
func Head(dir string) (Run, Sums, error) {
	st, parts, err := run.StandingOf(dir)
	if err != nil {
		return Run{}, Sums{}, err
	}
	w := &Watcher{dir: dir, ran: &run.Run{Dir: dir, Parts: parts, Standing: st}}
	return w.about(), Sums{Pages: st.Pages, Relevant: st.Relevant, Kept: st.Kept, Harvest: share(st.Relevant, st.Pages)}, nil
}

func (w *Watcher) about() Run {
	st := &w.ran.Standing
	w.atWork = 0
	r := Run{Name: st.Name, Folder: w.dir, File: st.File, Reason: st.Reason, Strategy: st.Strategy, About: w.config.Topic.About, Language: string(w.config.Topic.Language),
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
	now, blocked := w.now(), w.blocked()
	for _, h := range w.hosts {
		if h.Asked+h.Again == 0 {
			continue
		}
		if !live || !h.Rests.After(now) {
			h.Rests, h.Pause = time.Time{}, 0
		}
		h.Blocked = blocked.As(h.Host)
		more = more || len(table) == shownHosts
		table = insert(table, h, shownHosts, func(a, b Host) int {
			return cmp.Or(cmp.Compare(b.Relevant, a.Relevant), cmp.Compare(b.Asked, a.Asked), cmp.Compare(a.Host, b.Host))
		})
	}
	return table, more
}

// blocked are the orders of the run, as far as they are of hosts.
func (w *Watcher) blocked() (all run.Orders) {
	for _, folder := range w.folders() {
		if o, err := run.ReadOrders(folder); err == nil { // an order that cannot be read is told of by who obeys it
			all.Blocked = append(all.Blocked, o.Blocked...)
		}
	}
	return all
}

func (w *Watcher) refusals() []Refusal {
	all := w.takenOut()
	for _, r := range w.reasons {
		if one := w.withoutTaken(r); one.Count > 0 {
			all = append(all, one)
		}
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
