package again

import (
	"cmp"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// mostTries is how often a new page is asked for that does not answer.
const mostTries = 3

// fresh are the addresses that were never visited, and may be: what the scope refuses takes no other's place. Last come those that have not
// answered yet. They get half of the room at most, and none that others need: many may be of a host that is gone for good.
func (r *Round) fresh() ([]string, error) {
	scope := r.config.Scope.Rules()
	if err := scope.Compile(); err != nil {
		return nil, err
	}
	mayNot := func(address string) bool {
		l := page.LinkTo(address)
		return r.isOut(address) || scope.Admit(&l, 0) != ""
	}
	tried := r.memory.tries()
	var fresh, silent []string
	for _, address := range slices.Concat(r.news, r.memory.Waiting) {
		if tried[address] > 0 {
			silent = append(silent, address)
		} else {
			fresh = append(fresh, address)
		}
	}
	fresh = slices.DeleteFunc(fresh, mayNot)
	silent = inTurns(slices.DeleteFunc(append(silent, r.memory.silent...), mayNot))
	if most := r.most(); most > 0 {
		room := half(most)
		silent = silent[:min(len(silent), half(room), max(room-len(fresh), 0))]
	}
	return append(fresh, silent...), nil
}

// inTurns puts addresses in an order in which their hosts take turns.
func inTurns(addresses []string) []string {
	turn, of := map[string]int{}, map[string]int{}
	for _, address := range addresses {
		host := page.Host(address)
		turn[host]++
		of[address] = turn[host]
	}
	slices.SortStableFunc(addresses, func(a, b string) int { return cmp.Compare(of[a], of[b]) })
	return addresses
}

// leaveSilent leaves of the addresses without an answer those of which nothing has been found out since: rounds ask for the others as they do
// for what is new, or not any more.
func (m *memory) leaveSilent() {
	since := map[uint64]bool{}
	for _, address := range slices.Concat(m.Known, m.Waiting) {
		since[keyOf(address)] = true
	}
	for _, k := range m.pages {
		since[keyOf(k.URL)] = true
	}
	m.silent = slices.DeleteFunc(m.silent, func(address string) bool { return since[keyOf(address)] })
}

// onward are the addresses that pages of the round have linked to for the first time: those that have entered, and those for which there
// was no room.
func (r *Round) onward(take func(address string, entered bool)) error {
	err := run.ReadLog(filepath.Join(r.below, folderRound, run.FileLog), func(d *run.Decision) bool {
		switch {
		case d.ID <= r.plan.Lists.Last && d.ID > 0: // of a list
		case d.Decision == "push" && d.Via != 0:
			take(d.URL, true)
		case d.Decision == "refuse" && d.Reason == admit.RefusedOffer && r.isNews(d.URL):
			take(d.URL, false)
		}
		return true
	})
	if errors.Is(err, os.ErrNotExist) { // nothing was visited yet
		return nil
	}
	return err
}

// isNews tells of an address that nothing is known of, and that may be asked for.
func (r *Round) isNews(address string) bool {
	return !r.memory.address[keyOf(address)] && !r.isOut(address)
}

// there is what new pages must not repeat: the pages that are kept, as they are now, but for those that have changed, which the crawl of
// the round has held against the new ones itself. It is nil where repeats are wanted, and where nothing is new.
func (r *Round) there(ended map[uint64]*outcome, fresh []*outcome) *junk.Duplicates {
	says := func(o *outcome) bool { return o.says != "" }
	if r.config.Duplicates != "drop" || !slices.ContainsFunc(fresh, says) {
		return nil
	}
	changed := map[uint64]bool{}
	for _, o := range ended {
		changed[o.id] = o.was != nil && o.news
	}
	there := junk.NewDuplicates(0)
	for rec, err := range sink.Harvest(r.dir) {
		if err != nil || rec.ID>>32 == uint64(r.plan.Round) || changed[rec.ID] {
			continue
		}
		if k := r.memory.of[rec.ID]; k == nil || k.Gone == "" && !k.Out {
			there.Compare(rec.URL, printOf(rec))
		}
	}
	return there
}

// printOf is what of a page is compared with others: its bytes, and what it says by itself.
func printOf(rec *sink.Record) junk.Print {
	return junk.PrintOf([]byte(cmp.Or(rec.Digest, rec.URL)), rec.Saying())
}

// repeats tells of a new page that it repeats one that is there, or nearly so; any other is there from then on.
func repeats(there *junk.Duplicates, o *outcome) bool {
	first, _ := there.Compare(o.address(), o.print)
	return first != ""
}

// isUnanswered tells of a visit that says nothing of the page, neither that it is there nor that it is not.
func (o *outcome) isUnanswered() bool {
	kind := o.Reason.Kind()
	return kind == admit.RefusedHostFull || kind == admit.RefusedBlocked || isUnanswered(&o.Decision)
}

// isUnanswered tells of a visit for which its host, or the way there, was to blame.
func isUnanswered(d *run.Decision) bool {
	switch d.Reason.Kind() {
	case admit.RefusedFailed, admit.RefusedUnasked, admit.RefusedDown:
		return true
	}
	return page.Later(d.Status) || d.Status >= http.StatusInternalServerError
}

// tries is how often rounds have asked for what waits.
func (l *links) tries() map[string]int {
	tries := map[string]int{}
	for _, address := range l.Tried {
		tries[address]++
	}
	return tries
}

// isAbsent tells of a visit that its host answers with that there is nothing.
func isAbsent(d *run.Decision) bool {
	return d.Status == http.StatusNotFound || d.Status == http.StatusGone
}

// again tells of a new page that is asked for once more, and counts its tries.
func (l *links) again(o *outcome, tries map[string]int) bool {
	if !o.isUnanswered() {
		return false
	}
	address := o.address()
	tries[address]++
	l.Tried = append(l.Tried, address)
	return tries[address] < mostTries
}
