package selection

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
)

func init() {
	does("genetic", Rule[rank.Genetic]{Selector: newGenetic})
}

// genetic visits links generation by generation (Zhang and Yuan 2012). The pages of a generation that are relevant are
// its population; when all of it is visited, crossover breeds the addresses of the next from it, and mutation brings in
// others. Whatever else waits is given up, or waits for a later generation. Start pages are generation 0.
type genetic struct {
	rank.Genetic
	memory   *rank.Memory
	alt      func(numbers []float32) float32
	push     func(m Mutant, tier uint32) (id uint64, err error)
	from     func(page, item uint64) ([]float32, bool)
	frontier Frontier
	seed     uint64
	most     int // generations
	lessons[generationLesson]
	generationState
}

// generationState is what a generation is made of, to be saved.
type generationState struct {
	Generation uint32             `json:"generation"`
	Population []individual       `json:"population,omitempty"`
	Bred       map[uint64]lineage `json:"bred,omitempty"` // the open generation, by item
}

// individual is a page of the population, with its links as genes.
type individual struct {
	Item      uint64  `json:"i"`
	Relevance float64 `json:"r"`
	Links     []gene  `json:"l,omitempty"`
}

// gene is a link: where it leads, its fitness, and how the tree came to that.
type gene struct {
	Item uint64  `json:"i"`
	Fit  float32 `json:"f"`
	Tree []byte  `json:"t,omitempty"` // the numbers below the first, as bytes: some are NaN, which JSON does not know
}

func newGene(f *Link) gene {
	g := gene{Item: f.ID, Fit: f.Score}
	if len(f.Numbers) > 1 {
		g.Tree, _ = binary.Append(nil, binary.LittleEndian, f.Numbers[1:]) // floats can always be written
	}
	return g
}

// numbers explain the fitness a link was bred by, which is the first of them.
func (g gene) numbers() []float32 {
	numbers := make([]float32, 1+len(g.Tree)/4)
	numbers[0] = g.Fit
	binary.Decode(g.Tree, binary.LittleEndian, numbers[1:])
	return numbers
}

// lineage is how an address was bred.
type lineage struct {
	By         string  `json:"by"` // crossover, chance, survival, directory or root
	Parent     uint64  `json:"of"`
	Partner    uint64  `json:"with,omitempty"` // of a crossover in pairs: whose link it was
	Importance float64 `json:"p"`              // of the parent; of a link that mutation drew, its own
	Fit        float32 `json:"f"`
	Gain       float32 `json:"g,omitempty"` // of a crossover in pairs: how much of Fit is due to the page it was given to
}

// generationLesson is one thing a genetic selection was told: a page, or that the next generation was bred.
type generationLesson struct {
	Page *individual        `json:"page,omitempty"`
	Bred map[uint64]lineage `json:"bred,omitempty"`
}

func newGenetic(p rank.Genetic, o Setting) Selector {
	o.Memory.Chart()
	if o.From == nil { // whoever scores no links again
		o.From = func(uint64, uint64) ([]float32, bool) { return nil, false }
	}
	return &genetic{Genetic: p, memory: o.Memory, alt: o.Alt, push: o.Push, from: o.From, frontier: o.Frontier, seed: o.Seed, most: o.Rounds}
}

// Hold gathers links for the next generation. The open one stands as it was bred: a link of it that is found once more is
// a gene of the page it was found on, and is neither raised nor visited earlier.
func (g *genetic) Hold(item *frontier.Item, _ string, known frontier.Item) {
	if item.Tier = frontier.Held; known.ID != 0 && known.Tier < frontier.Held {
		item.Tier, item.Score, item.Alt = known.Tier, known.Score, known.Alt
	}
}

// Told takes a page into the population if it is relevant.
func (g *genetic) Told(v *Visit) {
	if !v.Page || !(v.Raw >= g.R0) {
		return
	}
	in := individual{Item: v.Item.ID, Relevance: v.Raw}
	for i := range v.Links {
		in.Links = append(in.Links, newGene(&v.Links[i]))
	}
	g.learn(generationLesson{Page: &in})
	g.untold = append(g.untold, generationLesson{Page: &in})
}

// learn takes in a page or a new generation, when it happens and when a lesson is heard again.
func (g *genetic) learn(l generationLesson) {
	if l.Page != nil {
		g.Population = append(g.Population, *l.Page)
	}
	if l.Bred != nil {
		g.Generation++
		g.Population, g.Bred = nil, l.Bred
	}
}

