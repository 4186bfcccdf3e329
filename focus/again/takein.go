package again

import (
	"errors"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Told is what a round came to.
type Told struct {
	Round   int   `json:"round"`
	Visited int   `json:"visited"`
	Same    int   `json:"unchanged"`
	Changed int   `json:"changed"`
	Gone    int   `json:"gone"`
	Still   int   `json:"still_gone"`     // pages that were gone before
	New     int   `json:"new"`            // pages that are kept and were not there before, or not known
	Weak    int   `json:"new_not_kept"`   // pages that were not known, and are none of the harvest
	Out     int   `json:"taken_out"`      // pages that were kept before, and are not any more; known when the round has ended
	Failed  int   `json:"not_answered"`   // pages that were to be visited and are neither there nor gone: it is tried again
	Never   int   `json:"never_answered"` // of those, pages that have not answered before either
	Left    int   `json:"left"`           // pages whose turn has not come
	Moved   int64 `json:"moved_bytes"`    // of bodies
}

// Unfinished is what a round came to that is to be gone on with: nothing of it counts yet.
func (r *Round) Unfinished() Told { return Told{Round: r.memory.Round + 1} }

// outcome is how one visit of the round ended.
type outcome struct {
	run.Decision
	fetched
	was    *known     // nil of a page that is new
	same   bool       // its host says that it is as it was
	onward bool       // its host says that it stands elsewhere for good, where another visit has found it
	moved  bool       // that one
	left   bool       // nothing is left of it there
	news   bool       // it says something else than before, or is new
	id     uint64     // its number in the run
	kept   bool       // by the first look
	says   string     // what it says now, where it is kept or may be by a second look
	values string     // off it, where it is kept; likewise
	print  junk.Print // of a page that is new, to be held against others
}

// TakeIn takes what the round found into the run. It may be done again, after a crash in its middle, and comes to the same:
// what is compared is what stood in the plan. With links.json, the last that is written, the round is taken in.
func (r *Round) TakeIn() (told Told, err error) {
	if r.takenIn() { // but for what comes after it
		told = r.memory.Told
		told.Round = r.plan.Round
		return told, nil
	}
	if err := r.noted(); err != nil {
		return told, err
	}
	ended, err := r.outcomes()
	if err != nil {
		return told, err
	}
	told = r.judge(ended)
	r.memory.Told = told
	steps, err := r.steps(ended)
	for _, step := range steps {
		err = errors.Join(err, step())
		if err != nil {
			break
		}
	}
	return told, err
}

// steps are what has to be written, in this order: a process that is killed between two of them has changed nothing that the
// next one does not change in the same way.
func (r *Round) steps(ended map[uint64]*outcome) ([]func() error, error) {
	next := filepath.Join(r.below, folderNext)
	if err := errors.Join(os.RemoveAll(next), os.MkdirAll(next, 0o700)); err != nil {
		return nil, err
	}
	changed := map[uint64]*outcome{} // by the number in the round
	for _, o := range ended {
		if o.news {
			changed[o.ID] = o
		}
	}
	return []func() error{
		func() error { return r.records(next, changed) }, func() error { return r.looks(next, changed) }, r.archive, r.listed, r.visits,
		func() error { return r.asked(next) },
		func() error { return r.links(ended) },
	}, nil
}

// outcomes are the visits of the round, by number.
func (r *Round) outcomes() (map[uint64]*outcome, error) {
	dir := filepath.Join(r.below, folderRound)
	notes, err := readFetched(dir)
	if err != nil {
		return nil, err
	}
	of, all, onward := r.whom(), map[uint64]*outcome{}, map[uint64]uint64{}
	err = run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool {
		if was := of(d.URL); (d.Decision == "keep" || d.Decision == "drop") && !r.isOfLists(d, was) {
			o := &outcome{Decision: *d, was: was, same: d.Title == unchanged, id: uint64(r.plan.Round)<<32 | d.ID}
			if n, ok := notes[d.URL]; ok && n.Status == d.Status {
				o.fetched = n
			}
			if o.was != nil {
				o.id = o.was.ID
			}
			all[d.ID] = o
		}
		leads(d, onward)
		return true
	})
	if err != nil {
		return nil, err
	}
	for rec, err := range sink.Harvest(dir) {
		if err != nil {
			return nil, err
		}
		if o := all[rec.ID]; o != nil {
			o.tell(rec)
			o.kept, o.values = true, valuesOf(rec)
		}
	}
	if sink.HasLooks(dir) {
		for s, err := range sink.ReadLooks(dir) {
			if err != nil {
				return nil, err
			}
			if o := all[s.Record.ID]; o != nil && !o.same {
				o.tell(s.Record)
			}
		}
	}
	follow(all, onward)
	return all, nil
}

