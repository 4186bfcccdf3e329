package focus

import (
	"net/url"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// original is the address that a page calls its own (rel=canonical), where a relevant page was fetched from there
// before; empty otherwise. It is believed only of another query, another scheme or a www before the host: a print
// version, a session, a campaign. Too many sites call every page of theirs by the address of their front page.
func (st *Steps) original(v *Visit) string {
	if st.can.find == nil || v.Page.Facts.Canonical == "" {
		return ""
	}
	named, err := page.Canonical(v.Page.Facts.Canonical)
	if err != nil || !samePath(named, v.FinalURL) {
		return ""
	}
	if own, err := page.Canonical(v.FinalURL); err != nil || own == named {
		return ""
	}
	id := st.can.find.Find(named)
	relevance, fetched := st.ledger.Relevance(id)
	if id == 0 || id == v.Item.ID || !fetched || float64(relevance) < st.topic.Threshold() {
		return ""
	}
	return named
}

// samePath tells addresses that differ in no more than their queries, their schemes and a www.
func samePath(one, other string) bool {
	a, err := url.Parse(one)
	if err != nil {
		return false
	}
	b, err := url.Parse(other)
	if err != nil {
		return false
	}
	bare := func(u *url.URL) string { return strings.TrimPrefix(strings.ToLower(u.Host), "www.") }
	return a.Path == b.Path && bare(a) == bare(b)
}