// Open breeds the next generation once the open one has been visited: links of its pages cross, mutation adds addresses that no page
// need link to, and what was not chosen waits on or is given up. It happens while a visit ends, and what it changes in the frontier
// is kept with that visit's outcome, so that a crash leaves all of a generation or nothing of it.
func (g *genetic) Open(_ int, idle bool) (ended string, err error) {
	waiting := tierOf(g.frontier, frontier.Held)
	if !idle || len(waiting) == 0 && len(g.Population) == 0 {
		return "", nil
	}
	if g.most > 0 && int(g.Generation) >= g.most {
		return roundsUsedUp(g.most, "generation"), nil
	}
	bred, mutants := g.breed(waiting)
	if len(bred)+len(mutants) == 0 {
		return fmt.Sprintf("generation %d has no offspring fit enough", g.Generation), nil
	}
	next := g.Generation + 1
	all := map[uint64]lineage{}
	for _, child := range bred {
		all[child.item] = child.lineage
		if err := g.release(child, next); err != nil {
			return "", err
		}
	}
	for _, m := range mutants {
		id, err := g.push(m, next)
		if err != nil {
			return "", err
		}
		if _, crossed := all[id]; id != 0 && !crossed {
			all[id] = m.lineage
		}
	}
	for _, id := range waiting {
		if _, chosen := all[id]; !chosen && g.Rest == "given_up" {
			if err := g.frontier.Drop(id); err != nil {
				return "", err
			}
		}
	}
	g.learn(generationLesson{Bred: all})
	g.untold = append(g.untold, generationLesson{Bred: all})
	if len(all) == 0 {
		return fmt.Sprintf("generation %d has no offspring inside the scope", next-1), nil
	}
	return "", nil
}

// release lets a link go. It is explained by the numbers of the gene it was bred by, which are not those of the best link
// to its address where the page of that one does not breed.
func (g *genetic) release(c child, tier uint32) error {
	if item, _ := g.frontier.Get(c.item); !sameNumbers(item.Numbers, c.numbers) {
		if err := g.frontier.Rescore(c.item, item.Score, g.alt(c.numbers), c.numbers, nil); err != nil {
			return err
		}
	}
	return g.frontier.Promote(c.item, tier, c.Fit)
}

// sameNumbers compares explanations, in which NaN is the same as NaN.
func sameNumbers(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

// lots are drawn anew for each generation: the same seed draws the same.
func (g *genetic) lots() *rand.Rand { return rand.New(rand.NewPCG(g.seed, uint64(g.Generation)+1)) }

// Why says how the address was bred.
func (g *genetic) Why(item frontier.Item) string {
	o, ok := g.Bred[item.ID]
	if !ok || item.Tier == 0 {
		return ""
	}
	address := func(id uint64) string {
		parent, _ := g.frontier.Get(id)
		return parent.URL
	}
	said := fmt.Sprintf("generation %d, fitness %.4g", item.Tier, o.Fit)
	if o.Gain != 0 {
		said += fmt.Sprintf(" (%.4g, and %+.4g for the page it was given to)", o.Fit-o.Gain, o.Gain)
	}
	said += ": "
	switch {
	case o.By == byCrossover && o.Partner != 0:
		said += fmt.Sprintf("crossed into %s from %s", address(o.Parent), address(o.Partner))
	case o.By == byCrossover:
		said += "a link of " + address(o.Parent)
	case o.By == bySurvival:
		return said + fmt.Sprintf("a link of %s, left over from an earlier generation", address(o.Parent))
	case o.By == byChance:
		return said + fmt.Sprintf("a link of %s, drawn by mutation (its own importance %.3g)", address(o.Parent), o.Importance)
	default:
		said += fmt.Sprintf("the %s of %s, by mutation", o.By, address(o.Parent))
	}
	return said + fmt.Sprintf(" (importance %.3g)", o.Importance)
}

// State is the population so far, and how the open generation was bred.
func (g *genetic) State() []byte { return asSaved(g.generationState) }

// Restore takes back what State gave.
func (g *genetic) Restore(state []byte) error {
	var back generationState
	if err := json.Unmarshal(state, &back); err != nil {
		return fmt.Errorf("saved generation: %w; start the crawl afresh, or from an older snapshot", err)
	}
	g.generationState, g.untold = back, nil
	return nil
}

// Relearn is told a Lesson again.
func (g *genetic) Relearn(lesson []byte) error { return again(lesson, "a generation", g.learn) }

// Settled tells of a generation that was let go: it is visited in the order in which it was bred.
func (g *genetic) Settled(tier uint32) bool { return tier < frontier.Held }
