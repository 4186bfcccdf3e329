package audit

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Course is what the course of a crawl shows of pages that are not in its harvest.
type Course struct {
	Kept     int     `json:"kept"`
	Dropped  int     `json:"dropped"`            // pages that were looked at again and are not kept
	Expected float64 `json:"expected"`           // relevant ones among them, by the second look
	Unseen   int     `json:"unseen"`             // pages that were clearly foreign, dropped, and not looked at again,
	Sampled  int     `json:"sampled"`            // those of their kind that were, kept or not,
	Found    float64 `json:"found"`              // and relevant ones among these, by the second look
	Late     int     `json:"late"`               // of the last visits those that promised least,
	Yielded  int     `json:"yielded"`            // and how many of them are kept
	Known    int     `json:"known"`              // what the last visits brought that had been linked before them,
	New      int     `json:"new"`                // and what only they led to
	Waiting  int     `json:"waiting"`            // links
	Blind    string  `json:"blind,omitempty"`    // why it shows nothing of what waits
	Unjudged string  `json:"unjudged,omitempty"` // why it shows nothing at all: the second look stood back
}

// Remains is how much of a topic is not in a harvest: relevant pages that were fetched and are not kept, that wait, and that are
// left on the web, those that wait among them. What cannot be known is null, and Silent says why.
type Remains struct {
	Missed  *Interval `json:"missed"`
	Waiting *Interval `json:"waiting"`
	Left    *Interval `json:"left"`
	Silent  string    `json:"silent,omitempty"`
}

// How far a count by a judge may be from the truth where nobody has audited it, as the deviation of its logarithm: of what it keeps,
// by which 95 of 100 lie within a factor of 2.4, and of what it drops, of which it is less sure: within a factor of four.
const (
	doubt      = .45
	doubtBelow = .7
)

// fewLate is how many of the last visits it takes, and few how wide an interval may be of a harvest that is small.
const (
	fewLate = 20
	few     = 20
)

// Remains is what a crawl has not harvested, by its course and by the audit of its harvest; nil is none.
//
// A crawl that learns what links are worth visits what promises most. So a link that waits is worth as much as those of the last visits that promised least, or
// less: their yield is the most that it can have, and anything from nothing to that is taken for equally likely. What the pages
// that wait would lead to is taken from what the last visits led to. Where the interval would be wider than all that is kept,
// nothing is said: the crawl was still finding pages, and how many nobody knows.
func (c *Course) Remains(f *Figures) Remains {
	var r Remains
	if c.Unjudged != "" {
		r.Silent = c.Unjudged
		return r
	}
	random := rand.New(rand.NewPCG(uint64(c.Dropped), uint64(c.Waiting)))
	about, sure := f.per()
	var missed, waiting, left span
	for range draws {
		m := c.missed(random, math.Exp(doubtBelow*random.NormFloat64()))
		missed.add(m, m)
		most := beta(random, float64(c.Yielded)+jeffreys, float64(c.Late-c.Yielded)+jeffreys)
		counts := math.Exp(about + sure*random.NormFloat64())
		w := binomial(random, c.Waiting, min(most*random.Float64()*counts, 1))
		waiting.add(w, w)
		fresh := beta(random, float64(c.New)+1, float64(c.Known)+1)
		w /= 1 - min(fresh, .999)
		left.add(w, w)
	}
	m := missed.interval()
	if f != nil {
		m = f.Missed
	}
	r.Missed = &m
	if r.Silent = c.Blind; r.Silent == "" && c.Late < fewLate {
		r.Silent = fmt.Sprintf("%d visits are too few to tell by", c.Late)
	}
	if r.Silent != "" {
		return r
	}
	most := float64(max(c.Kept, few))
	if w := waiting.interval(); w.High <= most {
		r.Waiting = &w
	} else {
		r.Silent = fmt.Sprintf("%d links wait, and of the %d last visits that promised least %d brought a page that is kept", c.Waiting, c.Late, c.Yielded)
		return r
	}
	switch l := left.interval(); {
	case l.High <= most:
		r.Left = &l
	case c.Known+c.New == 0:
		r.Silent = "the last visits brought nothing that is kept, and so do not tell whether what waits would lead to more"
	default:
		r.Silent = fmt.Sprintf("of the %d pages that the last visits brought %d were not known of before them", c.Known+c.New, c.New)
	}
	return r
}

// missed draws how many relevant pages were fetched and are not kept, where the second look tells of one page for so many. What of the
// clearly foreign pages is relevant is known by a sample alone: where none of it seems to be, some of the others still may.
func (c *Course) missed(r *rand.Rand, below float64) float64 {
	found := min(c.Found*below, float64(c.Sampled))
	unseen := beta(r, found+jeffreys, float64(c.Sampled)-found+jeffreys)
	return binomial(r, c.Dropped, min(c.Expected*below/float64(max(c.Dropped, 1)), 1)) + binomial(r, c.Unseen, unseen)
}

// per is how many relevant pages there are for one that is kept, as a logarithm, and how sure that is.
func (f *Figures) per() (about, sure float64) {
	if f == nil || f.Precision == nil || f.Recall == nil || !(f.Precision.Estimate > 0 && f.Recall.Estimate > 0) {
		return 0, doubt
	}
	wide := func(i *Interval) float64 { return math.Log(i.High/max(i.Low, .01)) / 3.92 }
	return math.Log(f.Precision.Estimate / f.Recall.Estimate), math.Hypot(wide(f.Precision), wide(f.Recall))
}
