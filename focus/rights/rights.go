package rights

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/robots"
)

// Use is what may be done with a page.
type Use int

// The uses that are told apart.
const (
	Training Use = iota // of models
	Mining              // of its text, by machine and for whatever it is
	Search              // being found; noindex, which asks not to be kept at all, is told by Tags
	uses
)

// Uses are the names of all uses.
var Uses = [...]string{Training: "training", Mining: "mining", Search: "search"}

func (u Use) String() string { return Uses[u] }

// Statement is something that an author says about a page.
type Statement struct {
	Says  string `json:"says"`  // as it was written: train-ai=n, noai, tdm-reservation=1, license=https://…
	Where string `json:"where"` // page, header, robots.txt or tdmrep.json

	about [uses]stance
	far   int // how far from the page it was said: in it, with it, or beside it
}

// stance is what a statement says of a use.
type stance int8

const (
	silent   stance = iota
	allows          // it says so of this use
	forbids         // the same
	allowsIt        // it says so of a wider kind of use, and something narrower may say otherwise
	forbidsIt
)

// The places in which an author speaks, and how far they are from the page.
const (
	inPage   = "page"
	inHeader = "header"
	inRobots = "robots.txt"
	inTDM    = "tdmrep.json"
)

var distance = map[string]int{inPage: 0, inHeader: 1, inRobots: 2, inTDM: 2}

// Reserved is all that the author of a page says.
type Reserved struct {
	Tags Tags        `json:"tags,omitzero"` // X-Robots-Tag and robots meta elements, together
	Said []Statement `json:"said,omitempty"`
}

// Of reads what is said of the page at an address. Rules are those of its host, nil if they are not known; token is the crawler's;
// now is the time against which a page may have expired.
func Of(header http.Header, body []byte, address *url.URL, rules *robots.Rules, token string, now time.Time) *Reserved {
	return ReadHead(header, body).Reserved(header, address, rules, token, now)
}

// Reserved is what is said of a page with this head; see Of.
func (h *Head) Reserved(header http.Header, address *url.URL, rules *robots.Rules, token string, now time.Time) *Reserved {
	r := &Reserved{}
	r.tags(inPage, h.metaTags(token), now)
	r.mining(inPage, h.meta("tdm-reservation"), h.meta("tdm-policy"))
	r.tags(inHeader, headerTags(header, token), now)
	r.mining(inHeader, header.Values("Tdm-Reservation"), header.Values("Tdm-Policy"))
	for _, line := range header.Values("Content-Usage") {
		r.members(inHeader, line, usages)
	}
	for _, line := range header.Values("Content-Signal") {
		r.members(inHeader, line, signals)
	}
	if rules != nil {
		r.ofHost(rules, address)
	}
	for _, l := range h.Links("license", address) {
		r.say(Statement{Says: "license=" + l.Address, Where: l.where})
	}
	return r
}

// ofHost reads what is said for the whole host, or for all that stands below a path of it.
func (r *Reserved) ofHost(rules *robots.Rules, address *url.URL) {
	for _, said := range rules.Said(address.RequestURI()) {
		switch said.Name {
		case robots.ContentUsage:
			r.members(inRobots, said.Value, usages)
		case robots.ContentSignal:
			r.members(inRobots, said.Value, signals)
		case robots.License:
			r.say(Statement{Says: "license=" + said.Value, Where: inRobots})
		case robots.TDMReservation:
			r.mining(inTDM, []string{said.Value}, nil)
		case robots.TDMPolicy:
			r.mining(inTDM, nil, []string{said.Value})
		}
	}
}

// most bounds the statements of a page, and the bytes of one: a hostile server may send a megabyte of them.
const (
	most    = 64
	longest = 512
)

func (r *Reserved) say(s Statement) {
	s.far = distance[s.Where]
	if len(r.Said) >= most || len(s.Says) > longest || slices.Contains(r.Said, s) {
		return
	}
	r.Said = append(r.Said, s)
}

