package focus

import (
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/robots"
)

// reserved says which reservation keeps a page out of the harvest; empty if none does.
func (st *Steps) reserved(v *Visit) admit.Refused {
	o := v.OptOut
	switch {
	case st.obey && (v.Page.Facts.NoIndex || o != nil && o.Robots.NoIndex):
		return admit.RefusedNoIndex
	case o == nil:
		return ""
	case st.reservations.NoAI && o.Refuses("train"):
		return admit.Refuse("reserved", "training")
	case st.reservations.TDM && o.Refuses("mine"):
		return admit.Refuse("reserved", "mining")
	case st.reservations.Search && o.Refuses("index"):
		return admit.Refuse("reserved", "search")
	}
	return ""
}

// noFollow tells whether a page asks that its links are not followed.
func (st *Steps) noFollow(v *Visit) bool {
	return st.obey && (v.Page.Facts.NoFollow || v.OptOut != nil && v.OptOut.Robots.NoFollow)
}

// optOuts are the reservations of a page in words, as a record has them.
func optOuts(o *robots.OptOut) (words []string) {
	if o == nil {
		return nil
	}
	for _, w := range []struct {
		said bool
		word string
	}{{o.Robots.NoIndex, "noindex"}, {o.Robots.NoFollow, "nofollow"}, {o.Robots.NoArchive, "noarchive"}, {o.Robots.NoAI, "noai"},
		{o.Reserved, "tdm-reservation"}} {
		if w.said {
			words = append(words, w.word)
		}
	}
	words = append(words, o.Signals...)
	if o.Policy != "" {
		words = append(words, "tdm-policy="+o.Policy)
	}
	for _, l := range o.Licences {
		words = append(words, "license="+l)
	}
	return words
}
