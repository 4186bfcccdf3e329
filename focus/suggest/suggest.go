package suggest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Options say what is looked for, and how far.
type Options struct {
	Spec     topic.Spec // the topic as the file tells it, without its examples
	Examples bool       // it has examples
	Most     int        // suggestions; 0: as many as the terms have room for, see Propose
	Pages    int        // from so many pages words are taken; 0: 3000
	Untold   bool       // which verdicts each would move, and titles, are left out

	Again Again // of pages whose texts and links are not held
}

// Again reads the pages of a crawl again, and tells of each which one it is.
type Again func(take func(i int, seen *sink.Seen) error) error

// Why a change is suggested.
type Why string

// The reasons.
const (
	Parts   Why = "parts"   // it stands on pages of the topic, and hardly ever on others
	Strays  Why = "strays"  // it stands on pages that are kept and are not of the topic
	Hurts   Why = "hurts"   // it stands on foreign pages more often than on those of the topic
	Nowhere Why = "nowhere" // it stands on no page
)

// Suggestion is one change of the terms.
type Suggestion struct {
	Term          string
	Weight        float64 // in the scale of the file; 0: to be taken out
	Was           float64 // what it weighs in the file; 0: it is not there
	Why           Why
	Sure, Foreign float64 // on which share of the sure pages it stands, and of the foreign ones
	In, Out       int     // pages that would come in by this change alone, and go out
	Titles        []string
}

// Result is what could be changed.
type Result struct {
	Suggestions   []Suggestion
	Sure, Foreign int // pages that words were taken from
}

// How much is suggested. A page has the smaller a part of a topic the more terms this has, and the threshold is for about a
// dozen: where there are nearly as many, few are added, and none that the links do not prove. What nobody has written down
// weighs half of what somebody has: with the full weight, verdicts on pages with the old terms alone shift too far.
const (
	dozen      = 12
	usualMost  = 6
	leastMost  = 2
	usualPages = 3000
	beside     = .5  // of what a term of the file weighs
	leastWorth = 3   // standard deviations, see worth
	surely     = 4   // the same of a word that speaks against a page
	leastSides = 10  // pages of each side, with fewer no word is taken from them
	mostStrays = 2   // words against pages
	judgedFrom = 200 // pages, with fewer no term is said to stand nowhere
)

// TooFew tells of a crawl that has too few pages of a side.
type TooFew struct{ Sure, Foreign int }

func (e TooFew) Error() string {
	return fmt.Sprintf("%d pages are surely of the topic and %d surely not, and to take words from them takes %d of each: crawl more, or say of some pages what they are (thresher label)", e.Sure, e.Foreign, leastSides)
}

// Wordless tells of a topic in which terms make no difference.
type Wordless struct{ Judge string }

func (e Wordless) Error() string {
	return fmt.Sprintf("terms make no difference to judge %s, which is made of pages: label pages (thresher label), or give more examples", e.Judge)
}

// Propose says how the terms of a topic could be changed: terms to add, the most telling first, then words against stray
// pages, then terms to take out. The same pages give the same answer.
func Propose(pages []Page, o Options) (*Result, error) {
	if traits := topic.TraitsOf(o.Spec.Judge); traits.Trained || traits.Pages {
		return nil, Wordless{o.Spec.Judge}
	}
	list, stands := sample(pages, cmp.Or(o.Pages, usualPages))
	if o.Again != nil {
		if err := readAgain(pages, list, o.Again); err != nil {
			return nil, err
		}
	}
	s := sidesOf(pages, list, stands)
	r := &Result{Sure: s.pages[0], Foreign: s.pages[1]}
	if r.Sure < leastSides || r.Foreign < leastSides {
		return nil, TooFew{r.Sure, r.Foreign}
	}
	c, err := newChoice(pages, list, s, &o)
	if err != nil {
		return nil, err
	}
	room := dozen - c.stated
	most := cmp.Or(o.Most, min(max(room, leastMost), usualMost))
	r.Suggestions = c.parting(most)
	if o.Most == 0 || len(r.Suggestions) < most {
		r.Suggestions = append(r.Suggestions, c.strays(pages, list)...)
		r.Suggestions = append(r.Suggestions, c.idle()...)
	}
	if o.Most > 0 {
		r.Suggestions = r.Suggestions[:min(len(r.Suggestions), o.Most)]
	}
	if o.Untold {
		return r, nil
	}
	return r, r.tell(pages, &o)
}