// Against is the statement by which a use of the page is reserved; ok is false where none is.
func (r *Reserved) Against(use Use) (by Statement, ok bool) {
	if r == nil {
		return by, false
	}
	nearest := 1 << 10
	for _, s := range r.Said {
		near := 2 * s.far
		if s.about[use] >= allowsIt {
			near++
		}
		if s.about[use] == silent || near > nearest || near == nearest && ok {
			continue
		}
		nearest, ok = near, s.about[use] == forbids || s.about[use] == forbidsIt
		by = s
	}
	if !ok {
		return Statement{}, false
	}
	return by, true
}

// Words are the statements, as a record of the page has them. A nil Reserved has none.
func (r *Reserved) Words() (words []string) {
	if r == nil {
		return nil
	}
	for _, s := range r.Said {
		words = append(words, s.Says+" ("+s.Where+")")
	}
	return words
}

// speaking is a stance of each use that is named.
func speaking(s stance, about ...Use) (all [uses]stance) {
	for _, use := range about {
		all[use] = s
	}
	return all
}

// vocabulary is what the words of a header or a line mean, and how yes and no are written in it.
type vocabulary struct {
	yes, no string
	words   map[string]meaning
}

// meaning is the uses that a word is about; a wide one is about them as far as no narrower word is there.
type meaning struct {
	about []Use
	wide  bool
}

var (
	usages = vocabulary{"y", "n", map[string]meaning{
		"train-ai": {about: []Use{Training}}, "train-genai": {about: []Use{Training}}, "ai": {about: []Use{Training}}, "genai": {about: []Use{Training}},
		"search": {about: []Use{Search}}, "ai-output": {about: []Use{Mining}}, "ai-use": {about: []Use{Mining}},
		"tdm": {about: []Use{Mining, Training}, wide: true}, "bots": {about: []Use{Mining, Training, Search}, wide: true},
	}}
	signals = vocabulary{"yes", "no", map[string]meaning{
		"ai-train": {about: []Use{Training}}, "ai-input": {about: []Use{Mining}}, "search": {about: []Use{Search}},
	}}
)

// members reads the members of a line such as "train-ai=n, search=y". What has no meaning here is written down and means nothing.
func (r *Reserved) members(where, line string, v vocabulary) {
	for _, member := range parts(line) {
		key, value, ok := strings.Cut(member, "=")
		value, _, _ = strings.Cut(value, ";")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.ToLower(strings.TrimSpace(value))
		if !ok || key == "" || strings.ContainsAny(key+value, " \t\"") {
			continue
		}
		s := Statement{Says: key + "=" + value, Where: where}
		if m, known := v.words[key]; known {
			stances := [...]stance{silent, allows, forbids}
			if m.wide {
				stances = [...]stance{silent, allowsIt, forbidsIt}
			}
			s.about = speaking(stances[1+slices.Index([]string{v.yes, v.no}, value)], m.about...)
		}
		r.say(s)
	}
}

// parts are the members of a line, parted at the commas that stand in no quotes.
func parts(line string) (parts []string) {
	quoted, from := false, 0
	for i := range len(line) {
		switch {
		case line[i] == '"' && (i == 0 || line[i-1] != '\\'):
			quoted = !quoted
		case line[i] == ',' && !quoted:
			parts, from = append(parts, line[from:i]), i+1
		}
	}
	return append(parts, line[from:])
}

// mining takes what is said by the TDM Reservation Protocol.
func (r *Reserved) mining(where string, reservations, policies []string) {
	for _, value := range reservations {
		switch value = strings.TrimSpace(value); value {
		case "1":
			r.say(Statement{Says: "tdm-reservation=1", Where: where, about: speaking(forbids, Mining, Training)})
		case "0":
			r.say(Statement{Says: "tdm-reservation=0", Where: where, about: speaking(allows, Mining, Training)})
		}
	}
	for _, policy := range policies {
		if policy = strings.TrimSpace(policy); policy != "" {
			r.say(Statement{Says: "tdm-policy=" + policy, Where: where})
		}
	}
}
