package study

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/replay"
)

// LabelledWeb is a labelled web as a strategy learns from it: its pages, who links to whom, and which of them are looked
// for. Pages outside are neither learned from nor crossed.
type LabelledWeb struct {
	Web, Fingerprint, Topic string
	Addresses               []string
	Number                  map[string]int // of an address, as links on the pages have it
	Page                    func(n int) (*page.Page, error)
	Relevant, Inside        []bool // by page

	close func() error
}

// OpenLabelledWeb opens a topic of a recorded web. A web of a single topic need not name it.
func OpenLabelledWeb(dir, topic string) (*LabelledWeb, error) {
	web, err := replay.Open(dir)
	if err != nil {
		return nil, err
	}
	t, err := labelledWebOf(web, dir, topic)
	if err != nil {
		web.Close()
	}
	return t, err
}

func labelledWebOf(web *replay.Web, dir, name string) (*LabelledWeb, error) {
	chosen, ok := web.Topic(name)
	if all := web.Topics(); name == "" && len(all) == 1 {
		chosen, ok = all[0], true
	}
	switch {
	case !ok && name == "" && len(web.Topics()) > 0:
		return nil, fmt.Errorf("web %s has several topics; name one of them: %s:%s", dir, dir, web.Topics()[0].Name)
	case !ok:
		return nil, fmt.Errorf("web %s: topic: %s", dir, crawlfile.UnknownTopic(web.Topics(), name))
	case web.Labelled() == 0:
		return nil, fmt.Errorf("web %s has no labels to learn from; label its pages in labels.tsv", dir)
	}
	relevant, err := regexp.Compile(chosen.Relevant)
	if err != nil {
		return nil, fmt.Errorf("web %s, topic %s: relevant: %w", dir, chosen.Name, err)
	}
	scope, err := regexp.Compile(chosen.Scope)
	if err != nil {
		return nil, fmt.Errorf("web %s, topic %s: scope: %w", dir, chosen.Name, err)
	}
	t := &LabelledWeb{Web: web.Name(), Fingerprint: web.Fingerprint(), Topic: chosen.Name, Number: map[string]int{}, close: web.Close}
	for address := range web.Addresses() {
		line, labelled := web.Labels(address)
		t.Number[address] = len(t.Addresses)
		t.Addresses = append(t.Addresses, address)
		t.Inside = append(t.Inside, labelled && scope.MatchString(line))
		t.Relevant = append(t.Relevant, labelled && relevant.MatchString(line) && scope.MatchString(line))
	}
	pages := NewPages(web, func(p *page.Page) {
		for i := range p.Links {
			if recorded, ok := web.Has(p.Links[i].URL); ok {
				p.Links[i].URL = recorded
			}
		}
	})
	t.Page = func(n int) (*page.Page, error) { return pages.Page(t.Addresses[n]) }
	return t, nil
}

// Close gives up the web.
func (t *LabelledWeb) Close() error {
	if t.close == nil {
		return nil
	}
	return t.close()
}

// step is a link from one page inside to another.
type step struct {
	to   int
	link *page.Link
}

// links are those inside, by page.
func (t *LabelledWeb) links() [][]step {
	steps := make([][]step, len(t.Addresses))
	for n := range t.Addresses {
		if !t.Inside[n] {
			continue
		}
		p, err := t.Page(n)
		if err != nil {
			continue // what is recorded but no page has no links
		}
		for i := range p.Links {
			l := &p.Links[i]
			if to, ok := t.Number[l.URL]; ok && to != n && t.Inside[to] {
				steps[n] = append(steps[n], step{to, l})
			}
		}
	}
	return steps
}

// backwards are the pages that link to each page.
func backwards(steps [][]step) [][]int {
	from := make([][]int, len(steps))
	for n, out := range steps {
		for _, s := range out {
			if k := len(from[s.to]); k == 0 || from[s.to][k-1] != n {
				from[s.to] = append(from[s.to], n)
			}
		}
	}
	return from
}

// targets are the pages that are looked for.
func (t *LabelledWeb) targets() []int {
	var targets []int
	for n, relevant := range t.Relevant {
		if relevant && t.Inside[n] {
			targets = append(targets, n)
		}
	}
	return targets
}

// ground is what a model says of having been trained here.
func (t *LabelledWeb) ground() rank.Ground {
	g := rank.Ground{Web: t.Web, Fingerprint: t.Fingerprint, Topic: t.Topic, Targets: len(t.targets())}
	for n, inside := range t.Inside {
		if inside {
			g.Pages++
			g.Hosts = append(g.Hosts, page.Host(t.Addresses[n]))
		}
	}
	slices.Sort(g.Hosts)
	g.Hosts = slices.Compact(g.Hosts)
	return g
}

