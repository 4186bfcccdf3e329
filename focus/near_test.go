package focus_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// TestASiteThatGivesMuchIsPutAsideWhole: a second look sees all pages of it, those that have none of the topic's words, too. Of another
// site it sees a sample of such.
func TestASiteThatGivesMuchIsPutAsideWhole(t *testing.T) {
	w := &web{pages: map[string]answer{}}
	var links strings.Builder
	add := func(address, text string) {
		body := "<title>" + text + "</title><p>"
		for k := range 60 {
			body += fmt.Sprintf("%s word%d ", text, 1000*len(w.pages)+k)
		}
		w.pages[address] = answer{status: 200, body: body}
		fmt.Fprintf(&links, "<a href=%q>%s</a> ", address, text)
	}
	for n := range 5 {
		add(fmt.Sprintf("http://manual.example/solar%d", n), fmt.Sprintf("Solar energy panel number%d", n))
	}
	for n := range 10 {
		add(fmt.Sprintf("http://manual.example/step%d", n), fmt.Sprintf("Press the button and wait number%d", n))
		add(fmt.Sprintf("http://elsewhere.example/step%d", n), fmt.Sprintf("Stroke the cat and wait number%d", n))
	}
	w.pages["http://start.example/"] = answer{status: 200, body: "<title>Links</title>" + links.String()}
	config := solarConfig(t, w)
	config.Seeds, config.SecondLook, config.Strategy.Name = []string{"http://start.example/"}, "likely", "breadth"
	config.Polite.PerHost, config.Polite.Parallel = 1, 1
	crawlWith(t, config)
	seen, near := map[string]int{}, map[string]int{}
	for s, err := range sink.ReadLooks(config.Store) {
		if err != nil {
			t.Fatal(err)
		}
		site := strings.Split(s.Record.FinalURL, "/")[2]
		if seen[site]++; s.Near {
			near[site]++
		}
	}
	if seen["manual.example"] != 15 || near["manual.example"] != 12 {
		t.Errorf("of 15 pages of the manual %d are put aside, %d because it gives much; want all, and all but the first three", seen["manual.example"], near["manual.example"])
	}
	if seen["elsewhere.example"] > 5 || near["elsewhere.example"] > 0 {
		t.Errorf("of 10 pages elsewhere %d are put aside, %d because their site gives much", seen["elsewhere.example"], near["elsewhere.example"])
	}
}
