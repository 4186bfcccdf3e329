package page

import (
	"bytes"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// TestParseCost holds Parse to its aims against the tokenizer and the tree of golang.org/x/net/html over the same
// page. Rounds alternate and the shortest of each counts; where it does not hold there are more of them, so that a busy machine makes
// the test slower, not wrong.
func TestParseCost(t *testing.T) {
	if raced || testing.CoverMode() != "" || testing.Short() { // coverage counts in Parse, and not in the tokenizer
		t.Skip("costs are measured without the race detector, without coverage and without -short")
	}
	body := drawnPage(t)
	jobs := [3]func(){
		func() { Parse(body, drawnAddress, Options{}) },
		func() { tokenize(body) },
		func() {
			doc, _ := goquery.NewDocumentFromReader(bytes.NewReader(body))
			doc.Find("a").Each(func(_ int, s *goquery.Selection) { _ = s.Text() })
			_ = doc.Text()
		},
	}
	var best [3]time.Duration
	holds := func() bool { return 10*best[0] <= 18*best[1] }
	for round := 0; round < 100 || round < 3000 && !holds(); round++ {
		for i, job := range jobs {
			start := time.Now()
			job()
			if took := time.Since(start); round == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	parse, tokenizer, tree := best[0], best[1], best[2]
	t.Logf("Parse %v = %.2f of the tokenizer (%v) = %.2f of goquery (%v)", parse, float64(parse)/float64(tokenizer), tokenizer,
		float64(parse)/float64(tree), tree)
	if !holds() {
		t.Errorf("Parse takes %.2f times the tokenizer, want at most 1.8", float64(parse)/float64(tokenizer))
	}
	ours := testing.AllocsPerRun(5, jobs[0])
	theirs := testing.AllocsPerRun(5, jobs[1])
	t.Logf("%.0f allocations, the tokenizer %.0f", ours, theirs)
	if ours >= theirs {
		t.Errorf("%.0f allocations, want fewer than the tokenizer's %.0f", ours, theirs)
	}
}