// choice is the choosing under way.
type choice struct {
	*scale
	*sides
	open   []option
	own    []option // the terms of the file
	said   []int    // by page, how many suggestions stand on it
	unit   float64  // what a term of the file usually weighs
	stated int      // terms that speak for a page
}

// option is a term that could be added, or taken out.
type option struct {
	candidate
	posts []post
	was   float64
}

func newChoice(pages []Page, list []int, s *sides, o *Options) (*choice, error) {
	t, fresh, err := o.judging()
	if err != nil {
		return nil, err
	}
	cutter, err := text.NewCutter(text.Options{UserDict: o.Spec.UserDict, KeepStops: true, Tags: true})
	if err != nil {
		return nil, err
	}
	c := &choice{scale: newScale(t, o, fresh, len(list)), sides: s, said: make([]int, len(list)), unit: unitOf(o.Spec.Terms)}
	some, each := make([]Page, len(list)), make([]int, len(list))
	for n, i := range list {
		some[n], each[n] = pages[i], n
	}
	c.hear(some, each)
	x, all := readAll(cutter, pages, list, cmp.Or(o.Spec.Limit, text.DefaultLimit))
	known := t.Cutter().Keys()
	found := shortlist(x, all, s, func(key string) bool {
		return slices.ContainsFunc(known, func(k string) bool { return k != "" && (k == key || text.HasChinese(k) && strings.Contains(key, k)) })
	})
	posts := c.postings(all, found)
	for i := range found {
		c.open = append(c.open, option{candidate: found[i], posts: posts[i]})
	}
	for i, term := range t.Terms() {
		if c.voice.Weights[i] > 0 && !fresh[term.Term] {
			c.stated++
		}
		if slices.Contains(o.Spec.Terms, term) {
			c.own = append(c.own, option{candidate: candidate{term: term.Term, key: t.KeyOf(i)}, posts: c.terms[i], was: term.Weight})
		}
	}
	return c, nil
}

// unitOf is what a term usually weighs in a file.
func unitOf(terms []topic.Term) float64 {
	var weights []float64
	for _, t := range terms {
		if t.Weight > 0 {
			weights = append(weights, t.Weight)
		}
	}
	if len(weights) == 0 {
		return 1
	}
	slices.Sort(weights)
	return weights[len(weights)/2]
}

// postings are what each candidate has to say on each page.
func (c *choice) postings(all []reading, found []candidate) [][]post {
	at, begins := map[uint64]int{}, map[uint32]bool{}
	for i := range found {
		at[found[i].number()], begins[found[i].words[0]] = i, true
	}
	posts := make([][]post, len(found))
	tf := make([]float64, len(found))
	var met []int
	for n := range all {
		met = met[:0]
		for part, words := range [][]uint32{all[n].title, all[n].body} {
			counts := c.voice.Body
			if part == 0 {
				counts = c.voice.Title
			}
			for k, w := range words {
				if !begins[w] {
					continue
				}
				for _, second := range [2]uint32{0, next(words, k)} {
					if i, ok := at[pair(w, second)]; ok {
						if tf[i] == 0 {
							met = append(met, i)
						}
						tf[i] += counts
					}
				}
			}
		}
		for _, i := range met {
			posts[i] = append(posts[i], post{int32(n), float32(tf[i] / (tf[i] + c.slack[n]))})
			tf[i] = 0
		}
	}
	return posts
}

