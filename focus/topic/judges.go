package topic

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// A Judge says how relevant the words of a page, or of a part of one, are. What else it can do is found out by assertion:
// a Learner learns from the pages that are judged, a Calibrator knows by itself what its number means, a Comparer can judge
// its own examples, and a Chooser looks at few of a page's words.
//
// Score may be called by many goroutines at once. It answers the judge's own number and appends what each word added.
type Judge interface {
	Score(b *Bag, why []Evidence) (float64, []Evidence)
}

// A Learner learns from every page that was judged. Counts tells words whose number of occurrences Learn looks at: of the
// others it hears only that they were there when a crawl is resumed. State is what was learned, and Restore takes it back.
type Learner interface {
	Learn(b *Bag)
	Counts(word string) bool
	State() []byte
	Restore(state []byte) error
}

// A Calibrator says which relevance its number stands for. Without it the number is placed on a scale between what
// ordinary and what good pages of the crawl get, or taken as it is where nothing is to be calibrated.
type Calibrator interface {
	Relevance(raw float64) float64
}

// A Comparer answers the mean of what the examples get when each is judged without itself; ok is false when nothing is
// left to judge them by.
type Comparer interface {
	LeaveOneOut() (mean float64, ok bool)
}

// A Chooser looks at some words alone, of those that the topic has. Others may be left out of the bags that it scores.
type Chooser interface {
	Wants(word string) bool
}

// Traits are what has to be known of a judge before it is made. The zero value is a judge that reads all words of a page.
type Traits struct {
	Terms    bool               // the topic's own words alone make a difference: of a page nothing else need be cut
	Text     bool               // only the page's own text counts (no menus, advertisements, lists of links), and how long it is
	Against  bool               // it hears of words with a negative weight, which speak against a page
	Counts   bool               // it must know in how many pages of the crawl each word stands
	Pages    bool               // it is made of pages alone: where there are no examples, the start pages serve
	Trained  bool               // it is learned from labelled pages before a crawl begins
	Weights  map[string]float64 // what a word counts by where it stands, where nobody has said; nil: in the title 3
	GoodPage float64            // what a good page is likely to get, before any was seen; 0: .2
}

// JudgeName is the name of a judge of the table.
type JudgeName string

// Words are the names of all judges.
func (JudgeName) Words() []string { return Judges() }

// registered is what the table knows of one judge.
type registered struct {
	Traits
	doc    string
	fields []strict.Field
	load   func(with strict.Node) (func(*Material) Judge, []strict.Problem)
}

// table holds all judges; each stands in a file of its own, which registers it.
var table = map[string]registered{}

// DefaultJudge is the judge of a topic that names none.
const DefaultJudge = "bm25"

// Register adds a judge to the table: its name, one line of documentation, its traits, the defaults of its parameters (a
// struct with yaml tags, doc tags, and check tags for what is allowed; topic.with of a crawl file gives them) and its maker.
// The maker is called again whenever the topic's examples change. Register is called before any topic is made, as in an
// init function; it panics on a name that is taken, and on a judge without documentation.
func Register[P any](name, doc string, traits Traits, defaults P, make func(P, *Material) Judge) {
	if name == "" || doc == "" {
		panic(fmt.Sprintf("topic.Register: the judge %q needs a name and a line of documentation", name))
	}
	if _, taken := table[name]; taken {
		panic(fmt.Sprintf("topic.Register: the judge %q is registered twice", name))
	}
	load := func(with strict.Node) (func(*Material) Judge, []strict.Problem) {
		params := defaults
		if with.Kind() != strict.Absent {
			if problems := with.Decode(&params); len(problems) > 0 {
				return nil, problems
			}
		}
		return func(m *Material) Judge { return make(params, m) }, nil
	}
	table[name] = registered{traits, doc, strict.Fields(defaults), load}
}

// Judges are the names of all judges, sorted.
func Judges() []string { return slices.Sorted(maps.Keys(table)) }

// TraitsOf are the traits of a judge; of one that is not in the table, none.
func TraitsOf(judge string) Traits { return table[judge].Traits }

// JudgeDoc is a judge's line of documentation, and its parameters.
func JudgeDoc(judge string) (doc string, params []strict.Field) {
	return table[judge].doc, table[judge].fields
}

// CheckParams says what is wrong with the parameters of a judge.
func CheckParams(judge string, with strict.Node) []strict.Problem {
	if k, ok := table[judge]; ok {
		_, problems := k.load(with)
		return problems
	}
	return nil // the name is what is wrong
}

// those says which judges have a trait, for a message.
func those(has func(Traits) bool) string {
	return strings.Join(slices.DeleteFunc(Judges(), func(name string) bool { return !has(table[name].Traits) }), " or ")
}

// Material is what a judge is made of: a topic as somebody stated it.
type Material struct {
	Calibrate bool // relevance is not to be the judge's number, but what that stands for
	topic     *Topic
}

// Keyword is a word of the topic: as pages are cut, as a person wrote it, and what it weighs.
type Keyword struct {
	Word, Written string
	Weight        float64
}

// Terms are the terms of the topic.
func (m *Material) Terms() []Keyword {
	var terms []Keyword
	for _, k := range m.topic.profile.terms {
		terms = append(terms, Keyword{k.word, k.surface, k.weight})
	}
	return terms
}

// Examples are the words of each example page, with what they weigh there.
func (m *Material) Examples() [][]Keyword {
	var pages [][]Keyword
	for _, e := range m.topic.profile.examples {
		page := make([]Keyword, len(e.words))
		for i, w := range e.words {
			page[i] = Keyword{w, w, e.tf[i]}
		}
		pages = append(pages, page)
	}
	return pages
}

// unlearning is the Learner of judges that learn nothing of their own.
type unlearning struct{}

func (unlearning) Learn(*Bag)           {}
func (unlearning) Counts(string) bool   { return false }
func (unlearning) State() []byte        { return nil }
func (unlearning) Restore([]byte) error { return nil }
