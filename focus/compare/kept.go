package compare

import (
	"io"
	"strconv"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// Kept is what a crawl kept of the pages it fetched, by the labels. Precision and recall are of the pages that were
// fetched, so that they tell of the judge and not of the order; Reach counts what was never fetched as missed.
type Kept struct {
	Pages     int                `json:"pages"`
	Precision *float64           `json:"precision"` // nil where nothing was kept
	Recall    float64            `json:"recall"`
	F1        float64            `json:"f1"`
	Reach     map[string]float64 `json:"f1_of_reach"` // F1 of all that can be reached, after 5, 10, 20, 50 % of it were fetched
	Differ    *int               `json:"differ"`      // pages that the baseline fetched too, and gave the other verdict; nil where it was not measured
}

// verdict is what a crawl said of a page.
type verdict int8

const (
	unfetched verdict = iota
	dropped
	taken
)

// kept reads off the pages in the order in which they were fetched what was kept of them.
func kept(fetched measure.Sequence, took []bool) Kept {
	found := fetched.Kept(took, len(took))
	k := Kept{Pages: found.Kept, Recall: found.Recall(), F1: found.F1(), Reach: fetched.F1OfReach(took)}
	if found.Kept > 0 {
		right := found.Precision()
		k.Precision = &right
	}
	return k
}

// differ tells every crawl of one draw on how many pages its verdict is not the baseline's.
func differ(baseline []verdict, other []verdict) (n int) {
	for i := range min(len(baseline), len(other)) {
		if baseline[i] != unfetched && other[i] != unfetched && baseline[i] != other[i] {
			n++
		}
	}
	return n
}

// compared counts on how many pages the verdict of each crawl is not that of the baseline, or of what is in its place.
func (r *Result) compared() {
	base := map[string][][]verdict{}
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Strategy == r.Baseline {
			base[c.Web+"\t"+c.Topic] = c.draws
		}
	}
	for i := range r.Cells {
		c := &r.Cells[i]
		of := base[c.Web+"\t"+c.Topic]
		for d := range min(len(of), len(c.draws)) {
			c.Kept.Differ = added(c.Kept.Differ, differ(of[d], c.draws[d]))
		}
	}
}

// added is a count that may be none, and n more.
func added(to *int, n int) *int {
	if to != nil {
		n += *to
	}
	return &n
}

// differing is how many verdicts differ, or what stands where there is nothing to compare with.
func (k *Kept) differing(nothing string) string {
	if k.Differ == nil {
		return nothing
	}
	return strconv.Itoa(*k.Differ)
}

// meanKept is the mean over draws or topics; that of precision over those in which something was kept.
func meanKept(cells []Cell) Kept {
	of := func(figure func(*Cell) float64) float64 { return measure.Mean(across(cells, figure)) }
	m := Kept{
		Pages: int(of(func(c *Cell) float64 { return float64(c.Kept.Pages) }) + .5), Recall: of(func(c *Cell) float64 { return c.Kept.Recall }),
		F1: of(func(c *Cell) float64 { return c.Kept.F1 }), Reach: meanShares(cells, func(c *Cell) map[string]float64 { return c.Kept.Reach }),
	}
	var right []float64
	for i := range cells {
		k := &cells[i].Kept
		if k.Differ != nil {
			m.Differ = added(m.Differ, *k.Differ)
		}
		if k.Precision != nil {
			right = append(right, *k.Precision)
		}
	}
	if len(right) > 0 {
		mean := measure.Mean(right)
		m.Precision = &mean
	}
	return m
}

var keptHead = []string{"kept", "precision", "recall", "F1", "F1 at 5 %", "10 %", "20 %", "50 %", "verdicts that differ"}

// row is what a table tells of what was kept.
func (k *Kept) row() []string {
	row := []string{strconv.Itoa(k.Pages), none, three(k.Recall), three(k.F1)}
	if k.Precision != nil {
		row[1] = three(*k.Precision)
	}
	for _, share := range shares {
		row = append(row, threeAt(k.Reach, share))
	}
	return append(row, k.differing(none))
}

// keptText writes what was kept, of each strategy on the mean over its topics and then topic by topic; and after each what a
// second look makes of it, where there was one.
func (r *Result) keptText(w io.Writer, wide bool) error {
	var rows [][]string
	line := func(cells ...string) { rows = append(rows, cells) }
	tell := func(web, topic, strategy string, k *Kept, second *Second) {
		line(append([]string{web, topic, strategy}, k.row()...)...)
		if second != nil {
			line(append([]string{"", "", "second look"}, second.row(inEnglish)...)...)
			if second.Labelled != nil {
				line(append([]string{"", "", "with labels"}, second.labelledRow()...)...)
			}
		}
	}
	for i := range r.Means {
		m := &r.Means[i]
		tell("", "mean", m.Strategy, &m.Kept, m.Second)
	}
	for i := range r.Cells {
		c := &r.Cells[i]
		tell(c.Web, c.Topic, c.Strategy, &c.Kept, c.Second)
	}
	head := append([]string{"web", "topic", "strategy"}, keptHead...)
	return tabled(w, wide, []string{"strategy", "topic", "kept", "precision", "recall", "F1", "web"}, head, rows)
}