// far is how many links pages are away from a set of pages, at most most; -1 is farther.
func far(from [][]int, start []int, most int) []int {
	away := make([]int, len(from))
	for n := range away {
		away[n] = -1
	}
	var queue []int
	for _, n := range start {
		away[n] = 0
		queue = append(queue, n)
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if away[n] == most {
			continue
		}
		for _, before := range from[n] {
			if away[before] < 0 {
				away[before] = away[n] + 1
				queue = append(queue, before)
			}
		}
	}
	return away
}

// pathSteps bounds the steps that are gone for the simple paths of one length to one target: their number grows with a power
// of the links of a page.
const pathSteps = 20_000

// paths follow the simple paths of one length to a target, against the links.
type paths struct {
	from   [][]int
	sets   []uint64
	length int
	steps  int // that may still be gone
	on     map[int]bool
}

// back goes on from page n, which so many links lead from to the target.
func (p *paths) back(n, links int) {
	if links == p.length {
		p.sets[n] |= 1 << links
		return
	}
	for _, before := range p.from[n] {
		if p.on[before] {
			continue
		}
		if p.steps--; p.steps < 0 {
			return
		}
		p.on[before] = true
		p.back(before, links+1)
		delete(p.on, before)
	}
}

// Memberships are the ways to say in which layers a link is.
var Memberships = []string{"per_target", "nearest", "path", "walk"}

// distances are, by page, the numbers of links after which a target is met, as bits: nearest has the least alone,
// per_target one for each target, path one for the length of every simple path, as far as they are followed, walk one for
// that of every walk, circles included. All are below most.
func (t *LabelledWeb) distances(from [][]int, membership string, most int) []uint64 {
	sets := make([]uint64, len(from))
	targets := t.targets()
	switch membership {
	case "nearest":
		for n, d := range far(from, targets, most-1) {
			if d >= 0 {
				sets[n] = 1 << d
			}
		}
	case "per_target":
		for _, target := range targets {
			for n, d := range far(from, []int{target}, most-1) {
				if d >= 0 {
					sets[n] |= 1 << d
				}
			}
		}
	case "path":
		for _, target := range targets {
			for length := range most {
				p := paths{from: from, sets: sets, length: length, steps: pathSteps, on: map[int]bool{target: true}}
				p.back(target, 0)
			}
		}
	case "walk":
		reached := targets
		for d := range most {
			seen := map[int]bool{}
			var next []int
			for _, n := range reached {
				sets[n] |= 1 << d
				for _, before := range from[n] {
					if !seen[before] {
						seen[before] = true
						next = append(next, before)
					}
				}
			}
			reached = next
		}
	}
	return sets
}

// layered calls see for every link that is in some class, with its classes from 1: a link to a page from which a target
// is d links away is in class d+1.
func (t *LabelledWeb) layered(membership string, classes int, see func(from int, l *page.Link, classes []int)) {
	steps := t.links()
	sets := t.distances(backwards(steps), membership, classes)
	for n, out := range steps {
		for _, s := range out {
			var in []int
			for d := range classes {
				if sets[s.to]&(1<<d) != 0 {
					in = append(in, d+1)
				}
			}
			if len(in) > 0 {
				see(n, s.link, in)
			}
		}
	}
}

// LayersTraining says how layers of links are learned.
type LayersTraining struct {
	Classes    int
	Membership string // one of Memberships
	Smoothing  string // backoff or jm
	Lambda     float64
}

// DefaultLayers is the published configuration.
func DefaultLayers() LayersTraining {
	return LayersTraining{Classes: 9, Membership: "per_target", Smoothing: "backoff", Lambda: 0.9}
}

// TrainLayers learns to tell by the words of a link how far it is from a page that is looked for.
func TrainLayers(webs []*LabelledWeb, o LayersTraining) (*rank.Layers, error) {
	if !slices.Contains(Memberships, o.Membership) || !(1 <= o.Classes && o.Classes <= 64) {
		return nil, fmt.Errorf("train layers: %d classes by %q, want 1 to 64 classes by one of %s", o.Classes, o.Membership, strings.Join(Memberships, ", "))
	}
	m, err := rank.NewLayers(o.Classes, o.Membership, o.Smoothing, o.Lambda)
	if err != nil {
		return nil, err
	}
	for _, t := range webs {
		t.layered(o.Membership, o.Classes, func(_ int, l *page.Link, in []int) { m.Add(l, in...) })
		m.Grounds = append(m.Grounds, t.ground())
	}
	if m.Links[0] == 0 {
		return nil, fmt.Errorf("train layers: no link in %s points to a page that is looked for", grounds(m.Grounds))
	}
	return m, nil
}

func grounds(all []rank.Ground) string {
	var names []string
	for _, g := range all {
		names = append(names, g.Web+":"+g.Topic)
	}
	return strings.Join(names, ", ")
}
