package compare

import (
	"math"
	"strings"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s is %.6f, want %.6f", what, got, want)
	}
}

// The sums are worked out by hand. Breadth-first finds a b c r1 r2 r3 x. Who knows the label of a link's target goes to
// r1 as soon as a shows it; who looks one further begins with b, which leads to two.
func TestFloorsOfASmallGraph(t *testing.T) {
	k := boats(t, `
		s → a b c
		a → r1
		b → r2 r3
		c → x`, drawing{}, 0)
	if k.pages != 7 || k.total != 3 {
		t.Fatalf("%d pages and %d relevant ones can be reached, want 7 and 3: the start page is not counted", k.pages, k.total)
	}
	f := k.floors(k.pages)
	for _, c := range []struct {
		what string
		got  []bool
		want string
	}{{"breadth", f.breadth.Relevant, "0001110"}, {"oracle", f.oracle.Relevant, "0101100"}, {"oracle2", f.oracle2.Relevant, "0110100"}} {
		if got := relevance(c.got); got != c.want {
			t.Errorf("%s finds %s, want %s", c.what, got, c.want)
		}
	}
	near(t, "breadth's area", f.breadth.AUC(), 3./7)
	near(t, "the oracle's area", f.oracle.AUC(), 13./21)
	near(t, "the two-step oracle's area", f.oracle2.AUC(), 14./21)
	if !(f.randomAUC > f.chance[0] && f.randomAUC < f.oracle2.AUC()) || f.chance[curvePoints] != 1 {
		t.Errorf("a random crawl has area %v and ends at %v", f.randomAUC, f.chance[curvePoints])
	}
}

func TestAChainLeavesNoChoice(t *testing.T) {
	k := boats(t, "s → a\na → r\nr → b", drawing{}, 0)
	f := k.floors(k.pages)
	for what, area := range map[string]float64{"random": f.randomAUC, "breadth": f.breadth.AUC(), "oracle": f.oracle.AUC(), "two-step oracle": f.oracle2.AUC()} {
		near(t, what, area, 2./3)
	}
}

// A promise falls when somebody else finds what a page would have led to: b and c lead to the same two pages, so that
// after b the page d, with one of its own, is worth more than c.
func TestTheOracleCountsWhatNobodyHasFound(t *testing.T) {
	k := boats(t, "s → b c d\nb → r1 r2\nc → r1 r2\nd → r3", drawing{}, 0)
	f := k.floors(k.pages)
	if got := relevance(f.oracle2.Relevant); got != "011010" {
		t.Errorf("the two-step oracle finds %s, want 011010: b r1 r2 d r3 c", got)
	}
}

func TestReach(t *testing.T) {
	const web = `
		s → a o1
		a → b r1
		b → r2
		r2 → r3
		o1 → r4
		lonely → r5`
	for _, c := range []struct {
		depth int
		want  string
	}{{0, "a b r1 r2 r3"}, {2, "a b r1"}, {3, "a b r1 r2"}} {
		k := boats(t, web, drawing{}, c.depth)
		if got := k.sum(); got != c.want {
			t.Errorf("within depth %d can be reached %q, want %q", c.depth, got, c.want)
		}
		f := k.floors(k.pages)
		for what, s := range map[string]int{"breadth": len(f.breadth.Relevant), "oracle": len(f.oracle.Relevant), "two-step oracle": len(f.oracle2.Relevant)} {
			if s != k.pages {
				t.Errorf("within depth %d the %s fetches %d pages of %d", c.depth, what, s, k.pages)
			}
		}
	}
}

// Examples are known beforehand: finding them is no merit, and not finding them no fault.
func TestExamplesAreInNoSum(t *testing.T) {
	const web = "s → a r1 r2 r3 r4 r5 r6"
	drawn := map[string]bool{}
	for seed := range uint64(8) {
		k := boats(t, web, drawing{examples: 2, seed: seed}, 0)
		again := boats(t, web, drawing{examples: 2, seed: seed}, 0)
		if k.sum() != again.sum() {
			t.Errorf("seed %d draws once %q and once %q", seed, k.sum(), again.sum())
		}
		if k.total != 4 || k.pages != 5 || len(k.examples) != 2 {
			t.Errorf("with two examples %d of %d pages are relevant, want 4 of 5", k.total, k.pages)
		}
		if f := k.floors(k.pages); len(f.breadth.Relevant) != 5 || f.breadth.Found(5) != 4 {
			t.Errorf("breadth-first finds %s", relevance(f.breadth.Relevant))
		}
		drawn[k.sum()] = true
	}
	if len(drawn) < 3 {
		t.Errorf("eight seeds draw %d different pairs", len(drawn))
	}
	start := boats(t, "s → a\nr1 → b r3\nr2 → b r3\nr3 → b", drawing{examples: 1, seed: 1, start: true}, 0)
	if len(start.seeds) != 2 || start.address[start.seeds[0]] != at("s") || start.seeds[1] != start.examples[0] {
		t.Errorf("the start pages are %v, the examples %v", start.seeds, start.examples)
	}
	if got := start.sum(); !strings.Contains(got, "a") || !strings.Contains(got, "b") || strings.Contains(got, "s") {
		t.Errorf("counted are %s: want what the topic's own start page and the example lead to, and neither of the two", got)
	}
}
