package compare

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

func names(v []variant) string {
	var all []string
	for _, v := range v {
		all = append(all, v.name)
	}
	return strings.Join(all, "; ")
}

func TestVariants(t *testing.T) {
	for _, c := range []struct {
		strategies, set, want string
	}{
		{"shark breadth", "", "shark; breadth"},
		{"shark breadth", "topic.threshold=0.4", "shark; breadth"},
		{"shark breadth", "topic.threshold=0.4,0.5", "shark[topic.threshold=0.4]; shark[topic.threshold=0.5]; breadth[topic.threshold=0.4]; breadth[topic.threshold=0.5]"},
		{"shark breadth", "strategy.rank.inherited.decay=0.3,0.8", "shark[rank.inherited.decay=0.3]; shark[rank.inherited.decay=0.8]; breadth"},
		{"shark", "strategy.rank.inherited.decay=0.3,0.8 strategy.admit.tunnel.depth=2,4",
			"shark[rank.inherited.decay=0.3 admit.tunnel.depth=2]; shark[rank.inherited.decay=0.3 admit.tunnel.depth=4]; shark[rank.inherited.decay=0.8 admit.tunnel.depth=2]; shark[rank.inherited.decay=0.8 admit.tunnel.depth=4]"},
		{"shark", "scope.not_paths=/a/*,/b/*", "shark"},
		{"tunnel", `sites=[{"site":"a.example","weight":0.9},{"site":"b.example","weight":0.1}]`, "tunnel"},
	} {
		var choices []Choice
		for _, pair := range strings.Fields(c.set) {
			choice, err := ReadChoice(pair)
			noError(t, err)
			choices = append(choices, choice)
		}
		got, err := variantsOf(strings.Fields(c.strategies), choices)
		if err != nil || names(got) != c.want {
			t.Errorf("%s with %s: %v\n%s\nwant\n%s", c.strategies, c.set, err, names(got), c.want)
		}
	}
	for _, wrong := range []string{"topic.threshold", "=1", "topic.threshold=", "topic.threshold=0.1,,0.2"} {
		if _, err := ReadChoice(wrong); err == nil {
			t.Errorf("--set %s was read", wrong)
		}
	}
}

// A factor that stands in the hedge, too, is set in both: one that leaves its number on the trail must be alike.
func TestVariantsChangeTheHedge(t *testing.T) {
	for set, want := range map[string]int{"strategy.rank.inherited.decay=0.3": 2, "strategy.rank.inherited.weight=0.3": 1} {
		choice, err := ReadChoice(set)
		noError(t, err)
		v, err := variantsOf([]string{"apprentice"}, []Choice{choice})
		if err != nil {
			t.Errorf("%s: %v", set, err)
			continue
		}
		config := focus.Default()
		config.Strategy = v[0].strategy
		s, err := config.LoadStrategy(nil)
		noError(t, err)
		if key := strings.NewReplacer("strategy.rank.inherited.", "", "=", ": ").Replace(set); strings.Count(string(s.YAML()), key) != want {
			t.Errorf("%s: want %q %d times in\n%s", set, key, want, s.YAML())
		}
	}
}

// TestAValueOutOfRangeIsToldAsItWasSet: nobody has seen the strategy that was made of it.
func TestAValueOutOfRangeIsToldAsItWasSet(t *testing.T) {
	for pair, want := range map[string]string{
		"strategy.rank.inherited.decay=0.5,5": "--set strategy.rank.inherited.decay=5: rank.mix[0].inherited: decay is 5, want 0 to 1",
		"strategy.select=foo":                 `--set strategy.select=foo: select: unknown word "foo"; known are best, `,
	} {
		c, err := ReadChoice(pair)
		noError(t, err)
		_, err = variantsOf([]string{"shark"}, []Choice{c})
		var wrong Misuse
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", pair, err, want)
		}
	}
}

