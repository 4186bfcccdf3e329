package selection

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/rank"
)

func init() {
	does("groups", Rule[rank.Groups]{Selector: newGroups, Stands: true, Order: insideGroups, Anyway: func(p rank.Groups) bool { return p.Inside == "random" }})
}

// insideGroups is the order of the links of one group.
func insideGroups(p rank.Groups, seed uint64) Order {
	if p.Inside == "random" {
		return byLot(seed)
	}
	return byPromise
}

// groups visits links by a bandit (SB-CLASSIFIER, Gauquier and others 2026). Links that stand in alike places of their
// pages, by their tag paths, wait together; a group is rewarded for every new target that the pages behind its links
// link to, and the next link is taken from the group of the best mean reward and bonus. A group in which nothing waits
// sleeps. Which links lead to targets is estimated by the spelling of their addresses, learned from what was fetched.
type groups struct {
	rank.Groups
	frontier Frontier
	ahead    int // how many links are let go at a time
	places   *learn.Clusters
	targets  *learn.Guess
	tries    []groupTries    // by group
	all      int             // tries of all groups
	found    int             // new targets on the page whose links are pushed
	picks    map[uint64]pick // why the links that were let go were
	lessons[groupLesson]
}

// groupTries is what became of a group's links.
type groupTries struct {
	Tries  int `json:"n"`
	Reward int `json:"r"` // new targets that were found on their pages
}

func (t groupTries) mean() float64 {
	if t.Tries == 0 {
		return 0
	}
	return float64(t.Reward) / float64(t.Tries)
}

// pick is why a link was let go.
type pick struct {
	Group int     `json:"g"`
	Tries int     `json:"n"`
	Mean  float64 `json:"m"`
	Bonus float64 `json:"b"`
}

// groupLesson is one thing the bandit was told: places it had not seen, what a visit brought, what was let go.
type groupLesson struct {
	Paths  []string        `json:"paths,omitempty"`
	Visit  *groupVisit     `json:"visit,omitempty"`
	Picked map[uint64]pick `json:"picked,omitempty"`
}

// groupVisit is what a visit taught.
type groupVisit struct {
	Item   uint64         `json:"i"`
	Group  int            `json:"g"` // from 1; 0 where it was not let go for a group
	Reward int            `json:"r,omitempty"`
	Page   *learn.Spelled `json:"p,omitempty"` // nil where there was no page
}

func newGroups(p rank.Groups, o Setting) Selector {
	g := &groups{Groups: p, frontier: o.Frontier, ahead: max(o.Ahead, 1)}
	g.forget()
	return g
}

func (g *groups) forget() {
	g.places, g.targets = learn.NewClusters(g.Alike), learn.NewGuess(g.Batch, g.Step)
	g.tries, g.all, g.found, g.picks, g.untold = nil, 0, 0, map[uint64]pick{}, nil
}

// place is the group of a tag path.
func (g *groups) place(path string) (group int, fresh bool) {
	group, fresh = g.places.Of(path)
	for len(g.tries) < g.places.Len() {
		g.tries = append(g.tries, groupTries{})
	}
	return group, fresh
}

// Hold lets a link wait in its group, which is that of its tag path; one that was found before stays in its own. A link whose address
// looks like a target's counts as a reward for the page it stands on, and may go first, past all groups.
func (g *groups) Hold(item *frontier.Item, path string, known frontier.Item) {
	if known.ID != 0 {
		item.Tier = known.Tier
		return
	}
	group, fresh := g.place(path)
	if fresh {
		g.untold = append(g.untold, groupLesson{Paths: []string{path}})
	}
	item.Tier = frontier.Held + 1 + uint32(group)
	if p, ok := g.targets.Probability(item.URL); ok && p >= 0.5 {
		g.found++
		if g.Targets == "first" {
			item.Tier, item.Score = 0, float32(p)
		}
	}
}

// Told rewards the group that a visit was for with the targets that were found on its page, which Hold has counted since the last
// visit, and teaches the classifier what the page's own address was worth.
func (g *groups) Told(v *Visit) {
	t := groupVisit{Item: v.Item.ID, Reward: g.found}
	g.found = 0
	if 0 < v.Item.Tier && v.Item.Tier < frontier.Held {
		t.Group = int(v.Item.Tier)
	}
	if v.Page {
		t.Page = &learn.Spelled{Word: v.Item.URL, Truth: v.Relevant}
	}
	g.learn(groupLesson{Visit: &t})
	g.untold = append(g.untold, groupLesson{Visit: &t})
}

