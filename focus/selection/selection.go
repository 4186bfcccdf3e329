// Package selection answers which link is next: it turns what links promise into an order, and holds links back where a
// strategy visits them in rounds, generations or groups. It knows the frontier, whose tiers and scores it writes, and the
// memory of the strategy; it knows no crawl.
//
// A selection is one file that registers itself with its parameters (Register). Those of this package have theirs in package
// rank, which reads strategies; orders.go has those that are one line each.
package selection

import (
	"encoding/json"
	"fmt"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// An Order turns a promise into a place in the order. The frontier knows only one (tier, score, arrival), so an order is
// what it writes into tier and score. visits is how many pages were fetched before.
type Order func(item *frontier.Item, visits uint64)

// A Selector holds links back in held tiers of the frontier and lets them go by itself: in whole rounds, generation by
// generation, group by group. It runs while the turn is held. What it lets go goes into tiers of its own below
// frontier.Held, so that an item's tier tells later what it was let go for.
//
// State and Restore are for snapshots; Lesson tells what was learned since it was last asked, and Relearn is told that
// again.
type Selector interface {
	// Hold says where a link waits, before it is pushed. path is the tag path of the
	// link on its page; known is the item its address is already, whose ID is 0 if it is none.
	Hold(item *frontier.Item, path string, known frontier.Item)
	// Told hears of a visit whose links have been pushed.
	Told(v *Visit)
	// Open lets links go. waiting is how many that were let go wait still; idle tells that nothing else is under way. If
	// it answers a reason, the crawl ends with it.
	Open(waiting int, idle bool) (ended string, err error)
	// Why says in a line how an item came to be visited; it is empty for start pages.
	Why(item frontier.Item) string

	State() []byte
	Restore([]byte) error
	Lesson() []byte
	Relearn([]byte) error
}

// A Settler is a selector that lets links go in an order which nothing changes any more: they are not scored again.
type Settler interface{ Settled(tier uint32) bool }

// A Stander says of a link that waits how it stands with the selection.
type Stander interface {
	Stands(item frontier.Item) string
}

// Visit is what a selector hears of a visit.
type Visit struct {
	Item     frontier.Item
	Page     bool    // it brought a page, and no mere list of links
	Raw      float64 // how relevant the page is, as the judge counts it before rescaling
	Relevant bool    // it is a find: of the topic, no copy, and nobody keeps it out
	Links    []Link  // those of the page that entered
}

// Link is a link that entered the frontier.
type Link struct {
	ID      uint64
	Score   float32
	Numbers []float32 // the tree of the score
}

// Frontier is what a selector asks of a frontier.
type Frontier interface {
	frontier.Holder
	frontier.Finder
	frontier.Rescorer
	frontier.Counter
}

// Setting is the crawl as far as a selector knows it.
type Setting struct {
	Frontier Frontier
	Memory   *rank.Memory                                       // of the strategy
	Alt      func(numbers []float32) float32                    // the score in the strategy's second order
	Push     func(m Mutant, tier uint32) (id uint64, err error) // lets an address in that no page links to; 0 if it was refused
	From     func(page, item uint64) ([]float32, bool)          // the tree of an item that waits as it is now, by the links of one page, or of any (0)
	Seed     uint64                                             // of all lots
	Rounds   int                                                // how many rounds or generations there may be; 0 means no bound
	Ahead    int                                                // how many visits go on at the same time
}

// Rule is what a selection does, by its parameters.
type Rule[P any] struct {
	Order    func(p P, seed uint64) Order  // nil orders by what links promise
	Anyway   func(p P) bool                // tells whether links are ordered by something else than their promise; nil means no
	Selector func(p P, o Setting) Selector // nil where nothing is held back
	Stands   bool                          // its selector is a Stander
}

// rule is a Rule for the selections of whichever strategy.
type rule struct {
	order    func(s rank.Selection, seed uint64) Order
	anyway   func(s rank.Selection) bool
	selector func(s rank.Selection, o Setting) Selector
	stands   bool
}

var rules = map[string]rule{}

// Register adds a selection, which strategy files name from then on: select: {use: name, with: {…}}. defaults are its
// parameters, a struct whose fields have yaml, doc and check tags, or struct{}{} where it has none. It is called before a
// strategy is loaded, and panics on a name that is taken.
func Register[P comparable](name string, defaults P, r Rule[P]) {
	rank.AddSelection(name, defaults, r.Selector != nil)
	does(name, r)
}

// does says what a selection does that package rank has given its parameters.
func does[P any](name string, r Rule[P]) {
	params := func(s rank.Selection) (p P) {
		if own, ok := s.Params.(*P); ok {
			p = *own
		}
		return p
	}
	own := rule{stands: r.Stands}
	if r.Order != nil {
		own.order = func(s rank.Selection, seed uint64) Order { return r.Order(params(s), seed) }
	}
	if r.Anyway != nil {
		own.anyway = func(s rank.Selection) bool { return r.Anyway(params(s)) }
	}
	if r.Selector != nil {
		own.selector = func(s rank.Selection, o Setting) Selector { return r.Selector(params(s), o) }
	}
	rules[name] = own
}

// Reading is a selector for who reads what a crawl has learned, and has no frontier; ok is false where the selection says
// nothing of links that wait.
func Reading(s rank.Selection) (sel interface {
	Selector
	Stander
}, ok bool) {
	if r := rules[s.Use]; r.stands {
		sel, ok = r.selector(s, Setting{}).(interface {
			Selector
			Stander
		})
	}
	return sel, ok
}

// OrderOf is the order of a selection. The seed is only for those that draw lots.
func OrderOf(s rank.Selection, seed uint64) Order {
	if r := rules[s.Use]; r.order != nil {
		return r.order(s, seed)
	}
	return byPromise
}

// ByPromise tells whether a selection orders by what links promise: in the others a new promise moves nothing.
func ByPromise(s rank.Selection) bool {
	r := rules[s.Use]
	return r.anyway == nil || !r.anyway(s)
}

// New makes the selector that a strategy asks for; nil if it asks for none.
func New(s rank.Selection, o Setting) Selector {
	if r := rules[s.Use]; r.selector != nil {
		return r.selector(s, o)
	}
	return nil
}

// Place says where a link waits with a selector, before it is pushed; path is its tag path.
func Place(s Selector, f Frontier, item *frontier.Item, path string) {
	var known frontier.Item
	if id := f.Find(item.Known()); id != 0 {
		var state frontier.State
		if known, state = f.Get(id); state == frontier.Dropped {
			known = frontier.Item{} // it waits anew
		}
	}
	s.Hold(item, path, known)
}

// Settled tells of a tier that was let go in an order which stands.
func Settled(s Selector, tier uint32) bool {
	settler, ok := s.(Settler)
	return ok && settler.Settled(tier)
}

// Stay keeps what waits in a settled tier where it is, before its address is pushed once more.
func Stay(s Selector, f Frontier, item *frontier.Item) {
	if stands := f.Standing(f.Find(item.Known())); stands.State == frontier.Waiting && Settled(s, stands.Tier) {
		item.Tier, item.Score, item.Alt = stands.Tier, stands.Score, stands.Alt
	}
}

// lessons are what a selector has learned and told nobody.
type lessons[L any] struct{ untold []L }

// Lesson is what was learned since Lesson was last asked; nil if nothing was.
func (l *lessons[L]) Lesson() []byte {
	if len(l.untold) == 0 {
		return nil
	}
	lesson := asSaved(l.untold)
	l.untold = nil
	return lesson
}

// again learns what a Lesson tells.
func again[L any](lesson []byte, of string, learn func(L)) error {
	if len(lesson) == 0 {
		return nil
	}
	var told []L
	if err := json.Unmarshal(lesson, &told); err != nil {
		return fmt.Errorf("saved lesson of %s: %w; start the crawl afresh", of, err)
	}
	for _, l := range told {
		learn(l)
	}
	return nil
}

// asSaved is a value as it is saved: the same value gives the same bytes.
func asSaved(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a state that cannot be written: %v", err)) // all of them are numbers and text
	}
	return b
}
