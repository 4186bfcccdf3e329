package focus

import (
	"strings"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// unfit says what speaks against keeping a page: that it is none, that it is not relevant, that its author reserves it, or
// that it is in another language. Of one that is not relevant it says what else does, because no second look takes that in.
// Of a list that max_body cuts a line of the log says so.
func (st *Steps) unfit(v *Visit) admit.Refused {
	switch {
	case v.Page == nil:
		return pageless(v)
	case v.list && v.Refused == admit.RefusedScript:
		return v.Refused
	case v.list:
		if wire.TooLong(v.Header) {
			st.logger.Warn(v.FinalURL + " is longer than fetch.max_body, and its last links are not read: 50MB reads the longest sitemaps whole")
		}
		return admit.RefusedList
	}
	why := st.reserved(v)
	if why == "" && junk.Listing(v.Page.Title) {
		why = admit.Refuse(admit.RefusedList, "the files of a folder")
	}
	if why == "" && !st.scope.Load().Speaks(v.Doc.Language) {
		why = admit.RefusedLanguage
	}
	switch {
	case v.Judgement.Relevant:
		return why
	case why != "":
		return admit.Refuse(admit.RefusedWeak, string(why))
	}
	return admit.RefusedWeak
}

// repeated says of which page this one is a repetition; empty if it is none, or nobody asks. One that is refused anyway tells what its
// parameters change, and stands for no other.
func (st *Steps) repeated(v *Visit) admit.Refused {
	if st.repeats == nil {
		return v.Refused
	}
	switch at := st.original(v); {
	case v.Refused != "":
		st.traps.Aside(v.FinalURL, at, st.repeats.Like(v.FinalURL, v.work.Print(v.html, v.Page)))
		return v.Refused
	case v.Page.Facts.LeadsTo != "":
		return admit.Refuse(admit.RefusedDuplicate, "leads on to "+v.Page.Facts.LeadsTo)
	case at != "":
		st.traps.Compared(v.FinalURL, at)
		return admit.Refuse(admit.RefusedDuplicate, "calls itself "+at)
	}
	_, said := st.repeats.Compare(v.FinalURL, v.work.Print(v.html, v.Page))
	return admit.RefuseSaid(admit.RefusedDuplicate, said)
}

// extract takes the values off a page that the crawl file asks for. It says what the page lacks of those that it must have. It has the
// turn, for what is kept is known there alone: 2.2 ms for 43 kB on a busy machine (BenchmarkValues), some 400 kept pages a second.
func (st *Steps) extract(v *Visit) admit.Refused {
	values, lacks := st.values.Values(v.html, v.FinalURL)
	v.values = values
	return admit.RefuseSaid(admit.RefusedLacking, strings.Join(lacks, ", "))
}

// write gives the record of a page to all sinks. What waits under another name of the page is fetched no more.
func (st *Steps) write(v *Visit, r *sink.Record) bool {
	err := st.results.Write(r)
	st.fail(err)
	if st.repeats != nil {
		st.ledger.Name(v.Page.Names())
	}
	st.traps.Kept(r.URL)
	return err == nil
}

// remember keeps a page for a second look, where that could take it in: it is kept, or nothing but its relevance speaks
// against it. r is its record, where it has one already.
func (st *Steps) remember(v *Visit, r *sink.Record) {
	near := sink.GivesMuch(st.ledger.Given(v.Item.Host))
	if !v.Kept && v.Refused != admit.RefusedWeak || !st.results.Looks.Wants(v.Judgement.Relevance, v.FinalURL, near) {
		return
	}
	if r == nil {
		r = st.record(v)
	}
	seen := v.work.Seen(v.Page, r, v.Kept, near, v.note.Redirects())
	if !v.Kept && st.values.Wants(v.FinalURL) { // where it is taken in after all, its values are taken from this
		seen.Body = v.html
	}
	st.fail(st.results.Looks.Take(seen))
}

// reserved says which reservation keeps a page out of the harvest; empty if none does.
func (st *Steps) reserved(v *Visit) admit.Refused {
	if st.obey && st.reservations.Search.KeepsOut() && (v.Page.Facts.NoIndex || v.Reserved != nil && v.Reserved.Tags.NoIndex) {
		return admit.RefusedNoIndex
	}
	return admit.RefuseSaid(admit.RefusedReserved, st.reservations.KeepOut(v.Reserved))
}

// noFollow tells whether a page asks that its links are not followed.
func (st *Steps) noFollow(v *Visit) bool {
	return st.obey && (v.Page.Facts.NoFollow || v.Reserved != nil && v.Reserved.Tags.NoFollow)
}

// original is the address that a page calls its own, where a relevant page was fetched from there before; empty otherwise.
func (st *Steps) original(v *Visit) string {
	if named := v.Page.Itself(v.FinalURL); named != "" && st.can.find != nil {
		id := st.can.find.Find(named)
		if relevance, fetched := st.ledger.Relevance(id); id != 0 && id != v.Item.ID && fetched && float64(relevance) >= st.topic.Threshold() {
			return named
		}
	}
	return ""
}
