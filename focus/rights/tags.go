package rights

import (
	"net/http"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Tags is what a page asks of crawlers, in its X-Robots-Tag header and its robots meta elements.
type Tags struct {
	NoIndex   bool `json:"noindex,omitempty"`   // do not let the page be found; so does one that is not available any more
	NoFollow  bool `json:"nofollow,omitempty"`  // do not follow its links
	NoArchive bool `json:"noarchive,omitempty"` // do not keep a copy
	NoAI      bool `json:"noai,omitempty"`      // do not train on it (noai, noml)
}

// Tags is what a page with this head, and the header it came with, asks of the crawler of that product token. What is
// said to everybody holds too.
func (h *Head) Tags(header http.Header, token string) Tags {
	r := &Reserved{}
	r.tags(inPage, h.metaTags(token), time.Time{})
	r.tags(inHeader, headerTags(header, token), time.Time{})
	return r.Tags
}

// metaTags are the directives of the robots meta elements that speak to the crawler of that token.
func (h *Head) metaTags(token string) (directives []string) {
	for _, content := range h.meta("robots", token) {
		directives = append(directives, dated(strings.Split(content, ","))...)
	}
	return directives
}

// headerTags are the directives of the X-Robots-Tag lines that speak to the crawler of that token. A name with a colon speaks to one
// crawler, up to the next name; the directives that have a colon themselves are no names.
func headerTags(header http.Header, token string) (directives []string) {
	for _, line := range header.Values("X-Robots-Tag") {
		ours := true
		for _, part := range dated(strings.Split(line, ",")) {
			name, rest, ok := strings.Cut(part, ":")
			name = strings.ToLower(strings.TrimSpace(name))
			if ok && name != "unavailable_after" && !strings.HasPrefix(name, "max-") {
				ours = strings.EqualFold(name, token) || name == "*" || name == "robots"
				part = rest
			}
			if ours {
				directives = append(directives, part)
			}
		}
	}
	return directives
}

// dated puts the parts of a date together again that a comma stood in: "unavailable_after: Fri, 25 Jun 2010 15:00:00 PST".
func dated(parts []string) []string {
	for i := 0; i+1 < len(parts); i++ {
		at := strings.LastIndex(parts[i], ":")
		if at >= 0 && isExpiry(lastName(parts[i][:at])) && !strings.ContainsAny(parts[i][at:], "0123456789") {
			parts[i] += "," + parts[i+1]
			parts = append(parts[:i+1], parts[i+2:]...)
		}
	}
	return parts
}

// lastName is what stands behind the last colon.
func lastName(s string) string { return s[strings.LastIndex(s, ":")+1:] }

func isExpiry(key string) bool { return strings.EqualFold(strings.TrimSpace(key), "unavailable_after") }

// tags takes directives.
func (r *Reserved) tags(where string, directives []string, now time.Time) {
	for _, directive := range directives {
		directive = strings.Join(strings.Fields(directive), " ")
		s := Statement{Says: strings.ToLower(directive), Where: where}
		switch s.Says {
		case "noindex":
			r.Tags.NoIndex = true
		case "nofollow":
			r.Tags.NoFollow = true
		case "none":
			r.Tags.NoIndex, r.Tags.NoFollow = true, true
		case "noarchive", "nocache":
			r.Tags.NoArchive = true
		case "noai":
			r.Tags.NoAI, s.about = true, speaking(forbids, Training, Mining)
		case "noml", "notrain":
			r.Tags.NoAI, s.about = true, speaking(forbids, Training)
		case "noimageai": // its text is not meant
		default:
			key, date, _ := strings.Cut(directive, ":")
			if !isExpiry(key) {
				continue
			}
			s.Says = "unavailable_after: " + strings.TrimSpace(date)
			if end, ok := page.Moment(date, expiries); ok && !now.IsZero() && end.Before(now) {
				r.Tags.NoIndex = true
			}
		}
		r.say(s)
	}
}

// expiries are the forms of a date that are in use.
var expiries = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly, time.RFC1123, time.RFC1123Z, time.RFC850,
	"2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 -0700", "02-Jan-06 15:04:05 MST", "02-Jan-2006 15:04:05 MST", "2 Jan 2006"}