// isOfLists tells of a visit that it was for the sake of the lists alone. A page to which a list leads, as one that is gone leads to the
// front page, is visited with the lists and not once more: what that visit found counts, unless nothing is known of the page and it is
// not there.
func (r *Round) isOfLists(d *run.Decision, was *known) bool {
	led := strings.HasSuffix(d.Hops, string(run.HopRedirect)) && d.Reason.Kind() != admit.RefusedList
	return d.ID <= r.plan.Lists.Last && was == nil && !(led && page.Arrived(d.Status))
}

// tell takes what a page says now.
func (o *outcome) tell(rec *sink.Record) {
	if o.says = saysOf(rec); o.was == nil {
		o.print = printOf(rec)
	}
}

// judge says of each visit what it means for what the run knows, and counts.
func (r *Round) judge(ended map[uint64]*outcome) Told {
	told := Told{Round: r.plan.Round}
	seen := map[*known]bool{}
	var fresh []*outcome
	answering := answering(ended)
	for _, id := range slices.Sorted(maps.Keys(ended)) {
		o := ended[id]
		told.Moved += o.Moved
		if o.onward {
			continue // it counts where it stands now
		}
		if o.Decision.Status != 0 {
			told.Visited++
		}
		if o.was == nil {
			fresh = append(fresh, o)
			continue
		}
		seen[o.was] = true
		o.was = r.memory.of[o.was.ID]
		r.compare(o, answering[page.Host(o.address())], &told)
	}
	there := r.there(ended, fresh)
	for _, o := range fresh {
		r.welcome(o, there, ended, &told)
	}
	told.Left = r.plan.Due
	for _, k := range r.plan.Pages { // pages that are known besides may have been visited, too
		if seen[k] {
			told.Left--
		}
	}
	return told
}

// answering are the hosts that have answered with a page: one that says to everything that it is not there, with a status of success, may
// be away for a while.
func answering(ended map[uint64]*outcome) map[string]bool {
	hosts := map[string]bool{}
	for _, o := range ended {
		if o.same || page.Arrived(o.Decision.Status) && isPage(o.Reason) {
			hosts[page.Host(o.address())] = true
		}
	}
	return hosts
}

