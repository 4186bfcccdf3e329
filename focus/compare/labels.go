package compare

import (
	"errors"

	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/study"
)

// answers are so many labels for the second look, by address: of the pages that the command label would ask about after
// this crawl, in the rounds in which it would ask, answered as the web is labelled. asked are the places of their pages in
// the sums.
func (t *tracker) answers(n int, threshold float64) (labels map[string]bool, asked []int, err error) {
	truth, place := map[string]bool{}, map[string]int{}
	var judged []*study.Unlabelled
	for i := range t.pages {
		p := &t.pages[i]
		page, inside := t.number[p.URL]
		if !inside || t.unsaid(page) {
			continue
		}
		if _, twice := truth[p.URL]; !twice {
			truth[p.URL], place[p.URL] = t.relevant[page], t.place[i]
			judged = append(judged, &study.Unlabelled{Address: p.URL, Name: p.URL, Relevance: p.Relevance})
		}
	}
	l, err := study.LabellingOf(judged, nil, threshold, t.specimens, study.UsualPool)
	if err != nil {
		return nil, nil, err
	}
	labels = map[string]bool{}
	enough := errors.New("that is enough")
	err = l.Rounds(study.UsualRound, l.Train, func(c *study.Unlabelled) error {
		if len(labels) == n {
			return enough
		}
		labels[c.Address] = truth[c.Address]
		if at := place[c.Address]; at >= 0 {
			asked = append(asked, at)
		}
		l.Take(c.Page.Doc, truth[c.Address])
		l.Drop(c)
		return nil
	})
	if err != nil && !errors.Is(err, enough) {
		return nil, nil, err
	}
	return labels, asked, nil
}

// specimens are pages of the web as the command label reads them from one.
func (t *tracker) specimens(addresses []string) (map[string]study.Specimen, error) {
	all := map[string]study.Specimen{}
	for _, address := range addresses {
		if p, err := t.read.Page(address); err == nil { // else it was judged by what it redirects to
			all[address] = study.Specimen{Address: address, Title: p.Title, Doc: study.Document(p)}
		}
	}
	return all, nil
}

// without is what was kept but for some pages, by place.
func (t *tracker) without(places []int, took []bool) Kept {
	out := map[int]bool{}
	for _, at := range places {
		out[at] = true
	}
	s := measure.Sequence{Total: t.s.Total, Reach: t.s.Reach}
	var rest []bool
	for i, relevant := range t.s.Relevant {
		switch {
		case !out[i]:
			s.Relevant, rest = append(s.Relevant, relevant), append(rest, took[i])
		case relevant:
			s.Total--
			fallthrough
		default:
			s.Reach--
		}
	}
	return kept(s, rest)
}
