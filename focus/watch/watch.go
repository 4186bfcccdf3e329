// Package watch answers one question: what has this run done so far?
//
// A Watcher follows the files that a crawl writes anyway, up to what is committed, and takes no lock: the crawl does not notice. What
// it gathers are sums and the last few of everything, so that a run of many millions of links is followed in a few megabytes.
// Story is what it knows at a moment, as plain values: a page, a report and a program show the same.
package watch

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
)

// Watcher follows one run, or the machines that share one. It may be used by one goroutine at a time.
type Watcher struct {
	dir    string
	ran    *run.Run
	config crawlfile.Config
	tails  []*run.Tail
	atwork []*run.AtWork // one for each tail
	gathered
	labels  labels
	figures figures
	later   later
	started time.Time

	together  []run.Together // how a crawl on Redis stands for all machines, now and late ago
	elsewhere int            // visits of machines whose folders are not here, as they were told last
	atWork    int            // machines
}

// gathered is all that was read of the logs.
type gathered struct {
	links   links
	hosts   []Host // the first are those beyond mostHosts, together
	places  map[string]uint32
	bands   [bands]int
	waiting int
	counts  Counts
	visits  int // that have ended and cost a request: those that Redis counts
	bad     int // lines that cannot be read
	curve   []Point
	recent  []bool
	told    []time.Time // of the last pages, by the crawl's clock
	pace    []paced
	finds   []Find // the last ones, the latest last
	best    []Find
	near    []Find
	seen    memory // pages that links were found on
	refused map[admit.Refused]*Refusal
	reasons []*Refusal // the same, by place
	words   words
	picks   map[string]*Pick
	kept    map[uint64]bool // by the hash of an address: whether the page was kept
	busy    float64         // visits under way, on the mean of late
}

// paced is how many pages there were at a moment on the wall.
type paced struct {
	at    time.Time
	pages int
}

// Open follows the run in a folder, or those of the machines that share a crawl below it.
func Open(dir string) (*Watcher, error) {
	ran, err := run.OpenAll(dir)
	if err != nil {
		return nil, err
	}
	config, err := ran.Config()
	if err != nil && config.File == "" {
		return nil, err
	}
	w := &Watcher{dir: dir, ran: ran, config: config}
	for _, part := range w.folders() {
		w.join(part)
	}
	w.reset()
	return w, nil
}

// folders are those of the run: its own, or those of its machines.
func (w *Watcher) folders() []string {
	if len(w.ran.Parts) > 0 {
		return w.ran.Parts
	}
	return []string{w.dir}
}

// join follows a folder of the run from now on.
func (w *Watcher) join(part string) {
	w.tails, w.atwork = append(w.tails, run.NewTail(part)), append(w.atwork, run.NewAtWork(part))
}

func (w *Watcher) reset() {
	w.gathered = gathered{links: links{map[uint64]*[partLinks]uint32{}}, hosts: []Host{{}}, places: map[string]uint32{},
		refused: map[admit.Refused]*Refusal{}, words: words{}, picks: map[string]*Pick{}, kept: map[uint64]bool{}}
}

// Update reads what was committed since the last time.
func (w *Watcher) Update() error {
	if err := w.standing(); err != nil {
		return err
	}
	for _, t := range w.tails {
		anew, err := t.Read(w.take)
		if err != nil {
			return fmt.Errorf("run folder %s: %w", w.dir, err)
		}
		if anew { // a log began anew or was cut back: everything is read again
			return w.again()
		}
	}
	w.labels.read(filepath.Join(w.dir, "labels.tsv"))
	w.figures.read(w.dir)
	w.hearLater()
	w.underway()
	now := time.Now()
	w.pace = append(w.pace, paced{now, w.counts.Pages})
	for len(w.pace) > 2 && now.Sub(w.pace[0].at) > paceOver {
		w.pace = w.pace[1:]
	}
	return nil
}

// paceOver is over which time the pages a second are counted.
const paceOver = 30 * time.Second

func (w *Watcher) again() error {
	again, err := Open(w.dir)
	if err != nil {
		return err
	}
	again.together = w.together
	*w = *again
	return w.Update()
}

// standing reads how the run stands now. Machines that joined meanwhile are followed, too.
func (w *Watcher) standing() error {
	if len(w.ran.Parts) > 0 {
		if parts := run.Parts(w.dir); len(parts) > len(w.ran.Parts) {
			for _, part := range parts {
				if !slices.Contains(w.ran.Parts, part) {
					w.ran.Parts = append(w.ran.Parts, part)
					w.join(part)
				}
			}
		}
	}
	s, err := run.ReadStanding(w.folders()[0])
	if err != nil {
		return err
	}
	if began := !s.Started.Equal(w.ran.Standing.Started); began && len(w.ran.Parts) == 0 {
		if ran, err := run.OpenAll(w.dir); err == nil { // it was started over: perhaps with another strategy
			w.ran = ran
			if config, err := ran.Config(); err == nil {
				w.config = config
			}
		}
	}
	w.ran.Standing = s
	return nil
}

// underway counts the visits that are under way, and hears which hosts rest.
func (w *Watcher) underway() {
	n := 0
	for i, a := range w.atwork {
		n += a.Now()
		w.rest(a.Rests(w.tails[i].At()))
	}
	w.busy += (float64(n) - w.busy) / 4
}

