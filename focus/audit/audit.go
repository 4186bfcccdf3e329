// Package audit answers one question: how much of the topic does a harvest have? From the pages that a crawl fetched some are
// drawn by lot, from each stratum of the judge's number; what somebody says of them gives precision and recall of the harvest
// with 95 % intervals. What a crawl has not kept is estimated from its Course, too. It knows no run, and no more of a page than its
// address and its number.
//
// The lot of a page hangs on the seed and its address alone, and each stratum is asked from its lowest lot on. So the same
// pages are drawn each time, an audit that stopped goes on where it was, and one that asks for more begins with what was
// answered. Labels of pages that somebody chose are no sample: they count for their own pages, which are then known, and
// say nothing of others.
package audit

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
)

// Page is a page that was fetched and judged.
type Page struct {
	URL    string
	Number float64 // the judge's, in [0,1]
	Kept   bool
	// Foreign pages, of which the judge is sure, are a stratum of their own. Those of them that are First have lots before the
	// others, because they can be shown; which these are must not hang on what they are about.
	Foreign, First bool
}

// Stratum are pages whose numbers are alike, and what is known of them.
type Stratum struct {
	Name     string  `json:"name"` // kept, near miss, dropped or foreign
	From     float64 `json:"from"` // the lowest number in it
	To       float64 `json:"to"`
	Pages    int     `json:"pages"`
	Known    int     `json:"known"` // labelled by somebody's choice: they are not drawn
	KnownIn  int     `json:"known_relevant"`
	Asked    int     `json:"asked"` // drawn and answered
	Relevant int     `json:"relevant"`

	kept  bool
	queue []string // addresses in the order of their lots
	next  int      // the place of the one that is asked next
}

// Audit is an audit under way.
type Audit struct {
	Strata []Stratum
	at     int    // the stratum that Next has drawn from
	past   []step // of Answer and Pass, the latest last
}

// step is what was done with one page.
type step struct {
	at              int // its stratum
	asked, relevant int // what it added there
}

// How pages are parted, and how long each part is asked.
const (
	keptStrata = 3
	leastPages = 12     // of a stratum of kept pages, where there are several
	nearFrom   = 2. / 3 // times the threshold: a near miss
	firstRound = 2      // answers of each stratum, before any is asked for what its answers are worth
	precise    = .2     // kept pages are asked about until the interval of precision is so wide
)

// New parts pages into strata, and draws lots. threshold is the number from which a page is kept; labels tell what is known of
// pages by their addresses.
func New(pages []Page, threshold float64, labels map[string]bool, seed uint64) *Audit {
	pages = slices.Clone(pages)
	slices.SortFunc(pages, func(a, b Page) int { return cmp.Or(cmp.Compare(b.Number, a.Number), cmp.Compare(a.URL, b.URL)) })
	var kept, near, dropped, foreign []Page
	for _, p := range pages {
		switch {
		case p.Kept:
			kept = append(kept, p)
		case p.Foreign:
			foreign = append(foreign, p)
		case p.Number >= nearFrom*threshold:
			near = append(near, p)
		default:
			dropped = append(dropped, p)
		}
	}
	a := &Audit{}
	parts := min(keptStrata, max(1, len(kept)/leastPages))
	for i := range parts {
		a.add("kept", kept[len(kept)*i/parts:len(kept)*(i+1)/parts], labels, seed)
	}
	a.add("near miss", near, labels, seed)
	a.add("dropped", dropped, labels, seed)
	a.add("foreign", foreign, labels, seed)
	return a
}

// add makes a stratum of pages that stand in the order of their numbers.
func (a *Audit) add(name string, pages []Page, labels map[string]bool, seed uint64) {
	if len(pages) == 0 {
		return
	}
	s := Stratum{Name: name, kept: pages[0].Kept, From: pages[len(pages)-1].Number, To: pages[0].Number, Pages: len(pages)}
	drawn := slices.DeleteFunc(slices.Clone(pages), func(p Page) bool {
		said, ok := labels[p.URL]
		if ok {
			s.Known++
		}
		if said {
			s.KnownIn++
		}
		return ok
	})
	slices.SortFunc(drawn, func(a, b Page) int {
		return cmp.Or(later(a)-later(b), cmp.Compare(lot(a.URL, seed), lot(b.URL, seed)), cmp.Compare(a.URL, b.URL))
	})
	for _, p := range drawn {
		s.queue = append(s.queue, p.URL)
	}
	a.Strata = append(a.Strata, s)
}

