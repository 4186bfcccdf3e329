package suggest

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// How candidates are found.
const (
	sureShare    = .33  // of the pages that are of the topic, the surest: words are taken from them
	foreignBelow = .2   // and those that they are held against
	leastPages   = 4    // on so many of the sure pages a word stands at least,
	leastShare   = .01  // and on such a share of them
	mostForeign  = .1   // a word of more of the foreign pages than this is no word of the topic
	prior        = 1000 // so many pages the background table counts as
	leastWithin  = 2    // so many times its odds on foreign pages of the same site a word's odds are on sure ones
	shortlisted  = 240  // words and phrases that are looked at closely
	against      = 60   // and words that speak against a page
	leastPlaces  = 3    // a word must stand in so many folders
)

// candidate is a word or a phrase that could be a term of the topic.
type candidate struct {
	words   [2]uint32 // the second is 0 for a single word
	term    string    // as it is written
	key     string    // as a cutter of pages has it
	worth   float64   // how surely it parts the two sides: standard deviations of log-odds
	against bool      // it stands on foreign pages
	foreign float64
	led     [2]float64 // pages of either side that links lead to which say it
}

// sides are the pages that words are taken from, with what each stands for.
type sides struct {
	of     []int8 // by reading: 1 sure, -1 foreign
	stands []float64
	folder []string
	site   []string
	sites  map[string]*[2]float64 // what the pages of either side come to, by site
	pages  [2]int
	weight [2]float64
	led    [2]float64 // those of either side that links lead to
}

func sidesOf(pages []Page, list []int, stands []float64) *sides {
	s := &sides{of: make([]int8, len(list)), stands: stands, folder: make([]string, len(list)), site: make([]string, len(list)), sites: map[string]*[2]float64{}}
	from := surest(pages, list)
	for n, i := range list {
		p := &pages[i]
		s.folder[n], s.site[n] = folder(p.URL), site(p.URL)
		switch {
		case p.Of >= from:
			s.of[n] = 1
			s.pages[0]++
			s.weight[0] += stands[n]
		case p.Of < foreignBelow:
			s.of[n] = -1
			s.pages[1]++
			s.weight[1] += stands[n]
		}
		if s.of[n] != 0 {
			s.count(s.sites, n)
		}
	}
	return s
}

// surest is how sure the surest pages are.
func surest(pages []Page, list []int) float64 {
	var of []float64
	for _, i := range list {
		if pages[i].Of >= .5 {
			of = append(of, pages[i].Of)
		}
	}
	slices.Sort(of)
	if len(of) == 0 {
		return 1
	}
	return of[len(of)-max(min(len(of), leastSides), int(sureShare*float64(len(of))))]
}

// tally is on how many pages of each side something stands.
type tally struct {
	sure, foreign float64
	pages         int // sure ones
}

// number is a candidate's own.
func (c *candidate) number() uint64 { return pair(c.words[0], c.words[1]) }

func pair(first, second uint32) uint64 { return uint64(first)<<32 | uint64(second) }

// shortlist are the words and phrases that part the sure pages from the foreign ones best.
func shortlist(x *lexicon, all []reading, s *sides, taken func(key string) bool) []candidate {
	singles := make([]tally, len(x.words))
	stamp := make([]int32, len(x.words))
	for n := range all {
		once(&all[n], func(w uint32) {
			if w != 0 && stamp[w] != int32(n+1) {
				stamp[w] = int32(n + 1)
				singles[w].add(s, n)
			}
		})
	}
	var found []candidate
	for w := 1; w < len(x.words); w++ {
		word := &x.words[w]
		if !word.counts || taken(word.key) {
			continue
		}
		found = s.weigh(found, &singles[w], candidate{words: [2]uint32{uint32(w)}, term: word.usual(), key: word.key})
	}
	for pair, t := range s.pairs(x, all, singles) {
		a, b := &x.words[pair>>32], &x.words[uint32(pair)]
		term, key := a.usual()+" "+b.usual(), a.key+" "+b.key
		if text.HasChinese(a.key) && text.HasChinese(b.key) {
			term, key = a.key+b.key, a.key+b.key
		}
		if t.against(s) || taken(key) || taken(a.key) || taken(b.key) {
			continue
		}
		found = s.weigh(found, t, candidate{words: [2]uint32{uint32(pair >> 32), uint32(pair)}, term: term, key: key})
	}
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.key, b.key)) })
	left := [2]int{shortlisted, against}
	return s.spread(all, slices.DeleteFunc(found, func(c candidate) bool {
		side := 0
		if c.against {
			side = 1
		}
		left[side]--
		return left[side] < 0
	}))
}