// take gathers one line.
func (w *Watcher) take(l *run.Line) {
	switch {
	case l.Is("push"):
		w.counts.Links++
		w.back(l.ID(), l.URL())
		w.wait(l.ID(), l.Score(), l.Site())
	case l.Is("raise"):
		if at := w.links.slot(l.ID(), false); at != nil && *at != 0 {
			w.wait(l.ID(), l.Score(), l.Site())
		}
	case l.Is("refuse"):
		w.refuse(l.Reason(), string(l.URL()), false)
	case l.Is("keep"), l.Is("drop"), l.Is("again"):
		d, err := l.Whole()
		if err != nil {
			w.bad++
		} else if d.Decision == "again" {
			w.putOff(d, l.Site())
		} else if w.visit(d) {
			w.visited(d, l.Site())
		}
	}
}

// putOff hears of a visit that is made again.
func (w *Watcher) putOff(d *run.Decision, site []byte) {
	h := &w.hosts[w.hostOf(site)]
	h.Again++
	h.Last = d.Time
	h.Said = string(d.Reason.Said())
	if d.Status == tooMany {
		h.TooMany++
		w.counts.TooMany++
	}
	w.counts.Again++
	w.counts.Now = d.Time
}

const tooMany = 429

// visited hears of a visit that has ended.
func (w *Watcher) visited(d *run.Decision, site []byte) {
	w.counts.Now = d.Time
	if w.started.IsZero() {
		w.started = d.Time
	}
	h := &w.hosts[w.hostOf(site)]
	kept := d.Decision == "keep"
	if !kept {
		w.refuse([]byte(d.Reason), d.URL, true)
	}
	if !d.Fetched() {
		h.Down = h.Down || d.Reason.Kind() == admit.RefusedDown
		return
	}
	h.Down = false
	w.visits++
	judged, relevant := d.Judged(), d.Relevant()
	h.take(d, judged, relevant)
	w.count(d, kept, relevant)
	w.pick(d, relevant)
	if judged {
		w.words.take(d, kept)
		w.seen.add(d)
		w.judge(d, kept)
	}
}

// count takes a page into the sums and the curve.
func (w *Watcher) count(d *run.Decision, kept, relevant bool) {
	c := &w.counts
	c.Pages++
	c.Bytes += d.Bytes
	if relevant {
		c.Relevant++
	}
	if kept {
		c.Kept++
	}
	if failed(d) {
		c.Failed++
	}
	if d.Status == tooMany {
		c.TooMany++
	}
	w.recent = last(append(w.recent, relevant), recentPages)
	w.told = last(append(w.told, d.Time), toldPages)
	w.curve = thin(append(w.curve, Point{c.Pages, c.Relevant}))
}

const (
	recentPages = 500
	toldPages   = 200
)

// last are the last n of a list. It copies now and then, so that what is gone does not stay in memory.
func last[T any](list []T, n int) []T {
	if len(list) < 2*n {
		return list
	}
	return append(list[:0], list[len(list)-n:]...)
}

// mostPoints is how many points a curve has at most.
const mostPoints = 512

// thin halves a curve that has grown long; its last point stays.
func thin(curve []Point) []Point {
	if len(curve) < mostPoints {
		return curve
	}
	kept := curve[:0]
	for i, p := range curve {
		if i%2 == 1 {
			kept = append(kept, p)
		}
	}
	return kept
}

// failed tells of a page without an answer, or with an error for one.
func failed(d *run.Decision) bool {
	return d.Status >= 400 || d.Reason.Kind() == admit.RefusedFailed
}

// judge keeps finds and near misses.
func (w *Watcher) judge(d *run.Decision, kept bool) {
	if len(w.kept) < mostVerdicts {
		w.kept[hashOf(d.URL)] = kept
	}
	switch {
	case kept:
		f := w.find(d)
		w.finds = last(append(w.finds, f), shownFinds)
		w.best = ranked(w.best, f)
	case d.Reason == admit.RefusedWeak && d.Relevance > 0: // and for nothing else: no lower threshold would keep that
		if len(w.near) < shownBest || d.Relevance > w.near[len(w.near)-1].Relevance {
			w.near = ranked(w.near, w.find(d))
		}
	}
}

// mostVerdicts is of how many pages it is known whether they were kept, to hold labels against it.
const mostVerdicts = 1 << 17

func hashOf(address string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(address)) // it cannot fail
	return h.Sum64()
}

// ranked puts a find into a list of the most relevant, the earlier one first among equals.
func ranked(list []Find, f Find) []Find {
	i := len(list)
	for i > 0 && list[i-1].Relevance < f.Relevance {
		i--
	}
	if i >= shownBest {
		return list
	}
	list = slices.Insert(list, i, f)
	return list[:min(len(list), shownBest)]
}

// find is what is shown of a page.
func (w *Watcher) find(d *run.Decision) Find {
	f := Find{ID: d.ID, URL: d.URL, Title: d.Title, Time: d.Time, Relevance: d.Relevance, Words: d.Words, Anchor: d.Anchor, Steps: len(d.Hops)}
	f.Via, f.ViaTitle = w.seen.of(d.Via)
	return f
}

// refusal is what is counted of a reason.
func (w *Watcher) refusal(kind admit.Refused) *Refusal {
	r := w.refused[kind]
	if r == nil {
		w.reasons = append(w.reasons, &Refusal{Reason: kind, place: uint32(len(w.reasons) + 1)})
		r = w.reasons[len(w.reasons)-1]
		w.refused[kind] = r
	}
	return r
}

// refuse counts a refusal. The first examples of a reason stay, and a later one now and then.
func (w *Watcher) refuse(reason []byte, address string, page bool) {
	r := w.refusal(admit.Refused(reason).Kind())
	if r.Count++; page {
		r.Pages++
	}
	e := Example{URL: address, Said: admit.Refused(reason).Said()}
	switch n := len(r.Examples); {
	case n < shownExamples:
		r.Examples = append(r.Examples, e)
	case r.Count%64 == 0:
		r.Examples[n-1] = e
	}
}

const shownExamples = 4
