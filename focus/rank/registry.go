package rank

import (
	"fmt"
	"maps"
	"slices"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// Registry knows the factors by name.
type Registry struct {
	entries map[string]registered
	models  Models // nil opens none
	reading bool   // a factor it does not know stands for its numbers
}

// registered is what a registry knows of one factor.
type registered struct {
	doc    string
	fields []strict.Field
	load   func(with strict.Node, open Models) (f Factor, params any, problems []strict.Problem)
	own    bool // it stands in this package: what a program's own looks at nobody knows
}

// Factors is the registry of all factors of this package. A program adds its own with Register.
var Factors = builtin()

// NewRegistry makes an empty registry; With answers a copy of another.
func NewRegistry() *Registry { return &Registry{entries: map[string]registered{}} }

// With is a registry that knows the factors of both: NewRegistry().With(Factors) is a copy that a program, or a test,
// can add to without anybody else seeing it. It panics on a name that both know.
func (r *Registry) With(other *Registry) *Registry {
	sum := NewRegistry()
	for _, from := range []*Registry{r, other} {
		for name, e := range from.entries {
			sum.add(name, e)
		}
	}
	return sum
}

// Reading is the same registry for strategies that are read and not run, such as that of a run which another program made with
// factors of its own: the node of a factor that is not known has its name, and is there for the numbers that stand in the run. So is that
// of one which is refused now, and was not when the run began.
func (r *Registry) Reading() *Registry {
	return &Registry{entries: r.entries, models: r.models, reading: true}
}

// Names are the factors it knows, sorted.
func (r *Registry) Names() []string { return slices.Sorted(maps.Keys(r.entries)) }

// Doc is a factor's line of documentation and its parameters.
func (r *Registry) Doc(name string) (doc string, params []strict.Field) {
	e := r.entries[name]
	return e.doc, e.fields
}

func (r *Registry) add(name string, e registered) {
	if _, taken := r.entries[name]; taken {
		panic(fmt.Sprintf("rank.Register: the factor %q is registered twice", name))
	}
	r.entries[name] = e
}

// Register adds a factor: its name, one line of documentation, the defaults of its parameters (a struct with yaml
// tags, doc tags, and check tags for what is allowed) and its maker, which checks what no tag can say; it may join
// several errors. It panics on a name that is taken, on one that is no word, and on a factor without documentation.
func Register[P any](r *Registry, name, doc string, defaults P, make func(P) (Factor, error)) {
	if !isWord(name) || doc == "" {
		panic(fmt.Sprintf("rank.Register: the factor %q needs a name of lower-case letters, digits and - and a line of documentation", name))
	}
	load := func(with strict.Node, _ Models) (Factor, any, []strict.Problem) {
		params, problems := given(with, defaults)
		if len(problems) > 0 {
			return nil, nil, problems
		}
		f, err := make(params)
		if err == nil && f == nil {
			err = fmt.Errorf("the maker of the factor %s has made none, and says no error", name)
		}
		if err != nil {
			return nil, params, eachProblem(with, err)
		}
		return f, params, nil
	}
	r.add(name, registered{doc: doc, fields: strict.Fields(defaults), load: load})
}

// given are the parameters that a file gives, over the defaults.
func given[P any](with strict.Node, params P) (P, []strict.Problem) {
	if with.Kind() == strict.Absent {
		return params, nil
	}
	problems := with.Decode(&params)
	return params, problems
}

func isWord(name string) bool {
	for i, c := range []byte(name) {
		if c >= 'a' && c <= 'z' || i > 0 && (c == '-' || c >= '0' && c <= '9') {
			continue
		}
		return false
	}
	return name != ""
}

// eachProblem takes joined errors apart: each is a mistake of its own.
func eachProblem(n strict.Node, err error) []strict.Problem {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var problems []strict.Problem
		for _, e := range joined.Unwrap() {
			problems = append(problems, eachProblem(n, e)...)
		}
		return problems
	}
	return []strict.Problem{n.Problem("%v", err)}
}

// builtin knows what stands in the files beside this one.
func builtin() *Registry {
	r := NewRegistry()
	for _, register := range []func(*Registry){
		registerAddress, registerAnchor, registerBlock, registerConstant, registerContext, registerDepth, registerDrought, registerFish, registerHits, registerKeywords,
		registerIndegree, registerInherited, registerOPIC, registerPagerank, registerRelated, registerRelevance, registerSite,
		registerYield,
		registerContextGraph, registerFitness, registerLayers,
	} {
		register(r)
	}
	for name, e := range r.entries {
		e.own = true
		r.entries[name] = e
	}
	return r
}

// without is the maker of a factor that has no parameters.
func without(f Factor) func(struct{}) (Factor, error) {
	return func(struct{}) (Factor, error) { return f, nil }
}