// once visits the words of a page.
func once(r *reading, visit func(w uint32)) {
	for _, words := range [][]uint32{r.title, r.body} {
		for _, w := range words {
			visit(w)
		}
	}
}

func (t *tally) add(s *sides, n int) {
	switch s.of[n] {
	case 1:
		t.sure += s.stands[n]
		t.pages++
	case -1:
		t.foreign += s.stands[n]
	}
}

// against tells of what stands on the foreign pages.
func (t *tally) against(s *sides) bool {
	return t.sure*s.weight[1] < t.foreign*s.weight[0]
}

// pairs are the phrases of two words that enough of the sure pages have. Only those are counted on the foreign ones: there are
// as many pairs as words on a page, and nearly all of them stand on one page alone.
func (s *sides) pairs(x *lexicon, all []reading, singles []tally) map[uint64]*tally {
	found := map[uint64]*tally{}
	least := s.least()
	enough := func(w uint32) bool { return w != 0 && singles[w].pages >= least }
	for _, side := range []int8{1, -1} {
		seen := map[uint64]int{}
		for n := range all {
			if s.of[n] != side {
				continue
			}
			for _, words := range [][]uint32{all[n].title, all[n].body} {
				for k := 1; k < len(words); k++ {
					a, b := words[k-1], words[k]
					if !enough(a) || !enough(b) || a == b || !phrased(&x.words[a], &x.words[b]) {
						continue
					}
					pair := pair(a, b)
					t := found[pair]
					if t == nil && side < 0 || seen[pair] == n+1 {
						continue
					}
					seen[pair] = n + 1
					if t == nil {
						t = &tally{}
						found[pair] = t
					}
					t.add(s, n)
				}
			}
		}
		for pair, t := range found {
			if t.pages < least {
				delete(found, pair)
			}
		}
	}
	return found
}

// phrased tells whether two words may make a phrase: both are words of one script, and at least one says something.
func phrased(a, b *word) bool {
	chinese := text.HasChinese(a.key)
	if chinese != text.HasChinese(b.key) || !a.counts && !b.counts {
		return false
	}
	return !chinese || a.counts && b.counts
}

// least is on how many sure pages a word stands at least.
func (s *sides) least() int {
	return max(leastPages, int(math.Ceil(leastShare*float64(s.pages[0]))))
}

// weigh appends a candidate where it parts the sides: by the log-odds of standing on a sure page and on a foreign one, with
// what the language has of the word as prior, in standard deviations (Monroe, Colaresi and Quinn, 2008).
func (s *sides) weigh(found []candidate, t *tally, c candidate) []candidate {
	c.against = t.against(s)
	if c.against && (t.foreign < leastPages || t.foreign < leastShare*s.weight[1]) ||
		!c.against && (t.pages < s.least() || t.foreign > mostForeign*s.weight[1]) {
		return found
	}
	c.foreign = t.foreign
	if c.worth = math.Abs(s.worth(c.key, t.sure, t.foreign)); c.worth < 2 {
		return found
	}
	return append(found, c)
}

// worth is how surely a word parts the sides that stands on so many pages of each. On sure pages it must be commoner than in
// the language at large, too: of two small samples of pages one has more of any usual word.
func (s *sides) worth(key string, sure, foreign float64) float64 {
	worth := zOf(sure, s.weight[0], foreign, s.weight[1])
	if worth < 0 {
		return worth
	}
	return min(worth, zOf(sure, s.weight[0], prior*math.Exp(-topic.Rarity(key)), prior))
}

