package sitemap

import (
	"encoding/xml"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Found is a link that stands in a sitemap or a feed: evidence like that of a link on a page, to be scored like one.
type Found struct {
	page.Link           // Source says where it stands; a feed gives it an Anchor (the title) and text After it
	From      string    // the sitemap or feed
	Modified  time.Time // lastmod, or when it was published; zero if nothing is said
	Priority  float32   // what a sitemap claims, 0 to 1; NaN if nothing is said
}

// link makes the link of an address, if it is one of the web.
func (f *Found) link(address string, base *url.URL) bool {
	address = strings.TrimSpace(address)
	if address == "" {
		return false
	}
	u, err := url.Parse(address)
	if err != nil { // of a bare percent sign, which links may have
		u, err = url.Parse(page.Location(f.From, address))
	}
	if err == nil && base != nil {
		u = base.ResolveReference(u)
	}
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	u.Fragment, u.User = "", nil
	l := page.LinkTo(u.String())
	if l.Host == "" {
		return false
	}
	f.URL, f.Host, f.Identity = l.URL, l.Host, l.Identity
	return true
}

// dates are how sitemaps and feeds write them.
var dates = []string{time.RFC3339Nano, time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02", "2006-01", "2006",
	time.RFC1123Z, time.RFC1123, "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 -0700", time.RFC850, time.ANSIC}

// date reads a date in any of the ways they are written; zero if it is none.
func date(s string) time.Time {
	t, _ := page.Moment(s, dates)
	return t
}

// xmlTokens reads XML that need not be well-formed, as far as it can be read. It keeps no tree and no stack, so that
// depth costs nothing; entities beyond those of HTML are left as they are, so that none can grow.
func xmlTokens(r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(r)
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	return d
}

// mostText is how much text of one element is kept.
const mostText = 4096

// texts gathers the text of the element at hand.
type texts struct{ b strings.Builder }

func (t *texts) add(s []byte) {
	if room := mostText - t.b.Len(); room > 0 {
		t.b.Write(s[:min(len(s), room)])
	}
}

func (t *texts) take() string {
	s := strings.ToValidUTF8(strings.TrimSpace(t.b.String()), "")
	t.b.Reset()
	return s
}
