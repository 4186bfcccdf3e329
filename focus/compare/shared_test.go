package compare

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFloorsOfRealWebs sets breadth-first and the one-step oracle over two recorded webs against figures that were found
// by other means: recall after 10, 25 and 50 % of the reach.
func TestFloorsOfRealWebs(t *testing.T) {
	if os.Getenv("THRESHER_SHARED") != "1" {
		t.Skip("the recorded webs are asked for with THRESHER_SHARED=1")
	}
	webs := map[string]*graph{}
	for _, c := range []struct {
		web, topic      string
		breadth, oracle [3]float64
	}{
		{"webkb", "cornell/course", [3]float64{0, .30, .40}, [3]float64{.30, .60, .72}},
		{"webkb", "texas/course", [3]float64{.68, .74, .74}, [3]float64{.74, .82, .95}},
		{"zh_portals", "sports", [3]float64{.36, .42, .59}, [3]float64{.89, math.NaN(), math.NaN()}},
		{"zh_portals", "auto", [3]float64{.26, .27, .35}, [3]float64{1, 1, 1}},
		{"zh_portals", "edu", [3]float64{.01, .24, .46}, [3]float64{.99, math.NaN(), math.NaN()}},
	} {
		dir := filepath.Join("..", "..", "..", "shared", "webs", c.web)
		if _, err := os.Stat(dir); err != nil {
			t.Skipf("there is no recorded web in %s", dir)
		}
		if webs[c.web] == nil {
			webs[c.web] = open(t, dir, false)
		}
		g := webs[c.web]
		about, ok := g.web.Topic(c.topic)
		if !ok {
			t.Fatalf("%s has no topic %s", c.web, c.topic)
		}
		k, err := newTask(g, about, drawing{}, 0)
		noError(t, err)
		breadth, oracle := k.byBreadth(), k.byTruth()
		for i, share := range []float64{.1, .25, .5} {
			for _, line := range []struct {
				what      string
				got, want float64
			}{{"breadth-first", breadth.Recall(breadth.At(share)), c.breadth[i]}, {"the oracle", oracle.Recall(oracle.At(share)), c.oracle[i]}} {
				t.Logf("%s %s: %s after %.0f %% of %d pages: %.3f", c.web, c.topic, line.what, 100*share, k.pages, line.got)
				if math.Abs(line.got-line.want) > .03 {
					t.Errorf("%s %s: recall of %s after %.0f %% is %.3f, want %.2f", c.web, c.topic, line.what, 100*share, line.got, line.want)
				}
			}
		}
	}
}

// TestWhatIsKeptOfRealWebs holds what both looks keep of two recorded webs, at the end of a crawl of the whole reach, at the one
// threshold that counts where nobody says another: terms alone, with answers to the twenty pages that label asks about, and
// with five examples beside the terms. With -v it looks at the large web, too, draws three times, and prints the tables.
func TestWhatIsKeptOfRealWebs(t *testing.T) {
	if os.Getenv("THRESHER_SHARED") != "1" {
		t.Skip("the recorded webs are asked for with THRESHER_SHARED=1")
	}
	for web, want := range map[string]struct{ focus, first, second, labelled float64 }{"webkb": {.73, .44, .52, .5}, "zh_portals": {.86, .58, .62, .65}} {
		draws := 3
		if !testing.Verbose() {
			if draws = 1; web == "zh_portals" {
				continue // minutes
			}
		}
		dir := filepath.Join("..", "..", "..", "shared", "webs", web)
		if _, err := os.Stat(dir); err != nil {
			t.Skipf("there is no recorded web in %s", dir)
		}
		of := func(what string, o Options) *Result {
			o.Webs, o.Strategies, o.OwnJudge, o.Seed, o.SecondLook, o.Draws = []string{dir}, []string{"apprentice"}, true, 1, true, draws
			r := run(t, o)
			var text strings.Builder
			noError(t, r.keptText(&text, true))
			t.Logf("%s, %s: focus %.3f\n%s", web, what, r.Means[0].Focus, &text)
			return r
		}
		r := of("terms alone", Options{Labels: 20})
		m := r.Means[0]
		if m.Focus < want.focus || m.Kept.F1 < want.first || m.Kept.Recall < .6 || m.Second.F1 < want.second || m.Second.F1 < m.Kept.F1+.03 || m.Second.Recall < .6 {
			t.Errorf("%s: focus %.3f, first look %+v, second %+v", web, m.Focus, m.Kept, m.Second)
		}
		if m.Second.Labelled.F1 < want.labelled {
			t.Errorf("%s: with twenty labels F1 %.3f", web, m.Second.Labelled.F1)
		}
		for _, c := range r.Cells {
			if c.Second.F1 < c.Kept.F1-.02 {
				t.Errorf("%s: F1 %.3f, after the second look %.3f", c.Topic, c.Kept.F1, c.Second.F1)
			}
		}
		shown := of("with five examples", Options{Examples: 5}).Means[0]
		if shown.Kept.F1 < m.Kept.F1-.01 {
			t.Errorf("%s: with examples F1 %.3f, without %.3f", web, shown.Kept.F1, m.Kept.F1)
		}
	}
}