// compare says what became of a page that is known; answers tells whether its host has others.
func (r *Round) compare(o *outcome, answers bool, told *Told) {
	k, at := o.was, o.at()
	switch {
	case o.Decision.Status == http.StatusNotFound || o.Decision.Status == http.StatusGone || o.left || o.Reason.Kind() == admit.RefusedSoft && answers:
		if k.Gone == "" {
			k.Gone = at.Format(time.RFC3339)
			told.Gone++
		} else {
			k.Asked = at
			told.Still++
		}
		return
	case !page.Arrived(o.Decision.Status) || !o.same && !isPage(o.Reason) || o.Broken && !k.Broken && k.Body != o.Body:
		told.Failed++
		return
	}
	k.Gone, k.Asked = "", time.Time{}
	look := Look{After: at.Sub(k.LastSeen)}
	look.Changed = !o.same && !(k.Body != "" && k.Body == o.Body) && !o.repeats(k)
	if !o.same {
		k.ETag, k.Modified, k.Body, k.Broken = o.ETag, o.Modified, o.Body, o.Broken
	}
	back := false // it was taken out, and may be kept now
	if reservedBy(o.Reason) != "" {
		k.Out = k.Kept || k.Out // whether it says something else or not
	} else if back = k.Out && o.says != ""; back || look.Changed {
		k.Out = o.says == "" && (k.Kept || k.Out)
	}
	if look.Changed {
		k.LastChanged = at
		if m, err := http.ParseTime(o.Modified); err == nil && m.After(k.LastSeen) && at.Sub(m) > fastest {
			look.Ago = at.Sub(m)
		}
	}
	if o.moved {
		k.URL = o.address()
	}
	if o.news = look.Changed || back || o.moved; o.news && (k.Kept || o.kept) {
		k.Says = o.says
	}
	if (look.Changed || back) && (k.Kept || o.kept) {
		told.Changed++
	} else {
		told.Same++ // a hub that has changed among them, which is no page of the harvest
	}
	k.LastSeen = at
	if look.After >= 0 { // else one of the clocks was wrong, and the look tells nothing
		k.Looks = append(k.Looks, look)
		k.Looks = k.Looks[max(len(k.Looks)-mostLooks, 0):]
	}
}

// repeats tells that a page says what it said: its title and text, and the values of one that both looks read them off.
func (o *outcome) repeats(k *known) bool {
	return k.Says != "" && k.Says == o.says && (k.Values == o.values || !k.Kept || !o.kept)
}

// welcome takes in a page that was never visited before.
func (r *Round) welcome(o *outcome, there *junk.Duplicates, ended map[uint64]*outcome, told *Told) {
	if o.says == "" || there != nil && repeats(there, o) { // it is of no use, or repeats one that is there
		o.says = ""
		switch {
		case o.Reason == admit.RefusedList:
			r.meet(o).List = true
			told.Weak++
		case o.isUnanswered():
			told.Failed++
			told.Never++
		case r.wasOfNoUse(o):
			told.Same++
		case o.Decision.Status != 0: // it was asked for
			told.Weak++
		}
		return
	}
	o.news = true
	k := r.meet(o)
	if via := ended[o.Via]; via != nil {
		k.Via = via.id
		if via.was == nil && page.Arrived(via.Decision.Status) {
			r.meet(via) // it is none of the harvest, perhaps, but leads to some
		}
	}
	if o.kept {
		told.New++
	} else {
		told.Weak++
	}
}

// meet is what is known of a page that was not known before the round.
func (r *Round) meet(o *outcome) *known {
	k := r.memory.page(o.id, o.address(), o.at())
	k.Says, k.ETag, k.Modified, k.Body, k.Broken = o.says, o.ETag, o.Modified, o.Body, o.Broken
	return k
}

// reservedBy is the reservation for which a page is not kept; empty where there is none. A page that was not sent is not relevant besides:
// nobody knows what it says.
func reservedBy(reason admit.Refused) admit.Refused {
	if reason.Kind() == admit.RefusedWeak {
		reason = admit.Refused(reason.Said())
	}
	if kind := reason.Kind(); kind == admit.RefusedNoIndex || kind == admit.RefusedReserved {
		return reason
	}
	return ""
}

// isPage tells of an answer that is not kept for a reason, or is kept where there is none, that it is the page, and not something in its
// place, such as a wall against bots or an error with status 200. About what is not relevant the second look decides, where it has the
// page; whatever else is not kept must go.
func isPage(reason admit.Refused) bool {
	switch reason.Kind() {
	case "", admit.RefusedWeak, admit.RefusedDuplicate, admit.RefusedNoIndex, admit.RefusedReserved, admit.RefusedLacking, admit.RefusedLanguage:
		return true
	}
	return false
}

func (o *outcome) address() string { return o.Decision.URL }

// at is when it was visited: the log has that to the millisecond.
func (o *outcome) at() time.Time {
	if o.At.IsZero() {
		return o.Time.UTC()
	}
	return o.At
}
