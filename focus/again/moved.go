package again

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
)

// whom is whose visit each address of the round is: of the pages that were planned, as they stood in the plan, and of those that are known
// besides, to which an answer may have led. What the round itself has found is new, also where it was taken in half.
func (r *Round) whom() func(address string) *known {
	planned, besides := map[string]*known{}, map[uint64]*known{}
	for _, k := range r.plan.Pages {
		planned[k.URL] = k
		*r.memory.page(k.ID, k.URL, k.FirstSeen) = *k
	}
	for _, k := range r.memory.pages {
		if !k.List && k.ID>>32 != uint64(r.plan.Round) {
			besides[keyOf(k.URL)] = k
		}
	}
	return func(address string) *known {
		if k := planned[address]; k != nil {
			return k
		}
		return besides[keyOf(address)]
	}
}

// leads takes from a line of the log where an answer has led.
func leads(d *run.Decision, onward map[uint64]uint64) {
	if d.Decision != "keep" && d.Decision != "drop" && strings.HasSuffix(d.Hops, string(run.HopRedirect)) {
		onward[d.Via] = d.ID
	}
}

// follow finds pages whose host says that they stand elsewhere for good. What is found there for the first time is that page from then on.
// Where it leads to another page that is known, or to one that is of no use, there is nothing left of it.
func follow(ended map[uint64]*outcome, onward map[uint64]uint64) {
	for _, id := range slices.Sorted(maps.Keys(ended)) {
		o := ended[id]
		to := destination(o, ended, onward)
		switch {
		case o.was == nil || to == nil:
		case to.was == nil && (to.says != "" || !o.was.Kept && !o.was.Out):
			to.was, to.id, to.moved, o.onward = o.was, o.was.ID, true, true
		default:
			o.left = true
		}
	}
}

// destination is the page to which an answer has sent us for good, over however many others; nil where it did not, or there is no page.
func destination(o *outcome, ended map[uint64]*outcome, onward map[uint64]uint64) *outcome {
	if !isForGood(o.Decision.Status) {
		return nil
	}
	for passed := 0; o != nil && isForGood(o.Decision.Status) && passed < len(ended); passed++ {
		o = ended[onward[o.ID]]
	}
	if o == nil || !page.Arrived(o.Decision.Status) || !o.same && !isPage(o.Reason) {
		return nil
	}
	return o
}

// wasOfNoUse tells of what answers have led to that the run knew before, and has no page of.
func (r *Round) wasOfNoUse(o *outcome) bool {
	return strings.HasSuffix(o.Hops, string(run.HopRedirect)) && r.memory.address[keyOf(o.address())] && !slices.Contains(r.plan.Later, o.address())
}

func isForGood(status int) bool {
	return status == http.StatusMovedPermanently || status == http.StatusPermanentRedirect
}