// zOf is by how many standard deviations the log-odds of one side are above those of another.
func zOf(with, of, without, other float64) float64 {
	odds := math.Log((with + half) / (max(of-with, 0) + half) / (without + half) * (max(other-without, 0) + half))
	return odds / math.Sqrt(1/(with+half)+1/(without+half))
}

// half a page is added to every count, so that what was never met has odds.
const half = .5

// spread leaves out what only one place has, and what parts sites instead of pages: a word of one site's template, or its name,
// is no word of the topic, however many of the sure pages are that site's.
func (s *sides) spread(all []reading, list []candidate) []candidate {
	at := places(list)
	folders, with := make([]map[string]bool, len(list)), make([]map[string]*[2]float64, len(list))
	stamp := make([]int, len(list))
	for i := range list {
		folders[i], with[i] = map[string]bool{}, map[string]*[2]float64{}
	}
	for n := range all {
		for _, words := range [][]uint32{all[n].title, all[n].body} {
			for k, w := range words {
				for _, second := range [2]uint32{0, next(words, k)} {
					i, ok := at[pair(w, second)]
					if !ok || w == 0 || s.of[n] == 0 || stamp[i] == n+1 {
						continue
					}
					stamp[i] = n + 1
					if (s.of[n] == 1) != list[i].against {
						folders[i][s.folder[n]] = true
					}
					s.count(with[i], n)
				}
			}
		}
	}
	kept := list[:0]
	for i, c := range list {
		within := s.within(with[i])
		if c.against && within != leastWithin {
			within = 1 / within
		}
		side := 0
		if c.against {
			side = 1
		}
		ownSite := mainSite(with[i], side) > (1+mainSite(s.sites, side))/2
		if len(folders[i]) >= leastPlaces && within >= leastWithin && !ownSite {
			kept = append(kept, c)
		}
	}
	s.follow(all, kept)
	return kept
}

// places are where candidates stand in a list, by their numbers.
func places(list []candidate) map[uint64]int {
	at := make(map[uint64]int, len(list))
	for i := range list {
		at[list[i].number()] = i
	}
	return at
}

// mainSite is which share of the pages of a side the site has that has most of them.
func mainSite(by map[string]*[2]float64, side int) float64 {
	most, all := 0., 0.
	for _, site := range slices.Sorted(maps.Keys(by)) {
		n := by[site][side]
		most, all = max(most, n), all+n
	}
	if all == 0 {
		return 0
	}
	return most / all
}

// count counts a page of either side for its site.
func (s *sides) count(by map[string]*[2]float64, n int) {
	at := by[s.site[n]]
	if at == nil {
		at = &[2]float64{}
		by[s.site[n]] = at
	}
	if s.of[n] == 1 {
		at[0] += s.stands[n]
	} else {
		at[1] += s.stands[n]
	}
}

// within is how many times the odds of a word are on sure pages what they are on foreign ones of the same site (Mantel and
// Haenszel, 1959).
func (s *sides) within(with map[string]*[2]float64) float64 {
	yes, no, met := half, half, 0.
	for _, site := range slices.Sorted(maps.Keys(s.sites)) {
		all, has := s.sites[site], with[site]
		sum := all[0] + all[1]
		met += all[0] * all[1] / sum
		if has == nil {
			continue
		}
		yes += has[0] * (all[1] - has[1]) / sum
		no += has[1] * (all[0] - has[0]) / sum
	}
	if met < leastSides/2 { // no site has pages of both sides
		return leastWithin
	}
	return yes / no
}

// next is the word behind a place; 0 at the end.
func next(words []uint32, k int) uint32 {
	if k+1 < len(words) {
		return words[k+1]
	}
	return 0
}

// overlaps tells of two terms that would take words from each other: a page's words count for the longest term alone.
func overlaps(a, b string) bool {
	if text.HasChinese(a) || text.HasChinese(b) {
		return strings.Contains(a, b) || strings.Contains(b, a)
	}
	in := func(whole, part string) bool { return strings.Contains(" "+whole+" ", " "+part+" ") }
	return in(a, b) || in(b, a)
}
