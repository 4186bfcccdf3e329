package rank

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// maxNodes bounds a tree: every link carries one number per node.
const maxNodes = 256

// loader builds the tree.
type loader struct {
	registry *Registry
	strategy *Strategy
	carriers map[string]any // the parameters of each factor that leaves something on the trail
	problems []strict.Problem
}

func (l *loader) wrong(p strict.Problem) { l.problems = append(l.problems, p) }

func (l *loader) root(n, rank strict.Node) {
	if rank.Kind() == strict.Absent || rank.Kind() == strict.Null {
		l.wrong(n.KeyProblem("rank", "there is no tree; write rank: {use: FACTOR}, FACTOR being one of %s", strings.Join(l.registry.Names(), ", ")))
		return
	}
	l.node(rank, 0, false)
	if len(l.strategy.nodes) > maxNodes {
		l.wrong(rank.Problem("%d nodes; a tree may have %d", len(l.strategy.nodes), maxNodes))
	}
}

var nodeKeys = []string{"use", "mix", "best", "product", "gate", "first", "blend", "apprentice", "name", "weight", "over", "with", "at", "closed"}

// node reads one node and all below it, and answers its weight.
func (l *loader) node(n strict.Node, depth int, inMix bool) float64 {
	if bad := n.Only(nodeKeys...); len(bad) > 0 {
		l.problems = append(l.problems, bad...)
		if n.Kind() != strict.Map {
			return 1
		}
	}
	var what []string
	for _, key := range nodeKeys[:8] {
		if _, ok := n.Get(key); ok {
			what = append(what, key)
		}
	}
	if len(what) != 1 {
		l.wrong(n.Problem("has %d of %s, want exactly one", len(what), strings.Join(nodeKeys[:8], ", ")))
		return 1
	}
	at := len(l.strategy.nodes)
	l.strategy.nodes = append(l.strategy.nodes, node{Node: Node{Depth: depth, Weight: 1, Use: what[0]}, at: 0.5})
	made := l.common(n, what[0], inMix)
	if what[0] == "use" {
		l.leaf(n, &made)
	} else {
		l.branch(n, what[0], &made, depth)
	}
	if made.Name == "" {
		made.Name = made.Use
	}
	made.Depth, made.end = depth, len(l.strategy.nodes)
	l.strategy.nodes[at] = made
	if made.over != overThis {
		l.over(n, &l.strategy.nodes[at], l.strategy.nodes[at:])
	}
	return made.Weight
}

// over takes a node over all links to an address. What changes with memory cannot be: what it said of earlier links
// would be out of date.
func (l *loader) over(n strict.Node, made *node, below []node) {
	for i := range below {
		if below[i].recaller != nil || below[i].merger != nil || below[i].kind == learner {
			l.wrong(n.KeyProblem("over", "%s changes with what is fetched; put over on the parts that do not", below[i].Use))
			return
		}
	}
	made.slot = l.strategy.overs
	l.strategy.overs++
	l.strategy.recalls = true
	if l.strategy.overs > maxOvers {
		l.wrong(n.KeyProblem("over", "stands on %d nodes; a tree may have %d of them", l.strategy.overs, maxOvers))
	}
}

// common reads the keys any node may have, and refuses those that mean nothing on this one.
func (l *loader) common(n strict.Node, what string, inMix bool) node {
	made := node{Node: Node{Weight: 1, Use: what}, at: 0.5}
	var keys struct {
		Name   string  `yaml:"name"`
		Weight float64 `yaml:"weight" check:"0..1000"`
		Over   string  `yaml:"over" check:"this|max|mean"`
		At     float64 `yaml:"at" check:"0..1"`
		Closed float64 `yaml:"closed" check:"0..1"`
	}
	keys.Weight, keys.Over, keys.At = made.Weight, overs[overThis], made.at
	l.decodeOnly(n, &keys, "name", "weight", "over", "at", "closed")
	if made.over = over(max(0, slices.Index(overs[:], keys.Over))); made.over != overThis {
		made.Over = keys.Over
	}
	made.Name, made.Weight, made.at, made.closed = keys.Name, keys.Weight, keys.At, keys.Closed
	l.misplaced(n, "weight", inMix, "counts only in the parts of a mix and of an apprentice")
	l.misplaced(n, "with", what == "use" || what == branches[learner], "belongs to use and apprentice")
	l.misplaced(n, "at", what == "gate", "belongs to gate")
	l.misplaced(n, "closed", what == "gate", "belongs to gate")
	return made
}

func (l *loader) misplaced(n strict.Node, key string, allowed bool, why string) {
	if _, ok := n.Get(key); ok && !allowed {
		l.wrong(n.KeyProblem(key, "%s; take it out", why))
	}
}

// decodeOnly decodes some keys of a mapping, each into the field of that name.
func (l *loader) decodeOnly(n strict.Node, into any, keys ...string) {
	unrelated, own := map[string]bool{}, n
	for _, key := range n.Keys() {
		if !slices.Contains(keys, key) {
			unrelated[n.Path()+"."+key] = true
			own = own.Without(key)
		}
	}
	for _, p := range own.Decode(into) {
		if !unrelated[p.Path] {
			l.wrong(p)
		}
	}
}

