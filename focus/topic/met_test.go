package topic

import (
	"fmt"
	"testing"
)

// What was met ahead is what would have been found later: every question has the same answer with it and without, for a judge of
// terms alone and for one that learns nothing but must cut.
func TestWhatIsMetAheadIsFoundAgain(t *testing.T) {
	links := [][3]string{
		{"solar panel prices", "before the", "battery storage for the roof and other storage"},
		{"", "solar solar", ""},
		{"home", "nothing here", "nor here"},
		{"太阳能电池板", "屋顶上的", "储能系统 solar"},
		{"home", "solar", "panels"},
	}
	texts := func(i int) (anchor, before, after string) { return links[i][0], links[i][1], links[i][2] }
	for _, language := range []string{"en", "auto"} {
		spec := Spec{Language: language, Terms: []Term{{Term: "solar", Weight: 1}, {Term: "panel", Weight: .5}, {Term: "battery storage", Weight: 1}, {Term: "太阳能", Weight: 1}}}
		ask := func(about *Topic) (said string) {
			for _, l := range links {
				said += fmt.Sprintln(about.Sim(l[0]), about.SimAround(l[1], l[2], 3), about.SimHint(about.Hint(l[0], l[1], l[2], 2)), about.Matches(l[2]), about.Mentions(l[0], l[2]))
			}
			return said
		}
		plain, ahead := mustNew(t, spec), mustNew(t, spec)
		if !ahead.Settled() {
			t.Fatalf("%s: a topic of terms alone is not settled", language)
		}
		if m := ahead.Meet(len(links), texts); m != nil {
			t.Errorf("%s: words are looked for that nobody has asked for", language)
		}
		want := ask(plain)
		ahead.Sim("ask")
		ahead.SimAround("ask", "", 1)
		m := ahead.Meet(len(links), texts)
		if m == nil {
			t.Fatalf("%s: nothing was met", language)
		}
		ahead.Bring(m)
		if got := ask(ahead); got != want {
			t.Errorf("%s: ahead\n%s, else\n%s", language, got, want)
		}
		ahead.Bring(nil)
		if got := ask(ahead); got != want {
			t.Errorf("%s: afterwards\n%s, else\n%s", language, got, want)
		}
	}
}

// A topic is settled only where nothing that a crawl sees makes a difference to what it says.
func TestATopicThatLearnsIsNotSettled(t *testing.T) {
	terms := []Term{{Term: "solar", Weight: 1}}
	for _, c := range []struct {
		spec    Spec
		settled bool
	}{
		{Spec{Language: "en", Terms: terms, Judge: "bm25"}, true},
		{Spec{Language: "en", Terms: terms, Judge: "vsm-restricted"}, false},
		{Spec{Language: "en", Judge: "centroid"}, false},
	} {
		if got := mustNew(t, c.spec).Settled(); got != c.settled {
			t.Errorf("%s: settled %v, want %v", c.spec.Judge, got, c.settled)
		}
	}
}
