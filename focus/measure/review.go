package measure

import (
	"fmt"
	"math"
)

// Opinion is what a judge says of a page.
type Opinion int8

// The opinions. Unknown is that of a judge who was not shown the page.
const (
	Unknown Opinion = iota
	Irrelevant
	Relevant
)

// Say is the opinion of a judge who has seen the page.
func Say(relevant bool) Opinion {
	if relevant {
		return Relevant
	}
	return Irrelevant
}

// Review is a crawl judged again: what the crawl's own judge and an independent one say of each page, in the order
// they were fetched.
type Review struct {
	Own, Other []Opinion
}

// Figures are what one judge's opinions come to. Pages without an opinion are in none of them.
type Figures struct {
	Judged   int     `json:"judged"`   // pages with an opinion
	Relevant int     `json:"relevant"` // of them
	Harvest  float64 `json:"harvest"`
	Drift    float64 `json:"drift"`  // 1 - harvest
	Recent   float64 `json:"recent"` // harvest of the last window
	Slope    float64 `json:"slope"`  // change of windowed drift from the first window to the last
}

// Agreement says how the two judges go together, over the pages of which both have an opinion.
type Agreement struct {
	Both      int     `json:"both"` // found relevant by both
	OwnOnly   int     `json:"own_only"`
	OtherOnly int     `json:"other_only"`
	Neither   int     `json:"neither"`
	Precision float64 `json:"precision"` // share of what the crawl found relevant that is
	Kappa     float64 `json:"kappa"`     // Cohen's: 1 is full agreement, 0 what chance would give
}

// Window is how both judges see the last pages before a place of the crawl. A harvest is NaN where the judge has no
// opinion on any of them.
type Window struct {
	Page       int
	Own, Other float64
}

// Figures reads off the opinions of one judge over windows of w pages.
func (r Review) Figures(of []Opinion, w int) Figures {
	var f Figures
	for _, o := range of {
		if o != Unknown {
			f.Judged++
		}
		if o == Relevant {
			f.Relevant++
		}
	}
	f.Harvest = ratio(f.Relevant, f.Judged)
	f.Drift = 1 - f.Harvest
	if f.Judged == 0 {
		f.Drift = 0
	}
	w = min(w, len(of))
	first, last := windowed(of[:w]), windowed(of[len(of)-w:])
	if last == last {
		f.Recent = last
	}
	if last == last && first == first {
		f.Slope = first - last
	}
	return f
}

// windowed is the harvest among the opinions of a window.
func windowed(of []Opinion) float64 {
	relevant, judged := 0, 0
	for _, o := range of {
		if o != Unknown {
			judged++
		}
		if o == Relevant {
			relevant++
		}
	}
	if judged == 0 {
		return math.NaN()
	}
	return float64(relevant) / float64(judged)
}

// Windows are the harvests of the last w pages, at so many places of the crawl.
func (r Review) Windows(w, places int) []Window {
	var all []Window
	for i := 1; i <= places; i++ {
		n := len(r.Own) * i / places
		if n == 0 || len(all) > 0 && all[len(all)-1].Page == n {
			continue
		}
		from := max(0, n-w)
		all = append(all, Window{n, windowed(r.Own[from:n]), windowed(r.Other[from:n])})
	}
	return all
}

// Agreement compares the judges.
func (r Review) Agreement() Agreement {
	var a Agreement
	for i, own := range r.Own {
		switch other := r.Other[i]; {
		case own == Unknown || other == Unknown:
		case own == Relevant && other == Relevant:
			a.Both++
		case own == Relevant:
			a.OwnOnly++
		case other == Relevant:
			a.OtherOnly++
		default:
			a.Neither++
		}
	}
	a.Precision = ratio(a.Both, a.Both+a.OwnOnly)
	n := float64(a.Both + a.OwnOnly + a.OtherOnly + a.Neither)
	if n == 0 {
		return a
	}
	own, other := float64(a.Both+a.OwnOnly)/n, float64(a.Both+a.OtherOnly)/n
	chance := own*other + (1-own)*(1-other)
	if a.Kappa = 1; chance < 1 {
		a.Kappa = (float64(a.Both+a.Neither)/n - chance) / (1 - chance)
	}
	return a
}

// Charts draw windowed harvest and windowed drift of both judges side by side.
func (r Review) Charts(w, places int, own, other string) (harvest, drift *Chart) {
	lines := [4]Line{{Name: other}, {Name: own}, {Name: other}, {Name: own}}
	add := func(l *Line, page int, y float64) {
		if y == y {
			l.X, l.Y = append(l.X, float64(page)), append(l.Y, y)
		}
	}
	for _, at := range r.Windows(w, places) {
		add(&lines[0], at.Page, at.Other)
		add(&lines[1], at.Page, at.Own)
		add(&lines[2], at.Page, 1-at.Other)
		add(&lines[3], at.Page, 1-at.Own)
	}
	most := float64(max(len(r.Own), 1))
	x := "pages fetched"
	harvest = &Chart{X: x, Y: fmt.Sprintf("harvest of the last %d pages", w), XMax: most, YMax: 1, Lines: lines[:2]}
	drift = &Chart{X: x, Y: fmt.Sprintf("drift of the last %d pages", w), XMax: most, YMax: 1, Lines: lines[2:]}
	return harvest, drift
}
