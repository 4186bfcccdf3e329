package rank

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// fileVersion is the version of strategy files this package reads and writes.
const fileVersion = 1

// written is a strategy file.
type written struct {
	Version int         `yaml:"version" doc:"the version of strategy files it is written for"`
	Name    string      `yaml:"name" doc:"what the strategy is called; the file's name where it is left out"`
	About   string      `yaml:"about" doc:"one line: what it does and where it comes from"`
	Claim   string      `yaml:"claim" doc:"what its source reports, on a web of its own; thresher compare shows it beside what was measured"`
	Judge   ownJudge    `yaml:"judge" doc:"the judge that belongs to it; empty if any does"`
	Content string      `yaml:"content" doc:"the content rule that belongs to it; empty if any does" check:"|whole|by_kind|main_text"`
	Full    float64     `yaml:"full" doc:"for the order of links a page is wholly relevant from this relevance on; what is kept is another matter" check:"(0..1"`
	Admit   Admit       `yaml:"admit" doc:"which links may enter"`
	Rank    strict.Node `yaml:"rank" doc:"the tree of factors"`
	Hedge   strict.Node `yaml:"hedge" doc:"a second tree, in whose order a share of the links is taken"`
	Select  Selection   `yaml:"select" doc:"what comes next"`
}

// ownJudge is the judge that a strategy brings along: empty brings none, and none asks for none.
type ownJudge string

// Words are what it may be.
func (ownJudge) Words() []string {
	return slices.Concat([]string{""}, topic.Judges(), []string{"none"})
}

// Load reads a strategy. name is what errors call the file. All mistakes are reported at once. A nil registry is
// Factors.
func Load(name string, yaml []byte, r *Registry) (*Strategy, error) {
	n, err := strict.Parse(name, yaml)
	if err != nil {
		return nil, err
	}
	s, problems := Read(n.Rename("strategy"), r)
	if err := strict.Err(problems); err != nil {
		return nil, err
	}
	return s, nil
}

// Read reads a strategy that stands in a larger file: n is its node, whose path the problems are told by.
func Read(n strict.Node, r *Registry) (*Strategy, []strict.Problem) {
	if r == nil {
		r = Factors
	}
	if n.Kind() == strict.Null || n.Kind() == strict.Absent {
		return nil, []strict.Problem{n.Problem("is empty; write at least rank: {use: FACTOR}, FACTOR being one of %s", strings.Join(r.Names(), ", "))}
	}
	if v, ok := n.Get("version"); ok && v.Text() != fmt.Sprint(fileVersion) {
		return nil, []strict.Problem{v.Problem("is %s; this program reads version %d of strategy files, use one that fits", v.Text(), fileVersion)}
	}
	w := written{Full: 1, Select: selectionOf(defaultSelection), Admit: Admit{Blocks: "all", Related: standard, Tunnel: Tunnel{Depth: -1, Max: -1, Step: 1, Raise: "inc", Spent: "judge"}}}
	admit, _ := n.Get("admit")
	if _, ok := admit.Get("tunnel"); ok {
		w.Admit.Tunnel.Depth = 3
	}
	problems := n.Decode(&w)
	w.Admit.Tunnel.complete()
	s := &Strategy{Name: w.Name, About: w.About, Claim: w.Claim, Judge: string(w.Judge), Content: w.Content, Full: w.Full, Admit: w.Admit, Select: w.Select, Source: n.File()}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(s.Source), filepath.Ext(s.Source))
	}
	s.recalls = s.Select.Use == "genetic" // it asks the memory how important pages are
	l := &loader{registry: r, strategy: s, carriers: map[string]any{}}
	if n.Kind() == strict.Map {
		l.root(n, w.Rank)
		l.hedge(n)
		l.queues(n)
		s.sort()
	}
	if problems = append(problems, l.problems...); len(problems) > 0 {
		return nil, problems
	}
	return s, nil
}

// sort tells the nodes apart that say the same of all links to an address when it is scored again, and those below which something stands
// that does not.
func (s *Strategy) sort() {
	spread := 0 // where the last of them ends
	for i := range s.nodes {
		if n := &s.nodes[i]; n.over != overThis && i >= spread && n.end > i+1 {
			s.spread, spread = append(s.spread, i), n.end
		}
	}
	for i := len(s.nodes) - 1; i >= 0; i-- {
		n := &s.nodes[i]
		switch about, ok := n.recaller.(AddressRecaller); {
		case n.over != overThis:
			n.same = true
		case n.kind == leaf:
			n.same = ok && about.OfAddress()
		case n.kind != learner && n.kind != saying:
			n.same = true
			for j := i + 1; j < n.end; j = s.nodes[j].end {
				n.same = n.same && s.nodes[j].same
			}
		}
	}
}

// complete fills in the Max that belongs to a tunnel that states none.
func (u *Tunnel) complete() {
	switch {
	case u.Depth < 0 || u.Raise == "reset":
		u.Max = max(u.Depth, 0)
	case u.Max < 0:
		u.Max = 2 * u.Depth
	}
}
