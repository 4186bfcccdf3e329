package robots

import (
	"net/http"
	"strings"
)

// Tags is what a page asks of crawlers, in its X-Robots-Tag header and its robots meta elements.
type Tags struct {
	NoIndex   bool `json:"noindex,omitempty"`   // do not keep the page
	NoFollow  bool `json:"nofollow,omitempty"`  // do not follow its links
	NoArchive bool `json:"noarchive,omitempty"` // do not keep a copy
	NoAI      bool `json:"noai,omitempty"`      // do not train on it (noai, noml)
}

// Tags is what a page with this head, and the header it came with, asks of the crawler of that product token. What is
// said to everybody holds too.
func (h *Head) Tags(header http.Header, token string) Tags {
	var t Tags
	for _, line := range header.Values("X-Robots-Tag") {
		t.header(line, token)
	}
	for _, content := range h.meta("robots", token) {
		for word := range strings.SplitSeq(content, ",") {
			t.add(word)
		}
	}
	return t
}

// header reads one X-Robots-Tag line. A name with a colon speaks to one crawler, up to the next name; the directives
// that have a colon themselves are no names.
func (t *Tags) header(line, token string) {
	ours := true
	for part := range strings.SplitSeq(line, ",") {
		name, rest, ok := strings.Cut(part, ":")
		name = strings.ToLower(strings.TrimSpace(name))
		if ok && name != "unavailable_after" && !strings.HasPrefix(name, "max-") {
			ours = strings.EqualFold(name, token) || name == "*" || name == "robots"
			part = rest
		}
		if ours {
			t.add(part)
		}
	}
}

func (t *Tags) add(directive string) {
	switch strings.ToLower(strings.TrimSpace(directive)) {
	case "noindex":
		t.NoIndex = true
	case "nofollow":
		t.NoFollow = true
	case "none":
		t.NoIndex, t.NoFollow = true, true
	case "noarchive", "nocache":
		t.NoArchive = true
	case "noai", "noml", "notrain":
		t.NoAI = true
	}
}
