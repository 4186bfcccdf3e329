package focus

import (
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/sink"
	"slices"
)

// unfit says what speaks against keeping a page: that it is none, that it is not relevant, that its author reserves it, or
// that it is in another language.
func (st *Steps) unfit(v *Visit) admit.Refused {
	switch {
	case v.Page == nil:
		return pageless(v)
	case v.list:
		return admit.RefusedList
	case !v.Judgement.Relevant:
		return admit.RefusedWeak
	}
	if why := st.reserved(v); why != "" {
		return why
	}
	if !st.scope.Speaks(v.Doc.Language) {
		return admit.RefusedLanguage
	}
	return ""
}

// repeated says of which page this one is a repetition; empty if it is none, or nobody asks.
func (st *Steps) repeated(v *Visit) admit.Refused {
	if st.repeats == nil {
		return ""
	}
	if at := st.original(v); at != "" {
		return admit.Refuse("duplicate", "calls itself "+at)
	}
	if _, said := st.repeats.Find(v.FinalURL, v.Body); said != "" {
		return admit.Refuse("duplicate", said)
	}
	return ""
}

// write gives a record to all sinks.
func (st *Steps) write(r *sink.Record) bool {
	for _, s := range slices.Concat(st.sinks, st.own) {
		if err := s.Write(r); err != nil {
			st.fail(err)
			return false
		}
	}
	return true
}