// branch reads a node that combines others.
func (l *loader) branch(n strict.Node, what string, made *node, depth int) {
	for k, name := range branches {
		if name == what {
			made.kind = kind(k)
		}
	}
	list, _ := n.Get(what)
	if list.Kind() != strict.List {
		l.wrong(list.Problem("want a list of nodes, such as [{use: relevance}, {use: anchor}]"))
		return
	}
	parts := list.Items()
	switch {
	case len(parts) == 0:
		l.wrong(list.Problem("a tree needs leaves; add a node, such as {use: relevance}"))
	case made.kind == gate && len(parts) < 2:
		l.wrong(list.Problem("1 node, want at least 2: the value, then what must be open for it"))
	case made.kind == blend && len(parts) != 3:
		l.wrong(list.Problem("%d nodes, want 3: the share, the one, the other", len(parts)))
	}
	if made.kind == learner {
		l.apprentice(n, made, depth)
	}
	sum, before := 0.0, len(l.problems)
	for _, part := range parts {
		if len(l.strategy.nodes) > maxNodes {
			return
		}
		sum += l.node(part, depth+1, made.kind == mix || made.kind == learner)
	}
	if made.kind == mix && len(parts) > 0 && sum == 0 && len(l.problems) == before {
		l.wrong(list.Problem("all weights are 0; give one part a weight"))
	}
}

// apprentice reads what an apprentice is given beside its parts, and makes place for what it says.
func (l *loader) apprentice(n strict.Node, made *node, depth int) {
	s := l.strategy
	if s.learns {
		l.wrong(n.Problem("a second apprentice; a tree may have one, whose parts are trees of any kind"))
	}
	s.learns, s.recalls, s.apprentice = true, true, len(s.nodes)-1
	a := defaultApprenticeship
	if with, ok := n.Get("with"); ok {
		l.problems = append(l.problems, with.Decode(&a)...)
	}
	made.with = a
	for _, name := range sayings[saysChance:] {
		at := len(s.nodes) + 1
		s.nodes = append(s.nodes, node{Node: Node{Name: name, Use: name, Depth: depth + 1, Weight: 1}, kind: saying, end: at})
	}
}

// silent is in the place of a factor whose numbers are read and not asked for.
var silent = Func(func(*Evidence) float64 { return none })

// leaf reads a node that is a factor.
func (l *loader) leaf(n strict.Node, made *node) {
	use, _ := n.Get("use")
	made.Use = use.Text()
	e, ok := l.registry.entries[made.Use]
	if !ok && l.registry.reading {
		made.factor = silent
		return
	}
	if !ok {
		l.wrong(use.Problem("%s", l.unknown(made.Use)))
		return
	}
	with, given := n.Get("with")
	if given && with.Kind() != strict.Map {
		l.wrong(with.Problem("want a mapping of parameters, such as {decay: 0.5}"))
		return
	}
	path := n.Path() + "." + made.Use
	if !given {
		with = strict.Node{}
	}
	f, params, problems := e.load(with.Rename(path), l.open)
	if f == nil && params != nil && l.registry.reading { // its maker alone refuses it
		made.factor, made.with = silent, params
		return
	}
	for _, p := range problems {
		l.wrong(ofParameter(p, path, use))
	}
	if len(problems) > 0 {
		return
	}
	made.factor, made.with = f, params
	if made.recaller, ok = f.(Recaller); ok {
		l.strategy.recalls = true
	} else {
		made.fixed = l.strategy.fixed
		l.strategy.fixed++
	}
	if made.merger, ok = f.(Merger); ok {
		l.merge(use, made)
	}
	made.ofPage = e.own && made.recaller == nil && made.merger == nil
	if c, ok := f.(Carrier); ok {
		l.carrier(use, made.Use, c, params)
	}
}

// merge has the hints of all links to an address kept. They are kept once.
func (l *loader) merge(use strict.Node, made *node) {
	reach := made.merger.Reach()
	if l.strategy.merges > 0 && l.strategy.merges != reach {
		l.wrong(use.Problem("%s stands twice with different windows, and the hints of links are merged by one; make them alike", made.Use))
	}
	l.strategy.merges, l.strategy.recalls = reach, true
}

// carrier takes a factor that writes to the trail. Two of a kind would overwrite each other.
func (l *loader) carrier(use strict.Node, name string, c Carrier, params any) {
	before, ok := l.carriers[name]
	if !ok {
		l.carriers[name] = params
		l.strategy.carriers = append(l.strategy.carriers, c)
		return
	}
	if before != params {
		l.wrong(use.Problem("%s stands twice with different parameters, and both leave their number on the trail; make them alike", name))
	}
}

func (l *loader) unknown(name string) string {
	names := l.registry.Names()
	if near := strict.Nearest(name, names); near != "" {
		return fmt.Sprintf("unknown factor %q; did you mean %q?", name, near)
	}
	return fmt.Sprintf("unknown factor %q; known are %s", name, strings.Join(names, ", "))
}

// ofParameter tells a mistake in a parameter by its factor: strategy.rank.mix[0].context: window is 0, want at least 1.
func ofParameter(p strict.Problem, path string, use strict.Node) strict.Problem {
	if key, ok := strings.CutPrefix(p.Path, path+"."); ok {
		between := ": "
		if strings.HasPrefix(p.Want, "is ") {
			between = " "
		}
		p.Path, p.Want = path, key+between+p.Want
	}
	if p.Line == 0 {
		p.File = use.File()
		p.Line, p.Column = use.At()
	}
	return p
}
