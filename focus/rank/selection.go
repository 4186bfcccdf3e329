package rank

import (
	"fmt"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// Selection says what comes next: the rule that turns scores into an order, and the parameters of that rule. It is
// written as one word, or as {use: genetic, with: {crossover: pairs}} where a rule has parameters.
type Selection struct {
	Use    string
	Params any // a pointer to the parameters of the rule; nil where it has none
}

// Rounds are the parameters of select: rounds, by which links are visited in whole layers.
type Rounds struct {
	Queues int    `yaml:"queues" doc:"how many queues links wait in; a score of 1 is the first queue, of 0 the last; left out beside layers, as many as its model has classes" check:"1..1000"`
	Again  string `yaml:"again" doc:"a waiting link that is found again stays in its first queue, or moves to the best" check:"first|best"`
}

// Genetic are the parameters of select: genetic, by which links are bred in generations.
type Genetic struct {
	Pc         float64 `yaml:"pc" doc:"the share of a generation that is crossed: whose links become the next" check:"0..1"`
	Pm         float64 `yaml:"pm" doc:"the share that mutates; pc and pm are 1 together" check:"0..1"`
	Crossover  string  `yaml:"crossover" doc:"links takes all links of the crossed pages; pairs lets neighbours exchange half of theirs first" check:"links|pairs"`
	Mutate     string  `yaml:"mutate" doc:"what mutation brings: waiting draws links that wait and are not fit enough; addresses visits the directory and the host of pages; both does both" check:"waiting|addresses|both"`
	MutateFrom string  `yaml:"mutate_from" doc:"which of those links, or pages, mutate: the most important, the least, or any" check:"top|bottom|random"`
	Size       int     `yaml:"size" doc:"how many links a generation has: the fittest, and pm of it by mutation, or more where too few are fit; 0: all that are fit enough" check:"0..1000000"`
	Rest       string  `yaml:"rest" doc:"a link that a generation has no use for is given up, or waits for a later one" check:"given_up|waits"`
	Parents    string  `yaml:"parents" doc:"which pages of a generation breed: all that are relevant, or those of them that are important" check:"all|important"`
	R0         float64 `yaml:"r0" doc:"the relevance, as the judge counts it before rescaling, from which a page belongs to its generation" check:"0..1"`
	P0         float64 `yaml:"p0" doc:"where important pages breed, the importance they need; the mean over all addresses is 1. Where no page of a generation has it, all of them breed" check:"0..1000000"`
	Known      int     `yaml:"known" doc:"how many addresses must be known before p0 is asked for" check:"0..1000000000"`
	Fit0       float64 `yaml:"fit0" doc:"the score a link must exceed to be visited" check:"0..1000"`
	Damping    float64 `yaml:"damping" doc:"of the importance: how often the surfer follows a link instead of jumping" check:"(0..1)"`
	Surfer     string  `yaml:"surfer" doc:"of the importance: topic lets it settle, topic_once is one pass over the plain PageRank" check:"topic|topic_once"`
}

// Groups are the parameters of select: groups, by which a bandit chooses among links of alike places on their pages.
type Groups struct {
	Alpha   float64 `yaml:"alpha" doc:"how much a group is worth for having been tried little" check:"0..1000"`
	Alike   float64 `yaml:"alike" doc:"the cosine from which a tag path belongs to the group it is nearest to" check:"0..1"`
	Batch   int     `yaml:"batch" doc:"after how many pages the estimate of which addresses are targets is corrected" check:"1..100000"`
	Step    float64 `yaml:"step" doc:"how far it is corrected" check:"(0..1000"`
	Targets string  `yaml:"targets" doc:"links that are estimated to be targets come first, or wait in their groups like all others" check:"first|in_group"`
	Inside  string  `yaml:"inside" doc:"which link of a group is visited: one drawn by lot, or the one of the best score" check:"random|best"`
}

// selection is what strategy files may say of one rule.
type selection struct {
	name   string
	params func() any // with their defaults; nil where there are none
	holds  bool
}

// selections are the rules that strategy files may name. Package selection says what they do, and lets programs add theirs.
var selections []selection

// AddSelection lets strategy files name a rule. defaults are its parameters, a struct whose fields have tags as those of the
// parameters below, or struct{}{} where it has none. holds tells that it holds links back.
func AddSelection[P comparable](name string, defaults P, holds bool) {
	if slices.ContainsFunc(selections, func(s selection) bool { return s.name == name }) {
		panic(fmt.Sprintf("rank.AddSelection: the selection %q is registered twice", name))
	}
	s := selection{name: name, holds: holds}
	if _, none := any(defaults).(struct{}); !none {
		s.params = func() any { p := defaults; return &p }
	}
	selections = append(selections, s)
}

func init() {
	for _, name := range []string{defaultSelection, "fifo", "lifo", "random"} {
		AddSelection(name, struct{}{}, false)
	}
	AddSelection("rounds", Rounds{Queues: 9, Again: "first"}, true)
	AddSelection("genetic", Genetic{Pc: 0.9, Pm: 0.1, Crossover: "links", Mutate: "waiting", MutateFrom: "top", Rest: "given_up", Parents: "all", R0: 2e-4, P0: 2, Known: 50,
		Fit0: 2e-4, Damping: 0.85, Surfer: "topic"}, true)
	AddSelection("groups", Groups{Alpha: 2 * math.Sqrt2, Alike: 0.75, Batch: 10, Step: 5, Targets: "first", Inside: "random"}, true)
}

// defaultSelection is what counts where a strategy says nothing.
const defaultSelection = "best"

// selectionOf is a selection with the defaults of its parameters.
func selectionOf(use string) Selection {
	s := Selection{Use: use}
	for _, known := range selections {
		if known.name == use && known.params != nil {
			s.Params = known.params()
		}
	}
	return s
}

// String is the rule.
func (s Selection) String() string { return s.Use }

// Holds tells of a selection that holds links back and lets them go by itself: in whole rounds, generation by
// generation, group by group. It needs a frontier that keeps held tiers.
func (s Selection) Holds() bool {
	return slices.ContainsFunc(selections, func(known selection) bool { return known.name == s.Use && known.holds })
}

// DecodeNode reads a word, or {use, with}.
func (s *Selection) DecodeNode(n strict.Node) []strict.Problem {
	use, with := n, strict.Node{}
	if n.Kind() == strict.Map {
		if wrong := n.Only("use", "with"); len(wrong) > 0 {
			return wrong
		}
		var ok bool
		if use, ok = n.Get("use"); !ok {
			return []strict.Problem{n.Problem("has no use; write select: {use: genetic, with: {crossover: pairs}}, or one word")}
		}
		with, _ = n.Get("with")
	}
	var names []string
	for _, known := range selections {
		names = append(names, known.name)
	}
	if wrong := use.OneOf(names...); len(wrong) > 0 {
		return wrong
	}
	*s = selectionOf(use.Text())
	switch {
	case with.Kind() == strict.Absent:
		return nil
	case s.Params == nil:
		return []strict.Problem{n.KeyProblem("with", "%s has no parameters; take it out", s.Use)}
	}
	return with.Decode(s.Params)
}

// EncodeNode is what is written for it: every parameter stated.
func (s Selection) EncodeNode() any {
	if s.Params == nil {
		return s.Use
	}
	return selectionForm{s.Use, paramsForm{s.Params}}
}

// selectionForm is a selection with parameters as it is written down.
type selectionForm struct {
	Use  string     `yaml:"use"`
	With paramsForm `yaml:"with"`
}

// Check sees to it that all of a generation is accounted for.
func (g *Genetic) Check(wrong func(key, want string)) {
	if sum := g.Pc + g.Pm; !(math.Abs(sum-1) < 1e-9) {
		wrong("pc", "and pm are "+strict.Scalar(sum)+" together, want 1: what is not crossed mutates")
	}
}