// What is set is what the crawl's strategy says, and nothing else of it changes.
func TestVariantsChangeTheTree(t *testing.T) {
	plain, err := crawlfile.Strategy("shark")
	noError(t, err)
	for _, c := range []struct{ set, was, is string }{
		{"strategy.rank.inherited.decay=0.3", "decay: 0.5", "decay: 0.3"},
		{"strategy.rank.neighbourhood.weight=0.7", "name: neighbourhood, weight: 0.5", "name: neighbourhood, weight: 0.7"},
		{"strategy.rank.context.full_if_anchor=false", "full_if_anchor: true", "full_if_anchor: false"},
		{"strategy.admit.tunnel.depth=2", "depth: 3", "depth: 5"},
		{"strategy.select=fifo", "select: best", "select: fifo"},
		{"strategy.full=0.4", "full: 1", "full: 0.4"},
	} {
		choice, err := ReadChoice(c.set)
		noError(t, err)
		v, err := variantsOf([]string{"shark"}, []Choice{choice})
		if err != nil {
			t.Errorf("%s: %v", c.set, err)
			continue
		}
		config := focus.Default()
		config.Strategy = v[0].strategy
		s, err := config.LoadStrategy(nil)
		noError(t, err)
		flat := func(yaml []byte) string {
			return strings.Join(strings.Fields(strings.ReplaceAll(string(yaml), "\n", ", ")), " ")
		}
		before, after := flat(plain.YAML()), flat(s.YAML())
		if diff := differences(before, after); len(diff) != 1+strings.Count(c.set, "tunnel.depth") { // max follows the depth
			t.Errorf("%s changes %d words:\n%s\n%s", c.set, len(diff), before, after)
		}
		if s.Fingerprint() == plain.Fingerprint() || s.Name != "shark" {
			t.Errorf("%s leaves the strategy as it was", c.set)
		}
	}
	for _, wrong := range []string{"strategy.rank.inherited.decay=7", "strategy.select=bset", "strategy.admit.tunnel.depth=deep"} {
		choice, _ := ReadChoice(wrong)
		if _, err := variantsOf([]string{"shark"}, []Choice{choice}); err == nil {
			t.Errorf("%s was taken", wrong)
		}
	}
}

// A branch with parameters is called by what it is.
func TestVariantsChangeABranch(t *testing.T) {
	v, err := variantsOf([]string{"apprentice", "shark"}, []Choice{{"strategy.rank.apprentice.every", []string{"1"}}, {"strategy.rank.apprentice.growth", []string{"0"}}})
	noError(t, err)
	config := focus.Default()
	config.Strategy = v[0].strategy
	s, err := config.LoadStrategy(nil)
	noError(t, err)
	plain, err := crawlfile.Strategy("apprentice")
	noError(t, err)
	is := string(s.YAML())
	if diff := differences(string(plain.YAML()), is); len(diff) != 2 || !strings.Contains(is, "every: 1\n") || !strings.Contains(is, "growth: 0\n") {
		t.Errorf("%d words differ:\n%s", len(diff), is)
	}
	if v[1].strategy.Name != "shark" || len(v[1].set) > 0 {
		t.Errorf("a strategy without an apprentice is %+v", v[1])
	}
	if _, err := variantsOf([]string{"shark"}, []Choice{{"strategy.rank.mix.weight", []string{"1"}}}); err == nil {
		t.Error("a branch without parameters was given one")
	}
}

// differences are the places at which two texts have different words.
func differences(a, b string) []int {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) {
		return slices.Repeat([]int{0}, max(len(x), len(y)))
	}
	var at []int
	for i := range x {
		if x[i] != y[i] {
			at = append(at, i)
		}
	}
	return at
}

func TestTheWinnerIsShownWhereItWasNotChosen(t *testing.T) {
	other := sketch("s → a b\na → r1 c\nb → r2\nc → r3").folder(t, "other")
	o := Options{Tune: []string{small}, Show: []string{other}, Strategies: []string{"shark"}, Seed: 1,
		Set: []Choice{{"strategy.rank.inherited.decay", []string{"0.3", "0.8"}}, {"strategy.select", []string{"best", "fifo"}}}}
	r := run(t, o)
	if r.Tuned == nil || len(r.Tuned.Tried) != 4 || r.Tuned.Tried[0].Strategy != r.Tuned.Winner || !slices.Equal(r.Tuned.Webs, []string{"small"}) {
		t.Fatalf("the choice was made so: %+v", r.Tuned)
	}
	for i, try := range r.Tuned.Tried[1:] {
		if try.Focus > r.Tuned.Tried[i].Focus {
			t.Errorf("%s is better than what stands before it", try.Strategy)
		}
	}
	for _, c := range r.Cells {
		if c.Web != "other" {
			t.Errorf("a cell is of %s", c.Web)
		}
	}
	if len(r.Means) != 2 || r.Baseline != "shark" || !slices.ContainsFunc(r.Means, func(m Mean) bool { return m.Strategy == r.Tuned.Winner }) {
		t.Errorf("baseline %s, means %+v", r.Baseline, r.Means)
	}
	var text strings.Builder
	if err := r.Text(&text, true); err != nil || !strings.HasPrefix(text.String(), r.Tuned.Winner+" won among 4 on small:") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func TestWarmBesideCold(t *testing.T) {
	all, err := variantsOf([]string{"apprentice"}, []Choice{{Key: "learn.from", Values: []string{"none", "sailing.learned"}}})
	if err != nil || len(all) != 2 || all[0].name != "apprentice[learn.from=none]" {
		t.Errorf("%d variants, %v", len(all), err)
	}
	if _, err := variantsOf([]string{"apprentice"}, []Choice{{Key: "budget.pages", Values: []string{"7"}}}); err == nil {
		t.Error("the budget can be set beside compare's own")
	}
}
