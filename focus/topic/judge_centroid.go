package topic

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// Centre says what the judge centroid is made of, and which pages move it. What is 0 means its default.
type Centre struct {
	Words    int     // how many of the examples' most frequent words; centroidWords, as the source does not say
	Near     float64 // the cosine with an example above which a page moves it; 0: see nearness
	Share    float64 // under calibrate: on, the share of the nearest pages that may move it; 1: any; .05
	Clusters int     // how many clusters the examples are parted into, each with a centre of its own; 0: see clustersOf
}

// plainGate is how near a page must come to an example to move the centre, where nobody said how near, and there are too
// few examples to tell how near they come to each other, or nothing is calibrated.
const plainGate = .35

// centroidWords is how many words a centre is made of.
const centroidWords = 200

// complete puts the defaults where nothing is said.
func (c *Centre) complete() error {
	if c.Words == 0 {
		c.Words = centroidWords
	}
	if c.Share == 0 {
		c.Share = twentieth
	}
	if c.Words > 0 && c.Clusters >= 0 && 0 <= c.Near && c.Near <= 1 && 0 < c.Share && c.Share <= 1 {
		return nil
	}
	return fmt.Errorf("centre has words %d, near %v, share %v and clusters %d; want 1 or more, 0 to 1, more than 0 and at most 1, and 0 or more", c.Words, c.Near, c.Share, c.Clusters)
}

// centroid is the adaptive judge of Min and Huang (2015), which needs no training set: the mean of the examples'
// word counts, moved by every page that comes near one of the examples. Only the examples open the gate, never the
// centre or later pages, so that the topic does not drift from page to page. A topic whose examples fall into clusters has
// a centre for each, and a page counts by the one it is nearest to, and moves that one.
type centroid struct {
	words   *vocabulary
	profile *profile
	feature []int32 // by word number: which component it is, -1 if none
	names   []int32 // by component: the word number
	seeds   [][]float64
	centres []middle
	gate    float64
	seen    scale   // how near pages came to an example so far
	share   float64 // of the pages seen so far, that of the nearest which may move the centre; 1 is any
	l2      bool    // components are made one long before they enter the mean
}

func init() {
	Register("centroid", "the cosine with the mean of the example pages, which moves with every page that comes near one of them (topic.tf, topic.centre)",
		Traits{Pages: true}, struct{}{}, func(_ struct{}, m *Material) Judge { return newCentroid(m) })
}

func newCentroid(m *Material) *centroid {
	t := m.topic
	said := t.spec.Centre
	c := &centroid{words: t.words, profile: &t.profile, gate: cmp.Or(said.Near, plainGate), seen: newScale(), share: 1, l2: t.spec.TF == "l2"}
	c.choose(said.Words)
	for _, e := range t.profile.examples {
		seed := make([]float64, len(c.names))
		for i, w := range e.words {
			c.put(seed, w, e.tf[i])
		}
		c.seeds = append(c.seeds, c.scaled(seed))
	}
	c.centres = middles(c.seeds, clustersOf(c.seeds, said.Clusters))
	if len(c.centres) == 0 {
		c.centres = []middle{{}}
	}
	if m.Calibrate {
		c.share = said.Share
		if gate, ok := c.nearness(); ok && said.Near == 0 {
			c.gate = gate
		}
	}
	return c
}

// choose takes the most frequent words of the examples as components.
func (c *centroid) choose(words int) {
	total := make([]float64, len(c.profile.sum))
	for _, e := range c.profile.examples {
		for i, w := range e.words {
			total[c.words.ids[w]] += e.tf[i]
		}
	}
	for id, n := range total {
		if n > 0 {
			c.names = append(c.names, int32(id))
		}
	}
	slices.SortFunc(c.names, func(a, b int32) int {
		return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b))
	})
	c.names = c.names[:min(len(c.names), words)]
	c.feature = make([]int32, len(total))
	for i := range c.feature {
		c.feature[i] = -1
	}
	for i, id := range c.names {
		c.feature[id] = int32(i)
	}
}

// put adds the count of a word to a vector if the word is a component.
func (c *centroid) put(v []float64, word string, tf float64) {
	if id, ok := c.words.ids[word]; ok && int(id) < len(c.feature) && c.feature[id] >= 0 {
		v[c.feature[id]] += tf
	}
}

func (c *centroid) vector(b *Bag) []float64 {
	b.dense = append(b.dense[:0], make([]float64, len(c.names))...)
	for i, w := range b.words {
		c.put(b.dense, w, b.tf[i])
	}
	return c.scaled(b.dense)
}

func (c *centroid) scaled(v []float64) []float64 {
	if n := length(v); c.l2 && n > 0 {
		for i := range v {
			v[i] /= n
		}
	}
	return v
}

