package focus

import (
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
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

// remember keeps a page for a second look, where that could take it in: it is kept, or nothing but its relevance speaks
// against it. r is its record, where it has one already.
func (st *Steps) remember(v *Visit, r *sink.Record) {
	switch {
	case v.Kept:
	case v.Refused != admit.RefusedWeak || st.reserved(v) != "" || !st.scope.Speaks(v.Doc.Language):
		return
	}
	if !st.looks.Wants(v.Judgement.Relevance, v.FinalURL) {
		return
	}
	if r == nil {
		r = st.record(v)
	}
	seen := &sink.Seen{Kept: v.Kept, Record: r, Links: make([]sink.Pointer, len(v.Page.Links))}
	for i := range v.Page.Links {
		l := &v.Page.Links[i]
		seen.Links[i] = sink.Pointer{To: sink.Key(l.Identity), Block: l.Block, Anchor: l.Anchor}
	}
	for _, address := range []string{v.Item.URL, v.FinalURL} {
		if identity, err := page.Canonical(address); err == nil {
			seen.Keys = append(seen.Keys, sink.Key(identity))
		}
	}
	st.fail(st.looks.Take(seen))
}
