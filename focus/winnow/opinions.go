package winnow

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/opinion"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Heard is what a model said of the pages of which the second look is least sure.
type Heard struct {
	opinion.Answers
	Unsure int `json:"unsure"` // pages of which the second look is not sure
	In     int `json:"in"`     // pages that its word took in, and put out
	Out    int `json:"out"`
}

// unsureOdds is how far the log-odds of a page go at most of which the second look is not sure: there one of eight is told wrong.
const unsureOdds = 2

// odds are the log-odds of a page for a threshold.
func (r *Result) odds(i int, from float64) float64 {
	if from == 0 {
		return math.Inf(1)
	}
	return steepness * math.Log(max(r.unsaid[i], from/100)/from)
}

// hear asks a model about the pages of which the second look is least sure. What it says of a page stands, unless somebody has
// labelled the page; it is said in the page's record, and nothing is learned from it.
func (r *Report) hear(s *sheaf, c *Cut, o *Options) error {
	unsure, ask, err := r.parted(s, o)
	if err != nil {
		return err
	}
	answers, err := c.Ask(ask)
	if err != nil {
		return err
	}
	r.Heard, s.opinion = &Heard{Answers: answers, Unsure: len(unsure)}, map[uint64]opinion.Opinion{}
	for at, said := range answers.Of {
		v := &r.Verdicts[unsure[at]]
		s.opinion[v.ID] = said
		switch {
		case said.Relevant && !v.Kept:
			v.Kept = true
			r.Heard.In++
		case !said.Relevant && v.Kept:
			v.Kept = false
			r.Heard.Out++
		}
	}
	return nil
}

// parted are the pages of which it is not sure whether they are kept, the least sure first, and what a model is asked. It is tried on
// pages that surely belong to the topic or are foreign to it, wherever the cut is.
func (r *Report) parted(s *sheaf, o *Options) (unsure []int, ask opinion.Pages, err error) {
	pages := s.pages
	var sure, foreign []int
	for i := range pages {
		said, labelled := o.Labels[pages[i].URL]
		odds := r.odds(i, o.Threshold)
		switch {
		case labelled && said, !labelled && odds >= unsureOdds:
			sure = append(sure, i)
		case labelled, odds <= -unsureOdds:
			foreign = append(foreign, i)
		}
		if !labelled && math.Abs(r.odds(i, r.from)) < unsureOdds {
			unsure = append(unsure, i)
		}
	}
	slices.SortStableFunc(unsure, func(a, b int) int {
		return cmp.Compare(math.Abs(r.odds(a, r.from)), math.Abs(r.odds(b, r.from)))
	})
	sure, foreign = spread(sure), spread(foreign)
	texts := map[int]string{}
	for _, i := range slices.Concat(unsure, sure, foreign) {
		texts[i] = ""
	}
	err = s.readTexts(func(i int, text string) error {
		if _, asked := texts[i]; asked {
			texts[i] = text
		}
		return nil
	})
	shown := func(all []int) (some []opinion.Page) {
		for _, i := range all {
			some = append(some, opinion.Page{URL: pages[i].URL, Title: pages[i].Title, Text: texts[i]})
		}
		return some
	}
	return unsure, opinion.Pages{Unsure: shown(unsure), Sure: shown(sure), Foreign: shown(foreign)}, err
}

// mostShown is how many sure pages, and how many foreign ones, a model may be tried on.
const mostShown = 12

// spread are some pages from all over a crawl.
func spread(all []int) (some []int) {
	n := min(mostShown, len(all))
	for k := range n {
		some = append(some, all[len(all)*k/n])
	}
	return some
}

// opinionOf puts what a model said of a page into its record, unless a program has set a value of this name.
func (s *sheaf) opinionOf(r *sink.Record) error {
	said, ok := s.opinion[r.ID]
	if _, own := r.Data[dataOpinion]; !ok || own {
		return nil
	}
	raw, err := json.Marshal(said)
	if err == nil {
		if r.Data == nil {
			r.Data = map[string]json.RawMessage{}
		}
		r.Data[dataOpinion] = raw
	}
	return err
}

// dataOpinion is the name of what a model said of a page, among the values of its record.
const dataOpinion = "opinion"
