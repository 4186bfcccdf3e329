package robots

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// OptOut is what the author of a page reserves. It is written down with the page, and may decide whether it is kept.
type OptOut struct {
	Robots   Tags     `json:"robots,omitzero"`    // X-Robots-Tag and robots meta elements
	Signals  []string `json:"signals,omitempty"`  // Content-Signal: "ai-train=no", from the header and robots.txt
	Reserved bool     `json:"reserved,omitempty"` // TDM reservation protocol: text and data mining needs a licence
	Policy   string   `json:"policy,omitempty"`   // where its terms stand
	Licences []string `json:"licences,omitempty"` // rel=license
}

// Refuses tells whether a use is reserved: "index" (keeping the page for search), "train" (training models on it) or
// "mine" (text and data mining at large).
func (o *OptOut) Refuses(use string) bool {
	switch use {
	case "index":
		return o.Robots.NoIndex || o.says("search=no")
	case "train":
		return o.Robots.NoAI || o.Reserved || o.says("ai-train=no")
	case "mine":
		return o.Reserved || o.Robots.NoAI || o.says("ai-train=no") || o.says("ai-input=no")
	}
	return false
}

func (o *OptOut) says(signal string) bool { return slices.Contains(o.Signals, signal) }

// OptOutOf reads what a page reserves. Rules are those of its host, nil if they are not known; token is the crawler's.
func OptOutOf(header http.Header, body []byte, address *url.URL, rules *Rules, token string) *OptOut {
	return ReadHead(header, body).OptOut(header, address, rules, token)
}

// OptOut is what a page with this head, at an address, reserves; the header is what it came with.
func (h *Head) OptOut(header http.Header, address *url.URL, rules *Rules, token string) *OptOut {
	o := &OptOut{Robots: h.Tags(header, token)}
	lines := header.Values("Content-Signal")
	if rules != nil {
		lines = append(slices.Clone(lines), rules.Signals()...)
	}
	for _, line := range lines {
		for signal := range strings.SplitSeq(line, ",") {
			signal = strings.ToLower(strings.Join(strings.Fields(signal), ""))
			if strings.Contains(signal, "=") && !o.says(signal) {
				o.Signals = append(o.Signals, signal)
			}
		}
	}
	o.Reserved = strings.TrimSpace(header.Get("Tdm-Reservation")) == "1" || slices.Contains(h.meta("tdm-reservation"), "1")
	o.Policy = header.Get("Tdm-Policy")
	if policies := h.meta("tdm-policy"); o.Policy == "" && len(policies) > 0 {
		o.Policy = policies[0]
	}
	for _, l := range h.Links("license", address) {
		if !slices.Contains(o.Licences, l.Address) {
			o.Licences = append(o.Licences, l.Address)
		}
	}
	return o
}

// Words are the reservations, as a record of the page has them. A nil OptOut has none.
func (o *OptOut) Words() (words []string) {
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
