package winnow

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// manual draws pages of eight sites; one of them is a manual that is of the topic as a whole. Of each chapter so large a share has enough
// of the topic's terms for the first look, and so many of 40 words a page has from all the manual, and the others from its chapter.
func manual(pages int, chapters []float64, common int) (all []Page, truth []bool) {
	r := rand.New(rand.NewPCG(3, 3))
	for i := range pages {
		of, chapter := i%3 == 0, i/3%len(chapters)
		site := fmt.Sprintf("site%d", i%7)
		if of {
			site = "manual"
		}
		p := Page{ID: uint64(i + 1), URL: fmt.Sprintf("https://%s.example/page%d", site, i), Relevance: .04 + .2*r.Float64()}
		for k := range 40 {
			words := "common"
			switch {
			case of && k < common:
				words = "frame"
			case of:
				words = fmt.Sprintf("chapter%d_", chapter)
			}
			p.Text += fmt.Sprintf("%s%d plain%d ", words, r.IntN(60), r.IntN(400))
		}
		if of && r.Float64() < chapters[chapter] {
			p.Relevance = .3 + .3*r.Float64()
		}
		all, truth = append(all, p), append(truth, of)
	}
	return all, truth
}

// TestASiteOfTheTopicIsKeptWhereItsPagesHaveFewTerms: a manual of a program has hundreds of pages, and most name one term of the
// topic, and seldom. The first look keeps a third of them; that the others stand in the same place and are written in the same words
// counts for them, and is not learned against them because they have few terms.
func TestASiteOfTheTopicIsKeptWhereItsPagesHaveFewTerms(t *testing.T) {
	for _, c := range []struct {
		name     string
		pages    int
		chapters []float64
		common   int
		near     bool // every other page that the first look does not keep has none of its terms
		want     int
	}{
		{"written alike", 900, []float64{.35}, 40, false, 210},
		{"chapters that speak of it less and less", 1800, []float64{.5, .4, .3, .2, .1, .05}, 20, false, 450},
		{"chapters, and half of the pages with none of its terms", 1800, []float64{.5, .4, .3, .2, .1, .05}, 10, true, 300},
	} {
		pages, truth := manual(c.pages, c.chapters, c.common)
		for i := range pages {
			if p := &pages[i]; c.near && i%2 == 0 && truth[i] && p.Relevance < .3 {
				p.Relevance, p.Near = 0, true
			}
		}
		looked := lookAt(t, pages, Options{})
		kept, right := 0, 0
		for i, v := range looked.Verdicts {
			if v.Kept {
				kept++
				if truth[i] {
					right++
				}
			}
		}
		if looked.Refused != "" || right < c.want || right < kept*95/100 {
			t.Errorf("%s: of %d pages of the topic %d are kept, want %d, and %d others: %s", c.name, c.pages/3, right, c.want, kept-right, looked.Refused)
		}
	}
}

// TestASiteAloneIsLearnedFrom: where all that was crawled is one site that gives much, its sample of clearly foreign pages is what the topic
// is not.
func TestASiteAloneIsLearnedFrom(t *testing.T) {
	pages, truth := manual(1200, []float64{1}, 40)
	for i := range pages {
		if p := &pages[i]; !truth[i] {
			p.Relevance = 0
		}
		pages[i].Near = true
	}
	looked := lookAt(t, pages, Options{})
	if looked.Refused != "" || looked.Foreign < 50 || looked.Foreign > 200 {
		t.Errorf("of 800 clearly foreign pages %d are learned from, want one of eight: %s", looked.Foreign, looked.Refused)
	}
}