func later(p Page) int {
	if p.First || !p.Foreign {
		return 0
	}
	return 1
}

// lot is the lot of a page. The bits of the hash are mixed once more: addresses differ in their last letters, which move few.
func lot(url string, seed uint64) uint64 {
	h := fnv.New64a()
	h.Write(append(strconv.AppendUint(nil, seed, 10), ' ')) // it cannot fail
	h.Write([]byte(url))
	x := h.Sum64()
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Asked is how many answers there are.
func (a *Audit) Asked() (n int) {
	for i := range a.Strata {
		n += a.Strata[i].Asked
	}
	return n
}

// Next is the page to be asked about; ok is false where none is left. It is drawn where an answer is worth most: of each stratum
// some, then among kept pages while precision is not known well enough, then wherever recall gains most.
func (a *Audit) Next() (url string, ok bool) {
	a.at = -1
	best := -1.0
	value := a.values()
	for i := range a.Strata {
		if s := &a.Strata[i]; s.next < len(s.queue) && value[i] > best {
			a.at, best = i, value[i]
		}
	}
	if a.at < 0 {
		return "", false
	}
	s := &a.Strata[a.at]
	return s.queue[s.next], true
}

// Answer takes what was said of the page that Next gave.
func (a *Audit) Answer(relevant bool) {
	n := step{at: a.at, asked: 1}
	if relevant {
		n.relevant = 1
	}
	a.do(n)
}

// Pass leaves out the page that Next gave, of which nobody can say anything. It counts as what the others of its stratum are on the
// mean.
func (a *Audit) Pass() { a.do(step{at: a.at}) }

func (a *Audit) do(n step) {
	s := &a.Strata[n.at]
	s.next, s.Asked, s.Relevant = s.next+1, s.Asked+n.asked, s.Relevant+n.relevant
	a.past = append(a.past, n)
}

// Back takes the latest Answer or Pass back, of which there must be one, and answers whose it was: the page that Next gives next.
func (a *Audit) Back() (url string) {
	n := a.past[len(a.past)-1]
	a.past = a.past[:len(a.past)-1]
	s := &a.Strata[n.at]
	s.next, s.Asked, s.Relevant = s.next-1, s.Asked-n.asked, s.Relevant-n.relevant
	return s.queue[s.next]
}

// share is the share of relevant pages in what is not known of a stratum, as far as answers tell.
func (s *Stratum) share() float64 { return (float64(s.Relevant) + .5) / (float64(s.Asked) + 1) }

// rest is how many pages of it nobody has said anything of.
func (s *Stratum) rest() float64 { return float64(s.Pages - s.Known - s.Asked) }

// spread is the variance of the number of relevant pages in the rest, after so many more answers, if that is their share.
func (s *Stratum) spread(p, more float64) float64 {
	n, rest := float64(s.Asked)+more, s.rest()-more
	if rest <= 0 {
		return 0
	}
	return rest * (rest + n) * p * (1 - p) / (n + 1)
}

// values is what one more answer is worth in each stratum. Strata of kept pages are asked by their sizes, as if their shares were
// one: by its own few answers a stratum that came out badly would be asked no more, and the whole would be told too low.
func (a *Audit) values() []float64 {
	value := make([]float64, len(a.Strata))
	var kept, keptSpread, in, out float64 // pages kept, relevant ones in and out of them
	var all Stratum                       // the answers on kept pages
	open := false                         // kept pages can still be asked about
	for i := range a.Strata {
		s := &a.Strata[i]
		relevant := float64(s.KnownIn+s.Relevant) + s.rest()*s.share()
		if !s.kept {
			out += relevant
			continue
		}
		kept, in, keptSpread = kept+float64(s.Pages), in+relevant, keptSpread+s.spread(s.share(), 0)
		all.Asked, all.Relevant = all.Asked+s.Asked, all.Relevant+s.Relevant
		open = open || s.next < len(s.queue)
	}
	rough := open && keptSpread > (precise/3.92*kept)*(precise/3.92*kept)
	for i := range a.Strata {
		s := &a.Strata[i]
		share := s.share()
		if s.kept {
			share = all.share()
		}
		gain := s.spread(share, 0) - s.spread(share, 1)
		switch {
		case s.Asked < firstRound:
			value[i] = 1e300
		case rough && !s.kept:
			value[i] = 0
		case rough:
			value[i] = gain
		case s.kept:
			value[i] = gain * out * out // as recall hangs on relevant pages that are kept
		default:
			value[i] = gain * in * in
		}
	}
	return value
}