// learn takes in what happened, when it happens and when a lesson is heard again: nothing else changes what the groups are worth.
func (g *groups) learn(l groupLesson) {
	for _, path := range l.Paths {
		g.place(path)
	}
	if t := l.Visit; t != nil {
		delete(g.picks, t.Item)
		if 0 < t.Group && t.Group <= len(g.tries) {
			tries := &g.tries[t.Group-1]
			tries.Tries++
			tries.Reward += t.Reward
			g.all++
		}
		if t.Page != nil {
			g.targets.Add(t.Page.Word, t.Page.Truth)
		}
	}
	maps.Copy(g.picks, l.Picked)
}

// Open keeps as many links let go as visits go on at the same time, and no more: the next choice is to know how the last turned out.
func (g *groups) Open(waiting int, _ bool) (ended string, err error) {
	for ; waiting < g.ahead; waiting++ {
		id, p, ok := g.best()
		if !ok {
			return "", nil
		}
		if err := g.frontier.Promote(id, 1+uint32(p.Group), g.frontier.Standing(id).Score); err != nil {
			return "", err
		}
		picked := groupLesson{Picked: map[uint64]pick{id: p}}
		g.learn(picked)
		g.untold = append(g.untold, picked)
	}
	return "", nil
}

// best is the first link of the group that is worth most, the first of equals; ok is false where all groups sleep.
func (g *groups) best() (first uint64, p pick, ok bool) {
	most := 0.0
	for group, t := range g.tries {
		var head uint64
		g.frontier.Each(frontier.Held+1+uint32(group), func(id uint64) bool {
			head = id
			return false
		})
		if head == 0 {
			continue
		}
		bonus, value := learn.UpperBound(t.mean(), g.Alpha, t.Tries, g.all)
		if !ok || value > most {
			first, p, ok, most = head, pick{group, t.Tries, t.mean(), bonus}, true, value
		}
	}
	return first, p, ok
}

// says tells a group, and what it was worth.
func (g *groups) says(p pick) string {
	if p.Tries == 0 {
		return fmt.Sprintf("group %d (%s), not tried before", p.Group+1, g.places.Name(p.Group))
	}
	return fmt.Sprintf("group %d (%s), mean %.4g of %d tries, bonus %.4g", p.Group+1, g.places.Name(p.Group), p.Mean, p.Tries, p.Bonus)
}

// Stands says what a link that waits waits for: in a group that is held, what the group is worth by now.
func (g *groups) Stands(item frontier.Item) string {
	group := int(int64(item.Tier) - int64(frontier.Held) - 1)
	if group < 0 || group >= len(g.tries) {
		return g.Why(item)
	}
	t := g.tries[group]
	bonus, _ := learn.UpperBound(t.mean(), g.Alpha, t.Tries, g.all)
	return g.says(pick{group, t.Tries, t.mean(), bonus})
}

// Why says what the group of a link was worth when it was chosen, which is no longer what it is worth now.
func (g *groups) Why(item frontier.Item) string {
	p, ok := g.picks[item.ID]
	switch {
	case ok:
		return g.says(p)
	case item.Tier == 0 && item.Via != 0 && len(item.Numbers) > 0:
		return fmt.Sprintf("its address is like those of targets: %.3f", item.Score)
	}
	return ""
}

// groupsState is all that the bandit has learned, to be saved.
type groupsState struct {
	Paths   []string         `json:"paths,omitempty"`
	Tries   []groupTries     `json:"tries,omitempty"`
	All     int              `json:"all"`
	Picks   map[uint64]pick  `json:"picks,omitempty"`
	Targets learn.GuessState `json:"targets"`
}

// State is all that the bandit has learned.
func (g *groups) State() []byte {
	return asSaved(groupsState{g.places.Paths(), g.tries, g.all, g.picks, g.targets.State()})
}

// Restore takes back what State gave.
func (g *groups) Restore(state []byte) error {
	var back groupsState
	err := json.Unmarshal(state, &back)
	if err == nil {
		g.forget()
		for _, path := range back.Paths {
			g.place(path)
		}
		if !g.targets.Restore(back.Targets) || len(back.Tries) != len(g.tries) {
			err = errors.New("it is not whole")
		}
	}
	if err != nil {
		return fmt.Errorf("saved groups: %w; start the crawl afresh, or from an older snapshot", err)
	}
	copy(g.tries, back.Tries)
	g.all = back.All
	maps.Copy(g.picks, back.Picks)
	return nil
}

// Relearn is told a Lesson again.
func (g *groups) Relearn(lesson []byte) error { return again(lesson, "groups", g.learn) }