// nearness is the mean cosine between two examples less one standard deviation.
func (c *centroid) nearness() (float64, bool) {
	var all []float64
	for i := range c.seeds {
		for j := range i {
			all = append(all, learn.Cosine(c.seeds[i], c.seeds[j]))
		}
	}
	if len(all) < 2 {
		return 0, false
	}
	m, sd := 0.0, 0.0
	for _, x := range all {
		m += x / float64(len(all))
	}
	for _, x := range all {
		sd += square(x-m) / float64(len(all))
	}
	return max(m-math.Sqrt(sd), 0), true
}

// nearest is the cosine of a page and the example that it is nearest to.
func (c *centroid) nearest(v []float64) float64 {
	most := 0.0
	for _, s := range c.seeds {
		most = max(most, learn.Cosine(v, s))
	}
	return most
}

// opens tells whether a page moves the centre: it is nearer than the gate to an example, among the nearest share of all
// pages seen so far (what the examples have in common they may share with every page of the web; the first pages only
// show how near such pages come), and not an example itself.
func (c *centroid) opens(nearest float64) bool {
	if c.share < 1 && (c.seen.pages < readyPages || nearest < c.seen.hi) {
		return false
	}
	return nearest > c.gate && nearest < 1-1e-9
}

// moved is the centre after one more page: the mean of all that ever entered it.
func moved(centre, v []float64, n int) []float64 {
	next := make([]float64, len(centre))
	for i := range centre {
		next[i] = (float64(n)*centre[i] + v[i]) / float64(n+1)
	}
	return next
}

// Score judges a page as if the centre had taken it in already, as the source does: learn follows. A part of a page
// moves nothing.
func (c *centroid) Score(b *Bag, why []Evidence) (float64, []Evidence) {
	v := c.vector(b)
	mid := c.centres[nearestOf(c.centres, v)]
	centre := mid.at
	if !b.part && c.opens(c.nearest(v)) {
		centre = mid.moved(v)
	}
	both := length(v) * length(centre)
	if both == 0 {
		return 0, why
	}
	raw := 0.0
	for i, w := range b.words {
		id, ok := c.words.ids[w]
		if !ok || int(id) >= len(c.feature) || c.feature[id] < 0 {
			continue
		}
		k := c.feature[id]
		if added := v[k] * centre[k] / both; added > 0 {
			raw += added
			why = append(why, Evidence{c.profile.surface[id], int(b.count[i]), added})
		}
	}
	return min(raw, 1), why
}

// Learn moves the centre if the page comes near enough.
func (c *centroid) Learn(b *Bag) {
	v := c.vector(b)
	nearest := c.nearest(v)
	if c.opens(nearest) {
		mid := &c.centres[nearestOf(c.centres, v)]
		mid.at = mid.moved(v)
		mid.updates++
	}
	if c.seen.add(nearest) {
		c.seen.hi = c.seen.from(c.share)
	}
}

// Counts tells words that are components.
func (c *centroid) Counts(word string) bool {
	id, ok := c.words.ids[word]
	return ok && int(id) < len(c.feature) && c.feature[id] >= 0
}

// LeaveOneOut is the mean cosine of an example with the mean of the others.
func (c *centroid) LeaveOneOut() (m float64, ok bool) {
	if len(c.seeds) < 2 {
		return 0, false
	}
	for i, s := range c.seeds {
		m += learn.Cosine(s, mean(c.seeds, i)) / float64(len(c.seeds))
	}
	return m, true
}

// State is where the centres are, and how near pages came.
func (c *centroid) State() []byte {
	var w writer
	for _, m := range c.centres {
		w.Count(m.updates)
		w.Count(len(m.at))
		for _, x := range m.at {
			w.Float64(x)
		}
	}
	w.scale(&c.seen)
	return w.Writer
}

// Restore takes it back.
func (c *centroid) Restore(state []byte) error {
	r := newReader(state)
	centres := slices.Clone(c.centres)
	for k := range centres {
		m := &centres[k]
		m.updates = r.uint()
		if n := r.Count(8); n != len(m.at) {
			return errors.New("the centre is of other examples than these: start the crawl afresh")
		}
		m.at = make([]float64, len(m.at))
		for i := range m.at {
			m.at[i] = r.Float64()
		}
	}
	seen := r.scale()
	if err := r.err(); err != nil {
		return err
	}
	c.centres, c.seen = centres, seen
	return nil
}

// mean of vectors, the one numbered without left out.
func mean(all [][]float64, without int) []float64 {
	if len(all) == 0 {
		return nil
	}
	m, n := make([]float64, len(all[0])), 0.0
	for i, v := range all {
		if i == without {
			continue
		}
		n++
		for k, x := range v {
			m[k] += x
		}
	}
	for k := range m {
		m[k] /= max(n, 1)
	}
	return m
}

func length(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}
