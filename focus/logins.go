package focus

import (
	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// logins are the names and passwords that start pages and a program's own Visits bring along. They leave the address before
// anybody keeps it.
type logins struct{ wire.Logins }

// take is an address without name and password, which are kept for its origin. It is for addresses that those who run the
// crawl have given it: what stands in a link of a page is left out, and sent to nobody.
func (l *logins) take(address string) string {
	plain, user, password, ok := page.Login(address)
	if ok {
		l.Add(plain, user, password)
	}
	return plain
}

// signIn sends what the origin of a request asks for, where the steps are hung on a program's own collector: its transport knows
// of no login. The crawl's own sends them below all that writes requests down.
func (st *Steps) signIn(v *Visit, r *colly.Request) {
	if said := st.logins.Of(r.URL); said != "" && v.raw == nil && r.Headers.Get("Authorization") == "" {
		r.Headers.Set("Authorization", said)
	}
}
