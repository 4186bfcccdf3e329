package again

import (
	"net/http"
	"slices"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
)

// mostTries is how often a new page is asked for that does not answer.
const mostTries = 3

// fresh are the addresses that were never visited, and may be: what the scope refuses takes no other's place.
func (r *Round) fresh() ([]string, error) {
	scope := r.config.Scope.Rules()
	if err := scope.Compile(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Concat(r.news, r.memory.Waiting), func(address string) bool {
		l := page.LinkTo(address)
		return r.isOut(address) || scope.Admit(&l, 0) != ""
	}), nil
}

// isUnanswered tells of a visit that says nothing of the page, neither that it is there nor that it is not.
func (o *outcome) isUnanswered() bool {
	switch o.Reason.Kind() {
	case admit.RefusedFailed, admit.RefusedUnasked, admit.RefusedDown, admit.RefusedHostFull, admit.RefusedBlocked:
		return true
	}
	s := o.Decision.Status
	return s == http.StatusTooManyRequests || s == http.StatusRequestTimeout || s >= http.StatusInternalServerError
}

// again tells of a new page that is asked for once more, and counts its tries.
func (l *links) again(o *outcome) bool {
	if !o.isUnanswered() {
		return false
	}
	address, tries := o.address(), 1
	for _, tried := range l.Tried {
		if tried == address {
			tries++
		}
	}
	l.Tried = append(l.Tried, address)
	return tries < mostTries
}
