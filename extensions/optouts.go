package extensions

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gocolly/colly/v2"
)

// OptOut is what the author of a page reserves. It is written down with the page, and may decide whether it is kept.
type OptOut struct {
	Robots   RobotsTags `json:"robots,omitzero"`    // X-Robots-Tag and robots meta elements
	Signals  []string   `json:"signals,omitempty"`  // Content-Signal: "ai-train=no", from the header and robots.txt
	Reserved bool       `json:"reserved,omitempty"` // TDM reservation protocol: text and data mining needs a licence
	Policy   string     `json:"policy,omitempty"`   // where its terms stand
	Licences []string   `json:"licences,omitempty"` // rel=license
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
func OptOutOf(header http.Header, body []byte, address *url.URL, rules *RobotsRules, token string) *OptOut {
	return optOutOf(header, readHead(header, body), address, rules, token)
}

func optOutOf(header http.Header, head *pageHead, address *url.URL, rules *RobotsRules, token string) *OptOut {
	o := &OptOut{Robots: tagsOf(header, head, token)}
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
	o.Reserved = strings.TrimSpace(header.Get("Tdm-Reservation")) == "1" || slices.Contains(head.meta("tdm-reservation"), "1")
	o.Policy = header.Get("Tdm-Policy")
	if policies := head.meta("tdm-policy"); o.Policy == "" && len(policies) > 0 {
		o.Policy = policies[0]
	}
	for _, l := range head.link("license", address) {
		if !slices.Contains(o.Licences, l.href) {
			o.Licences = append(o.Licences, l.href)
		}
	}
	return o
}

// OptOuts notes for every page what its author reserves: robots meta elements and X-Robots-Tag, Content-Signal, TDM
// reservation, licence links. OptOutsOf tells it in the page's callbacks. The gate, which may be nil, is what Robots
// answered: Content-Signal lines stand in robots.txt, too. Nothing is aborted; what a reservation means for a crawl is
// the crawl's decision.
func OptOuts(c *colly.Collector, gate *RobotsGate) {
	notebookOf(c)
	c.OnResponse(func(r *colly.Response) {
		var rules *RobotsRules
		token := RobotsToken(c.UserAgent)
		if gate != nil {
			rules, _ = gate.Cached(r.Request.URL)
			token = gate.token
		}
		n := noteOn(r.Request)
		n.optOuts = optOutOf(*r.Headers, n.head, r.Request.URL, rules, token)
	})
}

// OptOutsOf is what the page of a request reserves. It needs OptOuts, and is asked in a callback of the page.
func OptOutsOf(r *colly.Request) *OptOut {
	if o := noteOn(r).optOuts; o != nil {
		return o
	}
	return &OptOut{}
}
