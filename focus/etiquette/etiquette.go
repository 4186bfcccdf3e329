// Package etiquette answers one question: what did a crawl ask of a host? It gathers that from a run, for whoever answers a site that
// complains.
package etiquette

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/run"
)

// Host is what was asked of one host, and what it answered. What is asked of it beside its pages is not counted: its robots.txt and
// tdmrep.json, and, each time the crawl was started, once an address that nobody can have, to know its error page.
type Host struct {
	Host        string        `json:"host"`
	Pages       int           `json:"pages"`        // requests for pages, those that were made again included
	Again       int           `json:"again"`        // of them, that the page will be asked for once more
	First, Last time.Time     `json:"-"`            // when answers were there
	Least       time.Duration `json:"-"`            // between the ends of two requests; 0 where there were none
	Median      time.Duration `json:"-"`            //
	Asked       time.Duration `json:"-"`            // the Crawl-delay of its robots.txt
	Known       bool          `json:"-"`            // what its robots.txt says
	Answers     Answers       `json:"answers"`      // by status
	Bytes       int64         `json:"bytes"`        // of bodies, as they came
	Kept        int           `json:"kept"`         // pages that the first look kept
	NotAsked    []Count       `json:"not_asked"`    // addresses that were not asked for, by the rule that said so
	NotKept     []Count       `json:"not_kept"`     // pages that were not kept because their author, or the host, says so
	NotFollowed int           `json:"not_followed"` // links that were not followed because their page asks for that

	ends []time.Time
}

// Answers are how often a host answered with which kind of status.
type Answers struct {
	Success  int `json:"2xx"`
	Redirect int `json:"3xx"`
	Client   int `json:"4xx"`
	Server   int `json:"5xx"`
	None     int `json:"none"` // none came
}

// Count is how often something was said, the commonest first.
type Count struct {
	Says  string `json:"says"`
	Times int    `json:"times"`
}

// Page is what a crawl asked of its hosts, the most visited first.
type Page struct {
	Config crawlfile.Config
	Hosts  []*Host
}

// Of gathers what a run, or the machines that shared it, asked of the hosts that are wanted; of all where none is.
func Of(r *run.Run, wanted func(host string) bool) (*Page, error) {
	p := &Page{}
	var err error
	if p.Config, err = r.Config(); err != nil {
		return nil, err
	}
	hosts := map[string]*gathered{}
	err = r.Asked(func(d *run.Decision) bool {
		name := page.Host(d.URL)
		if name == "" || !wanted(name) {
			return true
		}
		if hosts[name] == nil {
			hosts[name] = &gathered{Host: &Host{Host: name}, notAsked: map[string]int{}, notKept: map[string]int{}}
		}
		hosts[name].take(d)
		return true
	})
	if err != nil {
		return nil, err
	}
	rules, err := delays(r)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		if h := hosts[name].host(); h.Pages > 0 || len(h.NotAsked) > 0 {
			h.Asked, h.Known = rules[name]
			p.Hosts = append(p.Hosts, h)
		}
	}
	slices.SortStableFunc(p.Hosts, func(a, b *Host) int { return b.Pages - a.Pages })
	return p, nil
}

// delays are what robots.txt files ask for between two visits, as far as the state of the run tells.
func delays(r *run.Run) (map[string]time.Duration, error) {
	asked := map[string]time.Duration{}
	counted, err := r.Ledger()
	if err != nil || counted == nil {
		return asked, err
	}
	for origin, h := range counted.Robots.Hosts {
		if rules := h.Rules(); rules != nil && !rules.Unreachable() {
			name := page.Host(origin + "/")
			asked[name] = max(asked[name], rules.Delay())
		}
	}
	return asked, nil
}

// gathered is a host while its lines of the log are read.
type gathered struct {
	*Host
	notAsked, notKept map[string]int
}

// take takes a line of the log.
func (g *gathered) take(d *run.Decision) {
	kind := d.Reason.Kind()
	switch {
	case d.Decision == "refuse" && kind == admit.RefusedNoFollow:
		g.NotFollowed++
	case d.Decision == "refuse":
	case d.Decision != "keep" && d.Decision != "drop" && d.Decision != "again":
	case kind == admit.RefusedRobots || kind == admit.RefusedUnasked:
		g.notAsked[said(d.Reason)]++
	case d.Reason.Unvisited() || d.Status == 0 && unasked(d):
	default:
		g.asked(d)
		if slices.Contains(admit.Obeyed, kind) {
			g.notKept[string(d.Reason)]++
		}
	}
}

// unasked tells of a visit without an answer that its host was not asked for the page: what it says of all pages could not be had,
// the program did not want it, or no host was found where one may be asked.
func unasked(d *run.Decision) bool {
	said := d.Reason.Said()
	switch d.Reason.Kind() {
	case admit.RefusedVeto:
		return true
	case admit.RefusedPutOff, admit.RefusedFailed:
		for _, begins := range []string{"robots.txt", "tdmrep.json", "not a public address", "no such host", "no answer from the DNS", "neither http nor https", "cancelled"} {
			if strings.HasPrefix(said, begins) {
				return true
			}
		}
	}
	return false
}

// asked counts a request.
func (g *gathered) asked(d *run.Decision) {
	g.Pages++
	g.Bytes += d.Bytes
	g.ends = append(g.ends, d.Time)
	switch {
	case d.Decision == "again":
		g.Again++
	case d.Decision == "keep":
		g.Kept++
	}
	switch d.Status / 100 {
	case 2:
		g.Answers.Success++
	case 3:
		g.Answers.Redirect++
	case 4:
		g.Answers.Client++
	case 5:
		g.Answers.Server++
	default:
		g.Answers.None++
	}
}

// said is the line of a robots.txt, or what went wrong with it.
func said(r admit.Refused) string {
	if r.Said() == "" {
		return string(r)
	}
	return r.Said()
}

// host works out what is told of a host.
func (g *gathered) host() *Host {
	h := g.Host
	h.NotAsked, h.NotKept = counts(g.notAsked), counts(g.notKept)
	slices.SortFunc(h.ends, time.Time.Compare)
	var gaps []time.Duration
	for i := 1; i < len(h.ends); i++ {
		gaps = append(gaps, h.ends[i].Sub(h.ends[i-1]))
	}
	if slices.Sort(gaps); len(gaps) > 0 {
		h.Least, h.Median = gaps[0], gaps[len(gaps)/2]
	}
	if len(h.ends) > 0 {
		h.First, h.Last = h.ends[0], h.ends[len(h.ends)-1]
	}
	h.ends = nil
	return h
}

func counts(of map[string]int) []Count {
	all := []Count{}
	for _, says := range slices.Sorted(maps.Keys(of)) {
		all = append(all, Count{says, of[says]})
	}
	slices.SortStableFunc(all, func(a, b Count) int { return b.Times - a.Times })
	return all
}

// Pause is how long the crawl left a host alone at least between two visits, by its file and by the host's robots.txt.
func (p *Page) Pause(h *Host) time.Duration {
	return max(p.Config.Polite.Delay.Duration(), min(h.Asked, robots.MostDelay))
}
