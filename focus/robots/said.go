package robots

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// Said is something that a host says of the use of its pages, as it was written.
type Said struct{ Name, Value string }

// The names of what is said: the lines of a robots.txt, and the members of a tdmrep.json.
const (
	ContentUsage   = "content-usage"
	ContentSignal  = "content-signal"
	License        = "license"
	TDMReservation = "tdm-reservation"
	TDMPolicy      = "tdm-policy"
)

// said is what holds for the paths of a pattern.
type said struct {
	Said
	pattern pattern
}

// Said is what holds for a path with its query: of each name, what stands at the longest pattern that matches. Where that says
// several things, it says all of them.
func (r *Rules) Said(pathAndQuery string) (all []Said) {
	path := normalPath(pathAndQuery)
	longest := map[string]int{}
	for i := range r.said {
		if s := &r.said[i]; s.pattern.matches(path) {
			longest[s.Name] = max(longest[s.Name], s.pattern.length)
		}
	}
	for i := range r.said {
		if s := &r.said[i]; s.pattern.length == longest[s.Name] && s.pattern.matches(path) {
			all = append(all, s.Said)
		}
	}
	return all
}

// termsPath is where a host says what it reserves of its pages (TDM Reservation Protocol).
const termsPath = "/.well-known/tdmrep.json"

// settled tells whether all has been asked of a host that may be asked.
func (r *Rules) settled() bool {
	if r.asked || r.Unreachable() {
		return true
	}
	allowed, _ := r.Allowed(termsPath)
	return !allowed
}

// ofTerms tells of rules that a request for a tdmrep.json has made of others.
func (r *Rules) ofTerms() bool { return r.asked || r.failed > 0 }

// termsWait is how long a host is left alone before it is asked for its tdmrep.json again, because it gave no answer to that.
func (r *Rules) termsWait() time.Duration {
	if r.asked || r.failed == 0 {
		return 0
	}
	return firstWait << (2 * (r.failed - 1))
}

// termsTries is how often a host is asked for its tdmrep.json that gives no answer. What cannot be had then reserves nothing.
const termsTries = 2

// withTerms are the rules together with what the answer to a request for a tdmrep.json says. One that cannot be read says nothing.
func (r *Rules) withTerms(a *Answer) *Rules {
	all := *r
	if a.Err != nil || a.Status >= http.StatusInternalServerError || a.Status == http.StatusTooManyRequests {
		all.failed++
		all.asked = all.failed >= termsTries
		return &all
	}
	all.asked = true
	if a.Status == http.StatusOK {
		all.said = append(all.said[:len(all.said):len(all.said)], parseTerms(a.Body)...)
	}
	return &all
}

// parseTerms reads a tdmrep.json: a list of places, each with what is reserved there. Places are paths, as in a robots.txt.
func parseTerms(body []byte) (all []said) {
	var places []struct {
		Location    string          `json:"location"`
		Reservation json.RawMessage `json:"tdm-reservation"`
		Policy      string          `json:"tdm-policy"`
	}
	if json.Unmarshal(body, &places) != nil {
		return nil
	}
	for _, p := range places {
		if !strings.HasPrefix(p.Location, "/") || len(p.Location) > longestSaid || len(all) >= maxTerms {
			continue
		}
		at := newPattern(p.Location)
		if value := strings.Trim(string(p.Reservation), `"`); value == "0" || value == "1" {
			all = append(all, said{Said{TDMReservation, value}, at})
		}
		if p.Policy != "" && len(p.Policy) <= longestSaid {
			all = append(all, said{Said{TDMPolicy, p.Policy}, at})
		}
	}
	return all
}
