package winnow

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestASiteOfTheTopicIsKeptWhereItsPagesHaveFewTerms: a manual of a program has hundreds of pages, and most name one term of the
// topic, and seldom. The first look keeps a third of them; that the others stand in the same place and are written in the same words
// counts for them, and is not learned against them because they have few terms.
func TestASiteOfTheTopicIsKeptWhereItsPagesHaveFewTerms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var pages []Page
	var truth []bool
	for i := range 900 {
		of := i%3 == 0
		site, words := fmt.Sprintf("site%d", i%7), "common"
		if of {
			site, words = "manual", "frame"
		}
		p := Page{ID: uint64(i + 1), URL: fmt.Sprintf("https://%s.example/page%d", site, i), Relevance: .04 + .2*r.Float64()}
		for range 40 {
			p.Text += fmt.Sprintf("%s%d ", words, r.IntN(60))
			p.Text += fmt.Sprintf("plain%d ", r.IntN(400))
		}
		if of && r.Float64() < .35 {
			p.Relevance = .3 + .3*r.Float64()
		}
		pages, truth = append(pages, p), append(truth, of)
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
	if looked.Refused != "" || right < 210 || right < kept*95/100 {
		t.Errorf("of 300 pages of the topic %d are kept, and %d others: %s", right, kept-right, looked.Refused)
	}
}