// parting chooses terms to add, one after the other: a sure page counts the less the more of those chosen stand on it, so that
// of two words for the same pages the second says little.
func (c *choice) parting(n int) (list []Suggestion) {
	full := dozen-c.stated <= leastMost
	for len(list) < n {
		best, most := -1, 0.
		for i := range c.open {
			a := &c.open[i]
			if a.against || c.misleads(&a.candidate) || full && !c.proven(&a.candidate) {
				continue
			}
			sure := 0.
			for _, p := range a.posts {
				if c.of[p.page] == 1 {
					sure += c.stands[p.page] / (1 + float64(c.said[p.page])/2)
				}
			}
			worth := c.worth(a.key, sure, a.foreign)
			if says := worth * math.Sqrt(topic.Rarity(a.key)); worth >= leastWorth && says > most { // a rare word says more to the judge, too
				best, most = i, says
			}
		}
		if best < 0 {
			break
		}
		list = append(list, c.accept(c.open[best], c.unit*beside, Parts))
	}
	return list
}

// accept makes a suggestion of an option, and closes those that would take words from it.
func (c *choice) accept(a option, weight float64, why Why) Suggestion {
	s := Suggestion{Term: a.term, Weight: weight, Was: a.was, Why: why}
	for _, p := range a.posts {
		c.said[p.page]++
		switch c.of[p.page] {
		case 1:
			s.Sure += c.stands[p.page] / c.weight[0]
		case -1:
			s.Foreign += c.stands[p.page] / c.weight[1]
		}
	}
	c.open = slices.DeleteFunc(c.open, func(other option) bool { return overlaps(other.key, a.key) })
	return s
}

// strays are words against pages: those that pages have which the terms keep and the second look does not believe, and that
// hardly any page has which it does believe.
func (c *choice) strays(pages []Page, list []int) (found []Suggestion) {
	if !topic.TraitsOf(c.topic.JudgeName()).Against {
		return nil
	}
	for len(found) < mostStrays {
		best, most := -1, leastPages-1
		for i := range c.open {
			a := &c.open[i]
			if !a.against || a.worth < surely {
				continue
			}
			stray, right := 0, 0
			for _, p := range a.posts {
				if c.kept(int(p.page)) {
					if pages[list[p.page]].Of < .5 {
						stray++
					} else {
						right++
					}
				}
			}
			if stray-5*right > most {
				best, most = i, stray-5*right
			}
		}
		if best < 0 {
			break
		}
		found = append(found, c.accept(c.open[best], -c.unit/2, Strays))
	}
	return found
}

// idle are the terms of the file that hurt, or say nothing. Whether a term hurts is asked of the pages that are best without it.
func (c *choice) idle() (found []Suggestion) {
	left := len(c.own)
	for _, a := range c.own {
		if left < 2 || a.was < 0 {
			continue
		}
		why := Why("")
		switch {
		case len(a.posts) == 0 && len(c.num) >= judgedFrom:
			why = Nowhere
		case c.hurts(&a):
			why = Hurts
		}
		if why != "" {
			left--
			found = append(found, c.accept(a, 0, why))
		}
	}
	return found
}

// hurts tells of a term that stands on foreign pages surely more often than on as many of the best pages as there are sure ones,
// when it is not counted itself.
func (c *choice) hurts(a *option) bool {
	weight := a.was * topic.Rarity(a.key)
	without := slices.Clone(c.num)
	has := make([]bool, len(without))
	for _, p := range a.posts {
		without[p.page] -= weight * float64(p.part)
		has[p.page] = true
	}
	order := make([]int, len(without))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(without[j], without[i]) })
	best, foreign := 0., 0.
	for rank, n := range order {
		switch {
		case rank < c.pages[0] && has[n]:
			best++
		case rank >= c.pages[0] && c.of[n] == -1 && has[n]:
			foreign += c.stands[n]
		}
	}
	return zOf(best, float64(c.pages[0]), foreign, c.weight[1]) < -leastWorth/2.
}
